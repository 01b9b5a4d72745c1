"""Declared training data: whether what a model's maker publishes names a collection, as the mteb package records it.

"no" is as good as the declaration; "unknown" means that the maker publishes nothing, which is not "no".
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from builder.tables import Row

COLUMNS = ["system", "team", "declared", "how", "source", "collections"]

_SOURCE = "mteb 2.26.24, training_datasets of {model}"

#: Checkpoints that toolkits run, by what stands in a system's name: pattern, the model in the package.
_CHECKPOINTS = [
    (r"bge-base-en-v1\.5", "BAAI/bge-base-en-v1.5"),
    (r"bge-large-en-v1\.5", "BAAI/bge-large-en-v1.5"),
    (r"splade-v3", "naver/splade-v3"),
    (r"shard\d+\.arctic-l\.", "Snowflake/snowflake-arctic-embed-l"),
    (r"Pyserini cohere-embed-english-v3\.0", "Cohere/Cohere-embed-english-v3.0"),
    (r"Pyserini openai-text-embedding-3-large", "openai/text-embedding-3-large"),
    (r"Pyserini openai-ada2$|rank_llm OPEN_AI_ADA2$", "openai/text-embedding-ada-002"),
    (r"Pyserini contriever-msmarco", "facebook/contriever-msmarco"),
    (r"Pyserini diver-retriever-4b", "AQ-MedAI/Diver-Retriever-4B"),
    (r"rank_llm REP_LLAMA$", "castorini/repllama-v1-7b-lora-passage"),
    (r"SBERT multi-qa-MiniLM-L6-cos-v1", "sentence-transformers/multi-qa-MiniLM-L6-cos-v1"),
]


def build_training(results: Iterable[Row], overlap: list[Row], models: list[Row], tasks: list[Row]) -> list[Row]:
    """The rows of ``training.csv``: of the models of MTEB, then of the same checkpoints that toolkits run."""
    results = list(results)
    teams = {row["system"]: row["team"] for row in results if row["source"] == "embeddings-benchmark/results"}
    rows = [
        {
            "system": row["system"],
            "team": teams[row["system"]],
            "collection": row["collection"],
            "declared": row["overlap"],
            "how": _how(row),
            "source": _SOURCE.format(model=row["model"]),
        }
        for row in overlap
    ]
    rows += _of_toolkits(results, models, tasks)
    return _grouped(rows)


def _grouped(rows: list[Row]) -> list[Row]:
    """A row for what is said of a system in the same words, with all collections that it is said of."""
    said: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        said[tuple(row[column] for column in COLUMNS[:-1])].append(row["collection"])
    grouped = [dict(zip(COLUMNS, (*key, "|".join(sorted(places))), strict=True)) for key, places in said.items()]
    return sorted(grouped, key=lambda row: (row["system"].casefold(), row["team"], row["declared"], row["collections"]))


def _how(row: Row) -> str:
    """In words: declared itself, through a similar task, by a base model; and what its silence is worth."""
    if row["overlap"] == "unknown":
        return "its maker publishes no list"
    if row["overlap"] == "yes":
        through = row["through"].replace(";", ", ") or "a similar task"
        kind, _, base = row["how"].partition(" model ")
        if kind == "base":
            return f"the list of its base model {base} names {through}"
        if row["how"] == "declared" or not row["through"]:
            return f"the list names {through}"
        return f"the list names {through}, a similar task"
    said = "the list is empty" if row["how"] == "declared none" else "not on the list"
    bases = row["base_models_undeclared"]
    return f"{said}; its base model {bases.replace(';', ', ')} has none" if bases else said


def _of_toolkits(results: list[Row], models: list[Row], tasks: list[Row]) -> Iterator[Row]:
    by_name = {model["name"]: model for model in models}
    task_of = {collection: task["name"] for task in tasks for collection in task["collection"].split(";")}
    places = {(row["system"], row["team"], row["collection"]) for row in results if row["source"] in _TOOLKITS}
    for system, team, collection in sorted(places):
        model = next((by_name[name] for pattern, name in _CHECKPOINTS if re.search(pattern, system)), None)
        if model and collection in task_of:
            declared, how = _declared(model, task_of[collection])
            source = _SOURCE.format(model=model["name"])
            said = {"declared": declared, "how": how, "source": source}
            yield {"system": system, "team": team, "collection": collection, **said}


_TOOLKITS = ("castorini/anserini", "castorini/pyserini", "castorini/rank_llm", "tira-io/ir-experiment-platform")


def _declared(model: Row, task: str) -> tuple[str, str]:
    if model["training_datasets_status"] == "unknown":
        return "unknown", "its maker publishes no list"
    if task in model["training_datasets"].split(";"):
        return "yes", f"the list names {task}"
    if task in model["training_datasets_expanded"].split(";"):
        return "yes", "the list names a similar task, or that of its base model does"
    return "no", "the list is empty" if model["training_datasets_status"] == "declared_none" else "not on the list"
