"""Items grouped by what they share; and the first of long lists, with how many more there are."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Sized
from typing import TypeVar

from django.utils.text import get_text_list

Item = TypeVar("Item")
Key = TypeVar("Key")

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


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: A, B and C."""
    return get_text_list([*names], last_word="and")


def lines_of(texts: Sequence[str]) -> list[str]:
    """Return the first of the texts, and a line that says how many more there are."""
    more = n_unlisted(texts)
    return [*texts[:MAX_LISTED], *([f"… and {more:,} more."] if more else [])]


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> defaultdict[Key, list[Item]]:
    """Return the items by their key, all in their order; a key that none has gives an empty list."""
    groups: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
