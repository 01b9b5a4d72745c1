"""Results in and out in the formats that programs exchange: one table of them, and our own two."""

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import msgspec

from analysis.readers.columns import COLUMNS, FORMER_COLUMNS, REQUIRED_COLUMNS, field_of
from analysis.readers.exchange.every_eval_ever import logs_of, read_every_eval_ever, write_every_eval_ever
from analysis.readers.exchange.ir_metadata import read_ir_metadata, write_ir_metadata
from analysis.readers.exchange.run_cards import read_run_card, write_run_card
from analysis.readers.grids import Flaw
from analysis.readers.pasted.delimited import faulty_column
from analysis.readers.rejections import Rejection
from analysis.readers.structured import Number, read_json
from analysis.readers.tables import (
    MAX_RESULTS,
    NUMERIC_COLUMNS,
    Record,
    Row,
    as_record,
    as_records,
    filled,
    guard_formula,
    read_text_table,
    runs_of,
    shown_name,
    unguarded,
)

MAX_CSV_BYTES = 5_000_000


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exchange. Readers return rows and rejections, a fatal one alone; writers take rows of cells."""

    name: str
    media_type: str
    suffix: str
    read: Callable[[str], list[Record | Rejection]]
    write: Callable[[Sequence[Row]], str]
    #: Of what one text is, a run on a collection or a model from a source: the writer refuses rows of several.
    divide: Callable[[Iterable[Row]], list[list[Row]]] | None = None


def read_csv(text: str, *, texts: Collection[str] = ()) -> list[Record | Rejection]:
    """Return the rows of a CSV text in the import format. A quote before ``=``, ``+``, ``-`` or ``@`` is taken off.

    Of the columns that must be there, those may be missing that ``texts`` has for all rows.
    """
    n_bytes = len(text.encode("utf-8", "surrogatepass"))
    if n_bytes > MAX_CSV_BYTES:
        message = f"has {n_bytes:,} bytes; the most is {MAX_CSV_BYTES:,}. Send it in parts"
        return [Rejection("too_long", message, 1, "column 1", fatal=True)]
    required = [column for column in REQUIRED_COLUMNS if column not in texts]
    optional = [column for column in COLUMNS if column not in required]
    rows = read_text_table(text, required=required, optional=optional, former=FORMER_COLUMNS)
    records = list(islice(rows, MAX_RESULTS + 1))
    if len(records) > MAX_RESULTS:
        last = records[-1].line or 0
        message = f"has more than {MAX_RESULTS:,} rows; send them in parts"
        return [Rejection("too_many_rows", message, last, "column 1", fatal=True)]
    records = [_placed(record, text) if isinstance(record, Rejection) else record for record in records]
    fatal: list[Record | Rejection] = [record for record in records if isinstance(record, Rejection) and record.fatal]
    if fatal:
        return fatal
    if not records:
        return [Rejection("empty", "has a header and no results", 1, "value", fatal=True)]
    return [
        record if isinstance(record, Rejection) else as_record(record.line, record.cells)
        for record in map(unguarded, records)
    ]


def _placed(rejection: Rejection, text: str) -> Rejection:
    """Return the rejection with the column it is about; a row of the wrong length is wrong as a whole."""
    if rejection.column or rejection.code == "ragged":
        return rejection
    line = rejection.line or 1
    return replace(rejection, line=line, column=f"column {faulty_column(text, line, ',')}")


def write_csv(rows: Sequence[Row]) -> str:
    """Return the rows as CSV in the import format, with a quote before what a spreadsheet would run."""
    stream = io.StringIO()
    # CRLF as in RFC 4180: the writer quotes cells that hold a character of its line end, and so both.
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([guard_formula(row.get(column, "")) for column in COLUMNS] for row in rows)
    return stream.getvalue()


def read_json_results(text: str) -> list[Record | Rejection]:
    """Return the rows of an object with a list ``results`` of objects; lines are places in the list."""
    try:
        document = read_json(text)
    except Flaw as flaw:
        return [flaw.rejection]
    return read_results(document)


def read_results(document: Any) -> list[Record | Rejection]:
    """Return the rows of what such a text was read as (``structured.read_json``)."""
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, list):
        message = 'is not an object with a list of results: {"results": [{"collection": …}, …]}'
        return [Rejection("shape", message, 1, "results", fatal=True)]
    return as_records([cells_of(number, result) for number, result in enumerate(results[: MAX_RESULTS + 1], 1)])


def cells_of(number: int, result: Any) -> dict[str, str] | Rejection:
    """Return the cells of one result as an object of texts and numbers, which stay as they were written.

    Its keys are the columns of the import format, or what tables call them: ``model`` for the system.
    """
    if not isinstance(result, dict):
        return Rejection("shape", "is not an object with a cell for each column", number, "results")
    cells: dict[str, str] = {}
    for key, value in result.items():
        column = field_of(key) or key
        if column in cells:
            message = f"says {column} as well, as another key of it does; keep one of them"
            return Rejection("duplicate_key", message, number, shown_name(key))
        if isinstance(value, Number) and column not in NUMERIC_COLUMNS:
            return Rejection("type", "is a number; write it as text", number, shown_name(key))
        if value is not None and not isinstance(value, str):
            return Rejection("type", "is neither text nor a number", number, shown_name(key))
        cells[column] = "" if value is None else str(value)
    return cells


def write_json_results(rows: Sequence[Row]) -> str:
    """Return the rows as an object with a list ``results``; blank cells are left out, values stay as printed."""
    document = {"format": "plumbline-results", "version": 1, "results": [filled(row) for row in rows]}
    return msgspec.json.format(json.dumps(document, ensure_ascii=False, allow_nan=False), indent=1) + "\n"


FORMATS = {
    form.name: form
    for form in (
        Format("csv", "text/csv", "csv", read_csv, write_csv),
        Format("json", "application/json", "json", read_json_results, write_json_results),
        Format("ir_metadata", "application/yaml", "ir_metadata.yaml", read_ir_metadata, write_ir_metadata, runs_of),
        Format("run_card", "application/yaml", "runcard.yaml", read_run_card, write_run_card, runs_of),
        Format("every_eval_ever", "application/json", "eee.json", read_every_eval_ever, write_every_eval_ever, logs_of),
    )
}
