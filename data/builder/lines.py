"""The line of a source's file that prints each result, as the end of its ``locator``: ``leaderboard.csv#L12``.

Lines are found by ``find_lines.py``, which needs the repositories; a rebuild keeps those that it finds in the tables.
"""

import re
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal, InvalidOperation
from functools import cache

from analysis.readers.upstream.scores import Printed
from builder.tables import Row

_LINE = re.compile(r"#L[1-9]\d*$")
#: What tells the rows of a file apart.
_KEY = ("collection", "measure", "system", "paper", "paper_url", "source")


def keep_lines(rows: Iterable[Row], earlier: Iterable[Row]) -> list[Row]:
    """Return the rows with the lines, and the prints, that were found before for the same number in the same file."""
    earlier_rows = {_key(row): row for row in earlier if _LINE.search(row.get("locator", ""))}
    return [_as_found(row, earlier_rows.get(_key(row))) for row in rows]


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row.get(name, "") for name in _KEY)


def _as_found(row: Row, before: Row | None) -> Row:
    if (
        before is None
        or without_line(before["locator"]) != row["locator"]
        or not is_same(before["value"], row["value"])
    ):
        return row
    return row | {"locator": before["locator"], "value": before["value"]}


def without_line(locator: str) -> str:
    """Return the file that a locator names."""
    return _LINE.sub("", locator)


def is_same(printed: str, other: str) -> bool:
    """Say whether two prints are of the same number."""
    try:
        return Decimal(printed) == Decimal(other)
    except InvalidOperation:
        return False


Finder = Callable[[Row], Printed | None]
Reader = Callable[[str], Finder]


def once(prints: Iterable[tuple[Hashable, Printed]]) -> dict[Hashable, Printed]:
    """Return what stands in one place only, by its key."""
    by_key: dict[Hashable, Printed] = {}
    twice = set()
    for key, printed in prints:
        if key in by_key:
            twice.add(key)
        by_key[key] = printed
    return {key: printed for key, printed in by_key.items() if key not in twice}


@cache
def plain_measure(measure: str) -> str:
    """Return a measure's name without the grade from which documents count: ``AP(rel=2)@100`` is ``AP@100``."""
    return re.sub(r"\(rel=\d\)", "", measure)
