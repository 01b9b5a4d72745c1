"""Rows of cells on their way in and out: what every exchange format shares."""

import re
from collections.abc import Iterable, Mapping, Sequence

from analysis.readers.columns import COLUMNS
from analysis.readers.grids import MAX_CELL_LENGTH
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from analysis.readers.text import did_you_mean, shorten

MAX_RESULTS = 10_000
#: The columns that programs may write as numbers.
NUMERIC_COLUMNS = frozenset({"value", "year", "n_topics"})
BLANKS = dict.fromkeys(COLUMNS, "")
#: What databases cannot keep: half characters, and the character that ends texts in other languages.
NO_TEXT = re.compile("[\0\ud800-\udfff]")

#: What may be said once for all rows, beside them.
FOR_ALL = ("collection", "measure", "system", "role", "unit", "paper", "paper_url", "year", "source", "locator")

Row = Mapping[str, str]


def as_record(number: int, cells: Mapping[str, str]) -> Record | Rejection:
    """Return the row with all its columns, once it is known that a database can keep it."""
    for column, text in cells.items():
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS) or f"; the columns are {', '.join(COLUMNS)}"
            return Rejection("unknown_column", f"unknown column{hint}", number, shown_name(column))
        if not isinstance(text, str):
            return Rejection("not_text", "is not text; write scores as text, exactly as reported", number, column)
        if match := NO_TEXT.search(text):
            return Rejection("no_text", f"contains U+{ord(match[0]):04X}, which is no text; delete it", number, column)
        if len(text) > MAX_CELL_LENGTH:
            message = f"has {len(text):,} characters; the most is {MAX_CELL_LENGTH:,}"
            return Rejection("too_long", message, number, column)
    return Record(number, BLANKS | dict(cells))


def shown_name(column: str) -> str:
    """Return the name of a column nobody knows, as it can be shown and stored."""
    return ascii(shorten(column))[1:-1] or "(blank)"


def as_records(rows: Sequence[Mapping[str, str] | Rejection]) -> list[Record | Rejection]:
    """Return the rows, numbered from 1; refused as a whole where there are none or too many."""
    if not rows:
        return [Rejection("empty", "there are no results in it", 1, "results", fatal=True)]
    if len(rows) > MAX_RESULTS:
        message = f"has {len(rows):,} results; the most is {MAX_RESULTS:,}. Send them in parts"
        return [Rejection("too_many_rows", message, MAX_RESULTS + 1, "results", fatal=True)]
    return [row if isinstance(row, Rejection) else as_record(number, row) for number, row in enumerate(rows, 1)]


def filled(row: Row) -> dict[str, str]:
    """Return the cells that hold something, in the order of the columns."""
    return {column: row[column] for column in COLUMNS if row.get(column)}


def runs_of(rows: Iterable[Row]) -> list[list[Row]]:
    """Return the rows in groups that differ in measure and value only: each is one run, as run cards describe it."""
    groups: dict[tuple[tuple[str, str], ...], list[Row]] = {}
    for row in rows:
        shared = tuple((column, text) for column, text in filled(row).items() if column not in {"measure", "value"})
        groups.setdefault(shared, []).append(row)
    return list(groups.values())


def only_run(rows: Sequence[Row]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return what the rows of one run share, and their measures with values; refused where they are of several runs."""
    runs = runs_of(rows)
    if len(runs) != 1:
        raise Refused("several_runs", f"the format holds one run, and these rows are of {len(runs)}")
    shared = {column: text for column, text in filled(rows[0]).items() if column not in {"measure", "value"}}
    return shared, [(row.get("measure", ""), row.get("value", "")) for row in rows]


def fill_blanks(records: Iterable[Record | Rejection], defaults: Row) -> list[Record | Rejection]:
    """Return the records, with what holds for all of them in the cells that are blank."""
    return [
        record
        if isinstance(record, Rejection)
        else record.having({k: text for k, text in defaults.items() if not record.cells.get(k)})
        for record in records
    ]
