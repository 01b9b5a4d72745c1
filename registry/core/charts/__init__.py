"""Charts drawn from their descriptions (``analysis.figures``): as SVG on a page or in a file, and for Plotly.

A trace for Plotly says in ``meta`` how it looks, in the words of the style sheet: colours are the page's, which knows
whether it is light or dark.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from analysis.figures import Axis, Panel, Rule, Series
from registry.core.charts.fields import lay_out_field
from registry.core.charts.scenes import FLUID, Scale, Scene, Size, kind_of, scales_of
from registry.core.charts.swarms import lay_out_swarm, stack_heights

__all__ = ["Chart", "Scene", "Size", "draw", "draw_forms", "draw_scene"]


Form = tuple[Panel, Axis, Size]
Trace = dict[str, Any]
#: For Plotly: the pixels in which dots of a swarm are stacked, and the height of a lane, as a share of the swarm's.
_WIDTH, _RADIUS, _LANE = 1000.0, 4.0, 0.14


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


def plotly_json(panels: Sequence[Panel], x: Axis, y: Axis | None) -> str:
    """Return the chart for Plotly's script as JSON, on the axes that all panels share: data and layout of the first."""
    panel, scales = panels[0], scales_of(panels, x, y)
    lanes = list(dict.fromkeys(line.lane for line in panel.series if line.lane))
    heights = stack_heights(panel, lambda at: _WIDTH * scales[0].place(at), _RADIUS) if y is None else []
    top = max((height for of_series in heights for height in of_series), default=0.0) or 1.0
    low, high = (scales[1].low, scales[1].high) if scales[1] else (0.0, 1.1)
    traces: list[Trace] = [_rule(rule, scales[0], (low, high)) for rule in panel.rules if rule.to is not None]
    for number, line in enumerate(panel.series):
        ys = tuple(height / top for height in heights[number]) if heights else line.y
        if line.lane:
            ys = tuple(-_LANE * (lanes.index(line.lane) + 1.0 - 0.6 * height) for height in ys if height is not None)
        traces.extend(_traces(line, ys))
    traces += [_rule(rule, scales[0], (low, high)) for rule in panel.rules if rule.to is None]
    if panel.plumb and panel.plumb.to is not None:
        xs, ys_of = [panel.plumb.at, panel.plumb.to, panel.plumb.to], [high, high, low]
        traces.append(_scatter(panel.plumb.name, xs, ys_of, "other", width=2))
        traces.append(_scatter(panel.plumb.name, [panel.plumb.to], [low], "other", symbol="triangle-down"))
    y_axis = _axis(y, scales[1]) if y and scales[1] else {"visible": False, "range": [-0.03 - _LANE * len(lanes), 1.1]}
    layout = {
        "height": 420 if y is None else 360,
        "margin": {"l": 48, "r": 12, "t": 60 if any(note.y is not None for note in panel.notes) else 8, "b": 44},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "bargap": 0.1,
        "xaxis": _axis(x, scales[0]),
        "yaxis": y_axis,
        "annotations": list(_annotations(panel)),
    }
    return json.dumps({"data": traces, "layout": layout}, separators=(",", ":"), allow_nan=False)


def _traces(line: Series, ys: tuple[float | None, ...]) -> Iterator[Trace]:
    looks, labels = kind_of(line), list(line.labels)
    ends = [(x, low, high) for x, low, high in zip(line.x, line.low, line.high, strict=False)
            if low is not None and high is not None]  # fmt: skip
    if line.mark == "bars":
        middles = [(start + end) / 2 for start, end in pairwise(line.x)]
        widths = [end - start for start, end in pairwise(line.x)]
        spans = [f"{start:.4g} to {end:.4g}" for start, end in pairwise(line.x)]
        yield {"type": "bar", "x": middles, "y": ys, "width": widths, "customdata": spans, "name": line.name,
               "meta": looks, "hovertemplate": "%{y} from %{customdata}<extra></extra>"}  # fmt: skip
    elif line.mark == "columns":
        foot = [low for _, low, _ in ends] or [0.0] * len(ys)
        tall = [high - low for _, low, high in ends] or ys
        yield {"type": "bar", "x": line.x, "y": tall, "base": foot, "name": line.name, "meta": looks,
               "text": labels, "textposition": "none", "hoverinfo": "text" if labels else "x+y"}  # fmt: skip
    elif line.mark == "spans" or (line.mark == "points" and ends):
        xs = [value for x, _, _ in ends for value in (x, x, None)]
        yield _scatter(line.name, xs, [value for _, *two in ends for value in (*two, None)], looks, width=3)
    elif ends:
        xs = [x for x, _, _ in ends]
        around = {"fill": "toself", "hoverinfo": "skip", "showlegend": False, "meta": f"band {looks}"}
        low, high = [low for _, low, _ in ends], [high for _, _, high in ends]
        yield _scatter(line.name, [*xs, *reversed(xs)], [*low, *reversed(high)], looks, width=0) | around
    if line.mark in ("line", "curve", "area", "steps"):
        shape = {"shape": "hv"} if line.mark == "steps" else {}
        more = {"area": {"fill": "tozeroy"}, "line": {"mode": "lines+markers"}}.get(line.mark, {})
        yield _scatter(line.name, line.x, ys, looks, width=2, **shape) | more
    if line.mark in ("points", "swarm"):
        symbol = ("diamond" if line.lane else "square") if line.is_square else "circle"
        labels = [label.replace("<", "&lt;").replace("\n", "<br>") for label in labels]
        trace = _scatter(line.name, line.x, ys, looks, symbol=f"{symbol}-open" if line.is_hollow else symbol)
        yield trace | ({"text": labels, "hovertemplate": "%{text}<extra></extra>"} if labels else {})


def _scatter(name: str, xs: Any, ys: Any, looks: str, *, symbol: str = "", **line: Any) -> Trace:
    """Return dots with this symbol; without one a line."""
    trace = {"type": "scatter", "x": list(xs), "y": list(ys), "name": name, "showlegend": bool(name), "meta": looks}
    if symbol:
        hover = "%{x:.4g}<extra>%{fullData.name}</extra>"
        return trace | {"mode": "markers", "marker": {"symbol": symbol, "size": 7}, "hovertemplate": hover}
    dashes = {"dash": "dash"} if "projected" in looks or "dashed" in looks else {}
    hover = "%{x:.4g}, %{y:.4g}<extra>%{fullData.name}</extra>"
    return trace | {"mode": "lines", "line": {**dashes, **line}, "hovertemplate": hover}


def _rule(rule: Rule, x: Scale, ends: tuple[float, float]) -> Trace:
    """Return a line across the field, or a band."""
    along = [x.low, x.high] if rule.axis == "y" else list(ends)
    if rule.to is None:
        at = [rule.at, rule.at]
        xs, ys = (at, along) if rule.axis == "x" else (along, at)
        return _scatter(rule.name, xs, ys, rule.style, width=2, **({"dash": "dash"} if rule.is_dashed else {}))
    out, back = [rule.at, rule.to, rule.to, rule.at], [along[0], along[0], along[1], along[1]]
    xs, ys = (out, back) if rule.axis == "x" else (back, out)
    band = {"fill": "toself", "hoverinfo": "skip", "showlegend": False, "meta": "band is-highlighted"}
    return _scatter(rule.name, xs, ys, rule.style, width=0) | band


def _annotations(panel: Panel) -> Iterator[Trace]:
    """Return words at their places: those that belong to a point lead to it, others stand at head or foot."""
    for place, note in enumerate(
        note for note in panel.notes if not note.edge and note.place in ("above", "below", "mark")
    ):
        annotation: Trace = {"text": note.text.replace("<", "&lt;"), "x": note.x, "arrowwidth": 1, "xanchor": "auto"}
        if note.y is not None:
            yield annotation | {"y": note.y, "ax": 0, "ay": -30 - 18 * (place % 3)}
        else:
            is_above = note.place == "above"
            shift = -18 * (place % 3) if is_above else 18
            yield annotation | {"yref": "paper", "y": int(is_above), "yshift": shift, "showarrow": False}


def _axis(axis: Axis, scale: Scale | None) -> dict[str, Any]:
    layout: dict[str, Any] = {"title": {"text": axis.label, "standoff": 15}, "zeroline": False, "automargin": True}
    if axis.is_log:
        return layout | {"type": "log"}
    if axis.ticks:
        layout |= {"tickvals": [at for at, _ in axis.ticks], "ticktext": [label for _, label in axis.ticks]}
    return layout | ({"range": [scale.low, scale.high]} if scale else {})
