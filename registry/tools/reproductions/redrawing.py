"""Figures of papers drawn of collections on record: what can be chosen, and of what panels are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.figures import Panel
from analysis.papers.paper import Drawing, Given
from registry.core.pages import LiveExample


@dataclass(frozen=True, slots=True)
class Choice:
    """A collection under a measure: its name in addresses and on pages, and the measure's."""

    collection: str
    name: str
    measure: str


@dataclass(frozen=True, slots=True)
class Material:
    """What panels of a choice are drawn of.

    ``digest`` is of the scores and of the names that panels say; ``page`` says where the method is at work on the same
    collection: when asked, since a worker needs no addresses.
    """

    digest: str
    draw: Callable[[], dict[str, Panel]]
    page: Callable[[], LiveExample]


@dataclass(frozen=True, slots=True)
class Source:
    """How collections are given to figures that need the same of them.

    ``choices`` reads names alone, and ``read`` a digest of what one has, and that; None where it has none any more.
    """

    choices: Callable[[], Sequence[Choice]]
    read: Callable[[Choice], tuple[str, Callable[[], Given]] | None]
    page: Callable[[Choice], LiveExample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redraw:
    """How some figures of a paper are drawn of another collection, as :class:`analysis.papers.paper.Drawing` says."""

    paper: str
    figures: frozenset[str]
    key: str
    choices: Callable[[], Sequence[Choice]]
    read: Callable[[Choice], Material | None]
    is_quick: bool = False
    collections: tuple[str, ...] = ("trec-2004-robust", "trec-8-adhoc")
    measures: tuple[str, ...] = ("AP",)

    def choose(self, choices: Sequence[Choice], collection: str, measure: str) -> Choice | None:
        """Return what is shown: what was asked for, as far as there is such, else what stands first."""
        of_collection = [choice for choice in choices if choice.collection == collection] or _first(
            choices, lambda choice: choice.collection, self.collections
        )
        of_both = [choice for choice in of_collection if choice.measure == measure]
        return next(iter(of_both or _first(of_collection, lambda choice: choice.measure, self.measures)), None)


def redraw_by(drawing: Drawing, source: Source) -> Redraw:
    """Return how collections of a source are drawn in this way."""

    def read(choice: Choice) -> Material | None:
        found = source.read(choice)
        if found is None:
            return None
        digest, give = found
        return Material(digest, lambda: drawing.draw(give()), lambda: source.page(choice))

    return Redraw(
        paper=drawing.paper, figures=drawing.figures, key=drawing.key, choices=source.choices, read=read,
        is_quick=drawing.is_quick, collections=drawing.collections, measures=drawing.measures,
    )  # fmt: skip


def _first(choices: Sequence[Choice], name: Callable[[Choice], str], wanted: Sequence[str]) -> list[Choice]:
    """Return choices of the first name wanted that there is, else of the first of all."""
    names = [name(choice) for choice in choices]
    shown = next((want for want in wanted if want in names), names[0] if names else "")
    return [choice for choice in choices if name(choice) == shown]
