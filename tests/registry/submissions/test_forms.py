"""What forms make of what is sent: sentences, choices, rows to remove, papers by whatever they are known."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import RequestFactory
from django.utils.datastructures import MultiValueDict

from analysis.readers.rejections import Candidate, Rejection
from analysis.readers.tables import Record
from registry.results.models import Paper
from registry.submissions import forms
from registry.submissions.forms import (
    CommentForm,
    DecisionForm,
    PresetForm,
    ProspectForm,
    QueueForm,
    RemovalForm,
    RowListForm,
    SuggestionForm,
    TermsForm,
    as_sentence,
)
from registry.submissions.result_forms import ResultForm, RowForm, asked_or_said, with_choice
from registry.submissions.table_forms import PastedForm, TableForm
from registry.submissions.views import submitting
from registry.submissions.views.submitting import n_rows_of, text_of
from tests.registry.factory import make_collection, make_measure, make_paper, make_user
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row


def sent(**fields: Any) -> QueryDict:
    found = QueryDict(mutable=True)
    for name, value in fields.items():
        found.setlist(name, value if isinstance(value, list) else [value])
    return found


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("is not a number", "This is not a number."),
        ("has 3 cells", "This has 3 cells."),
        ("an embargo ends in the future", "An embargo ends in the future."),
        ("did you mean AP?", "Did you mean AP?"),
        ("It is so.", "It is so."),
        ("island", "Island."),
        ("", "."),
    ],
)
def test_a_message_stands_below_a_field_as_a_sentence(message, sentence):
    assert as_sentence(message) == sentence


def test_below_a_field_stands_the_question_where_there_is_one():
    one, other = Candidate("a", "A"), Candidate("b", "B")

    def said(code: str, column: str, candidates: tuple[Candidate, ...], question: str = "Which?") -> str:
        return asked_or_said(Rejection(code, "is several", 1, column, False, candidates, question))

    assert said("ambiguous", "measure", (one, other)) == "Several go by this name. Which?"
    assert said("ambiguous", "measure", (one,)) == "Which?"
    assert said("ambiguous", "system", (one, other)) == "Which?"
    assert said("look_alike", "measure", (one, other)) == "Which?"
    assert said("ambiguous", "measure", (one, other), "") == "This is several."


def test_a_click_fills_the_fields_that_it_may():
    data = sent(system="bge", team="", value="0.3", use="system:BAAI/bge: base\nteam:BAAI\nvalue:0.9\nnothing")
    changed = with_choice(data)
    assert changed.dict() == data.dict() | {"system": "BAAI/bge: base", "team": "BAAI"}
    assert data["system"] == "bge"
    for use in ("", "value:0.9"):
        plain = sent(system="bge", use=use)
        assert with_choice(plain) is plain
    assert with_choice(sent(unit="", use="unit:percent"))["unit"] == "percent"


def test_rows_to_remove_are_lines_that_somebody_may_have_chosen():
    form = RemovalForm(sent(version="3", lines=["2", "10", "x", "٣", "123456789", "12345678"]))
    assert form.errors["lines"][0].startswith("Select a valid choice.")
    assert [value for value, _ in form.fields["lines"].choices] == ["2", "10", "12345678"]
    form = RemovalForm(sent(version="3", lines=["2", "10", "12345678"]))
    assert form.is_valid()
    assert (form.cleaned_data["lines"], form.cleaned_data["all_refused"]) == ([2, 10, 12345678], False)
    form = RemovalForm(sent(version="3", all_refused="on"))
    assert form.is_valid()
    assert (form.cleaned_data["lines"], form.cleaned_data["all_refused"]) == ([], True)
    for typed in (sent(version="3"), sent(version="0", lines=["2"]), sent(lines=["2"])):
        assert not RemovalForm(typed).is_valid()
    assert RemovalForm(sent(version="3")).errors["__all__"] == ["Choose the rows first."]


def test_addresses_say_which_rows_and_what_a_form_begins_with():
    assert RowListForm(sent(outcome="new", page="2")).is_valid()
    listed = RowListForm(sent(outcome="new", warnings="yes", page="2"))
    assert listed.is_valid()
    assert listed.address == {"outcome": "new", "warnings": "yes", "page": "2"}
    plain = RowListForm(sent())
    assert plain.is_valid()
    assert "outcome" not in plain.address
    for name, n in {"collection": 200, "measure": 100, "system": 300}.items():
        assert PresetForm(sent(**{name: "x" * n})).is_valid()
        assert not PresetForm(sent(**{name: "x" * (n + 1)})).is_valid()
    assert not SuggestionForm(sent(q="x")).is_valid()
    assert SuggestionForm(sent(kind="paper")).is_valid()
    assert not ProspectForm(sent(unit="miles")).is_valid()


@pytest.mark.django_db
def test_the_terms_of_a_submission_fill_their_form():
    make_robust04()
    submission = make_submission(note="please hurry")
    form = TermsForm.of(submission)
    assert {name: form[name].value() for name in form.fields} == {
        "version": 1,
        "note": "please hurry",
        "embargo_until": None,
        "is_anonymous": False,
    }


def test_a_row_is_edited_with_what_was_given_even_where_that_is_no_choice():
    form = RowForm(initial=row(role="winner", unit="%", run_type="manual", comparability="x" * 70, version="2"))
    shown = {name: form.initial[name] for name in ("role", "unit", "run_type", "comparability")}
    assert shown == {"role": "winner", "unit": "percent", "run_type": "manual", "comparability": "x" * 70}
    choices = {name: [(str(value), str(label)) for value, label in form.fields[name].choices] for name in shown}
    assert choices["role"][:2] == [("", "–"), ("winner", "“winner” (not known)")]
    assert choices["comparability"][1] == ("x" * 70, f"“{'x' * 60}” (not known)")
    assert [label for value, label in choices["run_type"] if value == "manual"] == ["manual"]
    assert "(not known)" not in dict(choices["unit"]).get("percent", "")
    assert [value for value, _ in choices["unit"]].count("") == 1
    plain = RowForm(initial=row())
    assert plain.fields["role"].choices[0] == ("", "–")
    assert not [label for _, label in plain.fields["role"].choices if "not known" in str(label)]
    assert plain.initial["unit"] == ""
    assert RowForm(initial=row(unit="fraction")).initial["unit"] == ""
    odd = RowForm(initial=row(unit="stones"))
    assert (odd.initial["unit"], odd.fields["unit"].choices[0]) == ("stones", ("stones", "“stones” (not known)"))


@pytest.mark.django_db
def test_the_cells_of_a_row_are_all_but_its_version_and_blank_ones():
    make_robust04()
    form = RowForm(sent(**row(notes="", version="4")))
    assert form.is_valid(), form.errors
    assert form.given.cells == row()
    assert form.cleaned_data["version"] == 4
    bad = RowForm(sent(**row(measure="MPA", value="30", version="4")))
    assert not bad.is_valid()
    choices = bad.choices_for()
    assert choices["measure"][0].value == "AP"
    assert "unit" not in choices, "the measure comes first"
    percent = RowForm(sent(**row(value="30", version="4")))
    assert not percent.is_valid()
    assert [(one.value, one.label) for one in percent.choices_for()["unit"]] == [("percent", "in percent")]
    assert "value" not in percent.choices_for()
    fields = {field.name: list(found) for field, found in percent.fields_with_choices()}
    assert [one.value for one in fields["unit"]] == ["percent"]
    assert fields["value"] == []
    assert "version" not in fields
    assert not any(found for _, found in RowForm(initial=row()).fields_with_choices())


def result_form(**fields: Any) -> ResultForm:
    given = {name: text for name, text in row().items() if name != "locator"}
    return ResultForm(sent(**given | fields))


@pytest.mark.django_db
def test_a_result_says_what_its_paper_says_and_what_is_usual_is_left_out():
    make_robust04()
    form = result_form(value="0.312*", notes="read twice", comparability="standard", note="for you", paper="Doe (2021)")
    assert form.is_valid(), form.errors
    assert form.given.cells == {
        "collection": "robust04",
        "measure": "MAP",
        "system": "Model X",
        "value": "0.312",
        "role": "proposed",
        "paper": "Doe (2021)",
        "year": "2021",
        "notes": 'read twice; printed as "0.312*"',
    }
    assert form.terms == {"note": "for you", "embargo_until": None, "is_anonymous": False}
    other = result_form(comparability="doubtful", year="2020", paper="Doe (2021)")
    assert other.is_valid()
    assert (other.given.cells["comparability"], other.given.cells["year"]) == ("doubtful", "2020")
    assert other.is_unfolded
    plain = result_form(comparability="standard")
    assert plain.is_valid()
    assert not plain.is_unfolded
    assert not ResultForm(initial=row(notes="x")).is_unfolded
    assert "notes" in {field.name for field in plain.folded()}
    assert not {"system", "value", "paper"} & {field.name for field in plain.folded()}
    wrong = result_form(n_topics="many")
    assert wrong.is_unfolded
    without = result_form(paper="", source="  ")
    assert without.errors["paper"] == ["Say where the score is printed: a paper, or under More what else."]
    broken = result_form(paper="@article{x,\n title = {A}\n author = {B}\n}")
    assert broken.errors["paper"] == ["Line 2: the comma behind the field is missing, or a brace in it."]
    cut_off = result_form(paper="@article{x, title = {A")
    assert "line 1" not in str(cut_off.errors["paper"]).lower()


@pytest.mark.django_db
def test_a_paper_on_record_is_cited_as_there_where_it_is_told_by_an_identifier():
    make_robust04()
    make_paper("Doe et al. (2019)", identity="arxiv:1904.09171", arxiv_id="1904.09171", year=2019)
    make_paper("", identity="arxiv:1904.09172", arxiv_id="1904.09172")
    Paper.objects.filter(identity="arxiv:1904.09172").update(cite="")
    make_paper("roe", identity="cite:roe (cikm 2020)", year=2018)

    def cells(paper: str) -> tuple[str, str]:
        form = result_form(paper=paper)
        assert form.is_valid(), form.errors
        return form.given.cells.get("paper", ""), form.given.cells.get("year", "")

    assert cells("arXiv:1904.09171") == ("Doe et al. (2019)", "2019")
    assert cells("arXiv:1904.09172")[0] == ""
    assert cells("Roe (CIKM 2020)") == ("Roe (CIKM 2020)", "2020")


# --- tables


def posted(content: bytes | None = None, **fields: str) -> Any:
    files = {"file": SimpleUploadedFile("results.csv", content)} if content is not None else {}
    return RequestFactory().post("/submit/table/", {**fields, **files})


def test_a_file_is_as_good_as_pasted_and_is_still_there_afterwards(monkeypatch):
    monkeypatch.setattr(submitting, "MAX_CHARACTERS", 8)
    request = posted(b"a,b\n1,2\n", text="pasted")
    assert text_of(request) == text_of(request) == {"text": "a,b\n1,2\n"}
    assert request.FILES["file"].read() == b"a,b\n1,2\n"
    assert text_of(posted(b"a,b\n1,22\n")) == text_of(posted(b"\xff")) == text_of(posted(text="pasted")) == {}
    assert n_rows_of(posted(b"1\n2\n3\n", text="1\n")) == n_rows_of(posted(b"1\n", text="1\n2\n3\n")) == 3
    assert n_rows_of(posted()) == 1


def test_the_first_results_of_the_first_systems_are_shown_in_the_order_of_their_lines():
    def shown(*systems: str) -> list[int]:
        rows = [Record(line, {"system": system}) for line, system in enumerate(systems, 1)]
        return [one.line for one in submitting._first_rows(rows)]

    assert shown("a", "a", "b", "a", "b", "b", "a") == [1, 2, 3, 4, 7]
    assert shown("a", "a", "b", "c", "d", "a", "a") == [1, 2, 3, 4, 5]
    assert shown("a", "a", "b", "c", "d", "e", "f") == [1, 3, 4, 5, 6, 7]
    assert shown(*"abcdefghijkl") == list(range(1, 11))
    assert shown() == []


def pasted(kind: type[PastedForm] = TableForm, file: tuple[str, bytes] | None = None, **fields: Any) -> PastedForm:
    files = MultiValueDict({"file": [SimpleUploadedFile(*file)]}) if file else None
    return kind(sent(**fields), files)


@pytest.mark.django_db
def test_what_holds_for_all_rows_and_what_no_row_says(monkeypatch):
    make_robust04()
    make_measure("P@20")
    form = pasted(text="system,MAP,P@20\nBM25,0.25,0.36\n,0.31,\n", collection=" robust04 ", role="baseline")
    assert form.is_valid(), form.errors
    assert form.defaults() == {"collection": "robust04", "role": "baseline"}
    assert form.terms == {"note": "", "embargo_until": None, "is_anonymous": False}
    assert (form.n_rows, form.missing(), form.is_open) == (len(form.records()), ["the paper"], False)
    assert {one.cells["collection"] for one in form.records() if isinstance(one, Record)} == {"robust04"}
    bare = pasted(text="system,score\nBM25,0.25\n")
    assert bare.is_valid()
    assert bare.missing() == [
        "the collection",
        "the measure",
        "what the results are in the paper, proposed or baseline",
        "the paper",
    ]
    reviewed = pasted(PastedForm, text="system,MAP\nBM25,0.25\n")
    assert reviewed.is_valid()
    assert reviewed.missing() == ["the collection"]
    paper = pasted(text="system,MAP\nBM25,0.25\n", collection="robust04", role="baseline", paper="Doe (SIGIR 2021)")
    assert paper.is_valid()
    assert paper.defaults() == {
        "collection": "robust04",
        "role": "baseline",
        "paper": "Doe (SIGIR 2021)",
        "year": "2021",
    }
    assert paper.missing() == []


@pytest.mark.django_db
def test_what_some_rows_leave_out_is_told_where_others_say_it():
    make_robust04()
    half = pasted(text="system,measure,score\nBM25,MAP,0.25\nMyModel,,0.31\n", collection="robust04")
    assert half.is_valid(), half.errors
    assert half.missing_here_and_there() == ["the measure"]
    whole = pasted(text="system,measure,score\nBM25,MAP,0.25\nMyModel,MAP,0.31\n", collection="robust04")
    none = pasted(text="system,score\nBM25,0.25\nMyModel,0.31\n", collection="robust04")
    for form in (whole, none):
        assert form.is_valid()
        assert form.missing_here_and_there() == []
    assert none.missing()[0] == "the measure"


@pytest.mark.django_db
def test_a_table_that_cannot_be_taken_says_where_and_its_text_stays(monkeypatch):
    make_robust04()
    form = pasted(text='system,score\n"open,0.3\n')
    assert not form.is_valid()
    assert "Line 2" in str(form.errors["text"])
    for fields in ({"text": ""}, {"text": " \n "}):
        assert pasted(**fields).errors["__all__"] == ["Paste a table, or choose a file."]
    unknown = pasted(text="system,MAP\nBM25,0.25\n", collection="Robst04", measure="MPA")
    assert set(unknown.errors) == {"collection", "measure"}
    assert unknown.choices_for()["collection"][0].value == "trec-2004-robust"
    assert list(unknown.choices_for()) == ["collection", "measure"]
    monkeypatch.setattr(forms, "MAX_CHARACTERS", 20)
    text = b"system,MAP\nBM25,0.25"
    file = pasted(file=("results.csv", text), collection="robust04", text="pasted")
    assert file.is_valid(), file.errors
    assert file.data["text"] == text.decode()
    longer = pasted(file=("results.csv", text + b"\n"))
    assert "This is more than 2 MB" in str(longer.errors["file"])


@pytest.mark.django_db
def test_the_output_of_a_tool_is_called_after_its_file():
    make_robust04()
    output = b"map\tall\t0.2531\nP_20\tall\t0.3631\n"

    def suggested(name: str) -> tuple[str, ...]:
        form = pasted(file=(name, output), collection="robust04")
        assert form.is_valid(), form.errors
        assert "system" in form.NEEDED
        return form.mentioned().get("system", ())

    assert suggested("bm25-default.txt") == ("bm25-default",)
    assert suggested("2004.txt") == ()
    given = pasted(file=("bm25.txt", output), collection="robust04", system="BM25")
    assert given.is_valid()
    assert "system" not in given.mentioned()
    typed = pasted(text=output.decode(), collection="robust04")
    assert typed.is_valid()
    assert "system" not in typed.mentioned()


# --- reviewing


@pytest.mark.django_db
def test_what_can_be_decided_of_a_submission():
    make_robust04()
    make_published(make_user(), rows=[row(), row(system="Model Y")])
    new = make_submitted(make_user(), rows=[row(system="Model Z")])
    same = make_submitted(make_user(), rows=[row(), row(system="Model Y"), row(system="Model Z")])
    one = make_submitted(make_user())

    def form(submission: Any, **given: Any) -> DecisionForm:
        return DecisionForm(sent(version="2", **given) if given else None, submission=submission)

    assert form(new).fields["decision"].choices == [
        ("publish", "Publish the row"),
        ("return", "Return it to its contributor, to be changed"),
        ("refuse", "Refuse it for good"),
    ]
    assert form(same).fields["decision"].choices[0] == ("publish", "Publish all 3 rows")
    assert "count_same" not in form(new).fields
    label = "When published, count the {} as read a second time"
    assert form(same).fields["count_same"].label == label.format("2 rows that stand already")
    assert form(one).fields["count_same"].label == label.format("row that stands already")
    for decision, is_fine in (("publish", True), ("return", False), ("refuse", False)):
        assert form(new, decision=decision).is_valid() is is_fine
        assert form(new, decision=decision, reason="which table?").is_valid()
    assert form(new, decision="refuse").errors["reason"] == ["Say why: its contributor reads it."]
    assert not form(new, decision="return", reason="x" * 5001).is_valid()
    assert form(new, decision="return", reason="x" * 5000).is_valid()
    assert not CommentForm(sent(text="x" * 5001)).is_valid()
    assert CommentForm(sent(text="x" * 5000)).is_valid()


@pytest.mark.django_db
def test_the_queue_names_states_and_collections():
    make_collection("trec-8", name="TREC-8")
    form = QueueForm(sent(collection="TREC-8"))
    assert form.is_valid()
    assert form.cleaned_data["collection"].slug == "trec-8"
    states = [value for value, _ in form.fields["state"].choices]
    assert "draft" not in states
    assert {"submitted", "in_review", "returned", "accepted", "published", "refused"} <= set(states)
    assert (
        QueueForm(sent(collection="trec-9"))
        .errors["collection"][0]
        .startswith("Unknown collection 'trec-9'; did you mean")
    )
