"""What forms ask for to correct the record: labels, what may stay blank, how long it may be, in which order."""

from datetime import UTC, datetime
from unittest.mock import patch

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.http import urlencode

from registry.journal.models import Entry
from registry.results.forms import (
    AuthorsForm,
    ChangeForm,
    ConfirmForm,
    CorrectionForm,
    DecisionForm,
    LogForm,
    MergePaperForm,
    MergeSystemForm,
    PageField,
    ReasonForm,
    RenameForm,
    RetractionForm,
    SayModelForm,
    SignificanceForm,
    SupersedeForm,
)
from registry.results.models import System
from registry.results.services.mass_changes import MassChange
from tests.registry.factory import make_entry, make_result, make_system, make_user

UNIT = "The score is"
PRINTED = "Score as the paper prints it"
ROWS = ("confirmed_rows", "Number of results", False, None)
REASON = ("reason", "Reason", True, 2000)


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        (ChangeForm, [REASON, ROWS]),
        (ConfirmForm, [ROWS, ("printed", PRINTED, True, 40), ("unit", UNIT, False, None)]),
        (
            CorrectionForm,
            [("kind", "What is wrong", True, None), ("proposed_printed", PRINTED, False, 40),
             ("proposed_unit", UNIT, False, None), REASON],
        ),
        (
            DecisionForm,
            [("decision", "Decision", True, None), ("printed", "Score to record", False, 40),
             ("unit", UNIT, False, None), REASON, ROWS],
        ),
        (MergeSystemForm, [("target", "The system that it is", True, None), REASON, ROWS]),
        (MergePaperForm, [("target", "The paper that it is", True, None), REASON, ROWS]),
        (SayModelForm, [("model", "Name or address of the model", False, 300), REASON]),
        (RenameForm, [("name", "Name", True, 300), ("team", "Team", False, 300), REASON, ROWS]),
        (AuthorsForm, [("orcids", "ORCID iDs of its authors", False, 5000), REASON]),
        (
            SignificanceForm,
            [("reports", "Are its differences tested for significance?", False, None),
             ("said", "Which test, and where the paper says so", False, 300), REASON],
        ),
        (RetractionForm, [("retraction", "Who took the paper back, when and why", False, 500), REASON]),
    ],
)  # fmt: skip
def test_a_form_asks_for_this_in_this_order(form, asked):
    fields = [form()[name] for name in form().fields]
    assert [
        (one.name, one.label, one.field.required, getattr(one.field, "max_length", None)) for one in fields
    ] == asked
    hidden = [one.name for one in fields if one.is_hidden]
    assert hidden == [name for name, *_ in asked if name == "confirmed_rows"]


def test_a_corrected_result_is_asked_for_in_words_and_not_for_how_far_it_is_trusted():
    form = SupersedeForm()
    assert "provenance" not in form.fields
    assert (form["printed"].label, form["unit"].label, form["locator"].label) == (
        "Score as printed", UNIT, "Where in the source",
    )  # fmt: skip
    assert (form["n_topics_here"].label, form["is_self_reported"].label) == ("Number of topics", "Self-reported")
    assert form["date"].field.widget.input_type == "date"
    assert form["notes"].field.widget.attrs["rows"] == 3
    assert [list(one.fields)[:2] for one in (ChangeForm(), form)] == [["reason", "confirmed_rows"]] * 2


def test_what_may_be_answered_is_said_in_words():
    assert [text for _, text in SignificanceForm().fields["reports"].choices] == [
        "It tests them", "It does not", "Nobody can tell",
    ]  # fmt: skip
    for answer, found in (("yes", True), ("no", False), ("", None)):
        form = SignificanceForm({"reports": answer, "reason": "read"})
        assert form.is_valid()
        assert form.cleaned_data["reports"] is found
    assert [text for _, text in CorrectionForm().fields["kind"].choices] == [
        "The paper prints another score", "I dispute the score",
    ]  # fmt: skip
    assert [text for _, text in DecisionForm().fields["decision"].choices] == [
        "Record another score", "Withdraw the result", "Decline",
    ]  # fmt: skip
    assert [text for _, text in ConfirmForm().fields["unit"].choices] == [
        "on the scale of its measure, as 0.7559", "in percent, as 75.59",
    ]  # fmt: skip
    for form in (CorrectionForm(), DecisionForm()):
        assert any(isinstance(field.widget, forms.RadioSelect) for field in form.fields.values())


def test_a_decision_to_correct_says_which_score():
    for given in ({"printed": " "}, {}):
        form = DecisionForm({"decision": "correct", "reason": "so", **given})
        assert form.errors == {"printed": ["Say which score is recorded."]}
    for decision in ("withdraw", "decline"):
        assert DecisionForm({"decision": decision, "reason": "so"}).is_valid()
    assert DecisionForm({"decision": "correct", "reason": "so", "printed": "0.3"}).is_valid()


def test_the_log_is_asked_for_with_help():
    helped = {name: str(field.help_text) for name, field in LogForm().fields.items()}
    assert helped["action"] == "How the action begins: results.result, or one in full."
    assert helped["actor"] == "A user name, or registry for the site itself."
    assert (helped["since"], helped["until"]) == ("The first day (UTC).", "The last day (UTC).")
    assert not LogForm(QueryDict(urlencode({"action": "x" * 61}))).is_valid()
    assert not LogForm(QueryDict(urlencode({"actor": "x" * 151}))).is_valid()
    assert LogForm(QueryDict(urlencode({"action": "x" * 60, "actor": "x" * 150}))).is_valid()


def test_what_a_service_says_stands_at_its_field_or_else_over_the_form():
    form = RenameForm({"name": "x", "reason": "y"})
    form.add_refusal(ValidationError({"name": ["is taken", "is long"], "printed": "is no score"}))
    form.add_refusal(ValidationError("ended since"))
    assert form.errors == {"name": ["is taken", "is long"], "__all__": ["is no score", "ended since"]}


def test_too_many_changes_are_asked_for_where_the_form_can_ask():
    form = ReasonForm({"reason": "y"})
    form.add_refusal(MassChange(3))
    assert form.errors == {"__all__": [str(MassChange(3))]}
    form = ChangeForm({"reason": "y"})
    form.add_refusal(MassChange(3))
    assert form.errors == {"confirmed_rows": [str(MassChange(3))]}
    assert form.has_error("confirmed_rows", "mass_change")
    field = form["confirmed_rows"]
    assert (field.is_hidden, 'type="number"' in str(field), 'autocomplete="off"' in str(field)) == (False, True, True)


@pytest.mark.django_db
def test_a_corrected_result_differs_in_what_was_typed_anew_alone():
    result = make_result(printed="0.25", locator="Table 1")
    same = {name: value for name, value in SupersedeForm(instance=result).initial.items() if value is not None}
    given = same | {"reason": "typing error", "printed": "0.26", "locator": ""}
    form = SupersedeForm(given, instance=result)
    assert form.is_valid(), form.errors
    assert form.changes == {"printed": "0.26", "locator": ""}
    form = SupersedeForm(same | {"reason": "typing error"}, instance=make_result(printed="0.25", locator="Table 1"))
    assert form.is_valid()
    assert form.changes == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        ("year", "2099", "is not a year between 1950 and"),
        ("date", "9999-12-31", "is before 1950 or in the future"),
        ("n_topics_here", "0", "0"),
        ("n_topics_here", "99999999999", "99999999999"),
        ("locator", "row\x07 5", "cannot be seen"),
        ("notes", "a\u202eb", "cannot be seen"),
    ],
)
def test_a_corrected_result_is_read_as_files_are(field, given, said):
    result = make_result(printed="0.25", year=2004)
    same = {name: value for name, value in SupersedeForm(instance=result).initial.items() if value is not None}
    form = SupersedeForm(same | {"reason": "a slip", field: given}, instance=result)
    assert list(form.errors) == [field]
    assert said in str(form.errors[field])


@pytest.mark.django_db
def test_the_log_is_narrowed_by_how_an_action_begins_who_acted_and_when():
    with patch("django.utils.timezone.now", return_value=datetime(2026, 1, 31, tzinfo=UTC)):
        early = make_entry("results.file.loaded", actor=make_user("ada"))
    late = make_entry("results.result.withdrawn")

    def found(**asked: str) -> list[Entry]:
        form = LogForm(QueryDict(urlencode(asked)))
        assert form.is_valid()
        return list(form.narrow(Entry.objects.order_by("pk")))

    assert found() == [early, late]
    assert [found(action=action) for action in ("results.", "results.file", "file")] == [[early, late], [early], []]
    assert [found(actor=actor) for actor in ("ada", "registry")] == [[early], [late]]
    assert [found(since="2026-02-01"), found(until="2026-01-31")] == [[late], [early]]


@pytest.mark.django_db
def test_a_page_is_named_by_its_address_its_last_part_or_a_number():
    system, field = make_system("BM25"), PageField(System.objects.filter(merged_into=None))
    for said in (f" https://site.example.org/systems/{system.slug}/ ", system.slug, str(system.pk), f"{system.slug}//"):
        assert field.clean(said) == system
    gone = make_system("gone", merged_into=system)
    for said in (gone.slug, str(gone.pk), "a b", "x" * 121, "9" * 19):
        with pytest.raises(ValidationError, match="Nothing that it can be merged into has this address"):
            field.clean(said)
    with pytest.raises(ValidationError, match="This field is required"):
        field.clean(" / ")
