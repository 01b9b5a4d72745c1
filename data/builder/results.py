"""Published results in the import format: what each row of the gathered files becomes."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from builder import measures, more
from builder.catalog import Catalog, plain_system, question_set
from builder.densities import TWO_JUDGINGS
from builder.tables import Row, join_notes

#: Every column an import file may have, in the order in which they are written.
COLUMNS = [
    "collection",
    "measure",
    "system",
    "value",
    "unit",
    "year",
    "date",
    "role",
    "run_type",
    "team",
    "paper",
    "paper_url",
    "source",
    "locator",
    "notes",
    "comparability",
    "n_topics",
    "replicate_of",
    "provenance",
    "self_reported",
    "evaluator",
    "dataset_revision",
]

#: Published file of the gathered data -> file of ours.
FILES = {
    "trec_browser_adhoc.csv": "trec_adhoc.csv",
    "trec_browser_other.csv": "trec_other_tracks.csv",
    "robust04_papers.csv": "robust04_papers.csv",
    "msmarco_passage_leaderboard.csv": "msmarco_passage.csv",
    "mteb_retrieval_ndcg10.csv": "mteb.csv",
    "rankllm.csv": "rank_llm.csv",
    "tirex_evaluations.csv": "tirex.csv",
    "anserini_reference.csv": "anserini.csv",
    "pyserini_reference.csv": "pyserini.csv",
    more.FILE: "mteb_more.csv",
}


@dataclass(frozen=True)
class Override:
    """Rows whose mean is over another number of topics than the collection has."""

    collection: str
    measure: str
    system: str
    n_topics: str
    reason: str

    def covers(self, row: Row) -> bool:
        """Say whether it speaks of a row of the gathered file; a star stands for anything at one end of a name."""
        return self.collection == row["collection"] and all(
            pattern == "*"
            or (pattern.endswith("*") and name.startswith(pattern[:-1]))
            or (pattern.startswith("*") and name.endswith(pattern[1:]))
            or pattern == name
            for pattern, name in ((self.measure, row["measure"]), (self.system, row["system"]))
        )


def row_overrides(overrides: list[Row], file: str) -> list[Override]:
    """Return the overrides for some rows of one file, the most particular first."""
    ours = [
        Override(row["collection"], row["measure"], row["system"], row["n_topics"], row["note"])
        for row in overrides
        if row["file"] == file
    ]
    return sorted(ours, key=lambda override: override.system == "*")


def leaderboard_rows(overrides: list[Row], catalog: Catalog) -> list[Row]:
    """Return the rows of ``leaderboards.csv``: measures that average over other topics than their collection has."""
    return [
        {
            "collection": catalog.slugs[row["collection"]],
            "measure": measures.RENAMED.get(row["measure"], row["measure"]),
            "n_topics": row["n_topics"],
            "note": f"number of topics {row['source']}; the {row['note']}",
        }
        for row in overrides
        if row["file"] == row["system"] == "*"
    ]


def build_results(file: str, source: list[Row], catalog: Catalog, overrides: list[Override]) -> list[Row]:
    """Return the rows of one result file, in the order of the gathered one."""
    adapt = _ADAPTERS.get(file, lambda row: None)
    rows = []
    for printed in source:
        if printed["measure"] in measures.UNSHIPPED:
            continue
        row = dict(printed)
        row["source"], row["locator"] = _source_and_locator(printed["source"])
        adapt(row)
        override = next((entry for entry in overrides if entry.covers(printed)), None)
        if override and not question_set(printed["system"]):
            row |= {"n_topics": override.n_topics, "comparability": row.get("comparability") or "topic_subset"}
            row["notes"] = join_notes(row["notes"], override.reason)
        row["collection"] = catalog.slug(printed["collection"], printed["system"])
        row["system"] = plain_system(printed["system"])
        row["measure"] = measures.RENAMED.get(printed["measure"], printed["measure"])
        row["notes"] = join_notes(row["notes"])
        row.setdefault("comparability", "standard")
        rows.append({key: row.get(key, "") for key in COLUMNS})
    return rows


def without_empty_columns(rows: list[Row]) -> list[Row]:
    """Return the rows with the columns that hold something, so that files don't carry rows of commas."""
    columns = [key for key in COLUMNS if any(row[key] for row in rows)]
    return [{key: row[key] for key in columns} for row in rows]


def _source_and_locator(source: str) -> tuple[str, str]:
    """Return the repository, and the place within it."""
    repository, _, place = source.partition(" ")
    repository, _, commit = repository.partition("@")
    return repository, f"{place} at {commit}" if commit else place


def _adapt_mteb(row: Row) -> None:
    # The revision is part of the path in the locator.
    # Parameters stand in systems.csv, the version of the package in the file itself.
    dropped = ("revision=", "mteb_version=", "external:", "n_parameters=")
    parts = row["notes"].split("; ")
    row["self_reported"] = "yes" if any(part.startswith("external:") for part in parts) else ""
    row["notes"] = "; ".join(_reworded(part) for part in parts if not part.startswith(dropped))


def _reworded(note: str) -> str:
    """Return a remark of the gathered tables on a score whose file does not say of which measure it is."""
    plain = re.sub(
        r"main score of the file, named by the key that holds the same value",
        "the file gives its main score without a measure; this measure has the same value in it",
        note,
    )
    return re.sub(r"^equal too: (.+)$", lambda match: f"so have {match[1].replace(' ', ', ')}", plain)


def _adapt_tirex(row: Row) -> None:
    if "SUSPICIOUS" in row["notes"]:
        row["comparability"] = "doubtful"
        row["notes"] = re.sub(
            r"SUSPICIOUS: .*", "near zero with nearly nothing judged: document ids did not match", row["notes"]
        )


def _adapt_rank_llm(row: Row) -> None:
    if row["notes"].startswith("computed here"):
        row["provenance"] = "recomputed"
        row["notes"] = row["notes"].replace("computed here", "computed").removesuffix("; not a printed value")


def _adapt_trec(row: Row) -> None:
    row["notes"] = row["notes"].replace("; inferred, see MANIFEST", "; inferred from the number of topics that fits")


def _adapt_castorini(row: Row) -> None:
    # Some configurations have no name to display, some no name of their judgements.
    row["notes"] = "; ".join(part for part in row["notes"].split("; ") if not part.endswith(("=", "=None")))
    # Most results under nDCG@10 are MTEB's there; under other measures there are none of it.
    if row["collection"].replace("_", "-") in TWO_JUDGINGS and row["measure"] == "nDCG@10":
        row["comparability"] = "other_judgements"
        row["notes"] = join_notes(row["notes"], "by Anserini's judgements, which differ from those of MTEB")


_ADAPTERS: dict[str, Callable[[Row], None]] = {
    "mteb_retrieval_ndcg10.csv": _adapt_mteb,
    more.FILE: _adapt_mteb,
    "tirex_evaluations.csv": _adapt_tirex,
    "rankllm.csv": _adapt_rank_llm,
    "trec_browser_adhoc.csv": _adapt_trec,
    "anserini_reference.csv": _adapt_castorini,
    "pyserini_reference.csv": _adapt_castorini,
}
