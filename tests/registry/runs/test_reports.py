"""What is counted of a run while it is scored, and how far down its rankings are looked at."""

import pytest

from analysis.runs.reading import Limits, RunReader, Unreadable
from analysis.runs.scoring import Scored, can_score, score_run

LIMITS = Limits(unpacked_bytes=10**8, lines=10**6, documents=10**6, seconds=9, memory_bytes=10**9)


def reader(content: str) -> RunReader:
    return RunReader(iter([content.encode()]), LIMITS)


def ranked(topic: str, *documents: str) -> str:
    """Return lines that return these documents in this order."""
    return "".join(f"{topic} Q0 {document} {rank} {-rank} x\n" for rank, document in enumerate(documents, 1))


def scored(content: str, judged: dict[str, dict[str, int]], *measures: str, steps: list[int] | None = None) -> Scored:
    names = {name: name for name in measures or ("AP",)}
    return score_run(reader(content), judged, names, (steps if steps is not None else []).append)


def names(first: int, last: int) -> list[str]:
    return [f"d{number}" for number in range(first, last)]


def test_every_count_of_a_report():
    judged = {
        "1": dict.fromkeys(names(0, 5), 1),
        "2": dict.fromkeys(names(0, 4), 0),
        "3": {"d0": 2, "elsewhere": 1},
        "4": {"d0": 1},
    }
    content = ranked("1", *names(0, 25)) + ranked("2", *names(0, 16)) + ranked("3", *names(0, 8))
    content += ranked("other", "a", "b")
    report = scored(content, judged).report
    assert (report.tag, report.n_lines, report.n_topics, report.n_documents) == ("x", 51, 4, 51)
    assert (report.foreign, report.n_foreign, report.missing, report.n_missing) == ([(50, "other")], 1, ["4"], 1)
    assert (report.n_judged_topics, report.n_answered) == (4, 3)
    # 20 of 25, 12 of 16 and 7 of 8 are judged nowhere; of the first ten 5, 6 and 7.
    assert (report.n_unjudged, report.n_at_10, report.n_unjudged_at_10) == (39, 28, 18)
    # Of the first twenty 5 of 20, 4 of 16 and 1 of 8: the first two are just a quarter.
    assert (report.n_top, report.n_judged_at_top, report.n_hardly_judged) == (44, 10, 1)
    assert (report.n_tied, report.tied, report.n_disordered, report.disordered, report.remarks) == (0, [], 0, [], [])


def test_the_line_that_contradicts_its_rank_is_named():
    judged = {"1": {"a": 1}}
    assert scored("1 Q0 a 1 3 x\n1 Q0 b 3 1 x\n1 Q0 c 2 2 x\n", judged).report.disordered == []
    # By rank a, c, b: c scores less than b, whose line it is.
    assert scored("1 Q0 a 1 3 x\n1 Q0 b 3 2 x\n1 Q0 c 2 1 x\n", judged).report.disordered == [(2, "1")]
    assert scored("1 Q0 a 1 3 x\n1 Q0 b 1 2 x\n", judged).report.disordered == []
    assert scored("1 Q0 a 1 3 x\n1 Q0 b one 2 x\n", judged).report.disordered == [(1, "1")]
    # Equal in single precision, as trec_eval has them.
    report = scored("1 Q0 a 1 3.00000001 x\n1 Q0 b 2 3 x\n", judged).report
    assert (report.tied, report.disordered) == ([(1, "1")], [])
    report = scored("1 Q0 b 1 2 x\n1 Q0 a 2 3 x\n1 Q0 c 3 2 x\n", judged).report
    assert (report.tied, report.disordered) == ([(1, "1")], [(2, "1")])


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("a b a", "Topic 1 names a document twice (line 3: document a, a duplicate of line 1). Which of the lines"),
        (
            "a b a b a",
            "Topic 1 names documents twice (line 3: document a, a duplicate of line 1, line 4: document b, a duplicate "
            "of line 2, line 5: document a, a duplicate of line 1). Which",
        ),
    ],
)
def test_a_document_that_occurs_twice_is_named_with_both_lines(documents, message):
    with pytest.raises(Unreadable) as caught:
        scored(ranked("1", *documents.split()), {"1": {"a": 1}})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("room", "rankings"), [(7, {}), (8, {"1": "ab c", "2": "d"}), (9, {"1": "ab c", "2": "d"})])
def test_rankings_are_kept_while_there_is_room_for_all(room, rankings):
    # Two documents of three letters and one of one, each with a blank after it: seven, and one too many.
    run, judged = reader(ranked("1", "ab", "c") + ranked("2", "d")), {"1": {"a": 1}, "2": {"d": 1}}
    assert score_run(run, judged, {"AP": "AP"}, most_characters=room - 1).rankings == rankings


@pytest.mark.parametrize(
    "measure",
    [
        *("AP@", "nDCG(dcg=)", "P@ten", "1", "AP(rel=2", "import os", "AP.x", "nDCG@10 AP", "ERR@20", "None"),
        # What lacks a parameter or has one that it does not take; what would end the evaluator.
        *("INST", "SDCG@10", "AP(foo=1)", "AP(rel='a')", "P@0", "nDCG@-1", "AP(rel=0)"),
        *(f"AP(rel={10**20})", f"P@{10**20}"),
    ],
)
def test_what_is_no_measure_that_is_computed_here(measure):
    assert not can_score(measure)
