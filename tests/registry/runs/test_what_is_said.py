"""What forms, programs, reports and figures say of what was sent, without anything being scored."""

from datetime import UTC, datetime

from analysis.runs.reading import ReportLine
from registry.runs.documents import upload_document
from registry.runs.models import Upload, Work
from registry.runs.pipeline.packing import pack_scores, topic_scores_csv


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
