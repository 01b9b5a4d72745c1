"""Lists as files. What columns are called and what they hold is said in docs/columns.md: one name for one thing."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from analysis.readers.tables import guard_formula
from registry.core.http import as_download, json_response

#: What columns may be called, each with what it holds, in the order of the document.
COLUMNS: dict[str, str] = dict(
    re.findall(
        r"^\| `(\w+)` \| (.+) \|$",
        (settings.BASE_DIR / "docs" / "columns.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)


def table_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], more: Sequence[str] = ()) -> str:
    """The rows as CSV; no spreadsheet runs a text of it. After its columns stand ``more``, by names of the record.

    Raises
    ------
    KeyError
        If a column has a name that the document does not explain.
    """
    for name in columns:
        COLUMNS[name]
    return csv_text([[*columns, *more], *([as_cell(value) for value in row] for row in rows)])


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """The rows as CSV, each value as it is."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def as_cell(value: Any) -> Any:
    """The value as a cell, with a quote before texts that a spreadsheet would run; take one off to have them back."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ";".join(value)
    return guard_formula(value) if isinstance(value, str) else value


def list_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], suffix: str) -> HttpResponse:
    """A whole list as a file: CSV, or JSON with the same names."""
    if suffix == "csv":
        return as_download(table_csv(columns, rows), "text/csv; charset=utf-8", f"plumbline-{name}.csv")
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return json_response({"count": len(objects), "results": objects})
