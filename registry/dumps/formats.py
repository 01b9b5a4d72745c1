"""The formats of a dump: tables written as rows come, and read back a few rows at a time.

PyArrow is imported where it is used: no page and no other command waits for it.
"""

import csv
import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.readers.tables import guard_formula
from registry.dumps.tables import Column, Kind, Table

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET, CSV, JSON_LINES = ".parquet", ".csv.gz", ".jsonl.gz"
SUFFIXES = (PARQUET, CSV, JSON_LINES)

#: Rows are written together until they are so many, or take so much as text.
_ROWS, _BYTES = 5000, 4_000_000
#: Of gzip: a higher one takes twice as long for a twentieth less.
_LEVEL = 4
_BUFFER = 1 << 16

#: Keys of objects in order: PostgreSQL does not keep theirs.
_encode = msgspec.json.Encoder(order="sorted").encode


def _text(value: Any) -> str:
    """Return a moment, a day or bytes as JSON has them."""
    return _encode(value).decode()[1:-1]


#: Writers of cells of the CSV where Python's own text is not it. No spreadsheet runs any.
_CELLS: "dict[Kind, Callable[[Any], str]]" = {
    "text": guard_formula,
    "json": guard_formula,
    "moment": _text,
    "day": _text,
    "bytes": _text,
    "boolean": lambda value: "true" if value else "false",
}


def clean_rows(table: Table) -> Iterator[list[Any]]:
    """Yield the rows of a table as they are now, the same from either database."""
    of_bytes = [place for place, column in enumerate(table.columns) if column.kind == "bytes"]
    for values in table.values():
        row = list(values)
        for place in of_bytes:
            row[place] = bytes(row[place])
        yield row


def as_line(row: Sequence[Any]) -> bytes:
    """Return a row as canonical JSON, of which digests are made."""
    return _encode(row) + b"\n"


class TableWriter:
    """Writes a table in every format at once, and digests its rows; memory is bounded, whatever their number."""

    def __init__(self, folder: Path, table: Table) -> None:
        from pyarrow.parquet import ParquetWriter

        self._names = [column.name for column in table.columns]
        self._schema = _schema(table)
        self._json = [place for place, column in enumerate(table.columns) if column.kind == "json"]
        writers = ((place, _CELLS.get(column.kind)) for place, column in enumerate(table.columns))
        self._cells = [(place, write) for place, write in writers if write]
        self._waiting: list[list[Any]] = []
        self._bytes = 0
        self._seen = hashlib.sha256()
        self.n_rows = 0
        self._open = ExitStack()
        parquet, lines, cells = (folder / f"{table.name}{suffix}" for suffix in (PARQUET, JSON_LINES, CSV))
        self._parquet = self._open.enter_context(ParquetWriter(parquet, self._schema, compression="zstd"))
        self._lines = _compressed(lines, self._open)
        text = io.TextIOWrapper(_compressed(cells, self._open), encoding="utf-8", newline="")
        self._csv = csv.writer(self._open.enter_context(text), lineterminator="\n")
        self._csv.writerow(self._names)

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, *_: object) -> None:
        with self._open:
            self._flush()

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the rows so far."""
        return self._seen.hexdigest()

    def write(self, row: list[Any]) -> None:
        """Add a row, its cells in the order of the columns."""
        line = as_line(row)
        self._seen.update(line)
        fields = dict(zip(self._names, row, strict=True))
        for place in self._json:
            if row[place] is not None:
                packed = _encode(row[place])
                fields[self._names[place]], row[place] = msgspec.Raw(packed), packed.decode()
        self._lines.write(msgspec.json.encode(fields) + b"\n")
        cells = row.copy()
        for place, written in self._cells:
            if row[place] is not None:
                cells[place] = written(row[place])
        self._csv.writerow(cells)
        self._waiting.append(row)
        self._bytes += len(line)
        self.n_rows += 1
        if len(self._waiting) >= _ROWS or self._bytes >= _BYTES:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._waiting:
            arrays = [
                pa.array(values, field.type)
                for values, field in zip(zip(*self._waiting, strict=True), self._schema, strict=True)
            ]
            self._parquet.write_batch(pa.record_batch(arrays, schema=self._schema))
        self._waiting, self._bytes = [], 0


def read_rows(path: Path, columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as Django takes them, by the names of those columns that the file has."""
    from pyarrow.parquet import ParquetFile

    of_json = [column.name for column in columns if column.kind == "json"]
    with ParquetFile(path) as file:
        present = set(file.schema_arrow.names)
        names = [column.name for column in columns if column.name in present]
        for batch in file.iter_batches(batch_size=1000, columns=names):
            for row in batch.to_pylist():
                for name in of_json:
                    if row.get(name) is not None:
                        row[name] = json.loads(row[name])
                yield row


def _schema(table: Table) -> "pa.Schema":
    import pyarrow as pa

    types: dict[Kind, pa.DataType] = {
        "integer": pa.int64(),
        "number": pa.float64(),
        "text": pa.string(),
        "boolean": pa.bool_(),
        "moment": pa.timestamp("us", tz="UTC"),
        "day": pa.date32(),
        "json": pa.string(),
        "bytes": pa.binary(),
    }
    return pa.schema([(column.name, types[column.kind]) for column in table.columns])


def _compressed(path: Path, opened: ExitStack) -> io.BufferedWriter:
    """Open a new gzip file without a time in it, so that the same rows are the same bytes."""
    file = opened.enter_context(path.open("wb"))
    packed = opened.enter_context(gzip.GzipFile("", "wb", _LEVEL, file, mtime=0))
    return opened.enter_context(io.BufferedWriter(packed, _BUFFER))
