"""Lists as files, and the one table of all their columns: ``columns.csv``."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from django.http import HttpResponse

from analysis.readers.tables import guard_formula
from registry.core.http import as_download, json_response


@dataclass(frozen=True, slots=True)
class Column:
    """A column of any file, list or table of the site: one name means one thing.

    ``unit`` is what numbers count in: "measure" for the scale of the leaderboard's measure, else a word, or the name of
    the column that says so.
    """

    name: str
    type: Literal["integer", "number", "boolean", "date", "text"]
    unit: str
    meaning: str


#: Every column by its name; ``docs/columns.md`` explains those whose names don't.
with Path(__file__).with_name("columns.csv").open(encoding="utf-8", newline="") as _file:
    COLUMNS = {row["name"]: Column(**row) for row in csv.DictReader(_file)}  # type: ignore[arg-type]


def table_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], more: Sequence[str] = ()) -> str:
    """Return the rows as CSV, safe for spreadsheets. After its columns stand ``more``, by names of the record.

    Raises
    ------
    KeyError
        If a column has a name that the table of all columns lacks.
    """
    for name in columns:
        COLUMNS[name]
    return csv_text([[*columns, *more], *([as_cell(value) for value in row] for row in rows)])


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return the rows as CSV, each value as it is."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def as_cell(value: Any) -> Any:
    """Return the value as a cell; a quote stands before texts that a spreadsheet would run."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ";".join(value)
    return guard_formula(value) if isinstance(value, str) else value


def list_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], suffix: str) -> HttpResponse:
    """Return a whole list as a file: CSV, or JSON with the same names."""
    if suffix == "csv":
        return as_download(table_csv(columns, rows), "text/csv; charset=utf-8", f"plumbline-{name}.csv")
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return json_response({"count": len(objects), "results": objects})
