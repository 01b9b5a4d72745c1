"""Fields as people see them: what they are called, which are needed, how much they take, and how they are shown."""

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict

from registry.submissions.forms import (
    BibliographyForm,
    CommentForm,
    PresetForm,
    ProspectForm,
    QueueForm,
    RemovalForm,
    RowListForm,
    SubmitForm,
    SuggestionForm,
    TermsForm,
    UnmaskingForm,
    VersionForm,
)
from registry.submissions.result_forms import ResultForm, RowForm
from registry.submissions.table_forms import PastedForm, TableForm
from tests.registry.submissions.world import make_robust04

TERMS = {
    "note": "Note to the reviewer",
    "embargo_until": "Keep back until",
    "is_anonymous": "Keep my name from reviewers until then",
}
CELLS = {
    "collection": "Collection",
    "measure": "Measure",
    "system": "System",
    "value": "Score",
    "unit": "The score is",
    "role": "In the paper it is",
    "team": "Team",
    "year": "Year",
    "date": "Day",
    "locator": "Where in it",
    "run_type": "Run",
    "comparability": "Setting",
    "n_topics": "Topics",
    "replicate_of": "Repeats",
    "source": "Taken from",
    "notes": "Notes",
    "paper": "Paper",
}
PASTED = {
    "text": "Table",
    "file": "Or a file",
    "form": "Its format",
    "collection": "Collection",
    "measure": "Measure",
    "system": "System",
    "unit": "The scores are",
}
OF_TABLES = {"role": "In the paper they are", "year": "Year", "source": "Taken from", "locator": "Where in it"}


@pytest.mark.parametrize(
    ("form", "labels"),
    [
        (ResultForm, CELLS | TERMS),
        (RowForm, CELLS | {"paper_url": "Address of the paper"}),
        (PastedForm, PASTED),
        (TableForm, PASTED | OF_TABLES | TERMS | {"paper": "Paper"}),
        (TermsForm, TERMS),
    ],
)
@pytest.mark.django_db
def test_fields_are_called(form, labels):
    fields = form().fields
    found = {name: field.label for name, field in fields.items() if not field.widget.is_hidden}
    assert found == labels
    assert {name for name, field in fields.items() if field.widget.is_hidden} <= {"version"}


@pytest.mark.parametrize(
    ("form", "needed"),
    [
        (ResultForm, {"collection", "measure", "system", "value"}),
        (RowForm, {"version"}),
        (PastedForm, set()),
        (TableForm, set()),
        (TermsForm, {"version"}),
        (SubmitForm, {"version"}),
    ],
)
@pytest.mark.django_db
def test_so_much_is_needed(form, needed):
    assert {name for name, field in form().fields.items() if field.required} == needed


@pytest.mark.django_db
def test_fields_take_so_much():
    def longest(form):
        return {name: field.max_length for name, field in form.fields.items() if getattr(field, "max_length", None)}

    texts = {"collection", "measure", "system", "value", "team", "year", "date", "locator", "n_topics", "replicate_of"}
    cells = dict.fromkeys([*texts, "source", "notes"], 50_000)
    assert longest(RowForm()) == cells | {"paper": 50_000, "paper_url": 50_000}
    assert longest(ResultForm()) == cells | {"paper": 100_000, "note": 2000}
    # A browser would cut a longer table off.
    pasted = dict.fromkeys(["collection", "measure", "system"], 50_000)
    assert longest(PastedForm()) == pasted
    assert longest(TableForm()) == pasted | dict.fromkeys(["year", "source", "locator"], 50_000) | {
        "paper": 100_000, "note": 2000,
    }  # fmt: skip
    names = {"collection": 200, "measure": 100, "system": 300}
    assert longest(PresetForm({})) == names
    assert longest(ProspectForm({})) == names | {"value": 100}
    assert longest(SuggestionForm({})) == {"q": 300, "collection": 200}
    assert longest(QueueForm({})) == {"collection": 200}


@pytest.mark.django_db
def test_fields_are_shown_as_what_they_take():
    def shown(form, attribute):
        attrs = {name: field.widget.attrs for name, field in form.fields.items()}
        return {name: given[attribute] for name, given in attrs.items() if attribute in given}

    assert shown(RowForm(), "inputmode") == {
        "value": "decimal", "year": "numeric", "n_topics": "numeric", "paper_url": "url",
    }  # fmt: skip
    assert shown(RowForm(), "spellcheck") == dict.fromkeys(["collection", "measure", "system"], "false")
    assert shown(ResultForm(), "rows") == {"notes": 2, "paper": 1, "note": 2}
    assert shown(ResultForm(), "data-suggest") == {
        name: name for name in ("collection", "measure", "system", "paper")
    }  # fmt: skip
    assert shown(TableForm(), "data-suggest") == {name: name for name in ("collection", "measure", "paper")}
    assert shown(PastedForm(), "data-suggest") == {name: name for name in ("collection", "measure")}
    assert shown(PastedForm(), "data-most") == dict.fromkeys(["text", "file"], "2000000")
    assert shown(PastedForm(), "rows") == {"text": 12}
    assert shown(PastedForm(), "wrap") == {"text": "off"}
    assert ResultForm().fields["embargo_until"].widget.input_type == "date"


@pytest.mark.django_db
def test_fields_say_what_they_take():
    for form in (ResultForm(), RowForm(), TableForm()):
        plain = {"form", "unit", "role", "run_type", "comparability", "version"}
        assert {name for name, field in form.fields.items() if not field.help_text} <= plain
        assert {name for name, field in form.fields.items() if field.help_text} & plain == set()


@pytest.mark.django_db
def test_the_fields_of_a_result_stand_in_the_order_in_which_they_are_needed():
    needed = ["collection", "measure", "system", "value", "unit", "paper", "role"]
    assert list(ResultForm().fields)[:7] == needed
    assert list(RowForm().fields)[:8] == [
        "collection", "measure", "system", "value", "unit", "role", "paper", "paper_url",
    ]  # fmt: skip
    folded = [field.name for field in ResultForm().folded()]
    assert not set(folded) & set(needed)
    assert len(folded) == len(ResultForm().fields) - 7
    assert ResultForm().fields["role"].initial == "proposed"
    assert ResultForm().fields["comparability"].initial == "standard"


@pytest.mark.django_db
def test_what_few_need_is_unfolded_where_something_stands_in_it():
    make_robust04()
    given = {"collection": "robust04", "role": "proposed", "comparability": "standard"}
    assert not ResultForm().is_unfolded
    assert not ResultForm(given).is_unfolded
    assert ResultForm(given | {"team": "Lab"}).is_unfolded
    assert ResultForm(given | {"embargo_until": "never"}).is_unfolded


def test_a_text_is_as_long_as_may_be():
    most, field = 2_000_000, PastedForm.base_fields["text"]
    assert field.clean("x" * most) == "x" * most
    with pytest.raises(ValidationError) as caught:
        field.clean("x" * (most + 1))
    assert caught.value.messages == [
        "This is more than 2 MB. Hand it in in several parts; programs may send 5 MB at once (the API)."
    ]


@pytest.mark.django_db
def test_blanks_around_a_table_are_part_of_it():
    form = PastedForm({"text": "  Run  MAP\n  a    0.1\n"})
    form.is_valid()
    assert form.data["text"] == "  Run  MAP\n  a    0.1\n"


def test_versions_count_from_1():
    assert not VersionForm({"version": 0}).is_valid()
    assert VersionForm({"version": 1}).is_valid()
    assert SubmitForm({"version": 1}).is_valid()
    assert not RemovalForm(QueryDict("version=1")).is_valid()


def test_what_is_written_to_people_is_needed():
    assert {name: field.required for name, field in CommentForm().fields.items()} == {"text": True}
    assert UnmaskingForm().fields["reason"].required
    fields = BibliographyForm().fields
    assert [(name, field.required) for name, field in fields.items() if name in {"text", "file"}] == [
        ("text", False), ("file", False),
    ]  # fmt: skip
    assert (fields["file"].label, fields["source"].label) == ("Or a file", "Taken from")


def test_rows_are_told_by_what_would_become_of_them():
    form = RowListForm({})
    assert [value for value, _ in form.fields["outcome"].choices if value] == ["new", "same", "differs", "refused"]
    assert ("yes", "those to look at") in list(form.fields["warnings"].choices)
