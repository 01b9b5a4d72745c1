"""Panels of scores that no collection has, kept as those of collections are."""

import msgspec

from analysis.figures import Panel
from analysis.papers.paper import Drawing, Given
from registry.tools.reproductions.services import draw_of
from registry.tools.reproductions.sources import DRAWINGS, Material


def draw_by(drawing: Drawing, sent: Given) -> tuple[dict[str, Panel], str]:
    """Return the panels that one way of drawing gives, and why there are none."""
    drawn = draw_of(drawing, Material("", lambda: sent))
    return msgspec.json.decode(drawn.content, type=dict[str, Panel]) if drawn.content else {}, drawn.obstacle


def draw_all(sent: Given) -> tuple[dict[str, Panel], dict[str, str]]:
    """Return all panels by paper and figure, and why others can't be drawn."""
    panels, why = {}, {}
    for drawing in DRAWINGS:
        of_paper, reason = draw_by(drawing, sent)
        panels |= {f"{drawing.paper}/{figure}": of_paper[figure] for figure in drawing.figures & of_paper.keys()}
        why |= {f"{drawing.paper}/{figure}": reason for figure in drawing.figures if figure not in of_paper}
    return panels, why
