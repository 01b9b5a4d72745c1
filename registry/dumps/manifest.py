"""The manifest of a dump, by which it is checked before it is loaded; as Croissant and as a Data Package, too."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis.readers.rejections import Refused
from registry.core.listing import in_words
from registry.core.loading import digest_of
from registry.core.metadata import describe_dataset, describe_file, describe_table, licence_address
from registry.dumps.formats import CSV, JSON_LINES, PARQUET
from registry.dumps.tables import SCHEMA, Kind

MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
#: Signed heads of the chain of seals, as they were told until then.
HEADS = "heads.txt"
CROISSANT, DATA_PACKAGE = "croissant.json", "datapackage.json"

MEDIA_TYPES = {PARQUET: "application/vnd.apache.parquet", CSV: "application/gzip", JSON_LINES: "application/gzip"}

#: Names of the types of values in either.
_TYPES: dict[Kind, tuple[str, dict[str, str]]] = {
    "integer": ("sc:Integer", {"type": "integer"}),
    "number": ("sc:Float", {"type": "number"}),
    "text": ("sc:Text", {"type": "string"}),
    "boolean": ("sc:Boolean", {"type": "boolean"}),
    "moment": ("sc:DateTime", {"type": "datetime", "format": "any"}),
    "day": ("sc:Date", {"type": "date"}),
    "json": ("sc:Text", {"type": "any"}),
    "bytes": ("sc:Text", {"type": "string"}),
}


class ColumnEntry(msgspec.Struct, frozen=True):
    """A column of a table, and the kind of its values."""

    name: str
    kind: Kind


class TableEntry(msgspec.Struct, frozen=True):
    """A table: what a row is, how many there are, the SHA-256 of its rows, its files, and the names of its sources."""

    name: str
    about: str
    rows: int
    digest: str
    columns: list[ColumnEntry]
    files: list[str]
    sources: list[str] = []


class FileEntry(msgspec.Struct, frozen=True):
    """A file: its size and its SHA-256."""

    name: str
    bytes: int
    sha256: str


class SourceEntry(msgspec.Struct, frozen=True):
    """A place that rows were taken from: under which terms, and how many results of it stand."""

    name: str
    what: str
    address: str
    licence: str
    terms: str
    n_results: int


class Manifest(msgspec.Struct, frozen=True):
    """A dump."""

    schema: Annotated[int, "Of tables and columns: a site loads those up to its own."]
    made_at: Annotated[datetime, "When the registry was as it is here (UTC)."]
    site: Annotated[str, "The address of the site that it was taken from."]
    digest: Annotated[str, "SHA-256 of the public registry: the same on two sites that hold the same."]
    tables: list[TableEntry]
    files: list[FileEntry]
    sources: Annotated[
        list[SourceEntry],
        "Those of its tables, each with its terms; what was submitted here and what ships with the product are two "
        "more.",
    ]
    n_seals: Annotated[int, "How long the chain of seals was."] = 0
    head: Annotated[str, "Its head: keep it to see when it was made anew."] = ""

    @property
    def name(self) -> str:
        """Return the name of the dump's folder: its moment."""
        return f"{self.made_at:%Y-%m-%dT%H%M%SZ}"

    @property
    def by_name(self) -> dict[str, FileEntry]:
        return {file.name: file for file in self.files}

    def sources_of(self, table: TableEntry) -> list[SourceEntry]:
        """Return the sources of a table's rows."""
        return [source for source in self.sources if source.name in table.sources]

    def tables_of(self, source: SourceEntry) -> list[str]:
        return [table.name for table in self.tables if source.name in table.sources]


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest in the folder; ``Refused`` if it is missing, damaged or of a newer schema."""
    try:
        content = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise Refused("missing", f"{folder} holds no dump: {MANIFEST} cannot be read ({error.strerror})") from error
    try:
        schema = msgspec.json.decode(content, type=_OnlySchema).schema
        if schema > SCHEMA:
            raise Refused(
                "newer",
                f"the dump is of schema {schema} and this site knows those up to {SCHEMA}. "
                "Update Plumbline, then load it",
            )
        return msgspec.json.decode(content, type=Manifest)
    except msgspec.MsgspecError as error:
        raise Refused("manifest", f"{MANIFEST} is cut off or damaged ({error}); fetch the dump again") from error


def check_files(folder: Path, manifest: Manifest, *, suffix: str) -> None:
    """Raise ``Refused``, with every file of this suffix that is missing, cut off or damaged, unless all are whole."""
    problems = [problem for file in manifest.files if file.name.endswith(suffix) for problem in _problems(folder, file)]
    if problems:
        raise Refused("damaged", f"nothing was loaded: {in_words(problems)}. Fetch the dump again")


class _OnlySchema(msgspec.Struct):
    schema: int


def _problems(folder: Path, file: FileEntry) -> list[str]:
    path = folder / file.name
    if not path.is_file():
        return [f"{file.name} is missing"]
    size = path.stat().st_size
    if size != file.bytes:
        return [f"{file.name} has {size:,} of {file.bytes:,} bytes"]
    return [] if digest_of(path) == file.sha256 else [f"{file.name} is not what was written (SHA-256)"]


def croissant(manifest: Manifest) -> dict[str, Any]:
    """Return the dump as Croissant: its files, and the columns of its Parquet tables as record sets."""
    page = f"{manifest.site}/data/"
    return describe_dataset(
        name="plumbline",
        description=(
            "Published information-retrieval results, each as reported and with its source, and what was found about "
            "the best of them. No one licence holds for all of it: rows keep the terms of the sources that they were "
            "taken from. Each record set has the licences that stand in it, and isBasedOn the terms of each source."
        ),
        url=page,
        license=licences(manifest.sources, page),
        isBasedOn=[source_document(source) for source in manifest.sources],
        version=f"{manifest.made_at:%Y.%-m.%-d}",
        datePublished=f"{manifest.made_at:%Y-%m-%d}",
        citeAs=f"Plumbline, dump of {manifest.made_at:%Y-%m-%d}, digest {manifest.digest}. {page}",
        isLiveDataset=False,
        distribution=[_file_object(file) for file in manifest.files],
        recordSet=[_record_set(table, manifest.sources_of(table), page) for table in manifest.tables],
    )


def licences(sources: Iterable[SourceEntry], page: str) -> list[str]:
    """Return the addresses of these sources' licences; where one states none, of the page that tells its terms."""
    return sorted({licence_address(source.licence) if source.licence else f"{page}#terms" for source in sources})


def source_document(source: SourceEntry) -> dict[str, Any]:
    """Return a source with its terms, in the words of schema.org."""
    facts = {
        "name": source.name,
        "description": source.what,
        "url": source.address,
        "license": licence_address(source.licence),
        "usageInfo": source.terms,
    }
    return {"@type": "CreativeWork"} | {name: text for name, text in facts.items() if text}


def _file_object(file: FileEntry) -> dict[str, Any]:
    suffix = next(suffix for suffix in MEDIA_TYPES if file.name.endswith(suffix))
    media_type = MEDIA_TYPES[suffix].replace("application/vnd.apache.parquet", "application/x-parquet")
    return describe_file(file.name, file.name, media_type, contentSize=f"{file.bytes} B", sha256=file.sha256)


def _record_set(table: TableEntry, sources: list[SourceEntry], page: str) -> dict[str, Any]:
    return describe_table(
        table.name,
        f"{table.name}{PARQUET}",
        ((column.name, _TYPES[column.kind][0], "") for column in table.columns),
        description=table.about,
        license=licences(sources, page),
        isBasedOn=[{"@type": "CreativeWork", "name": source.name} for source in sources],
    )


def data_package(manifest: Manifest) -> dict[str, Any]:
    """Return the dump as a Data Package: every table once, as CSV, with the size and the SHA-256 of its file."""
    page = f"{manifest.site}/data/"
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "plumbline",
        "id": manifest.digest,
        "title": "Plumbline: published information-retrieval results, adjusted for luck",
        "homepage": page,
        "version": f"{manifest.made_at:%Y.%-m.%-d}",
        "created": f"{manifest.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "licenses": [
            {"path": licence} if "://" in licence else {"title": licence}
            for licence in licences(manifest.sources, page)
        ],
        "sources": [
            {"title": source.name} | ({"path": source.address} if source.address else {}) for source in manifest.sources
        ],
        "resources": [_resource(table, manifest) for table in manifest.tables],
    }


def _resource(table: TableEntry, manifest: Manifest) -> dict[str, Any]:
    file = manifest.by_name[f"{table.name}{CSV}"]
    return {
        "name": table.name,
        "description": table.about,
        "type": "table",
        "path": file.name,
        "format": "csv",
        "mediatype": "text/csv",
        "compression": "gz",
        "encoding": "utf-8",
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
        "schema": {
            "fields": [{"name": column.name, **_TYPES[column.kind][1]} for column in table.columns],
            "missingValues": [""],
        },
    }
