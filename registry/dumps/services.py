"""Writing the public registry to a folder, and loading it into a site that is empty."""

import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from errno import EAGAIN
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.color import no_style
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import FORMER, User
from registry.core.bulk import insert_rows
from registry.core.http import site_address
from registry.core.jobs import alone
from registry.core.listing import in_words
from registry.core.loading import Progress, digest_of, silent
from registry.dumps.formats import PARQUET, SUFFIXES, TableWriter, clean_rows, read_rows
from registry.dumps.manifest import (
    CHECKSUMS,
    CROISSANT,
    DATA_PACKAGE,
    HEADS,
    MANIFEST,
    ColumnEntry,
    FileEntry,
    Manifest,
    TableEntry,
    check_files,
    croissant,
    data_package,
    read_manifest,
)
from registry.dumps.queries import (
    analyses_are_coming,
    digest_of_rows,
    digest_of_tables,
    dump_folders,
    latest_dump,
    one_moment,
    public_digest,
    source_entries,
    table_sources,
)
from registry.dumps.tables import RECORDED, REMOVED, SCHEMA, TABLES, Table, is_person
from registry.journal.chain import heads_file
from registry.journal.sealing import last_head, seal_new
from registry.results.models import OwnSlugField
from registry.search.services import index_registry

#: A dump that is still being written begins so.
_UNFINISHED = ".unfinished-"
_ROWS_AT_ONCE = 2000


def export_dump(*, progress: Progress = silent) -> Manifest:
    """Write everything public to a new folder, which appears when it is whole; an ``OSError`` leaves nothing."""
    with _alone_with_dumps() as is_alone:
        if not is_alone:
            raise BlockingIOError(EAGAIN, "another one is being written")
        unfinished = settings.DUMPS / f"{_UNFINISHED}{secrets.token_hex(8)}"
        unfinished.mkdir(mode=0o700)
        try:
            manifest = _write(unfinished, progress)
            unfinished.rename(settings.DUMPS / manifest.name)
        finally:
            _remove_unfinished()
        for folder in dump_folders()[settings.PLUMBLINE_KEPT_DUMPS :]:
            shutil.rmtree(folder, ignore_errors=True)
    return manifest


def clear_away() -> None:
    """Remove the rest of a dump whose process was killed, unless one is being written."""
    with _alone_with_dumps() as is_alone:
        if is_alone:
            _remove_unfinished()


def _alone_with_dumps() -> AbstractContextManager[bool]:
    settings.DUMPS.mkdir(mode=0o700, exist_ok=True)
    return alone(settings.DUMPS.with_name("dumps.lock"))


def _remove_unfinished() -> None:
    for folder in settings.DUMPS.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(folder, ignore_errors=True)


def export_when_due() -> None:
    """Write a dump where the newest is older than PLUMBLINE_DUMP_HOURS; the first once all is analysed."""
    hours, latest = settings.PLUMBLINE_DUMP_HOURS, latest_dump()
    if not hours:
        return
    is_due = not analyses_are_coming() if latest is None else latest.made_at < timezone.now() - timedelta(hours=hours)
    if is_due:
        export_dump()


def _write(folder: Path, progress: Progress) -> Manifest:
    with one_moment():
        made_at = datetime.now(UTC).replace(microsecond=0)
        origins = table_sources()
        tables = [_write_table(folder, table, origins[table.name], progress) for table in TABLES]
        n_seals, head = last_head()
        (folder / HEADS).write_text(heads_file(site_address()))
        sources = [entry for entry in source_entries() if any(entry.name in names for names in origins.values())]
    manifest = Manifest(
        schema=SCHEMA,
        made_at=made_at,
        site=site_address(),
        digest=digest_of_tables({table.name: table.digest for table in tables}),
        tables=tables,
        files=[
            FileEntry(path.name, path.stat().st_size, digest_of(path))
            for path in (folder / name for table in tables for name in table.files)
        ],
        sources=sources,
        n_seals=n_seals,
        head=head,
    )
    _write_json(folder / CROISSANT, croissant(manifest))
    _write_json(folder / DATA_PACKAGE, data_package(manifest))
    _write_json(folder / MANIFEST, manifest)
    names = sorted(path.name for path in folder.iterdir())
    (folder / CHECKSUMS).write_text("".join(f"{digest_of(folder / name)}  {name}\n" for name in names))
    for path in folder.iterdir():
        path.chmod(0o600)
    return manifest


def _write_table(folder: Path, table: Table, sources: list[str], progress: Progress) -> TableEntry:
    with TableWriter(folder, table) as writer:
        for row in clean_rows(table):
            writer.write(row)
    progress(table.name, writer.n_rows)
    columns = [ColumnEntry(column.name, column.kind) for column in table.columns]
    files = [f"{table.name}{suffix}" for suffix in SUFFIXES]
    return TableEntry(table.name, table.about, writer.n_rows, writer.digest, columns, files, sources)


def _write_json(path: Path, content: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A loaded dump: ``digest`` is that of the registry here, and of the dump, over the tables and columns of both.

    A dump of an earlier schema lacks tables or columns, and may have others that were removed: ``left_out``.
    """

    manifest: Manifest
    n_rows: int
    digest: str
    left_out: tuple[str, ...]


def load_dump(folder: Path, *, progress: Progress = silent) -> Loaded:
    """Load a dump into a site that holds nothing, all of it or nothing; its Parquet files are enough.

    People come as accounts that nobody can sign in to, so that the record goes on naming them. Raise ``Refused`` if the
    dump is not whole, of a newer schema or none, or if the site holds something already.
    """
    manifest = read_manifest(folder)
    left_out = _check_tables(manifest)
    check_files(folder, manifest, suffix=PARQUET)
    with transaction.atomic():
        _refuse_filled()
        people = _People()
        entries = {table.name: table for table in manifest.tables}
        n_rows = 0
        for table in RECORDED:
            if entry := entries.get(table.name):
                rows = _rows_for_database(table, entry, folder, people)
                n_rows += _insert(table, rows)
                progress(table.name, entry.rows)
        _reset_sequences()
        try:
            connection.check_constraints()
        except IntegrityError as error:
            raise Refused("inconsistent", f"nothing was loaded: the dump contradicts itself ({error})") from error
        digest, expected = _digests(folder, manifest)
        if digest != expected:
            raise Refused("differs", f"nothing was loaded: it came to {digest}, and the dump says {expected}")
    seal_new()
    index_registry(is_forced=True)
    return Loaded(manifest, n_rows, digest, left_out)


def _digests(folder: Path, manifest: Manifest) -> tuple[str, str]:
    """Return the digest of this registry and the dump's, over the tables and columns that both have."""
    if manifest.schema == SCHEMA:
        return public_digest(), manifest.digest
    entries = {entry.name: entry for entry in manifest.tables}
    here, there = {}, {}
    for table in RECORDED:
        if entry := entries.get(table.name):
            present = {column.name for column in entry.columns}
            shared = replace(table, columns=tuple(column for column in table.columns if column.name in present))
            here[table.name] = digest_of_rows(clean_rows(shared))
            rows = read_rows(folder / f"{table.name}{PARQUET}", shared.columns)
            there[table.name] = digest_of_rows([row[column.name] for column in shared.columns] for row in rows)
    return digest_of_tables(here), digest_of_tables(there)


def _check_tables(manifest: Manifest) -> tuple[str, ...]:
    """Refuse tables and columns that were never known here; return those that were removed."""
    known = {table.name: {column.name for column in table.columns} for table in TABLES}
    dumped = {table.name: {column.name for column in table.columns} for table in manifest.tables}
    strange = sorted(dumped.keys() - known.keys())
    strange += sorted(
        f"{name}.{column}" for name in dumped.keys() & known.keys() for column in dumped[name] - known[name]
    )
    removed = tuple(name for name in strange if name in REMOVED)
    if unknown := [name for name in strange if name not in REMOVED]:
        raise Refused("unknown", f"nothing was loaded: this site does not know {in_words(unknown, separator=', ')}")
    if manifest.schema == SCHEMA and dumped != known:
        raise Refused("manifest", f"nothing was loaded: {MANIFEST} leaves tables or columns out. Fetch the dump again")
    return removed


def _refuse_filled() -> None:
    filled = [table.name for table in RECORDED if table.rows().exists()] + ["accounts"] * User.objects.exists()
    if filled:
        raise Refused(
            "filled",
            f"a dump is loaded into an empty site, and this one holds {in_words(filled, most=5, separator=', ')}. Point"
            " PLUMBLINE_HOME or DATABASE_URL to an empty place, run manage.py migrate --create there, then load it",
        )


class _People:
    """The accounts behind the names in a dump, made as they come."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def id_of(self, name: str) -> int:
        if name not in self._ids:
            left = timezone.now() if name.startswith(FORMER) else None
            account = User(username=name, is_active=False, password=make_password(None), deleted_at=left)
            account.save(force_insert=True)
            self._ids[name] = account.pk
        return self._ids[name]


def _rows_for_database(table: Table, entry: TableEntry, folder: Path, people: _People) -> Iterator[dict[str, Any]]:
    assert table.model is not None
    fields = table.model._meta.concrete_fields
    persons = {field.name: field.attname for field in fields if is_person(field)}
    present = {persons.get(column.name, column.name) for column in entry.columns}
    defaults = {field.attname: field.get_default() for field in fields if field.attname not in present}
    slugs = [field for field in fields if isinstance(field, OwnSlugField) and field.attname in defaults]
    for row in read_rows(folder / f"{table.name}{PARQUET}", table.columns):
        for name, attribute in persons.items():
            person = row.pop(name, None)
            row[attribute] = None if person is None else people.id_of(person)
        yield defaults | row | {field.attname: field.of_columns(row) for field in slugs}


def _insert(table: Table, rows: Iterable[dict[str, Any]]) -> int:
    assert table.model is not None
    rows, n_rows = iter(rows), 0
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        insert_rows(table.model, batch, with_keys=True)
        n_rows += len(batch)
    return n_rows


def _reset_sequences() -> None:
    """Have new rows get keys beyond those that were loaded."""
    loaded: list[type[models.Model]] = [table.model for table in RECORDED if table.model is not None]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), loaded):
            cursor.execute(statement)
