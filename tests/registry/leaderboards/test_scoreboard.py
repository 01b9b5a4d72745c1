"""Kept verdicts against what came to be known beside them and later."""

import csv
import json
import math

import numpy as np
import pytest

from registry.catalog.models import CollectionLink
from registry.core.columns import COLUMNS
from registry.leaderboards.models import Snapshot
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
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
