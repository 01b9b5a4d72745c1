"""Charts drawn from their descriptions (``analysis.figures``): as SVG on a page or in a file, and for Plotly."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel
from registry.core.charts.fields import has_names, lay_out_field
from registry.core.charts.plotly import plotly_json
from registry.core.charts.scenes import FLUID, Scene, Size, scales_of
from registry.core.charts.swarms import lay_out_swarm

__all__ = ["Chart", "Scene", "Size", "draw", "draw_forms", "draw_scene"]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as a page shows it: a drawing in each size, what it shows in words, and what *Explore* loads.

    ``name`` is its own on a page. Without ``plotly`` there is nothing to explore. ``digest`` tells one description
    from another: a page may be older than the file that has its description.
    """

    name: str
    text: str
    scenes: tuple[Scene, ...]
    plotly: str = ""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.plotly.encode()).hexdigest()[:16]


def draw(panel: Panel, x: Axis, y: Axis | None, *, name: str, text: str, beside: Sequence[Panel] = ()) -> Chart:
    """Return the chart of a panel, on the axes that it shares with those ``beside`` it."""
    scene = draw_scene(panel, x, y, FLUID, beside)
    return Chart(name, text, (scene,), plotly_json(panel, x, y, scales_of((panel, *beside), x, y)))


def draw_forms(forms: Sequence[tuple[Panel, Axis, Size]], y: Axis | None = None, *, name: str, text: str) -> Chart:
    """Return a chart that shows, or names, more or less in each size; explored is the first."""
    scenes = tuple(draw_scene(panel, x, y, size) for panel, x, size in forms)
    panel, x, size = forms[0]
    explored = "" if size.is_bare else plotly_json(panel, x, y, scales_of((panel,), x, y))
    return Chart(name, text, scenes, explored)


def draw_scene(panel: Panel, x: Axis, y: Axis | None, size: Size, beside: Sequence[Panel] = ()) -> Scene:
    """Return one drawing of a panel, on the axes that it shares with those ``beside`` it."""
    panels = (panel, *beside)
    across, up = scales_of(panels, x, y)
    if y is None or up is None:
        return lay_out_swarm(panel, x, size, across)
    return lay_out_field(panel, x, y, size, (across, up), has_names=any(has_names(one, size) for one in panels))
