"""Whether the best result is better than every other: where scores by topic tell, on the page and in the API."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.rankings import VerifiedLeader, verified_leader
from analysis.scores import ScoreMatrix
from registry.results.models import Result, System
from tests.registry.factory import make_system, make_topic_scores, make_topics
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

VALUES = ("0.31", "0.30", "0.25", "0.22", "0.20", "0.15")


def scores_of(result: Result, n_topics: int) -> list[float]:
    """Scores with the printed mean, which vary otherwise for every system."""
    noise = np.random.default_rng(int(result.system.name.split()[-1])).normal(0, 0.03, n_topics)
    return list(result.value + noise - noise.mean())


def make_with_scores(best: str, n_topics: int = 30, n_with: int | None = None):
    """A leaderboard on which the best has this score, with scores by topic behind all or the first few."""
    board = make_board((best, *VALUES[1:]), n_topics=n_topics)
    make_topics(board.collection, [str(topic) for topic in range(n_topics)])
    for result in board.results.order_by("pk")[:n_with]:
        make_topic_scores(result, scores_of(result, n_topics))
    analyse(board)
    return board


def document(client, board, query: str = "") -> dict:
    return client.get(f"/api/v1{board.get_absolute_url()}{query}").json()


def verified(matrix: ScoreMatrix, **options) -> VerifiedLeader:
    """The verdict that the leader is verified, whatever the scores are."""
    return replace(verified_leader(matrix, **options), is_verified=True)


@pytest.mark.parametrize(("best", "is_verified"), [("0.35", True), ("0.301", False)])
def test_it_is_the_test_against_the_closest_rival(client, best, is_verified):
    board = make_with_scores(best)
    first, *others = board.results.order_by("pk")
    tests = {other.pk: stats.ttest_rel(scores_of(first, 30), scores_of(other, 30)) for other in others}
    rival = min(tests, key=lambda pk: tests[pk].statistic)
    found = document(client, board)["best_set"]["leader"]
    assert (found["result"], found["rival"], found["is_verified"]) == (first.pk, rival, is_verified)
    assert found["pvalue"] == pytest.approx(tests[rival].pvalue, rel=1e-6)


def test_a_verified_leader_stands_below_the_headline_and_in_the_snapshot(client):
    board = make_with_scores("0.35")
    page = read(client, board.get_absolute_url())
    assert (
        page.text.count("Verified leader: run 0 is better than every other at 95 % confidence; closest is run 1") == 2
    )
    assert "Verified leader: run 0" in read(client, board.analysis.snapshot.get_absolute_url()).text


def test_where_the_set_holds_others_still_it_is_said_why(client, monkeypatch):
    monkeypatch.setattr("registry.leaderboards.pipeline.verified_leader", verified)
    page = read(client, make_with_scores("0.301").get_absolute_url())
    assert page.text.count("Verified leader: run 0 is better") == 1, "not beside a headline that says otherwise"
    assert "so the set may hold others still" in page.text


def test_one_that_is_not_is_said_where_it_is_judged(client):
    page = read(client, make_with_scores("0.301").get_absolute_url())
    assert page.text.count("No verified leader: run 0 is not clearly better than run 1 (p = ") == 1
    assert "Verified leader" not in page.text


def test_few_topics_earn_no_badge(client):
    board = make_with_scores("0.60", n_topics=12)
    assert document(client, board)["best_set"]["leader"]["is_verified"] is False
    page = read(client, board.get_absolute_url())
    assert "erified leader" not in page.text
    assert "Take it with care: 12 topics are too few" in page.text


def test_published_means_tell_of_none(client):
    board = make_board()
    analyse(board)
    assert document(client, board)["best_set"]["leader"] is None
    assert "erified leader" not in read(client, board.get_absolute_url()).text


def test_where_only_some_have_scores_it_is_said_among_those(client):
    board = make_with_scores("0.35", n_with=5)
    found = document(client, board)
    assert found["best_set"]["leader"] is None
    assert found["topic_scores"]["best_set"]["leader"]["is_verified"] is True
    assert read(client, board.get_absolute_url()).text.count("Verified leader: run 0") == 1


@pytest.mark.parametrize("query", ["?run_type=manual", "?role=proposed"])
def test_filters_that_hide_it_leave_it_unsaid(client, query):
    board = make_with_scores("0.35", n_with=5)
    for value in ("0.24", "0.23"):
        make_run(board, value, role="proposed", run_type="manual", system=make_system())
    mark_changed(board)
    assert "erified leader" not in read(client, board.get_absolute_url() + query).text


def test_names_are_text_and_nothing_else(client):
    board = make_with_scores("0.35")
    System.objects.filter(name="run 0").update(name="<b>run</b>")
    page = read(client, board.get_absolute_url())
    assert "Verified leader: <b>run</b> is better" in page.text
    assert "<b>run</b>" not in page.source
