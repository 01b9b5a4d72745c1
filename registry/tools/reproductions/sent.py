"""Figures of papers, drawn of what somebody sent, by the same functions as those of collections on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from analysis.figures import Panel
from analysis.papers.paper import Drawing, Figure, Given, Reproduction
from registry.core.pages import LiveExample
from registry.tools.reproductions.documents import Chosen, FigureDocument
from registry.tools.reproductions.papers import reproductions
from registry.tools.reproductions.redrawing import Choice
from registry.tools.reproductions.services import drawn_once
from registry.tools.reproductions.sources import DRAWINGS

#: Why there is no other figure where no way of drawing is declared.
_ITS_OWN = "it is about the paper’s own data, about the record, or about none"
_TOO_FEW = "there is too little for it in what was sent"


@dataclass(frozen=True, slots=True)
class SentFigures:
    """The panels that are drawn of what was sent, and why others are not; by paper and figure, as in addresses."""

    name: str
    measure: str
    panels: Mapping[str, Panel]
    why: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SentPaper:
    """The figures of a paper that are drawn, and the others by the reason."""

    paper: Reproduction
    drawn: Sequence[Figure]
    others: Mapping[str, Sequence[Figure]]


def draw_sent(given: Given) -> SentFigures:
    """Return every figure that can be drawn."""
    panels: dict[str, Panel] = {}
    why: dict[str, str] = {}
    for drawing in DRAWINGS:
        found, reason = draw_by(drawing, given)
        for figure in drawing.figures:
            address = f"{drawing.paper}/{figure}"
            if figure in found:
                panels[address] = found[figure]
            else:
                why[address] = reason
    return SentFigures(given.name, given.measure, panels, why)


def draw_by(drawing: Drawing, given: Given) -> tuple[dict[str, Panel], str]:
    """Return the panels that one way of drawing gives, and why there are no others."""
    drawn = drawn_once("", lambda: drawing.draw(given))
    panels = msgspec.json.decode(drawn.content, type=dict[str, Panel]) if drawn.content else {}
    return panels, drawn.obstacle or _TOO_FEW


def papers_of_sent(found: SentFigures) -> list[SentPaper]:
    """Return every paper, with all of its figures."""
    papers = []
    for paper in reproductions().values():
        others: dict[str, list[Figure]] = {}
        for figure in paper.figures:
            if (address := f"{paper.slug}/{figure.slug}") not in found.panels:
                others.setdefault(found.why.get(address, _ITS_OWN), []).append(figure)
        drawn = [figure for figure in paper.figures if f"{paper.slug}/{figure.slug}" in found.panels]
        papers.append(SentPaper(paper, drawn, others))
    return papers


def sent_figure(
    paper: Reproduction, figure: Figure, panel: Panel, choice: Choice, page: LiveExample, factor: float | None = None
) -> FigureDocument:
    """Return the figure beside the same of what was sent."""
    default = figure.factor.default if figure.factor else None
    chosen = Chosen(choice, "drawn", "", panel, page)
    return FigureDocument(paper.slug, figure, chosen, default if factor is None else factor, ())
