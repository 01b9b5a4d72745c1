"""Lineages and declared training data that ship: of systems that are there, by keys that people can check."""

from collections import Counter

import pytest

from tests.data.shipped import compared, matrix, results, table

LINEAGE = table("lineage.csv")
TRAINING = table("training.csv")


def systems() -> set[tuple[str, str]]:
    named = {(compared(row["system"]), compared(row.get("team", ""))) for row in results()}
    manifest = table("topic_scores/manifest.csv")
    return named | {(compared(name), compared(row["team"])) for row in manifest for name in matrix(row["file"])[1]}


def keys_of(system: str) -> set[str]:
    return {row["key"] for row in LINEAGE if row["system"] == system}


@pytest.mark.parametrize("rows", [[row for row in LINEAGE if row["system"]], TRAINING], ids=["lineage", "training"])
def test_every_row_is_of_a_system_that_is_there(rows):
    assert {(compared(row["system"]), compared(row["team"])) for row in rows} <= systems()
    assert all(row["source"] for row in rows)


def test_a_system_has_a_key_once():
    counts = Counter((compared(row["system"]), compared(row["team"]), row["key"]) for row in LINEAGE)
    assert max(counts.values()) == 1
    assert {row["key"].removeprefix("not ").partition(":")[0] for row in LINEAGE} == {
        "team",
        "paper",
        "model",
        "toolkit",
    }


def test_a_model_line_has_at_least_two_systems():
    counts = Counter(row["key"] for row in LINEAGE if row["key"].startswith("model:"))
    assert min(counts.values()) >= 2


def test_platforms_overviews_and_toolkits_papers_make_no_family():
    nobodys = {row["key"] for row in LINEAGE if not row["system"]}
    assert all(key.startswith("not ") for key in nobodys)
    assert {"not team:tira-io", "not paper:https://github.com/castorini/anserini"} <= nobodys
    assert sum("overview of a track" in row["source"] for row in LINEAGE) > 100


@pytest.mark.parametrize(
    ("system", "keys"),
    [
        ("intfloat/multilingual-e5-small", {"model:intfloat/e5"}),
        ("Octen/Octen-Embedding-4B-INT8", {"model:octen/octen-embedding"}),
        ("Alibaba-NLP/gte-Qwen2-7B-instruct", {"model:alibaba-nlp/gte-qwen", "model:gte"}),
        ("thenlper/gte-small", {"model:thenlper/gte", "model:gte"}),
        ("avsolatorio/GIST-all-MiniLM-L6-v2", set()),
        ("manu/bge-m3-custom-fr", set()),
        ("Pyserini bge-base-en-v1.5.faiss", {"model:baai/bge", "not team:castorini"}),
        ("Pyserini bm25-flat", {"toolkit:anserini"}),
        ("rank_llm rankgpt", {"not team:castorini"}),
        ("rank_llm rankzephyr", {"toolkit:rank_llm"}),
        ("MonoT5 Large (tira-ir-starter-gygaggle)", {"team:castorini"}),
        ("DPH Re-Rank (tira-ir-starter-pyterrier)", {"toolkit:pyterrier"}),
        ("nimble-bar", set()),
    ],
)
def test_sizes_join_and_fine_tunes_by_others_do_not(system, keys):
    assert keys_of(system) - {"not paper:https://arxiv.org/abs/2309.15088"} == keys


def test_no_row_of_a_toolkit_is_left_without_a_word():
    toolkits = ("castorini/anserini", "castorini/pyserini", "castorini/rank_llm")
    said = {row["system"] for row in LINEAGE}
    rows = [row for row in results() if row["source"] in toolkits and row["role"] == "reference_implementation"]
    assert {row["system"] for row in rows} <= said


def test_training_is_known_for_most_rows_of_trained_models():
    declared = {
        (row["system"], collection): row["declared"] for row in TRAINING for collection in row["collections"].split("|")
    }
    models = [row for row in results() if row["source"] == "embeddings-benchmark/results"]
    answers = Counter(declared[row["system"], row["collection"]] for row in models)
    assert answers == {"yes": 2_511 + 3_440, "no": 8_860 + 48_621, "unknown": 2_505 + 11_569}
    assert (answers["yes"] + answers["no"]) / len(models) >= 0.75


def test_declarations_name_collections_that_are_there():
    slugs = {row["slug"] for row in table("collections.csv")}
    assert {slug for row in TRAINING for slug in row["collections"].split("|")} <= slugs
    assert {row["declared"] for row in TRAINING} == {"yes", "no", "unknown"}
