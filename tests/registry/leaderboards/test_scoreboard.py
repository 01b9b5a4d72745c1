"""Kept verdicts against what came to be known beside them and later."""

import csv
import json
import math
from dataclasses import replace
from datetime import UTC, datetime
from unittest import mock

import numpy as np
import pytest
from django.utils import timezone
from scipy import stats

from analysis.boards import View, read_snapshot
from registry.catalog.models import CollectionLink
from registry.core.columns import COLUMNS
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.scoreboard import scoreboard
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.method_changes import OLD
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

N, PAGE = 24, "/methods/scoreboard/"


def linked_boards(best_there: int):
    """Systems 0 to 23, better from one to the next; on other topics one of them is by far the best."""
    first = make_board([])
    second = make_leaderboard(make_collection(n_topics=50), first.measure)
    CollectionLink.objects.create(collection=second.collection, base=first.collection, relation="other_split")
    for number, value in enumerate(np.linspace(0.2, 0.6, N)):
        system = make_system(f"system {number}", team=f"team {number}")
        make_result(first, printed=f"{value:.4f}", system=system)
        make_result(second, printed="0.9000" if number == best_there else f"{value:.4f}", system=system)
    for board in (first, second):
        mark_changed(board)
        analyse(board)
    return first, second


@pytest.mark.parametrize(("best_there", "held", "kept"), [(N - 1, True, True), (N - 2, True, False), (0, False, False)])
def test_a_verdict_holds_where_the_best_on_other_topics_was_within_its_margin(client, best_there, held, kept):
    first, second = linked_boards(best_there)
    (one,) = client.get("/methods/scoreboard.json").json()["verdicts"]
    assert (one["leaderboard"], one["seen_on"], one["evidence"]) == (str(first), str(second), "other-topics")
    assert (one["held"], one["kept_leader"], one["is_retrospective"]) == (held, kept, True)
    assert one["snapshot"] == Snapshot.objects.get(leaderboard=first).pk
    page = read(client, PAGE)
    (row,) = [row for row in page.rows if row[0] == "Against other topics"]
    assert row[1:] == [str(int(held)), "1", str(int(kept)), str(int(held)), "1", "too few"]


def test_the_table_comes_as_csv_with_columns_that_mean_what_they_mean_elsewhere(client):
    first, second = linked_boards(N - 1)
    (row,) = csv.DictReader(client.get("/methods/scoreboard.csv").content.decode().splitlines())
    (one,) = client.get("/methods/scoreboard.json").json()["verdicts"]
    assert (row["leaderboard"], row["seen_on"], row["url"]) == (str(first), str(second), second.get_absolute_url())
    assert (row["evidence"], row["scored_by"]) == (one["rests_on"], "other-topics")
    assert (row["held"], row["log_ratio"]) == ("true", "")
    assert set(row) <= COLUMNS.keys()


def test_fewer_than_twenty_systems_on_both_are_not_compared(client):
    first, _ = linked_boards(0)
    for result in first.results.order_by("pk")[:5]:
        type(result).objects.filter(pk=result.pk).update(comparability="topic_subset")
    assert client.get("/methods/scoreboard.json").json()["verdicts"] == []
    assert "0 can be scored" in read(client, PAGE).text


def test_topic_scores_that_come_later_score_the_verdict_from_before_them(client):
    rng = np.random.default_rng(4)
    n_topics, means = 50, np.linspace(0.3, 0.5, 12)
    scores = np.clip(means[:, None] + rng.normal(0, 0.15, n_topics) + rng.normal(0, 0.12, (12, n_topics)), 0, 1)
    board = make_leaderboard(make_collection(n_topics=n_topics), make_measure("AP"))
    topics = [f"t{number}" for number in range(n_topics)]
    results = [
        make_result(board, make_system(f"s{number}", team=f"team {number}"), f"{row.mean():.4f}")
        for number, row in enumerate(scores)
    ]
    mark_changed(board)
    before = analyse(board).snapshot
    assert client.get("/methods/scoreboard.json").json()["verdicts"] == []
    make_topics(board.collection, topics)
    for result, row in zip(results, scores, strict=True):
        make_topic_scores(result, row.tolist())
    mark_changed(board)
    after = analyse(board).snapshot
    (one,) = client.get("/methods/scoreboard.json").json()["verdicts"]
    assert (one["evidence"], one["snapshot"], one["is_retrospective"]) == ("topic-scores", before.pk, False)
    assert one["url"] == f"/snapshots/{after.pk}/"
    predicted, measured = (
        json.loads(kept.content)["findings"]["verdict"]["evidence"]["residual_variance"] for kept in (before, after)
    )
    assert one["log_ratio"] == pytest.approx(math.log(measured / predicted))
    assert one["held"] is True
    (row,) = [row for row in read(client, PAGE).rows if row[0].startswith("Resting on")]
    assert row[0] == f"Resting on {one['rests_on']}"


@pytest.fixture
def few_shared(monkeypatch):
    """Two systems on both boards are enough to be compared."""
    monkeypatch.setattr("registry.leaderboards.scoreboard.MIN_SHARED", 2)


def beside(board, *scores: str, **fields):
    """A leaderboard on other topics, on which the systems of another one have these scores."""
    other = make_leaderboard(make_collection(n_topics=50), board.measure)
    CollectionLink.objects.create(collection=other.collection, base=board.collection, relation="other_split")
    for result, printed in zip(board.results.order_by("-value"), scores, strict=False):
        make_result(other, result.system, printed, **fields)
    mark_changed(other)
    return other


def test_verdicts_that_cannot_be_scored_leave_the_others_alone(few_shared):
    waiting, unknown, known = (
        make_board(),
        make_board(measure=make_measure("GMAP"), residual_variance=None),
        make_board(),
    )
    for board in (waiting, unknown, known):
        beside(board, "0.5", "0.4")
    in_doubt = make_board(["0.1"], comparability="doubtful")
    for board in (unknown, known, in_doubt):
        analyse(board)
    found = scoreboard()
    assert [one.leaderboard for one in found.verdicts] == [str(known)]
    assert (found.n_frozen, found.verdicts[0].n_systems) == (2, 2)


def test_a_run_that_failed_there_is_not_compared(few_shared):
    board = make_board()
    analyse(board)
    beside(board, "0.5", "0")
    assert scoreboard().verdicts == ()
    beside(board, "0.5", "0", "0.1")
    assert [one.n_systems for one in scoreboard().verdicts] == [2]


def test_where_less_is_better_the_lowest_there_has_to_be_near_the_lowest_here(few_shared):
    board = make_board(["0.30", "0.10", "0.12"], measure=make_measure(higher_is_better=False))
    analyse(board)
    # From the highest here on: what is worst here is the best there, then what is second.
    worst, second = beside(board, "0.01", "0.20", "0.30"), beside(board, "0.30", "0.05", "0.20")
    found = {one.seen_on: (one.held, one.kept_leader) for one in scoreboard().verdicts}
    assert found == {str(worst): (False, False), str(second): (True, False)}


def test_the_oldest_result_of_a_system_is_what_it_scores(few_shared):
    board = make_board()
    analyse(board)
    other = beside(board, "0.5", "0.4", "0.3")
    _, _, third, fourth, *_, last = board.results.order_by("-value")
    make_result(other, last.system, "0.99", replicate_of=other.results.first())
    make_result(other, third.system, "0.98", source="later")
    ended = make_result(other, fourth.system, "0.97")
    type(ended).objects.filter(pk=ended.pk).update(
        ended_at=timezone.now(), ending="withdrawn", ended_by=ended.recorded_by
    )
    (one,) = scoreboard().verdicts
    assert (one.n_systems, one.kept_leader, one.held) == (3, True, True)


def test_the_verdict_of_a_leaderboard_is_the_one_on_all_its_rows(few_shared):
    board = make_board()
    analysis = analyse(board)
    beside(board, "0.2", "0.1", "0.9")
    kept = read_snapshot(analysis.snapshot.content)
    verdict = kept.findings.verdict
    wide, narrow = (
        View(best=verdict.best, best_unflagged=None, corrected=None, why_no_value="", why_no_set="", view=view,
             set=replace(verdict.set, margin=margin))
        for view, margin in (("all", 0.5), ("declared-none", 0.001))
    )  # fmt: skip
    findings = replace(kept.findings, verdict=replace(verdict, set=narrow.set, views=(narrow, wide)))
    early = datetime(2020, 1, 1, tzinfo=UTC)
    with mock.patch("django.utils.timezone.now", return_value=early):
        Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=replace(kept, findings=findings).text)
    (one,) = scoreboard().verdicts
    assert (one.snapshot, one.frozen, one.held, one.kept_leader) == ("0" * 20, "2020-01-01", True, False)


def test_only_verdicts_from_before_topic_scores_are_scored_by_them():
    again = make_board()
    analyse(again)
    make_run(again, "0.35")
    mark_changed(again)
    analyse(again)
    earlier = make_board()
    analyse(earlier)
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=earlier, content=OLD)
    Analysis.objects.filter(leaderboard=earlier).update(snapshot=old)
    silent, measured = (make_board(measure=make_measure(name), residual_variance=None) for name in ("GMAP", "AP"))
    for board in (silent, measured):
        analyse(board)
        make_variance(board.measure, 0.0144, board.collection, n_systems=11, n_topics=2)
        mark_changed(board)
        analyse(board)
    (one,) = scoreboard().verdicts
    assert (one.leaderboard, one.seen_on, one.cluster) == (str(measured), str(measured), measured.collection_id)
    assert (one.n_systems, one.held, one.kept_leader) == (8, True, True)
    predicted, found = (
        read_snapshot(kept.content).findings.verdict.evidence
        for kept in Snapshot.objects.filter(leaderboard=measured).order_by("created_at")
    )
    ratio = found.residual_variance / predicted.residual_variance
    low, high = stats.f.ppf([0.05, 0.95], found.degrees_of_freedom, predicted.degrees_of_freedom)
    assert (one.log_ratio, one.is_ratio_inside) == (pytest.approx(math.log(ratio)), low <= ratio <= high)
