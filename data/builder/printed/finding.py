"""Finders of our rows among what a file prints."""

import re
from collections.abc import Callable, Hashable, Iterable
from functools import cache

from analysis.readers.upstream.scores import Printed
from builder.tables import Row

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
