"""Long lists of what is wrong: the first of it, and how much more there is. Nobody reads, or mends, more at once."""

from collections.abc import Sequence, Sized
from typing import TypeVar

Item = TypeVar("Item")

MAX_LISTED = 50


def first_listed(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items that are shown."""
    return items[:MAX_LISTED]


def n_unlisted(items: Sized) -> int:
    """Return how many more there are."""
    return max(0, len(items) - MAX_LISTED)


def in_words(texts: Sequence[str], *, most: int = MAX_LISTED, separator: str = "; ") -> str:
    """Return the first of the texts in a row, and how many more there are."""
    more = [f"and {len(texts) - most:,} more"] if len(texts) > most else []
    return separator.join([*texts[:most], *more])


def lines_of(texts: Sequence[str]) -> list[str]:
    """Return the first of the texts, and a line that says how many more there are."""
    more = n_unlisted(texts)
    return [*texts[:MAX_LISTED], *([f"… and {more:,} more."] if more else [])]
