"""Nothing that ships leads although its source, its members or a twin refute it: asked of pages and files."""

import csv
import re
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils.html import escape

from registry.core.loading import load_shipped_data
from tests.data.shipped import DATA, results, table

pytestmark = pytest.mark.django_db

_OF_CATALOG = (
    "collections.csv",
    "measures.csv",
    "leaderboards.csv",
    "suites.csv",
    "suite_members.csv",
    "densities.csv",
)


@pytest.fixture
def board(tmp_path: Path, client: Any) -> Any:
    """Return what loads shipped rows of some collections under a measure, and gives the first's leaderboard as JSON."""

    def load(measure: str, *collections: str, more: tuple[str, ...] = ()) -> dict[str, Any]:
        for name in (*_OF_CATALOG, *more):
            shutil.copy(DATA / name, tmp_path / name)
        (tmp_path / "results").mkdir(exist_ok=True)
        rows = [row for row in results() if row["collection"] in collections and row["measure"] == measure]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        with (tmp_path / "results" / "some.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        assert not [report.rejections for report in load_shipped_data(directory=tmp_path) if report.refused]
        call_command("recompute", collections[0], measure, stdout=StringIO(), verbosity=0)
        address = f"/api/v1/leaderboards/{collections[0]}/{measure}/?page_size=200"
        shown: dict[str, Any] = client.get(address).json()
        call_command("check_record", stdout=StringIO())
        return shown

    return load


def aside(shown: dict[str, Any], reason: str) -> list[dict[str, Any]]:
    return [row for row in shown["results"] if row["why_not_comparable"] == reason]


def leader(shown: dict[str, Any]) -> dict[str, Any]:
    verdict = shown["verdict"]["best_unflagged"] or shown["verdict"]["best"]
    return next(row for row in shown["results"] if row["id"] == verdict["result"])


def test_a_mean_of_two_forums_does_not_lead_twelve(board):
    shown = board("nDCG@10", "beir-cqadupstack")
    partial = aside(shown, "mean of some members only")
    first = next(row for row in partial if row["system"] == "nvidia/NV-Embed-v1")
    assert first["notes"].endswith("a mean over 2 of 12 members: gaming, unix")
    assert leader(shown)["system"] not in {row["system"] for row in partial}


def test_the_dev_topics_of_ms_marco_are_not_led_by_an_impossible_block(board):
    shown = board("nDCG@10", "msmarco-passage-dev")
    (conan,) = [row for row in aside(shown, "doubtful figure") if row["system"] == "TencentBAC/Conan-embedding-v2"]
    assert conan["printed"] == "0.48119"
    assert "impossible in its file: nDCG@1 (0.2762) is above P@1 (0.2162)" in conan["notes"]
    assert leader(shown)["value"] < 0.4812


def test_every_impossible_block_stands_aside_with_its_reason():
    blocks = [row for row in table("refuted.csv") if row["kind"] == "impossible"]
    assert len(blocks) == 27
    places = {(row["collection"], row["system"], row["source"]) for row in blocks}
    doubted = [row for row in results() if (row["collection"], row["system"], row["source"]) in places]
    assert {row["comparability"] for row in doubted} == {"doubtful"}
    assert all("impossible in its file" in row["notes"] for row in doubted)


def test_what_is_said_of_a_models_training_holds_for_its_systems(board):
    shown = board("nDCG@10", "miracl-sw-dev", "beir-nfcorpus", more=("models.csv", "training.csv"))
    trained = {row["system"]: row["training"] for row in shown["results"]}
    assert {trained[f"M3 {kind}"] for kind in ("All", "Dense", "Multi-vec")} == {"declares"}
    assert (leader(shown)["system"], leader(shown)["training"]) == ("M3 All", "declares")


def test_a_formula_has_nothing_to_train_whoever_ran_it_unless_it_was_tuned(board):
    shown = board("AP(rel=2)", "trec-dl-2020-passage", more=("models.csv", "training.csv"))
    trained = {row["system"]: row["training"] for row in shown["results"]}
    assert trained["p_bm25"] == trained["Pyserini bm25-default"] == "nothing_to_train"
    assert trained["Pyserini bm25-tuned"] == "says_nothing"


def test_results_of_mteb_have_the_day_they_were_reported():
    rows = [row for row in results() if row["source"] == "embeddings-benchmark/results"]
    undated = [row for row in rows if not row["date"]]
    assert (len(rows), len(undated)) == (82_126, 832)
    assert all(row["date"] > "2024-07" for row in rows if row["date"])
    model = next(row for row in table("models.csv") if row["name"] == "intfloat/e5-large")
    assert model["released"] < "2024-07"


def test_a_leaderboard_of_two_evaluators_has_no_verdict_and_says_why(board, client):
    shown = board("nDCG@10", "mteb-twitterhjerne")
    assert (shown["verdict"], shown["analysis"]["obstacle"]) == (None, "doubtful_scores")
    page = client.get("/leaderboards/mteb-twitterhjerne/nDCG@10/").content.decode()
    assert "a third of its scores or more are doubtful, and lie apart from the others by more than the margin." in page
    assert "In 118 of 221 files at the source RR@1 is not P@1" in page
    assert len(aside(shown, "doubtful figure")) == 20


def test_judgements_of_a_language_model_are_said_first(board, client):
    shown = board("nDCG@20", "rag24-test-umbrela-all")
    says = "Judged by a language model (GPT-4o; UMBRELA"
    assert shown["collection"]["judged_by_model"].startswith(says)
    address = "/leaderboards/rag24-test-umbrela-all/nDCG@20/"
    page = client.get(address).content.decode().partition("<h1")[2]
    assert page.index(says) < page.index('class="claim"')
    assert says in client.get(address.rstrip("/") + ".bib").content.decode()
    checked = client.get("/check/?collection=rag24-test-umbrela-all&measure=nDCG@20&score=0.5").content.decode()
    assert re.sub("<[^>]*>", "", checked).count(says) == 2
    assert client.get("/api/v1/collections/rag24-test-umbrela-all/").json()["judge"] == "LLM"
    assert "a language model" in client.get("/collections/rag24-test-umbrela-all/about/").content.decode()


def test_parts_of_an_index_do_not_compete(board):
    shown = board("nDCG@100", "rag24-test")
    assert not [row for row in shown["results"] if "shard" in row["system"] and row["rank"]]
    assert len(aside(shown, "other documents")) == 10
    parts = [row["comparability"] for row in results() if re.search(r"\bshard\d\d", row["system"])]
    assert (len(parts), set(parts)) == (120, {"other_documents"})


def test_one_run_is_one_row_with_its_other_names(board, client):
    shown = board("AP(rel=2)", "trec-dl-2020-passage")
    twins = aside(shown, "same scores as another row")
    page = client.get("/leaderboards/trec-dl-2020-passage/AP(rel=2)/?rows=300").content.decode()
    for row in twins:
        assert f"/systems/{row['system_slug']}/" not in page
        assert escape(row["system"]) in page
    assert twins
    shown = board("nDCG@20", "rag24-test-umbrela-all")
    splade = {row["system"]: row["rank"] for row in shown["results"] if "splade-v3" in row["system"]}
    assert [name for name, rank in splade.items() if rank] == ["Anserini splade-v3.onnx"]
    assert len(splade) == 2


def test_a_model_on_two_of_six_splits_has_two_results_and_no_mean():
    splits = {row["collection"] for row in table("suite_members.csv") if "mteb-weblinx-" in row["collection"]}
    row_of_split = {
        row["collection"]: row for row in results() if row["system"] == "Querit/Querit-4B" and "weblinx" in str(row)
    }
    assert (len(splits), splits & row_of_split.keys()) == (6, row_of_split.keys())
    assert {row["measure"] for row in row_of_split.values()} == {"RR@10"}
    links = [row for row in table("collection_links.csv") if row["relation"] == "member_of"]
    assert not [row for row in links if row["collection"] in splits]


def test_a_copied_model_and_its_original_say_so():
    rows = [row for row in results() if row["collection"] == "beir-scifact" and row["measure"] == "nDCG@10"]
    notes = {row["system"]: row["notes"] for row in rows}
    says = "has the same scores on 289 of 322 boards that list both"
    assert f"sentence-transformers/all-MiniLM-L6-v2 {says}" in notes["brahmairesearch/slx-v0.1"]
    assert f"brahmairesearch/slx-v0.1 {says}" in notes["sentence-transformers/all-MiniLM-L6-v2"]


@pytest.mark.slow
def test_bright_is_led_by_the_best_of_all_that_are_complete_on_its_authors_twelve_sets(board, client):
    members = [row["collection"] for row in table("suite_members.csv") if row["suite"] == "bright"]
    assert (len(members), [slug for slug in members if slug.startswith("mteb-")]) == (12, [])
    board("nDCG@10", *members)
    call_command("recompute", processes=1, stdout=StringIO(), verbosity=0)
    shown = client.get("/benchmarks/bright/nDCG@10.json").json()
    complete = [row for row in shown["results"] if row["value"] is not None]
    assert (len(complete), shown["n_incomplete"]) == (77, len(shown["results"]) - 77)
    assert (complete[0]["system"], round(complete[0]["value"], 4)) == ("INF-X-Retriever", 0.6344)
    page = client.get("/benchmarks/bright/nDCG@10/").content.decode()
    assert "INF-X-Retriever" in page.partition("<table")[0]
    assert "0.634" in page.partition("<table")[0]


def test_bright_is_the_twelve_sets_of_its_authors_on_which_83_names_are_complete():
    members = {row["collection"] for row in table("suite_members.csv") if row["suite"] == "bright"}
    assert len(members) == 12
    assert not [slug for slug in members if slug.startswith("mteb-")]
    places: dict[tuple[str, str], set[str]] = {}
    standing: dict[tuple[str, str], set[str]] = {}
    for row in results():
        if row["collection"] in members and row["measure"] == "nDCG@10":
            system = (row["system"], row.get("team", ""))
            if row["comparability"] in ("standard", "same_run"):
                places.setdefault(system, set()).add(row["collection"])
            if row["comparability"] == "standard":
                standing.setdefault(system, set()).add(row["collection"])
    assert sum(own == members for own in places.values()) == 83
    assert sum(own == members for own in standing.values()) == 78
