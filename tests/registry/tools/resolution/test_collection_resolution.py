"""GET /collections/<slug>/resolution/, its JSON and its answer in the API: what is studied, when, and how often."""

import json
import zlib

import numpy as np
import pytest

from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.models import Job
from registry.leaderboards.resolving import resolving
from registry.results.models import UnnamedScores
from registry.tools.models import Resolution
from registry.tools.resolution import queries, services
from registry.tools.resolution.services import study_collection
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import read

N_TOPICS = 20


def scores_of(n_systems: int = 8, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    spread = np.linspace(0.2, 0.4, n_systems)[:, None]
    return np.clip(spread + rng.normal(0, 0.1, N_TOPICS) + rng.normal(0, 0.1, (n_systems, N_TOPICS)), 0, 1)


def make_unnamed(collection: Collection, measure: Measure, scores: np.ndarray, label: str = "unnamed.csv"):
    runs, topics = [f"run{i}" for i in range(len(scores))], [f"t{i}" for i in range(scores.shape[1])]
    content = json.dumps({"topics": topics, "runs": runs, "scores": scores.tolist()}).encode()
    return UnnamedScores.objects.create(
        collection=collection, measure=measure, label=label, runs="runs, names withheld", n_topics=scores.shape[1],
        n_runs=len(scores), content=zlib.compress(content), sha256=f"{label} {scores.sum()}", source="an archive",
        licence="CC BY-SA 4.0", note="half of the topics",
    )  # fmt: skip


def make_scored_board(scores: np.ndarray) -> Leaderboard:
    collection = make_collection(n_topics=scores.shape[1])
    make_topics(collection, [f"t{i}" for i in range(scores.shape[1])])
    board = make_leaderboard(collection, make_measure())
    for row in scores:
        make_topic_scores(make_result(board, printed=f"{row.mean():.4f}"), row.tolist())
    return board


def study(collection: Collection) -> None:
    Resolution.keep(study_collection(collection.pk))


def address(collection: Collection) -> str:
    return f"/collections/{collection.slug}/resolution/"


def test_the_matrix_of_most_scores_leads(client):
    collection = make_collection(n_topics=N_TOPICS)
    for name, n_systems in (("P@10", 8), ("AP", 8), ("Recip", 6)):
        make_unnamed(collection, make_measure(name), scores_of(n_systems, seed=n_systems), f"{name}.csv")
    study(collection)
    page = read(client, address(collection))
    assert page.headings[1][1].startswith(f"On {collection.name}, systems 0.0")
    assert " AP apart differ significantly" in page.headings[1][1]
    assert [row[0].split()[0] for row in page.rows if len(row) == 5 and row[1].isdigit()][:3] == ["AP", "P@10", "Recip"]


def test_what_is_found_four_times_in_five_is_one_number_here_and_where_a_score_is_checked(client):
    board = make_leaderboard(make_collection(n_topics=249), make_measure("AP"))
    make_variance(board.measure, 0.015395, board.collection)
    for printed in ("0.3686", "0.3333", "0.3000"):
        make_result(board, printed=printed)
    make_unnamed(board.collection, board.measure, scores_of())
    study(board.collection)
    page = read(client, address(board.collection))
    assert page.headings[1][1].startswith(f"On 20 topics of {board.collection.name}, systems 0.0")
    analyse(board)
    matrix = client.get(f"/collections/{board.collection.slug}/resolution.json").json()["matrices"][0]
    least = matrix["detectable"]
    asked = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.35"}
    checked = client.get("/api/v1/check/", asked).json()["checked"]
    assert least["difference"] == checked["smallest_difference"]
    assert [least["low"], least["high"]] == checked["smallest_difference_range"]
    assert least["n_topics"] == 249
    (listed,) = resolving(Collection.objects.filter(pk=board.collection_id))
    assert least["significant"] == listed.resolves  # type: ignore[attr-defined]
    # The variance is known with 60 degrees of freedom: qt(0.975, 60) of R 4.2.2.
    assert least["significant"] == pytest.approx(2.000298 * (2 * 0.015395 / 249) ** 0.5, rel=1e-6)
    sentence = f"means {least['significant']:.3f} AP apart differ significantly over 249 topics in one planned test"
    page = read(client, address(board.collection))
    assert page.headings[1] == (2, f"On {board.collection.name}, {sentence}")
    assert matrix["findings"]["significant"] != least["significant"]
    assert "on the 20 topics with scores of each system" in page.text
    for test in ("one planned test", "all pairs compared"):
        assert f" {test}, 20 topics" in page.source, "the figure is of other topics than the sentence"
    text = read(client, address(board.collection)).text
    assert "for an average pair" in text.lower()
    assert f"finds a true difference of {least['difference']:.4f} four times in five ({least['low']:.4f} to" in text
    assert f"{matrix['findings']['detectable']:.4f}" not in text, "of the matrix alone, on its own topics"


def test_scores_of_runs_without_names_say_where_they_are_from_and_nothing_of_the_runs(client):
    collection, measure = make_collection(), make_measure()
    make_unnamed(collection, measure, scores_of())
    study(collection)
    page = read(client, address(collection))
    assert "Scores of runs, names withheld, from an archive (CC BY-SA 4.0); half of the topics." in page.text
    assert "They stand behind no result." in page.text
    assert "run0" not in page.source + client.get(f"/collections/{collection.slug}/resolution.json").text


def test_a_run_without_every_topic_stays_out(client):
    board = make_scored_board(scores_of())
    make_topic_scores(make_result(board, printed="0.3"), [None, *[0.3] * (N_TOPICS - 1)])
    study(board.collection)
    assert "8 systems on 20 topics" in read(client, address(board.collection)).text


def test_the_same_scores_are_studied_once_and_others_or_by_other_methods_anew(client, monkeypatch):
    board, measure = make_scored_board(scores_of()), make_measure()
    other = make_collection()
    for collection in (board.collection, other):
        row = make_unnamed(collection, measure, scores_of(), f"{collection.slug}.csv")
        UnnamedScores.objects.filter(pk=row.pk).update(sha256="a" * 64)
    study(board.collection)
    assert study_collection(other.pk) == []
    make_topic_scores(make_result(board, printed="0.3"), scores_of(9)[-1].tolist())
    assert "about to be studied" in read(client, address(board.collection)).text
    assert len(study_collection(board.collection_id)) == 1
    monkeypatch.setattr(queries, "METHODS_VERSION", "next")
    assert len(study_collection(other.pk)) == 1


def test_whoever_looks_at_what_is_not_found_yet_has_it_found_next(client):
    board = make_scored_board(scores_of())
    other = make_scored_board(scores_of())
    services.enqueue_missing()
    read(client, address(board.collection))
    jobs = Job.objects.filter(kind=services.STUDY_COLLECTION, awaited_at__isnull=False)
    assert [job.args["collection_id"] for job in jobs] == [board.collection_id] != [other.collection_id]
