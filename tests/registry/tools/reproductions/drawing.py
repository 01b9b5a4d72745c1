"""Panels of scores that no collection has, kept as those of collections are."""

import msgspec

from analysis.figures import Panel
from analysis.papers.paper import Drawing, Given
from registry.tools.reproductions.services import draw_of
from registry.tools.reproductions.sources import DRAWINGS, Material


def draw_by(drawing: Drawing, given: Given) -> tuple[dict[str, Panel], str]:
    """Return the panels that one way of drawing gives, and why there are none."""
    kept = draw_of(drawing, Material("", lambda: given))
    return msgspec.json.decode(kept.content, type=dict[str, Panel]) if kept.content else {}, kept.obstacle


def draw_all(given: Given) -> tuple[dict[str, Panel], dict[str, str]]:
    """Return all panels by paper and figure, and why others can't be drawn."""
    panels, why = {}, {}
    for drawing in DRAWINGS:
        found, reason = draw_by(drawing, given)
        panels |= {f"{drawing.paper}/{figure}": found[figure] for figure in drawing.figures & found.keys()}
        why |= {f"{drawing.paper}/{figure}": reason for figure in drawing.figures if figure not in found}
    return panels, why
