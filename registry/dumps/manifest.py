"""What a dump says of itself: the file ``manifest.json`` in it, by which it is checked before anything is loaded."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from analysis.readers.rejections import Refused
from registry.core.listing import in_words
from registry.core.loading import digest_of
from registry.dumps.tables import SCHEMA, Kind

MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
#: Signed heads of the chain of seals, as they were told until then.
HEADS = "heads.txt"


class ColumnEntry(msgspec.Struct, frozen=True):
    """A column of a table, and what its values are."""

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
        "Those of its tables, each with its terms; what was handed in here and what ships with the product are two "
        "more.",
    ]
    n_seals: Annotated[int, "How long the chain of seals was."] = 0
    head: Annotated[str, "Its head: keep it to see when it was made anew."] = ""

    @property
    def name(self) -> str:
        """Of the dump's folder: the moment that it is of."""
        return f"{self.made_at:%Y-%m-%dT%H%M%SZ}"

    @property
    def by_name(self) -> dict[str, FileEntry]:
        return {file.name: file for file in self.files}

    def sources_of(self, table: TableEntry) -> list[SourceEntry]:
        """Return where the rows of a table come from."""
        return [source for source in self.sources if source.name in table.sources]

    def tables_of(self, source: SourceEntry) -> list[str]:
        return [table.name for table in self.tables if source.name in table.sources]


def read_manifest(folder: Path) -> Manifest:
    """Return what the dump in the folder says of itself; ``Refused`` if it is missing, damaged or of a newer schema."""
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
