"""The charts of a study: rates of reversed orders by size, difference and trial."""

from collections.abc import Iterable, Sequence

from analysis.figures import Axis, Panel, Rule, Series, Style, series
from analysis.reliability import CollectionResolution, DesignRates, ErrorRate
from registry.core.charts import Chart, draw
from registry.tools.resolution.reversals import LEAST_COMPARED

_DIFFERENCE = "difference of the means on the first set"
_NAMES = {"disjoint": "disjoint", "replacement": "replaced"}


def draw_sizes(found: CollectionResolution, name: str) -> Chart:
    """Return rates by number of topics: of all pairs, and of significant ones."""
    lines = []
    for design in found.designs:
        how, every, significant = _NAMES[design.design], _estimates(design.every), _estimates(design.significant)
        lines += [_line(f"all, {how}", every, design), _line(f"significant, {how}", significant, design, "other")]
    return _draw(lines, "topics in a set", name, low=0.0)


def draw_differences(found: CollectionResolution, name: str, marks: Sequence[tuple[float, str]] = ()) -> Chart:
    """Return rates by the difference on the first set, at the middles of the classes that count; with marks at
    differences, each with words."""
    lines = [_line(_NAMES[design.design], _middles(design), design) for design in found.designs]
    return _draw(lines, _DIFFERENCE, name, low=0.0, marks=marks)


def draw_profiles(found: CollectionResolution, name: str) -> Chart:
    """Return rates by how much a pair differed, among its own splits."""
    lines = [_line(_NAMES[design.design], enumerate(design.profile, start=1), design) for design in found.designs]
    return _draw(lines, "tenth of the trials, by the difference on the first set", name, low=1.0)


def _estimates(rates: Iterable[ErrorRate]) -> list[tuple[float, float | None]]:
    return [(rate.n_topics, rate.estimate) for rate in rates]


def _middles(design: DesignRates) -> list[tuple[float, float | None]]:
    return [
        ((middle.low + middle.high) / 2, middle.rate)
        for middle in design.by_difference
        if middle.high is not None and middle.n_compared >= LEAST_COMPARED
    ]


def _line(
    name: str,
    points: Iterable[tuple[float, float | None]],
    design: DesignRates | None = None,
    style: Style = "measured",
) -> Series:
    known = [(x, 100 * y) for x, y in points if y is not None]
    return series(
        name, [x for x, _ in known], [y for _, y in known], mark="curve", style=style,
        is_highlighted=style == "measured", is_dashed=design is not None and design.design == "replacement",
    )  # fmt: skip


def _draw(
    lines: Sequence[Series], across: str, name: str, *, low: float, marks: Sequence[tuple[float, str]] = ()
) -> Chart:
    shown = tuple(line for line in lines if line.x)
    xs = [*(x for line in shown for x in line.x), *(1.1 * at for at, _ in marks)]
    ys = [y for line in shown for y in line.y if y is not None]
    x = Axis(label=across, low=low, high=max(xs, default=1.0))
    y = Axis(label="reversed, %", low=0.0, high=max(5.0, 1.05 * max(ys, default=0.0)))
    rules = tuple(Rule(name=words, at=at, axis="x", is_dashed=False) for at, words in marks)
    return draw(Panel(data=across, series=shown, rules=rules), x, y, name=name, text=f"Reversed orders by {across}")
