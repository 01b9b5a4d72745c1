"""Systems: what the makers of their models say, by the mteb package; readable names where sources have none."""

import calendar
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from builder.executions import EXECUTION
from builder.models import released
from builder.more import described_by_base
from builder.tables import Row

#: Columns of ours -> those of the gathered table.
_TAKEN = {
    "model": "name",
    "organisation": "organisation",
    "released": "release_date",
    "n_parameters": "n_parameters",
    "n_active_parameters": "n_active_parameters",
    "base_model": "adapted_from",
    "superseded_by": "superseded_by",
    "revision": "revision",
    "open_weights": "open_weights",
    "licence": "licence",
    "reference": "reference",
}
COLUMNS = ["system", "team", *_TAKEN, "training", "training_data", "source"]

_TRAINING = {"declared": "declared", "declared_none": "none", "unknown": "unknown"}


def build_systems(results: Iterable[Row], models: list[Row], mended: Mapping[str, Mapping[str, Row]]) -> list[Row]:
    """Return the rows of ``systems.csv``; ``mended`` has what sources say beyond the package, by model and field."""
    by_name = {name: model for model in models for name in [model["name"], *model["former_names"].split(";")] if name}
    systems = {(row["system"], row["team"]) for row in results if row["source"] == "embeddings-benchmark/results"}
    return [
        _row(system, team, by_name.get(system) or by_name[described_by_base(system)], mended.get(system, {}))
        for system, team in sorted(systems)
    ]


def _row(system: str, team: str, model: Row, mended: Mapping[str, Row]) -> Row:
    named = [*model["training_datasets"].split(";"), *model["training_datasets_not_tasks"].split(";")]
    row = {"system": system, "team": team, **{ours: model[theirs] for ours, theirs in _TAKEN.items()}}
    # The package writes 0 where nobody counted, and a word where there is no licence.
    row |= {name: "" for name in ("n_parameters", "n_active_parameters") if row[name] == "0"}
    row["licence"] = "" if row["licence"] == "not specified" else row["licence"]
    row["training"] = _TRAINING[model["training_datasets_status"]]
    row["training_data"] = "|".join(sorted(filter(None, named), key=str.casefold))
    row["source"] = f"mteb 2.26.24, {model['name']}"
    if "licence" in mended and not row["licence"]:
        row["licence"] = mended["licence"]["value"]
        row["source"] += f"; licence: {mended['licence']['source']}"
    if "released" in mended:
        day = released(mended["released"])
        row["released"] = day if len(day) == len("2024-02-08") else ""
        row["source"] += f"; released: {mended['released']['source']}"
    return row


NAME_COLUMNS = ["system", "team", "name", "source"]

#: Source -> what its names are like, what they become, and what the source does instead of naming the system.
_RULES = (
    ("lintool/robust04-analysis", r"(.+) \[proposed\]", r"proposed in \1", "names papers, and no method"),
    ("lintool/robust04-analysis", r"(.+) \[baseline\]", r"baseline of \1", "names papers, and no method"),
    ("embeddings-benchmark/results", r"(.+)_\((.+)\)", r"\1 (\2)", "writes settings as parts of file names"),
    ("terrier-org/pyterrier", r"PyTerrier \+(\w+) \(table 2\)", r"PyTerrier BM25+\1", "has two blocks"),
    ("terrier-org/pyterrier", r"PyTerrier \+(\w+) \(table 2\) \[.+\]", r"PyTerrier DPH+\1", "has two blocks"),
    ("canjiali/PARADE", r"PARADE \(title queries, README\) \[.+\]", "PARADE distilled to BERT-Small (title queries)",
     "says before the line which model it is"),
    ("castorini/pygaggle", r"monoT5-3B \(PyGaggle\), first .+", "monoT5-base (PyGaggle, TPU)", "names the model above"),
    ("castorini/pygaggle", r"(monoT5-\w+) \(PyGaggle\), .+", r"\1 (PyGaggle)", "names the model above"),
    ("castorini/pyserini", r"(Pyserini MIRACL page: BM25) \[.+\]", r"\1 (named Persian under Finnish)",
     "names another language than its heading"),
    ("FlagOpen/FlagEmbedding", r"(multilingual-e5-\w+) \[.+\]", r"\1 (C-MTEB, section 2.5)",
     "reports it twice: among rerankers, and here"),
)  # fmt: skip


def build_system_names(results: Iterable[Row]) -> list[Row]:
    """Return the rows of ``system_names.csv``: of sources with a paper, a line or a second where a system stands."""
    results = list(results)
    named = {(row["system"], row["team"], row["source"]) for row in results}
    rows = [*_by_rule(named), *_executions(results)]
    return sorted(rows, key=lambda row: (row["system"], row["team"]))


def _by_rule(named: Iterable[tuple[str, str, str]]) -> Iterator[Row]:
    for system, team, source in named:
        for of_source, pattern, name, why in _RULES:
            if source == of_source and (match := re.fullmatch(pattern, system)):
                called = match.expand(name).replace(",_", ", ")
                yield {"system": system, "team": team, "name": called, "source": f"{source} {why}"}
                break


def _executions(results: Iterable[Row]) -> Iterator[Row]:
    """Yield the executions of each reranker, numbered on each collection by their time."""
    by_month: dict[tuple[str, str, str, str], set[tuple[str, str]]] = defaultdict(set)
    for row in results:
        if match := EXECUTION.fullmatch(row["system"]):
            of = (row["collection"], match["reranker"], match["year"], match["month"])
            by_month[of].add((match["time"], row["system"]))
    for (_, reranker, year, month), executions in by_month.items():
        for number, (_, system) in enumerate(sorted(executions), 1):
            yield {
                "system": system,
                "team": "castorini",
                "name": f"{reranker}, {calendar.month_name[int(month)]} {year}, execution {number}",
                "source": "castorini/rank_llm tells executions apart by the time alone",
            }
