"""Which figures of which papers are drawn of other collections, a file for each paper.

A file holds the panels, too, which ``management/papers`` draws of the data that ship.
"""

from registry.tools.reproductions.redrawing import Redraw
from registry.tools.reproductions.redraws.carterette import ESTIMATES, MEANS, TRIES
from registry.tools.reproductions.redraws.cormack_lynam import HALVES
from registry.tools.reproductions.redraws.jayasinghe import RERANKERS, SAMPLES
from registry.tools.reproductions.redraws.sanderson_zobel import EFFORTS, SIGNIFICANCE, SWAPS, SWAPS_AT_10
from registry.tools.reproductions.redraws.zobel import SPREAD, SURVEYS

#: In the order of the papers.
REDRAWS: tuple[Redraw, ...] = (
    ESTIMATES, MEANS, TRIES, SWAPS, SWAPS_AT_10, SIGNIFICANCE, EFFORTS, HALVES, SAMPLES, RERANKERS, SPREAD, SURVEYS,
)  # fmt: skip


def redraw_of(paper: str, figure: str) -> Redraw | None:
    """How this figure is drawn of another collection; None where that makes no sense."""
    return next((one for one in REDRAWS if one.paper == paper and figure in one.figures), None)
