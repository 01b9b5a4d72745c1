"""A figure of a paper beside the same figure of a chosen collection, as one object for the page and its files."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec

from analysis.figures import Cell, Panel, scaled
from analysis.papers.paper import Figure, Reproduction
from registry.core.pages import LiveExample
from registry.tools.found_once import RedrawnFigures
from registry.tools.reproductions.records import redraw_of
from registry.tools.reproductions.redrawing import Choice, Redraw
from registry.tools.reproductions.services import digest_of, draw_of


@dataclass(frozen=True, slots=True)
class Chosen:
    """The figure of a collection: ``why`` says why there can't be one; blank while a worker is to draw it."""

    choice: Choice
    state: Literal["drawn", "waiting", "impossible"]
    why: str
    panel: Panel | None
    page: LiveExample | None


@dataclass(frozen=True, slots=True)
class FigureDocument:
    """A figure of a paper; ``chosen`` is None where no other collection can be drawn."""

    paper: str
    figure: Figure
    chosen: Chosen | None
    factor: float | None
    choices: tuple[Choice, ...]

    @property
    def panels(self) -> tuple[Panel, ...]:
        """What is drawn, the paper's own first."""
        panels = (self.figure.panel, self.chosen.panel if self.chosen else None)
        return tuple(one if self.factor is None else scaled(one, self.factor) for one in panels if one)


def figure_document(
    paper: Reproduction, figure: Figure, *, collection: str = "", measure: str = "", factor: float | None = None
) -> FigureDocument:
    """The figure beside that of the collection that is asked for, or of the one that stands first."""
    default = figure.factor.default if figure.factor else None
    redraw = redraw_of(paper.slug, figure.slug)
    choices = tuple(redraw.choices()) if redraw else ()
    choice = redraw.choose(choices, collection, measure) if redraw else None
    chosen = _chosen(redraw, choice, figure) if redraw and choice else None
    return FigureDocument(paper.slug, figure, chosen, default if factor is None else factor, choices)


def _chosen(redraw: Redraw, choice: Choice, figure: Figure) -> Chosen:
    material = redraw.read(choice)
    if material is None:
        return Chosen(choice, "impossible", "its scores are not on record any more", None, None)
    kept = (
        draw_of(redraw, material)
        if redraw.is_quick
        else RedrawnFigures.objects.filter(pk=digest_of(redraw, material)).first()
    )
    if kept is None:
        return Chosen(choice, "waiting", "", None, material.page())
    panels = msgspec.json.decode(kept.content, type=dict[str, Panel]) if kept.content else {}
    panel = panels.get(figure.slug)
    why = "" if panel else kept.obstacle or "its scores are too few for this figure"
    return Chosen(choice, "drawn" if panel else "impossible", why, panel, material.page())


#: What is drawn, as columns of a file.
POINT_COLUMNS = ("drawn_of", "series", "x", "y", "low", "high")


def point_rows(panels: tuple[Panel, ...]) -> Iterator[tuple[Cell, ...]]:
    """A row for each point; bars have the left edge as ``x``."""
    for panel in panels:
        for one in panel.series:
            for place, y in enumerate(one.y):
                ends = (values[place] if values else None for values in (one.low, one.high))
                yield panel.data, one.name, one.x[place], y, *ends
