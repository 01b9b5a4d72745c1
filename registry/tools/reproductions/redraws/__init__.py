"""Which figures of which papers are drawn of other collections, a file for each paper."""

from registry.tools.reproductions.redrawing import Redraw

#: In the order of the papers.
REDRAWS: tuple[Redraw, ...] = ()


def redraw_of(paper: str, figure: str) -> Redraw | None:
    """How this figure is drawn of another collection; None where that makes no sense."""
    return next((one for one in REDRAWS if one.paper == paper and figure in one.figures), None)
