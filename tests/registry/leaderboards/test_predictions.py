"""Verdicts that later evidence scores, on the page about calibration."""

import numpy as np
import pytest

from registry.catalog.models import CollectionLink
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, analyse_again, make_board, mark_changed
from tests.registry.pages import read

N, PAGE = 24, "/methods/calibration/"


def rows_of_predictions(client):
    """Return the cells of each row below the heading; none where the page has no such section."""
    page = read(client, PAGE)
    if "Verdicts scored by what came later" not in page.text:
        return []
    return [row for row in page.rows if len(row) == 6 and row[3] in {"yes", "no"}]


def make_verdict(measure=None):
    """Return an analysed leaderboard of systems 0 to 23, each better than the one before."""
    board = make_board([], measure=measure or make_measure())
    for number, value in enumerate(np.linspace(0.2, 0.6, N)):
        make_result(board, make_system(f"system {number}", team=f"team {number}"), f"{value:.4f}")
    analyse_again(board)
    return board


def add_evidence(board, best_there, n=N):
    """Return a leaderboard on other topics with n of the systems, one of them by far the best."""
    other = make_leaderboard(make_collection(n_topics=50), board.measure)
    CollectionLink.objects.create(collection=other.collection, base=board.collection, relation="other_split")
    for number, result in enumerate(board.results.order_by("value")[:n]):
        make_result(other, result.system, "0.9000" if number == best_there else result.printed)
    mark_changed(other)
    return other


@pytest.mark.parametrize(("best_there", "held", "kept"), [(N - 1, "yes", "yes"), (N - 2, "yes", "no"), (0, "no", "no")])
def test_a_verdict_holds_where_the_best_on_other_topics_was_within_its_margin(client, best_there, held, kept):
    board = make_verdict()
    assert rows_of_predictions(client) == []
    other = add_evidence(board, best_there)
    (row,) = rows_of_predictions(client)
    snapshot = board.snapshots.get()
    assert row == [str(board), f"{snapshot.created_at:%Y-%m-%d}", f"{other} other topics", held, kept, str(N)]
    addresses = {address for address, _ in read(client, PAGE).links}
    assert {snapshot.get_absolute_url(), other.get_absolute_url()} <= addresses


def test_where_less_is_better_the_lowest_there_is_the_best(client):
    board = make_verdict(make_measure(higher_is_better=False))
    other = add_evidence(board, best_there=None)
    other.results.filter(system__name=f"system {N - 1}").update(value=0.01)
    mark_changed(other)
    ((*_, held, kept, _),) = rows_of_predictions(client)
    assert (held, kept) == ("no", "no")


def test_topic_scores_that_come_later_score_the_verdict_from_before_them(client):
    rng = np.random.default_rng(4)
    n_topics, means = 50, np.linspace(0.3, 0.5, 12)
    scores = np.clip(means[:, None] + rng.normal(0, 0.15, n_topics) + rng.normal(0, 0.12, (12, n_topics)), 0, 1)
    board = make_leaderboard(make_collection(n_topics=n_topics), make_measure("AP"))
    results = [
        make_result(board, make_system(f"s{number}", team=f"team {number}"), f"{row.mean():.4f}")
        for number, row in enumerate(scores)
    ]
    analyse_again(board)
    assert rows_of_predictions(client) == []
    make_topics(board.collection, [f"t{number}" for number in range(n_topics)])
    for result, row in zip(results, scores, strict=True):
        make_topic_scores(result, row.tolist())
    mark_changed(board)
    after = analyse(board).snapshot
    ((_, _, scored_by, held, _, n_systems),) = rows_of_predictions(client)
    assert (scored_by, held, n_systems) == (f"{board} topic scores that came later", "yes", "12")
    assert f"/snapshots/{after.pk}/" in {address for address, _ in read(client, PAGE).links}
