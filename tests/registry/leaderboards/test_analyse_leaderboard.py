"""Analysing a leaderboard: what is found, what stands in the way, what is written."""

import json

import pytest

from registry.catalog.models import ResidualVariance
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.pipeline import analyse_leaderboard
from registry.leaderboards.queries import stale_leaderboards
from registry.leaderboards.services import save_finding
from registry.results.models import Result, TopicScores
from tests.registry.factory import make_topics
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db


def results_of(analysis: Analysis) -> dict:
    return json.loads(analysis.snapshot.content)["results"]


def test_it_writes_a_snapshot_and_is_up_to_date():
    board = make_board()
    analysis = analyse(board)
    assert analysis.results_version == board.results_version
    assert results_of(analysis)["summary"]["n_results"] == len(VALUES)
    assert not stale_leaderboards(analysis.methods_version).exists()


def test_it_does_nothing_when_nothing_changed():
    board = make_board()
    analyse(board)
    assert analyse_leaderboard(board.pk) is None


def test_the_same_evidence_makes_the_same_snapshot():
    board = make_board()
    first = analyse(board).snapshot_id
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


@pytest.mark.parametrize(
    ("fields", "obstacle"),
    [
        ({"values": VALUES[:4]}, Analysis.Obstacle.TOO_FEW_RESULTS),
        ({"n_topics": None}, Analysis.Obstacle.UNKNOWN_TOPICS),
        ({"values": ("0.2",) * 6}, Analysis.Obstacle.NO_VARIATION),
        ({"role": Result.Role.REFERENCE_IMPLEMENTATION}, Analysis.Obstacle.TOO_FEW_RESULTS),
    ],
)
def test_it_says_what_stands_in_the_way(fields, obstacle):
    analysis = analyse(make_board(**fields))
    assert analysis.obstacle == obstacle
    assert analysis.snapshot is None


def test_only_independent_results_count():
    board = make_board()
    first = Result.objects.first()
    make_run(board, "0.50", role=Result.Role.REFERENCE_IMPLEMENTATION)
    make_run(board, "0.51", replicate_of=first)
    make_run(board, "0.52", comparability=Result.Comparability.TOPIC_SUBSET)
    mark_changed(board)
    analysis = analyse(board)
    assert (analysis.n_results, analysis.n_counted) == (len(VALUES) + 3, len(VALUES))
    assert results_of(analysis)["summary"]["max"] == 0.31


def test_a_variance_of_the_collection_itself_is_preferred():
    board = make_board()
    own = {"measure": board.measure, "collection": board.collection, "residual_variance": 0.02, "source": "this one"}
    ResidualVariance.objects.create(**own)
    variance = results_of(analyse(board))["residual_variance"]
    assert (variance["value"], variance["scale"], variance["source"]) == (0.02, "borrowed", "this one")


def test_without_a_variance_it_says_why_there_is_no_best_set():
    results = results_of(analyse(make_board(residual_variance=None)))
    assert results["best_set"]["method"] is None
    assert "no per-topic scores" in results["best_set"]["why_none"]
    assert list(results["best_result"]) == ["published"]


def test_topic_scores_of_all_contenders_lead():
    board = make_board(n_topics=30)
    make_topics(board.collection, [str(topic) for topic in range(30)])
    for row, result in enumerate(Result.objects.order_by("pk")):
        scores = [result.value + 0.01 * ((topic * (row + 3)) % 7 - 3) for topic in range(30)]
        TopicScores.objects.create(result=result, scores=scores)
    results = results_of(analyse(board))
    assert results["best_set"]["basis"] == "topic-scores"
    assert results["residual_variance"]["scale"] == "residual"
    assert results["winner"]["interval"]["low"] < results["winner"]["estimate"] < results["winner"]["interval"]["high"]
    assert all("topic_z" in standing for standing in results["standing"].values())


def test_where_lower_is_better_the_lowest_leads():
    board = make_board()
    board.measure.higher_is_better = False
    board.measure.save()
    results = results_of(analyse(board))
    lowest = Result.objects.get(printed="0.15")
    assert results["winner"]["result"] == lowest.pk
    assert lowest.pk in results["best_set"]["members"]
    assert results["standing"][str(lowest.pk)]["percentile"] > 90


def test_a_degenerate_answer_comes_with_a_caution():
    board = make_board(n_topics=30)
    make_topics(board.collection, [str(topic) for topic in range(30)])
    for result in Result.objects.all():
        TopicScores.objects.create(result=result, scores=[result.value + 0.01 * (topic % 5) for topic in range(30)])
    assert any("nothing can be told apart" in caution for caution in results_of(analyse(board))["cautions"])
