"""GET /leaderboards/<c>/<m>/pairs/, …/pairs/<a>/<b>/, …/topics/ and their JSON: every pair, two of them, topics."""

import warnings

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from scipy.stats import ttest_1samp

from analysis.comparisons import ttest_rel
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.catalog.services import mark_leaderboards_changed
from registry.core.models import Job
from registry.core.services import run_claimed
from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services.endings import Change, supersede_result, withdraw_result
from registry.results.services.merging import merge_systems, undo_merge
from registry.results.services.undoing import undo_batch
from registry.tools.models import Resolution, TopicStudy
from registry.tools.pairs import pipeline, queries, services
from registry.tools.pairs.pipeline import study_matrix
from registry.tools.pairs.services import study_leaderboard
from registry.tools.resolution import services as resolution
from registry.tools.resolution.queries import read_systems
from registry.tools.resolution.services import STUDY_COLLECTION
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.keeping import forget_kept_answers
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of


def study(board: Leaderboard) -> None:
    TopicStudy.keep(study_leaderboard(board.pk))


def address(board: Leaderboard, page: str = "pairs/") -> str:
    return f"{board.get_absolute_url()}{page}"


def matrix_of(board: Leaderboard) -> ScoreMatrix:
    matrix = read_systems(board)
    assert matrix is not None
    return matrix


def ids(board: Leaderboard) -> list[int]:
    """Return ids, best first."""
    matrix = matrix_of(board)
    return [int(matrix.systems[row]) for row in np.argsort(-matrix.means)]


@pytest.fixture
def board() -> Leaderboard:
    leaderboard = make_scored_board(scores_of())
    study(leaderboard)
    return leaderboard


def test_the_best_mean_is_set_against_chance(client, board):
    """The same draws by another route: errors with the covariance of the scores, around the mean of all."""
    document = client.get(address(board, "pairs.json")).json()
    matrix = matrix_of(board)
    rng = np.random.default_rng(1)
    covariance = np.cov(matrix.scores) / matrix.n_topics
    drawn = rng.multivariate_normal(np.full(matrix.n_systems, matrix.scores.mean()), covariance, 20_000)
    expected = np.mean(drawn.max(axis=1) >= matrix.means.max())
    assert document["by_chance"] == pytest.approx(expected, abs=0.02)
    assert document["by_chance"] >= 1 / 10_001
    assert "would reach" in read(client, address(board)).text


def test_on_few_topics_no_interval_of_the_best_is_given_and_the_page_says_why(client, board):
    for opinion in client.get(address(board, "pairs.json")).json()["opinions"]:
        assert (opinion["low"], opinion["high"]) == (None, None)
        assert "20 topics are too few" in opinion["why_none"]
    assert read(client, address(board)).row("naive t")[2] == "–"


def test_the_order_of_the_address_is_the_sign(client, board):
    first, *_, last = ids(board)
    pair = client.get(address(board, f"pairs/{first}/{last}.json")).json()
    other = client.get(address(board, f"pairs/{last}/{first}.json")).json()
    assert pair["difference"] == pytest.approx(-other["difference"])
    assert pair["conclusion"] == other["conclusion"]
    assert [t["adjusted"] for t in pair["tests"]] == [t["adjusted"] for t in other["tests"]]
    assert pair["n_deciding"] == other["n_deciding"]


def test_systems_that_agree_on_every_topic_are_told_to_be_the_same(client):
    scores = scores_of()
    board = make_scored_board(np.vstack([scores, scores[:1]]))
    study(board)
    labels = matrix_of(board).systems
    pair = client.get(address(board, f"pairs/{labels[0]}/{labels[-1]}.json")).json()
    assert (pair["n_pairs"], [test["adjusted"] for test in pair["tests"]]) == (36, [None] * 5)
    page = read(client, address(board, f"pairs/{labels[0]}/{labels[-1]}/?margin=0.01"))
    assert "Both have the same score on every topic." in page.text
    assert '<path class="boxes ' not in page.source


def test_what_can_not_be_compared_is_not_found(client, board):
    first = ids(board)[0]
    elsewhere = make_result(make_leaderboard())
    without = make_result(board, printed="0.2")
    doubtful = ids(board)[1]
    Result.objects.filter(pk=doubtful).update(comparability=Result.Comparability.DOUBTFUL)
    for other in (first, elsewhere.pk, without.pk, doubtful, 10**9, 10**30):
        read(client, address(board, f"pairs/{first}/{other}/"), status=404)


def test_where_lower_is_better_the_lowest_is_first(client):
    scored = make_scored_board(scores_of())
    scored.measure.higher_is_better = False
    scored.measure.save()
    study(scored)
    document = client.get(address(scored, "pairs.json")).json()
    means = [system["mean"] for system in document["systems"]]
    assert means == sorted(means)
    first, last = document["systems"][0], document["systems"][-1]
    pair = client.get(address(scored, f"pairs/{last['result']}/{first['result']}.json")).json()
    assert pair["conclusion"].startswith(f"{first['system']} is 0.")


def test_all_scores_equal_are_an_obstacle_and_no_crash(client):
    board = make_scored_board(np.full((3, 20), 0.5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study(board)
    stored = TopicStudy.objects.get()
    assert (stored.content, stored.obstacle) == (
        "", "all systems have the same score on every topic: nothing can be told apart",
    )  # fmt: skip
    text = read(client, address(board)).text
    assert "3 systems with a score on each of 20 topics. What this assumes" in text
    assert "No answer, because all systems have the same score on every topic" in text
    assert "How often each came first" not in text
    assert read(client, address(board, "topics/")).status == 200


def test_the_same_scores_are_studied_once_and_others_anew(board, monkeypatch):
    assert study_leaderboard(board.pk) == []
    make_topic_scores(make_result(board, printed="0.3"), scores_of(9)[-1].tolist())
    assert study_leaderboard(board.pk)
    monkeypatch.setattr(queries, "METHODS_VERSION", "next")
    assert study_leaderboard(board.pk)


@pytest.mark.parametrize(
    ("of", "kind", "find", "found"),
    [
        (services, services.STUDY_LEADERBOARD, study_leaderboard, TopicStudy),
        (resolution, STUDY_COLLECTION, resolution.study_collection, Resolution),
    ],
    ids=["pairs", "resolution"],
)
def test_a_worker_is_told_of_what_is_missing_and_of_nothing_else(of, kind, find, found):
    make_result(make_leaderboard())
    board = make_scored_board(scores_of())
    assert of.enqueue_missing() == 1
    job = Job.objects.get(kind=kind)
    assert run_claimed(str(job.pk), find, save=found.keep)
    assert of.enqueue_missing() == 0
    assert found.objects.exclude(content="").count() == 1
    of.enqueue_changed(leaderboard_ids=[board.pk])
    assert Job.objects.filter(kind=kind, state="queued").count() == 1


def test_what_changes_topic_scores_has_them_studied_and_nothing_else_has():
    board, other = make_scored_board(scores_of()), make_scored_board(scores_of())
    bare = make_result(board, printed="0.9")
    scored = board.results.exclude(pk=bare.pk).first()
    corrected = {"actor": make_user(is_editor=True), "reason": "read again"}

    def queued() -> set[tuple[str, int]]:
        kinds = (services.STUDY_LEADERBOARD, STUDY_COLLECTION)
        jobs = {(job.kind, *job.args.values()) for job in Job.objects.filter(kind__in=kinds)}
        Job.objects.all().delete()
        return jobs

    both = {(services.STUDY_LEADERBOARD, board.pk), (STUDY_COLLECTION, board.collection_id)}
    mark_leaderboards_changed(leaderboard_ids=[board.pk, other.pk])
    bare = supersede_result(result=bare, changes={"locator": "table 2"}, **corrected)
    withdraw_result(result=bare, **corrected)
    assert queued() == set()
    change = Change(None, "read again")
    change.put_topic_scores({scored.pk: [0.0] * board.collection.n_topics})
    change.tell()
    assert queued() == both
    scored = supersede_result(result=scored, changes={"locator": "table 2"}, **corrected)
    assert queued() == both
    merge_systems(source=scored.system, target=make_system("another"), actor=None, reason="one system")
    assert queued() == both
    entry = Entry.objects.get(action="results.system.merged")
    undo_merge(entry=entry, **corrected)
    assert queued() == both
    withdrawn = withdraw_result(result=scored.system.results.standing().get(), **corrected)
    assert queued() == both
    undo_batch(entry=withdrawn.ended_by, **corrected)
    assert queued() == both


def test_of_many_systems_the_best_are_compared(monkeypatch):
    monkeypatch.setattr(pipeline, "MOST_SYSTEMS", 15)
    rng = np.random.default_rng(2)
    some = rng.integers(0, 64, (10, 30)) / 64
    matrix = ScoreMatrix([str(n) for n in range(20)], [str(n) for n in range(30)], np.vstack([some, some[:, ::-1]]))
    studied = study_matrix(matrix, measure="AP", higher_is_better=True)
    assert (studied.n_systems, len(studied.systems), len(studied.estimates)) == (20, 15, 105)
    assert list(studied.systems) == sorted(matrix.systems, key=lambda run: (-some[int(run) % 10].sum(), int(run)))[:15]
    assert list(studied.means) == sorted(matrix.means, reverse=True)[:15]
    assert all(len(test.pvalues) == 105 for test in studied.tested)
    assert studied.by("randomization").n_resamples == 21_000


def test_where_the_best_never_varies_the_reason_names_no_number_of_ours(client):
    scores = np.vstack([np.full(30, 0.9), np.tile(scores_of()[:3], 2)[:, :30]])
    board = make_scored_board(scores)
    study(board)
    reasons = {opinion["why_none"] for opinion in client.get(address(board, "pairs.json")).json()["opinions"]}
    assert "all scores of the best are equal" in " ".join(reasons)


def test_turns_of_one_conversation_count_together_in_a_test_of_two_systems(client):
    """Four turns of each of six conversations, half of a difference being the conversation's."""
    rng = np.random.default_rng(4)
    scores = 0.4 + 0.1 * (np.repeat(rng.normal(size=(2, 6)), 4, axis=1) + rng.normal(size=(2, 24))) + [[0.1], [0.0]]
    turns = [f"{conversation}_{turn}" for conversation in range(6) for turn in range(4)]
    collection = make_collection(n_topics=24, group_kind="conversation", topic_groups=6)
    make_topics(collection, turns)
    board = make_leaderboard(collection, make_measure())
    for row in scores:
        make_topic_scores(make_result(board, printed=f"{row.mean():.4f}"), row.tolist())
    first, second = ids(board)
    page = f"pairs/{first}/{second}"
    pair = client.get(address(board, f"{page}.json")).json()
    # Of groups of the same size, their means are six independent differences.
    means = (scores[0] - scores[1]).reshape(6, 4).mean(axis=1)
    expected = ttest_1samp(means, 0.0)
    assert pair["by_group"]["pvalue"] == pytest.approx(expected.pvalue)
    assert pair["by_group"]["method"] == "Student's t with 5 degrees of freedom"
    alone = next(test["found"]["pvalue"] for test in pair["tests"] if test["test"] == "t")
    assert alone == pytest.approx(ttest_rel(*scores).pvalue)
    assert (
        "Topics here are turns of 6 conversations. With those of one counted together"
        in read(client, address(board, f"{page}/")).text
    )
    assert "turns of conversations, 6 of them" in read(client, f"/collections/{collection.slug}/about/").text


#: Pages with the most queries that they may take.
MOST_QUERIES = [("pairs", 22), ("pairs/{first}/{second}", 20), ("topics", 16)]


def test_the_number_of_queries_is_constant(client, board, subtests):
    def count(path: str) -> int:
        forget_kept_answers()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    first, second = board.results.order_by("pk").values_list("pk", flat=True)[:2]
    asked = [
        (f"{prefix}{board.get_absolute_url()}{page.format(first=first, second=second)}/", most)
        for page, most in MOST_QUERIES
        for prefix in ("", "/api/v1")
    ]
    for path, _ in asked:
        count(path)
    few = {path: count(path) for path, _ in asked}
    n_topics = board.collection.topics.count()
    for number in range(3):
        again = make_result(board, printed=f"0.1{number}")
        make_topic_scores(again, [0.01 * (place + number) for place in range(n_topics)])
    study(board)
    for path, most in asked:
        with subtests.test(path):
            assert count(path) == few[path] <= most
