"""GET /collections/<slug>/resolution/, its JSON and its answer in the API: what is studied, when, and how often."""

import json
import zlib

import numpy as np
import pytest

from analysis.scores import parse_score_table
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.models import Job
from registry.core.services import run_claimed
from registry.leaderboards.resolving import resolving
from registry.results.models import UnnamedScores
from registry.tools.found_once import Resolution
from registry.tools.resolution import queries, services
from registry.tools.resolution.services import study_collection
from tests.analysis.matrices import TOPIC_SCORES
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

pytestmark = pytest.mark.django_db

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


def test_without_topic_scores_it_says_what_is_missing(client):
    collection = make_collection()
    page = read(client, address(collection))
    assert "No topic scores on this collection are on record" in page.text
    assert "five systems or more on the same ten topics or more" in page.text
    assert page.link("Importing") == "/docs/importing/"


def test_scores_of_results_are_studied(client):
    board = make_scored_board(scores_of())
    assert "about to be studied" in read(client, address(board.collection)).text
    study(board.collection)
    page = read(client, address(board.collection))
    assert (2, f"{board.measure.name}, 8 systems on 20 topics") in page.headings
    found = client.get(f"/collections/{board.collection.slug}/resolution.json").json()["matrices"][0]
    findings = found["findings"]
    for name in ("significant", "significant_in_family"):
        assert f"{findings[name]:.4f}" in page.text
    rate = findings["designs"][0]["every"][-1]
    (row,) = [row for row in page.rows if len(row) == 5 and row[0] == str(rate["n_topics"])]
    assert row[1] == f"{100 * rate['estimate']:.1f} % ± {100 * rate['standard_error']:.1f} %"
    assert page.link("the leaderboard") == board.get_absolute_url()


def test_it_begins_with_one_sentence_and_one_picture_of_trec_7_and_folds_the_rest(client):
    collection = make_collection("trec-7-adhoc", n_topics=50)
    scores = parse_score_table((TOPIC_SCORES / "unnamed" / "trec-7-adhoc__AP.csv").read_bytes())
    make_unnamed(collection, make_measure("AP"), np.array(scores.scores))
    study(collection)
    page = read(client, address(collection))
    said = (
        f"On {collection.name}, two systems 0.043 AP apart are told apart by one planned test; 0.095 apart if all pairs"
    )
    assert page.headings[1] == (2, f"{said} of the 103 are compared")
    before, *folded = page.source.split('<details class="part">')
    assert before.count('<svg class="chart "') == 1
    assert before.count("0.043 one planned test<") == before.count("0.095 all pairs compared<") == 1
    assert "asks of an average pair on 50 topics" in " ".join(before.split())
    assert len(folded) == 1
    assert folded[0].count('<svg class="chart "') == 3
    rates = next(row for row in page.rows if len(row) == 5 and row[0] == "25")
    assert rates[1:3] == ["16.2 % ± 0.3 %", "3.0 % ± 0.2 %"], "reversed by 25 other topics: of all, of significant"


def test_the_matrix_of_most_scores_leads(client):
    collection = make_collection(n_topics=N_TOPICS)
    for name, n_systems in (("P@10", 8), ("AP", 8), ("Recip", 6)):
        make_unnamed(collection, make_measure(name), scores_of(n_systems, seed=n_systems), f"{name}.csv")
    study(collection)
    page = read(client, address(collection))
    assert page.headings[1][1].startswith(f"On {collection.name}, two systems 0.0")
    assert " AP apart are told apart" in page.headings[1][1]
    assert [row[0].split()[0] for row in page.rows if len(row) == 5 and row[1].isdigit()][:3] == ["AP", "P@10", "Recip"]


def test_runs_lead_before_a_grid_of_settings(client):
    collection = make_collection(n_topics=N_TOPICS)
    measure = make_measure("AP")
    make_unnamed(collection, measure, scores_of(8, seed=8))
    grid = make_unnamed(collection, measure, scores_of(30, seed=30), "grid.csv")
    grid.runs = "configurations of toolkits"
    grid.save()
    study(collection)
    assert read(client, address(collection)).headings[1][1].endswith("of the 8 are compared")


def test_three_tests_stand_side_by_side(client):
    board = make_scored_board(scores_of())
    study(board.collection)
    found = client.get(f"/collections/{board.collection.slug}/resolution.json").json()["matrices"][0]["findings"]
    page = read(client, address(board.collection))
    assert [one["test"] for one in found["tests"]] == ["t", "wilcoxon", "sign"]
    for one in found["tests"]:
        (row,) = [row for row in page.rows if len(row) == 6 and row[0] == one["test"]]
        assert row[2] == f"{100 * one['significant']['rate']:.1f} %"
        assert row[3] == f"{one['significant']['n_compared']:,}"


def test_what_is_found_four_times_in_five_is_one_number_here_and_where_a_score_is_checked(client):
    board = make_leaderboard(make_collection(n_topics=249), make_measure("AP"))
    make_variance(board.measure, 0.015395, board.collection)
    for printed in ("0.3686", "0.3333", "0.3000"):
        make_result(board, printed=printed)
    make_unnamed(board.collection, board.measure, scores_of())
    study(board.collection)
    page = read(client, address(board.collection))
    assert page.headings[1][1].startswith(f"On 20 topics of {board.collection.name}, two systems 0.0")
    analyse(board)
    found = client.get(f"/collections/{board.collection.slug}/resolution.json").json()["matrices"][0]
    told = found["detectable"]
    asked = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.35"}
    checked = client.get("/api/v1/check/", asked).json()["checked"]
    assert told["difference"] == checked["smallest_difference"]
    assert [told["low"], told["high"]] == checked["smallest_difference_range"]
    assert told["n_topics"] == 249
    (listed,) = resolving(Collection.objects.filter(pk=board.collection_id))
    assert told["significant"] == listed.resolves  # type: ignore[attr-defined]
    # The variance is known with 60 degrees of freedom: qt(0.975, 60) of R 4.2.2.
    assert told["significant"] == pytest.approx(2.000298 * (2 * 0.015395 / 249) ** 0.5, rel=1e-6)
    said = f"two systems {told['significant']:.3f} AP apart are told apart by one planned test of their means"
    page = read(client, address(board.collection))
    assert page.headings[1] == (2, f"On {board.collection.name}, {said} over its 249 topics")
    assert found["findings"]["significant"] != told["significant"]
    assert "on the 20 topics with scores of each system" in page.text
    for test in ("one planned test", "all pairs compared"):
        assert f" {test}, 20 topics" in page.source, "the figure is of other topics than the sentence"
    text = read(client, address(board.collection)).text
    assert "for an average pair" in text.lower()
    assert f"finds a true difference of {told['difference']:.4f} four times in five ({told['low']:.4f} to" in text
    assert f"{found['findings']['detectable']:.4f}" not in text, "of the matrix alone, on its own topics"


def test_scores_of_runs_without_names_say_where_they_are_from_and_nothing_of_the_runs(client):
    collection, measure = make_collection(), make_measure()
    make_unnamed(collection, measure, scores_of())
    study(collection)
    page = read(client, address(collection))
    assert "Scores of runs, names withheld, from an archive (CC BY-SA 4.0); half of the topics." in page.text
    assert "They stand behind no result." in page.text
    assert "run0" not in page.source + client.get(f"/collections/{collection.slug}/resolution.json").text


def test_too_few_systems_are_said_to_be_too_few(client):
    board = make_scored_board(scores_of(4))
    study(board.collection)
    text = read(client, address(board.collection)).text
    assert "(4 systems on 20 topics): can’t be studied, because the scores must hold" in text
    assert "at least 5" in text


def test_a_run_without_every_topic_stays_out(client):
    board = make_scored_board(scores_of())
    make_topic_scores(make_result(board, printed="0.3"), [None, *[0.3] * (N_TOPICS - 1)])
    study(board.collection)
    assert "8 systems on 20 topics" in read(client, address(board.collection)).text


def test_page_json_and_api_say_the_same(client):
    board = make_scored_board(scores_of())
    study(board.collection)
    twin = client.get(f"/collections/{board.collection.slug}/resolution.json").json()
    assert client.get(f"/api/v1/collections/{board.collection.slug}/resolution/").json() == twin
    assert twin["collection"] == board.collection.slug
    assert twin["matrices"][0]["state"] == "studied"


def test_profiles_and_significant_pairs_stand_on_the_page(client):
    board = make_scored_board(scores_of())
    study(board.collection)
    page = read(client, address(board.collection))
    found = client.get(f"/collections/{board.collection.slug}/resolution.json").json()["matrices"][0]["findings"]
    disjoint = found["designs"][0]["profile"]
    assert f"In the last tenth {100 * disjoint[-1]:.1f} % are reversed on disjoint sets" in page.text
    assert f"the lowest share of any tenth is {100 * min(disjoint):.1f} %" in page.text
    (row,) = [row for row in page.rows if row[0] == "0.00 to 0.10" and len(row) == 3]
    first = found["significant_pairs"][0]
    assert row[1:] == [str(first["n_significant"]), str(first["n_pairs"])]


def test_another_name_leads_to_its_own(client):
    collection = make_collection("robust", aliases=["Robust04"])
    for path in ("/collections/Robust04/resolution/", "/api/v1/collections/Robust04/resolution/"):
        answer = client.get(path)
        assert (answer.status_code, answer["Location"]) == (301, path.replace("Robust04", collection.slug))


def test_the_same_scores_are_studied_once():
    scores, measure = scores_of(), make_measure()
    one, other = make_collection(), make_collection()
    for collection in (one, other):
        row = make_unnamed(collection, measure, scores, f"{collection.slug}.csv")
        UnnamedScores.objects.filter(pk=row.pk).update(sha256="a" * 64)
    study(one)
    assert study_collection(other.pk) == []
    assert Resolution.objects.count() == 1


def test_other_scores_are_studied_anew(client):
    board = make_scored_board(scores_of())
    study(board.collection)
    make_topic_scores(make_result(board, printed="0.3"), scores_of(9)[-1].tolist())
    assert "about to be studied" in read(client, address(board.collection)).text
    assert len(study_collection(board.collection_id)) == 1


def test_other_methods_find_all_anew(monkeypatch):
    board = make_scored_board(scores_of())
    study(board.collection)
    monkeypatch.setattr(queries, "METHODS_VERSION", "next")
    assert len(study_collection(board.collection_id)) == 1


def test_a_worker_is_told_of_what_is_missing_and_of_nothing_else():
    make_collection()
    board = make_scored_board(scores_of())
    assert services.enqueue_missing() == 1
    job = Job.objects.get(kind=services.STUDY_COLLECTION)
    assert run_claimed(str(job.pk), study_collection, save=Resolution.keep)
    assert services.enqueue_missing() == 0
    assert Resolution.objects.exclude(content="").count() == 1
    services.enqueue_changed(leaderboard_ids=[board.pk])
    assert Job.objects.filter(kind=services.STUDY_COLLECTION, state="queued").count() == 1


def test_whoever_looks_at_what_is_not_found_yet_has_it_found_next(client):
    board = make_scored_board(scores_of())
    other = make_scored_board(scores_of())
    services.enqueue_missing()
    read(client, address(board.collection))
    found = Job.objects.filter(kind=services.STUDY_COLLECTION, awaited_at__isnull=False)
    assert [job.args["collection_id"] for job in found] == [board.collection_id] != [other.collection_id]


def test_an_unknown_parameter_is_refused(client):
    assert "There is no parameter “k”." in read(client, address(make_collection()) + "?k=1", status=400).text
