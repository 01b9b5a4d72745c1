"""Which dumps there are, and what the public registry comes to."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from analysis.boards import METHODS
from registry.dumps.formats import PARQUET, as_line, clean_rows, read_rows
from registry.dumps.manifest import MANIFEST, Manifest, read_manifest
from registry.dumps.tables import RECORDED
from registry.journal.chain import check_head
from registry.journal.verifying import Report, Share
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import stale_leaderboards

#: The name of the routine that makes dumps.
EXPORT_WHEN_DUE = "dumps.export_when_due"
#: Where no analysis came for so long, the first dump waits for none.
_PATIENCE = timedelta(minutes=10)


def dump_folders() -> list[Path]:
    """The folders of finished dumps, the newest first."""
    return sorted((path.parent for path in settings.DUMPS.glob(f"[0-9]*/{MANIFEST}")), reverse=True)


def latest_dump() -> Manifest | None:
    """The newest dump; None before the first."""
    folders = dump_folders()
    return find_dump(folders[0].name) if folders else None


def find_dump(name: str) -> Manifest | None:
    """The dump of this name, which is never changed; None where it is not, or no longer."""
    folder = settings.DUMPS / name
    return _read(folder) if folder in dump_folders() else None


@lru_cache(maxsize=8)
def _read(folder: Path) -> Manifest:
    return read_manifest(folder)


def n_to_analyse() -> int:
    """Return how many leaderboards with results wait for an analysis by the present methods."""
    return stale_leaderboards(METHODS.version).count()


def analyses_are_coming() -> bool:
    """Return whether leaderboards wait for an analysis, and workers got on with them in the last minutes."""
    if not n_to_analyse():
        return False
    last: datetime | None = Analysis.objects.aggregate(last=Max("analysed_at"))["last"]
    return last is None or last > timezone.now() - _PATIENCE


@contextmanager
def one_moment() -> Iterator[None]:
    """Everything read inside is of one moment, and nobody who writes waits for it."""
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
    """SHA-256 of the public registry as it is now, the same on two sites that hold the same."""
    return digest_of_tables({table.name: digest_of_rows(clean_rows(table)) for table in RECORDED})


def digest_of_tables(tables: Mapping[str, str]) -> str:
    """SHA-256 of the registry whose recorded tables have these digests."""
    lines = [f"{table.name} {tables[table.name]}\n" for table in RECORDED if table.name in tables]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digest_of_rows(rows: Iterable[Sequence[Any]]) -> str:
    """Return the SHA-256 of rows as canonical JSON."""
    seen = hashlib.sha256()
    for row in rows:
        seen.update(as_line(row))
    return seen.hexdigest()


def check_dumps(_: Share) -> Report:
    """The heads that the dumps kept here remember are in the chain of seals."""
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


def filled_tables() -> list[str]:
    """The tables that hold something, of those that a dump fills."""
    return [table.name for table in RECORDED if table.rows().exists()]
