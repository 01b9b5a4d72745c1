"""The line of a source's file that prints each result, as the end of its ``locator``: ``leaderboard.csv#L12``.

Lines are found by ``find_lines.py``, which needs the repositories; a rebuild keeps those that it finds in the tables.
"""

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from builder.tables import Row

_LINE = re.compile(r"#L[1-9]\d*$")
#: What tells the rows of a file apart.
_KEY = ("collection", "measure", "system", "paper", "paper_url", "source")


def keep_lines(rows: Iterable[Row], earlier: Iterable[Row]) -> list[Row]:
    """The rows with the lines, and the prints, that were found before for the same number in the same file."""
    found = {_key(row): row for row in earlier if _LINE.search(row.get("locator", ""))}
    return [_as_found(row, found.get(_key(row))) for row in rows]


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row.get(name, "") for name in _KEY)


def _as_found(row: Row, found: Row | None) -> Row:
    if found is None or without_line(found["locator"]) != row["locator"] or not is_same(found["value"], row["value"]):
        return row
    return row | {"locator": found["locator"], "value": found["value"]}


def without_line(locator: str) -> str:
    """The file that a locator names."""
    return _LINE.sub("", locator)


def is_same(one: str, other: str) -> bool:
    """Return whether two prints are of the same number."""
    try:
        return Decimal(one) == Decimal(other)
    except InvalidOperation:
        return False
