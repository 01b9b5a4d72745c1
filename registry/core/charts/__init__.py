"""Charts drawn from their descriptions (``analysis.figures``): as SVG on a page or in a file, and for Plotly."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel
from registry.core.charts.fields import lay_out_field
from registry.core.charts.plotly import plotly_json
from registry.core.charts.scenes import FLUID, Scene, Size, scales_of
from registry.core.charts.swarms import lay_out_swarm

__all__ = ["Chart", "Scene", "Size", "draw", "draw_forms", "draw_scene"]


Form = tuple[Panel, Axis, Size]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as a page shows it: a drawing in each size, what it shows in words, and what *Explore* loads.

    ``name`` is its own on a page. ``explored`` are its panel, with those beside it, and its axes; without them there is
    nothing to explore.
    """

    name: str
    text: str
    scenes: tuple[Scene, ...]
    explored: tuple[tuple[Panel, ...], Axis, Axis | None] | None = None

    @property
    def plotly(self) -> str:
        """Return the description that *Explore* loads; blank without one."""
        return plotly_json(*self.explored) if self.explored else ""

    @property
    def digest(self) -> str:
        """Return what tells one drawing from another, whatever its dots are called: a page may be older than the file
        that describes it."""
        panels = self.explored[0] if self.explored else ()
        lines = [
            (line.name, line.lane, line.x, line.y, line.low, line.high) for panel in panels for line in panel.series
        ]
        return hashlib.sha256(repr(lines).encode()).hexdigest()[:16]


def draw(panel: Panel, x: Axis, y: Axis | None, *, name: str, text: str, beside: Sequence[Panel] = ()) -> Chart:
    """Return the chart of a panel, on the axes that it shares with those ``beside`` it."""
    return draw_forms([(panel, x, FLUID)], y, name=name, text=text, beside=beside)


def draw_forms(
    forms: Sequence[Form], y: Axis | None = None, *, name: str, text: str, beside: Sequence[Panel] = ()
) -> Chart:
    """Return a chart that shows, or names, more or less in each size; explored is the first."""
    scenes = tuple(draw_scene(panel, x, y, size, beside) for panel, x, size in forms)
    panel, x, size = forms[0]
    return Chart(name, text, scenes, None if size.is_bare else ((panel, *beside), x, y))


def draw_scene(panel: Panel, x: Axis, y: Axis | None, size: Size, beside: Sequence[Panel] = ()) -> Scene:
    """Return one drawing of a panel, on the axes that it shares with those ``beside`` it."""
    panels = (panel, *beside)
    across, up = scales_of(panels, x, y)
    if y is None or up is None:
        return lay_out_swarm(panel, size, across)
    return lay_out_field(panels, x, y, size, (across, up))
