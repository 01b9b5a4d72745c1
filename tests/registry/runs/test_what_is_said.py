"""What forms, programs, reports and figures say of what was sent, without anything being scored."""

from datetime import UTC, datetime

import pytest

from registry.runs.documents import upload_document
from registry.runs.forms import ExecutionsForm, WishesForm
from registry.runs.models import OwnCollection, Upload, Work
from registry.runs.own_forms import (
    MOST_MEASURES,
    OwnMeasureForm,
    SentOwnCollection,
)
from registry.runs.pipeline.packing import pack_scores, topic_scores_csv
from registry.runs.pipeline.reading import ReportLine
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result

STANDS = OwnCollection(name="Mine", visibility="public", topics=["t1", "t2"])


@pytest.mark.parametrize(
    ("sent", "stands", "form"),
    [
        (SentOwnCollection(), None, ("", "private", "")),
        (SentOwnCollection(), STANDS, ("Mine", "public", "t1\nt2")),
        (SentOwnCollection(name="New", topics=[]), STANDS, ("New", "public", "")),
        (SentOwnCollection(name="", topics=["t3"]), STANDS, ("", "public", "t3")),
        (SentOwnCollection(is_private=True), STANDS, ("Mine", "private", "t1\nt2")),
        (SentOwnCollection(is_private=False), None, ("", "unlisted", "")),
        (SentOwnCollection(is_private=True, visibility="unlisted"), None, ("", "unlisted", "")),
    ],
)
def test_what_programs_leave_out_is_as_it_was_or_by_default(sent, stands, form):
    assert sent.as_form(stands) == dict(zip(("name", "seen", "topics"), form, strict=True))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("data", "taken", "field", "said"),
    [
        ({"name": "Cost", "low": "2", "high": "2"}, (), "high", "It has to be above the lower end."),
        ({"name": "cost"}, ("COST",), "name", "The collection has this measure."),
        ({"name": "x"}, map(str, range(MOST_MEASURES)), "__all__", "A collection has 50 measures at most."),
        ({"name": "a\u200bb"}, (), "name", "This contains U+200B (zero width space), which cannot be seen; delete it."),
        ({"name": "x", "decimals": "11"}, (), "decimals", "Ensure this value is less than or equal to 10."),
    ],
)
def test_measures_that_cannot_be(data, taken, field, said):
    form = OwnMeasureForm(data, taken=[*taken])
    assert {name: [str(one) for one in errors] for name, errors in form.errors.items()} == {field: [said]}
    assert OwnMeasureForm({"name": "x"}, taken=[*map(str, range(MOST_MEASURES - 1))]).is_valid()


@pytest.mark.django_db
def test_what_is_wished_of_a_table_and_of_a_claimed_run():
    board = make_leaderboard(make_collection(), make_measure("AP"))
    other, result = make_leaderboard(), make_result(board)
    slug = board.collection.slug
    table = WishesForm({"kind": "matrix", "collection": slug, "measure": "ap"}, file_name="scores.csv.gz")
    assert table.is_valid()
    assert table.wishes() == {
        "name": "scores", "collection": board.collection, "measure": board.measure, "kept_until": None,
        "claimed": None,
    }  # fmt: skip
    run = WishesForm({"kind": "run", "collection": slug, "measure": "AP", "claimed": result.pk, "name": " My  run "})
    assert run.is_valid()
    wishes = run.wishes()
    assert (wishes["name"], wishes["measure"], wishes["claimed"]) == ("My run", None, result)
    unnamed = WishesForm({"kind": "matrix", "collection": slug})
    assert unnamed.errors["measure"] == ["Say under which measure these scores are."]
    elsewhere = WishesForm({"kind": "run", "collection": other.collection.slug, "claimed": result.pk})
    assert elsewhere.errors["claimed"] == [f"No result of this number stands on a leaderboard of {other.collection}."]


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ({"execution": ["a"]}, {"execution": ["Choose two or more."]}),
        (
            {"execution": ["a", "b"], "baseline": ["b"]},
            {"baseline": ["A column is an execution or a baseline, not both."]},
        ),
        ({"execution": ["a", "b"], "baseline": ["c"], "margin": "0.01"}, {}),
        ({"execution": [f"x{n}" for n in range(98)], "baseline": ["a", "b"]}, {}),
        (
            {"execution": [f"x{n}" for n in range(98)], "baseline": ["a", "b", "c"]},
            {"__all__": ["At most 100 columns are compared at once."]},
        ),
        (
            {"execution": ["a", "b"], "margin": "0"},
            {"margin": ["Ensure this value is greater than or equal to 0.000001."]},
        ),
    ],
)
def test_columns_that_can_be_executions(data, errors):
    form = ExecutionsForm(data, ("a", "b", "c", *(f"x{n}" for n in range(98))))
    assert form.errors == errors


def test_topic_scores_are_exported_as_they_are_guarded_against_spreadsheets():
    packed = pack_scores(["t1", "=t2"], {"AP": [0.1, 1 / 3], "@P": [1.0, 0.0]})
    assert topic_scores_csv(packed) == "topic,AP,'@P\nt1,0.1,1.0\n'=t2,0.3333333333333333,0.0\n"


def document(report: dict, **work):
    found = Work(kind=Work.Kind.MATRIX, state=Work.State.DONE, report=report, **work)
    return upload_document(Upload(name="x", work=found, forgotten_at=datetime(2027, 1, 2, 3, 4, 5, 6, tzinfo=UTC)))


def test_a_report_says_how_often_where_and_what_was_done():
    report = {
        "remarks": [{"name": "Header", "count": 1, "policy": "It is none.", "where": "line 1"}],
        "n_missing": 5, "missing": ["t1", "t2", "t3"], "n_foreign": 1, "foreign": [[1234, "t9"]],
        "n_disordered": 2, "disordered": [[1, "a"], [2, "b"]], "n_tied": 0, "tied": [],
        "n_unjudged": 1, "n_at_10": 1, "n_unjudged_at_10": 1,
    }  # fmt: skip
    assert document(report).report == (
        ReportLine("Header", 1, "It is none.", "line 1"),
        ReportLine("Topics without an answer", 5, "Each counts as 0, as with trec_eval -c.", "t1, t2, t3 and 2 more"),
        ReportLine(
            "Topics without judgements",
            1,
            "They are left out; the mean is over the judged topics.",
            "t9 (line 1,234)",
        ),
        ReportLine(
            "Topics whose ranks contradict the scores",
            2,
            "The scores count, as in trec_eval.",
            "a (line 1), b (line 2)",
        ),
        ReportLine(
            "Documents without a judgement",
            1,
            "They count as not relevant.",
            "1 of the 1 document in first ten places",
        ),
    )
    assert document({}).report == ()
