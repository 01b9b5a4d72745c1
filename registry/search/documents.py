"""Finds as pages show them by kind, and as documents for programs."""

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import TypedDict

from registry.core.documents import document_of
from registry.core.listing import grouped
from registry.search.models import Thing
from registry.search.queries import Search, first_of_each_kind

#: Finds of each kind on the page of a search for all kinds.
PER_KIND = 6


@dataclass(frozen=True, slots=True)
class Group:
    """The first finds of a kind, and the number of all."""

    kind: str
    label: str
    n: int
    things: tuple[Thing, ...]

    @property
    def n_more(self) -> int:
        return self.n - len(self.things)


def groups_of(search: Search) -> list[Group]:
    """Return the finds by kind; the kind of the best find comes first."""
    by_kind = grouped(first_of_each_kind(search, PER_KIND), lambda thing: thing.kind)
    return [
        Group(kind, str(Thing.Kind(kind).label), search.counts[kind], tuple(things)) for kind, things in by_kind.items()
    ]


class FoundDocument(TypedDict):
    """What is found, the best first."""

    searched_for: Annotated[str, "What was typed, or what was probably meant where nothing has a word of it."]
    is_corrected: Annotated[bool, "Whether that is not what was typed."]
    kinds: Annotated[dict[str, int], "How many things are found, by kind."]


class ThingDocument(TypedDict):
    """Something that has a page."""

    kind: Annotated[str, Thing.Kind]
    title: str
    detail: Annotated[str, "What tells it from others of that name."]
    url: Annotated[str, "Path of its page on this site."]
    n_results: Annotated[int, "Its results; 0 for benchmarks."]


def describe_thing(thing: Thing) -> ThingDocument:
    return document_of(ThingDocument, thing, url=thing.address)
