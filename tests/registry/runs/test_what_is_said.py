"""What forms, programs, reports and figures say of what was sent, without anything being scored."""

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from registry.runs.documents import upload_document
from registry.runs.findings import draw_topics
from registry.runs.forms import ExecutionsForm, PairForm, WishesForm, name_of_file
from registry.runs.models import OwnCollection, OwnMeasure, Upload, Work
from registry.runs.own_forms import (
    MOST_MEASURES,
    MOST_TOPICS,
    BegunOwnCollection,
    OwnCollectionForm,
    OwnMeasureForm,
    SentOwnCollection,
    SentOwnMeasure,
)
from registry.runs.pipeline.packing import pack_scores, topic_scores_csv
from registry.runs.pipeline.precision import Interval, TopicPrecision
from registry.runs.pipeline.reading import ReportLine
from registry.runs.queries import entries_of, without_measure
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.run", "mine"), ("mine.run.gz", "mine"), ("mine.txt.zst", "mine"), ("scores.csv", "scores"),
        ("mine.json", "mine"), ("mine.tsv.gz", "mine"), ("a.b.dat", "a.b.dat"), (".run", "unnamed"), ("", "unnamed"),
        ("\u202e.run", "unnamed"), ("x" * 201, "x" * 200),
    ],
)  # fmt: skip
def test_what_has_no_name_is_called_as_its_file(file, name):
    assert name_of_file(file) == name


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


def test_what_programs_send_of_measures():
    begun = BegunOwnCollection(name="New", measures=["AP", "P@5"])
    assert begun.as_form() == {"name": "New", "seen": "private", "topics": "", "measures": "AP\nP@5"}
    assert BegunOwnCollection(name="New").as_form()["measures"] == ""
    assert SentOwnMeasure("AP").as_form() == {
        "name": "AP", "low": None, "high": None, "better": "more", "decimals": None,
    }  # fmt: skip
    less = SentOwnMeasure("Cost", low=0.5, high=2.0, higher_is_better=False, decimals=1)
    assert less.as_form() == {"name": "Cost", "low": 0.5, "high": 2.0, "better": "less", "decimals": 1}


@pytest.mark.django_db
def test_measures_that_are_not_known_here_are_as_they_are_described():
    form = OwnMeasureForm({"name": " Cost ", "low": "1", "high": "2", "better": "less", "decimals": "0"}, taken=())
    assert form.is_valid()
    assert form.facts == {
        "name": "Cost", "low": 1.0, "high": 2.0, "higher_is_better": False, "decimals": 0, "ir_measures": "",
    }  # fmt: skip
    form = OwnMeasureForm({"name": "P@7"}, taken=["AP"])
    assert form.is_valid()
    assert form.facts == {
        "name": "P@7", "low": None, "high": None, "higher_is_better": True, "decimals": 4, "ir_measures": "P@7",
    }  # fmt: skip


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


def test_topics_stand_once_a_line():
    form = OwnCollectionForm({"name": " My  own ", "seen": "unlisted", "topics": " t1\n\n t 2 \r\nt3"})
    assert form.is_valid()
    assert form.wishes() == {"name": "My own", "visibility": "unlisted", "topics": ["t1", "t 2", "t3"]}
    form = OwnCollectionForm({"name": "x", "seen": "private", "topics": "a\nb\na\nb"})
    assert form.errors["topics"] == ["“a” stands there twice."]
    form = OwnCollectionForm({"name": "x", "seen": "private", "topics": "a\n" * (MOST_TOPICS + 1)})
    assert form.errors["topics"] == ["At most 10,000 topics."]


@pytest.mark.django_db
def test_it_is_kept_until_the_end_of_a_day_within_a_year():
    collection, today = make_collection(), timezone.now().date()

    def until(day: date) -> WishesForm:
        return WishesForm({"kind": "run", "collection": collection.slug, "until": day.isoformat()})

    form = until(today)
    assert form.is_valid(), form.errors
    assert form.wishes()["kept_until"] == datetime.combine(today + timedelta(days=1), time(), tzinfo=UTC)
    assert until(today + timedelta(days=365)).is_valid()
    for day in (today - timedelta(days=1), today + timedelta(days=366)):
        assert until(day).errors["until"] == ["Choose a day from today on, within a year."]


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


def test_a_system_is_compared_with_another():
    assert PairForm({"first": "a", "second": "b"}, ("a", "b")).is_valid()
    assert PairForm({"first": "a", "second": "a"}, ("a", "b")).errors == {"second": ["Choose another system."]}
    assert set(PairForm({}, ("a", "b")).errors) == {"first", "second"}


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


def test_what_is_said_of_an_upload():
    said = document(
        {}, means={"AP": 0.5}, head="# ir_metadata.start\n# tag: x\n# actor:\n#   team: uni\n# ir_metadata.end\n"
    )
    assert (said.collection, said.own_collection, said.kind, said.state) == ("", "", "matrix", "done")
    assert (said.message, said.is_failed, said.is_sealed, said.has_topic_scores) == ("", False, False, False)
    assert (said.forgotten, said.means, said.agreement) == ("2027-01-02T03:04:05+00:00", {"AP": 0.5}, None)
    assert said.described == {"system": "x", "team": "uni"}
    assert document({}, head="# tag: x\n").described == {}
    assert document({}, head="# ir_metadata.start\n").described == {}
    assert document({}, refusal="It is none.").message == "It is none."


def test_topics_are_drawn_from_left_to_right_with_their_intervals():
    def topic(estimate: float, logit: Interval | None = None) -> TopicPrecision:
        return TopicPrecision("t", 3, 2, estimate, logit, None, None, None)

    chart = draw_topics([topic(0.75, Interval(0.5, 0.9, 0.95)), topic(0.0)])
    columns, dots = json.loads(chart.plotly)["data"]
    assert (columns["base"], columns["y"]) == ([0.5], [pytest.approx(0.4)])
    assert (dots["x"], dots["y"], dots["text"]) == ([1, 2], [0.75, 0.0], ["t: 0.750", "t: 0.000"])


def test_what_enters_a_board_of_ones_own_and_what_it_lacks():
    measure = OwnMeasure(pk=1, name="AP", ir_measures="AP")
    done, waiting = Work.State.DONE, Work.State.WAITING

    def sent(kind: str, state: str, under: int | None = None, **means: float) -> Upload:
        return Upload(own_measure_id=under, work=Work(kind=kind, state=state, means=means))

    table, other = sent("matrix", done, 1, a=0.5), sent("matrix", done, 2, AP=0.5)
    run, without = sent("run", done, AP=0.5), sent("run", done, RR=0.5)
    everything = [table, other, run, without, sent("matrix", waiting, 1), sent("run", waiting)]
    assert entries_of(measure, everything) == [table, run]
    assert without_measure(measure, everything) == [without]
    assert without_measure(OwnMeasure(pk=3, name="Cost"), everything) == []
