"""Where a method is at work: each app says of which of its pages, and the page of the method leads there."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class LiveExample:
    """A page on which a method is at work, and what it says, where that is one sentence."""

    title: str
    url: str
    sentence: str = ""

    @classmethod
    def at(cls, title: str, view: str, *names: object) -> Self:
        """The page of a view, about what ``names`` say."""
        return cls(title, reverse(view, args=names))


Finder = Callable[[], LiveExample | None]

#: Who finds a page for a method.
FINDERS: dict[str, list[Finder]] = defaultdict(list)


def register_live_example(find: Finder, *methods: str) -> None:
    """Have the pages of these methods lead to what ``find`` finds today; None where there is no such page yet."""
    for method in methods:
        if find not in FINDERS[method]:
            FINDERS[method].append(find)


def live_examples(method: str) -> list[LiveExample]:
    """The pages of today on which a method is at work."""
    return [found for find in FINDERS.get(method, []) if (found := find()) is not None]
