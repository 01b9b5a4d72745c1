"""The dumps that there are, the digest of the public registry, and the sources of each table."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Max
from django.utils import timezone

from analysis.boards import METHODS
from registry.core.http import site_address
from registry.dumps.formats import PARQUET, as_line, clean_rows, read_rows
from registry.dumps.manifest import MANIFEST, Manifest, SourceEntry, read_manifest
from registry.dumps.tables import RECORDED, TABLES, Table
from registry.journal.chain import check_head
from registry.journal.verifying import Report, Share
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import stale_leaderboards
from registry.results.models import Result, Source, UnnamedScores

#: Sources of rows that people put in here, and of rows that ship with the product and were taken from nowhere.
HANDED_IN, OUR_OWN = "submitted", "Plumbline"


@dataclass(frozen=True, slots=True)
class Origin:
    """The sources of a table's rows."""

    column: Annotated[str, "The path of the column whose texts name sources; the source is what names none."] = ""
    otherwise: Annotated[str, "The source of rows whose text names none known; blank where that says none."] = ""
    named: Annotated[tuple[str, ...], "Sources of all its rows, as far as they are known."] = ()
    made_of: Annotated[tuple[str, ...], "Tables that it is made of."] = ()


_OF_PEOPLE = Origin(named=(HANDED_IN,))
_OF_FIGURES = Origin(made_of=("results", "topic_scores", "residual_variances", "lineages", "training", "suites"))
_COLLECTIONS = ("ir_datasets", "mteb", "castorini/anserini", "usnistgov/trec-browser", OUR_OWN)

#: Of every table; data/SOURCES.md tells what the catalog was put together from.
ORIGINS: Mapping[str, Origin] = {
    "scores": Origin(made_of=("results", "papers", "models", "collections", "measures", "snapshots")),
    "entries": _OF_PEOPLE,
    "seals": Origin(named=(OUR_OWN,)),
    "sources": Origin(named=(OUR_OWN,)),
    "collections": Origin(named=_COLLECTIONS),
    "collection_aliases": Origin(named=_COLLECTIONS),
    "densities": Origin("source", OUR_OWN),
    "collection_links": Origin("source", OUR_OWN),
    "topics": Origin(made_of=("topic_scores",)),
    "measures": Origin(named=("ir-measures", OUR_OWN)),
    "measure_aliases": Origin(named=("ir-measures", OUR_OWN)),
    "questions": Origin(named=(OUR_OWN,)),
    "question_collections": Origin(named=(OUR_OWN,)),
    "question_measures": Origin(named=(OUR_OWN,)),
    "leaderboards": Origin(made_of=("collections", "measures", "results")),
    "residual_variances": Origin("sources", OUR_OWN),
    "papers": Origin("described_from", made_of=("results",)),
    "models": Origin("source", OUR_OWN),
    "systems": Origin(made_of=("results", "system_facts", "models")),
    "results": Origin("source", HANDED_IN),
    "topic_scores": Origin("result__source", HANDED_IN),
    "unnamed_scores": Origin("source"),
    "corrections": _OF_PEOPLE,
    "confirmations": _OF_PEOPLE,
    "lineages": Origin("source", OUR_OWN),
    "paper_links": Origin("source", OUR_OWN),
    "collection_papers": Origin("source", OUR_OWN),
    "system_facts": Origin("source", OUR_OWN),
    "training": Origin("source", OUR_OWN),
    "suites": Origin("source", OUR_OWN),
    "suite_members": Origin(made_of=("suites",)),
    "elsewhere": Origin(made_of=("results", "suites")),
    "snapshots": _OF_FIGURES,
    "analyses": _OF_FIGURES,
    "suite_analyses": _OF_FIGURES,
    "reference_sets": Origin(made_of=("results", "topic_scores")),
    "reference_set_members": Origin(made_of=("results",)),
    "resolutions": Origin(made_of=("topic_scores", "unnamed_scores")),
}


def table_sources() -> dict[str, list[str]]:
    """Return the names of the sources of each table that holds rows; a table made of others has theirs."""
    matrices = UnnamedScores.objects.order_by().values_list("source", flat=True)
    known = {*Source.objects.values_list("name", flat=True), *matrices}
    own = {table.name: _own_sources(table, known) for table in TABLES}
    sources: dict[str, list[str]] = {}
    for table in TABLES:
        parts = [own[part] for part in (table.name, *ORIGINS[table.name].made_of)]
        sources[table.name] = sorted(set().union(*parts)) if table.rows().exists() else []
    return sources


def source_entries() -> list[SourceEntry]:
    """Return every source, with its terms and the number of its results that stand."""
    counts = dict(Result.objects.standing().values_list("source").annotate(Count("pk")))
    sources = list(Source.objects.values_list("name", "what", "address", "licence", "terms"))
    listed = {name for name, *_ in sources}
    matrices = UnnamedScores.objects.exclude(source__in=listed).order_by("source", "licence")
    for name, licence in matrices.values_list("source", "licence").distinct():
        sources.append((name, "Topic scores of runs without names.", "", licence, ""))
    entries = [SourceEntry(*source, n_results=counts.pop(source[0], 0)) for source in sources]
    handed_in = "What people submitted here: results, each with its paper or address, and what they say and decide."
    shipped = "Names, questions, choices and descriptions that were written for Plumbline."
    return [
        *entries,
        SourceEntry(HANDED_IN, handed_in, site_address(), settings.SUBMITTED_LICENCE, "", sum(counts.values())),
        SourceEntry(OUR_OWN, shipped, "", "MIT", "", 0),
    ]


def _own_sources(table: Table, known: set[str]) -> set[str]:
    origin = ORIGINS[table.name]
    names = set(origin.named) & {*known, HANDED_IN, OUR_OWN}
    if origin.column:
        texts = table.rows().order_by().values_list(origin.column, flat=True).distinct()
        names |= set().union(*(_named_in(text, known) or {origin.otherwise} for text in _flat(texts))) - {""}
    return names


def _flat(texts: Iterable[Any]) -> Iterable[str]:
    for text in texts:
        yield from text if isinstance(text, list) else [text]


def _named_in(text: str, known: set[str]) -> set[str]:
    """Return the sources that a text names: the one that it is, or those that stand in it as whole names."""
    if text in known:
        return {text}
    return {name for name in known if re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text)}


#: The name of the routine that makes dumps.
EXPORT_WHEN_DUE = "dumps.export_when_due"
#: Where no analysis came for so long, the first dump waits for none.
_PATIENCE = timedelta(minutes=10)


def dump_folders() -> list[Path]:
    """Return the folders of finished dumps, the newest first."""
    return sorted((path.parent for path in settings.DUMPS.glob(f"[0-9]*/{MANIFEST}")), reverse=True)


def latest_dump() -> Manifest | None:
    """Return the newest dump; None before the first."""
    folders = dump_folders()
    return find_dump(folders[0].name) if folders else None


def find_dump(name: str) -> Manifest | None:
    """Return the dump of this name, which never changes; None where there is none, or no longer."""
    folder = settings.DUMPS / name
    return _read_once(folder) if folder in dump_folders() else None


_read_once = lru_cache(maxsize=8)(read_manifest)


def n_to_analyse() -> int:
    """Count the leaderboards with results that wait for an analysis by the present methods."""
    return stale_leaderboards(METHODS.version).count()


def analyses_are_coming() -> bool:
    """Return whether leaderboards wait for an analysis, and workers got on with them in the last minutes."""
    if not n_to_analyse():
        return False
    last: datetime | None = Analysis.objects.aggregate(last=Max("analysed_at"))["last"]
    return last is None or last > timezone.now() - _PATIENCE


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything inside as of one moment, without making writers wait."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Django's transactions begin with the right to write here.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def public_digest() -> str:
    """Return the SHA-256 of the public registry as it is now, the same on two sites that hold the same."""
    return digest_of_tables({table.name: digest_of_rows(clean_rows(table)) for table in RECORDED})


def digest_of_tables(tables: Mapping[str, str]) -> str:
    """Return the SHA-256 of the registry whose recorded tables have these digests."""
    lines = [f"{table.name} {tables[table.name]}\n" for table in RECORDED if table.name in tables]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digest_of_rows(rows: Iterable[Sequence[Any]]) -> str:
    seen = hashlib.sha256()
    for row in rows:
        seen.update(as_line(row))
    return seen.hexdigest()


def check_dumps(_: Share) -> Report:
    """Check that the heads in the dumps kept here are in the chain of seals."""
    report = Report()
    for folder in dump_folders():
        manifest = find_dump(folder.name)
        if manifest and manifest.n_seals:
            report.n += 1
            report.problems += check_head(manifest.n_seals, manifest.head, f"when dump {manifest.name} was made")
    return report


def last_told() -> str:
    """Return the head of the newest dump, in words; blank where there is none."""
    dump = latest_dump()
    return f"dump {dump.name} has that of {dump.n_seals:,} seals" if dump else ""


def read_last_dumped(name: str, keys: Collection[str]) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return the name of the newest dump, and the rows of a table in it with these keys, as JSON has them, by key."""
    folders = dump_folders()
    manifest = latest_dump()
    table = next((table for table in RECORDED if table.name == name), None)
    if table is None or manifest is None or all(entry.name != name for entry in manifest.tables):
        return "", {}
    key, *_ = table.columns
    path = folders[0] / f"{name}{PARQUET}"
    rows = [row for row in read_rows(path, table.columns) if str(row[key.name]) in keys]
    return f"dump {manifest.name}", {str(row[key.name]): msgspec.to_builtins(row) for row in rows}
