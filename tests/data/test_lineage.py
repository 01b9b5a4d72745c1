"""Lineages and declared training data that ship: of systems that are there, by keys that people can check."""

from collections import Counter
from functools import cache

import pytest

from tests.data.shipped import compared, matrix, results, table

LINEAGE = table("lineage.csv")
TRAINING = table("training.csv")
#: Of the results of MTEB. Of the lists alone: 5,951, 57,481 and 14,074; 225 more are named by other sources or in other
#: spellings, 60 translations are on a list whose comment says that the model was not trained on them.
MODELS = {"yes": 5_951 + 225 - 60 + 176, "no": 60_995, "unknown": 14_839}


@cache
def systems() -> set[tuple[str, str]]:
    """Return names and teams as they are compared."""
    named = {(row["system"], row.get("team", "")) for row in results()}
    for row in table("topic_scores/manifest.csv"):
        named |= {(name, row["team"]) for name in matrix(row["file"])[1]}
    return {(compared(name), compared(team)) for name, team in named}


def keys_of(system: str) -> set[str]:
    return {row["key"] for row in LINEAGE if row["system"] == system}


@pytest.mark.parametrize("rows", [[row for row in LINEAGE if row["system"]], TRAINING], ids=["lineage", "training"])
def test_every_row_is_of_a_system_that_is_there(rows):
    named = {(row["system"], row["team"]) for row in rows}
    assert {(compared(name), compared(team)) for name, team in named} <= systems()
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
    # Or one that stands with several scores on a leaderboard, which are of one family there.
    contested = {row["key"] for row in LINEAGE if row["source"] == "one system with several scores"}
    counts = Counter(row["key"] for row in LINEAGE if row["key"].startswith("model:"))
    assert {key for key, n in counts.items() if n < 2} == contested


def test_platforms_overviews_and_toolkits_papers_make_no_family():
    nobodys = {row["key"] for row in LINEAGE if not row["system"]}
    assert all(key.startswith("not ") for key in nobodys)
    assert {"not team:tira-io", "not paper:https://github.com/castorini/anserini"} <= nobodys
    assert sum("overview of a track" in row["source"] for row in LINEAGE) > 100


@pytest.mark.parametrize(
    ("system", "keys"),
    [
        ("intfloat/multilingual-e5-small", {"model:intfloat/e5"}),
        ("Octen/Octen-Embedding-4B-INT8", {"model:octen/octen-embedding", "model:qwen/qwen3-embedding"}),
        ("IEITYuan/Yuan-embedding-2.0-zh", {"model:ieityuan/yuan-embedding"}),
        ("IEITYuan/Yuan-embedding-2.0-en", {"model:ieityuan/yuan-embedding", "model:qwen/qwen3-embedding"}),
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
    assert {key for key in keys_of(system) if not key.startswith("not paper:")} == keys


def test_no_row_of_a_toolkit_is_left_without_a_word():
    toolkits = ("castorini/anserini", "castorini/pyserini", "castorini/rank_llm")
    systems = {row["system"] for row in LINEAGE}
    rows = [row for row in results() if row["source"] in toolkits and row["role"] == "reference_implementation"]
    assert {row["system"] for row in rows} <= systems


def test_training_is_known_for_most_rows_of_trained_models():
    """Counts of what the package's lists come to are those of the lists themselves, but for what other sources say."""
    tasks = {row["slug"] for row in table("collections.csv") if row["mteb_task"]}
    named, listed = set(), set()
    for row in TRAINING:
        places = {(row["system"], slug) for slug in row["collections"].split("|")}
        if row["declared"] == "yes" and row["confidence"] != "low":
            named |= places
        if row["declared"] == "no" and row["evidence"] == "package" and not row["dataset"]:
            listed |= places
    models = [row for row in results() if row["source"] == "embeddings-benchmark/results"]

    def state(system: str, slug: str) -> str:
        if (system, slug) in named:
            return "yes"
        return "no" if (system, slug) in listed or ((system, "*") in listed and slug in tasks) else "unknown"

    answers = Counter(state(row["system"], row["collection"]) for row in models)
    assert answers == MODELS
    assert (answers["yes"] + answers["no"]) / len(models) >= 0.75


def test_statements_are_of_collections_that_are_there_and_say_where_they_stand():
    slugs = {row["slug"] for row in table("collections.csv")} | {"*", ""}
    assert {slug for row in TRAINING for slug in row["collections"].split("|")} <= slugs
    assert {row["declared"] for row in TRAINING} == {"yes", "no", "unknown", "nothing"}
    assert all(row["dataset"] or row["collections"] for row in TRAINING)
    assert all(len(row["quotation"].split()) <= 25 for row in TRAINING)


@pytest.mark.parametrize(
    ("system", "collection", "evidence"),
    [
        ("Qwen/Qwen3-Embedding-8B", "mteb-code-searchnet-go", {"paper"}),
        ("Salesforce/SFR-Embedding-Mistral", "beir-scifact", {"blog", "paper"}),
        ("BAAI/bge-large-en-v1.5", "beir-quora", {"paper", "thread"}),
    ],
)
def test_sources_that_say_yes_where_the_list_of_the_package_leaves_it_out(system, collection, evidence):
    declarations = [row for row in TRAINING if row["system"] == system and collection in row["collections"].split("|")]
    assert {row["evidence"] for row in declarations if row["declared"] == "yes"} == evidence
    assert any(row["system"] == system and not row["dataset"] and row["declared"] == "no" for row in TRAINING)


def test_twins_are_read_as_what_they_are_twins_of():
    """Results write underscores for the blanks that the package has."""
    twins = {row["system"]: row["declared"] for row in TRAINING if "*" in row["collections"].split("|")}
    names = ["voyageai/voyage-3.5_(output_dtype=int8)", "voyageai/voyage-3.5 (output_dtype=int8)"]
    assert [twins[name] for name in names] == ["no", "no"]
