"""Analysing a leaderboard: what is found, what stands in the way, what is written."""

import pytest

from analysis.boards import METHODS, Findings, read_snapshot
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries.boards import stale_leaderboards
from registry.leaderboards.services import save_finding
from registry.leaderboards.studies import analyse_leaderboard
from registry.results.models import Result, TopicScores
from tests.registry.factory import make_topics
from tests.registry.leaderboards.boards import VALUES, analyse, analysed, make_board, make_run, mark_changed


def findings_of(analysis: Analysis) -> Findings:
    return read_snapshot(analysis.snapshot.content).findings


def test_the_same_evidence_makes_the_same_snapshot_and_what_did_not_change_none():
    board = make_board()
    first = analyse(board).snapshot_id
    assert analyse_leaderboard(board.pk) is None
    mark_changed(board)
    assert analyse(board).snapshot_id == first
    assert Snapshot.objects.count() == 1


def test_a_new_result_makes_a_new_snapshot_and_keeps_the_old_one():
    board = make_board()
    first = analyse(board).snapshot_id
    make_run(board, "0.35")
    mark_changed(board)
    assert stale_leaderboards("1").get() == board
    assert analyse(board).snapshot_id != first
    assert Snapshot.objects.filter(pk=first).exists()


def test_an_older_finding_does_not_replace_a_newer_one():
    board = make_board()
    old = analyse_leaderboard(board.pk)
    make_run(board, "0.35")
    mark_changed(board)
    newer = analyse(board)
    assert save_finding(old).snapshot_id == newer.snapshot_id
    assert Snapshot.objects.get().pk == newer.snapshot_id


def test_other_methods_replace_what_stands_of_the_same_results():
    board = analysed(make_board())
    Analysis.objects.update(methods_version="0", obstacle=Analysis.Obstacle.NO_COMPARABLE_RESULT, snapshot=None)
    assert stale_leaderboards(METHODS.version).get() == board
    again = analyse(board)
    assert (again.methods_version, again.obstacle) == (METHODS.version, "")
    assert not stale_leaderboards(METHODS.version).exists()


def test_without_a_comparable_result_it_says_so():
    analysis = analyse(make_board(comparability=Result.Comparability.DOUBTFUL))
    assert analysis.obstacle == Analysis.Obstacle.NO_COMPARABLE_RESULT
    assert analysis.snapshot is None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"values": VALUES[:4]}, "fewer than 5 original results are recorded"),
        ({"n_topics": None}, "the number of topics behind these means is not known"),
        ({"values": ("0.2",) * 6}, "all original results have the same score"),
        ({"n_topics": 1}, "with a single topic nothing tells how much means vary"),
        ({"role": Result.Role.REFERENCE_IMPLEMENTATION}, "fewer than 5 original results are recorded"),
    ],
)
def test_what_equal_systems_would_show_may_be_unknown_where_there_is_a_verdict(fields, why):
    findings = findings_of(analyse(make_board(**fields)))
    assert (findings.equal_means, findings.why_no_equal_means) == ((), why)
    assert findings.verdict.best.value == max(map(float, fields.get("values", VALUES)))


def test_whatever_is_comparable_may_be_the_best_and_only_originals_are_counted():
    board = make_board()
    first = Result.objects.first()
    rerun = make_run(board, "0.50", role=Result.Role.REFERENCE_IMPLEMENTATION)
    make_run(board, "0.51", replicate_of=first)
    make_run(board, "0.52", comparability=Result.Comparability.TOPIC_SUBSET)
    mark_changed(board)
    analysis = analyse(board)
    findings = findings_of(analysis)
    assert (findings.verdict.best.result, findings.verdict.best.is_original) == (rerun.pk, False)
    assert findings.verdict.tries.n_results == len(VALUES) + 1
    assert findings.counted.n_results == len(VALUES)
    assert findings.counted.max == 0.31


def test_executions_of_one_system_compete_once_with_their_mean():
    board = make_board()
    first = Result.objects.get(printed="0.31")
    make_run(board, "0.35", replicate_of=first)
    mark_changed(board)
    best = findings_of(analyse(board)).verdict.best
    assert (best.result, round(best.value, 6)) == (first.pk, 0.33)


def test_a_failed_run_is_out_of_everything():
    board = make_board()
    failed = make_run(board, "0.0000")
    mark_changed(board)
    findings = findings_of(analyse(board))
    assert findings.verdict.tries.n_results == findings.counted.n_results == len(VALUES)
    assert [(caution.code, caution.results) for caution in findings.verdict.cautions] == [("failed-runs", (failed.pk,))]


def with_topic_scores(board, n_topics: int, scores_of) -> None:
    make_topics(board.collection, [str(topic) for topic in range(n_topics)])
    for row, result in enumerate(Result.objects.order_by("pk")):
        TopicScores.objects.create(result=result, scores=[scores_of(result, row, topic) for topic in range(n_topics)])


def test_a_run_with_one_score_on_every_topic_leaves_nothing_to_say():
    board = make_board(["0.3", "0.2"], n_topics=30)
    with_topic_scores(board, 30, lambda result, row, topic: result.value)
    analysis = analyse(board)
    assert (analysis.obstacle, analysis.snapshot, analysis.headline) == ("no_comparable_result", None, {})


def test_a_leader_that_leads_by_a_constant_on_every_topic_is_told_from_the_next():
    board = make_board(n_topics=30)
    with_topic_scores(board, 30, lambda result, row, topic: result.value + 0.01 * (topic % (5 if row < 2 else 3 + row)))
    findings = findings_of(analyse(board))
    assert Result.objects.get(printed="0.30").pk not in findings.verdict.set.members
