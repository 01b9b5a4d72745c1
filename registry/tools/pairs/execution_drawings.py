"""Systems that were executed several times, as pages show them: three numbers, two drawings, a sentence to cite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from analysis.comparisons import mean_interval
from analysis.figures import Axis, Panel, Rule, series
from analysis.readers.text import shorten
from registry.core.charts import Chart, draw_scene
from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.core.messages import say
from registry.core.templatetags.formatting import NOTHING, pvalue, signed, telling_decimals
from registry.leaderboards.wording import Fact
from registry.tools.pairs.documents import LEVEL
from registry.tools.pairs.execution_documents import ExecutedPair

#: So long are names at most, by the width of a drawing; more rows than these are not drawn. Pixels of a row.
_FORMS = {WIDE: 40, MIDDLE: 28, NARROW: 13}
_MOST_DRAWN, _ROW = 15, 34.0


@dataclass(frozen=True, slots=True)
class ExecutionsShown:
    """What a page says of executions before its tables."""

    facts: list[Fact]
    executions: Chart | None
    differences: Chart | None
    sentence: str


def show_executions(
    means: Mapping[str, Sequence[float]], pairs: Sequence[ExecutedPair], margin: float | None, board: str
) -> ExecutionsShown:
    """Return what a page shows of systems, by the means of their executions, and of their differences.

    ``board`` names the collection, or the topics, with the measure.
    """
    found, several = pairs[0].found, {name: values for name, values in means.items() if len(values) > 1}
    half = (found.interval.high - found.interval.low) / 2
    decimals = telling_decimals(half)
    n, p = len(pairs), pvalue(pairs[0].pvalue)
    names = {"first": found.first, "second": found.second}
    value = signed(found.estimate, decimals)
    low, high = signed(found.interval.low, decimals), signed(found.interval.high, decimals)
    difference = Fact(
        say("executions-fact", **names), value, say("executions-fact-p", p=p, n=n),
        beside=f"± {half:.{decimals}f}" if half else "",
    )  # fmt: skip
    return ExecutionsShown(
        [difference, _equivalent(pairs, margin), *_alone(several)],
        _executions(means) if several else None,
        _differences(pairs, margin) if n <= _MOST_DRAWN else None,
        say("executions-cite", board=board, **names, estimate=value, low=low, high=high, p=p, n=n),
    )


def _equivalent(pairs: Sequence[ExecutedPair], margin: float | None) -> Fact:
    if not margin:
        return Fact(say("executions-within", margin="none"), NOTHING, say("executions-no-margin"), "set")
    n_as_good = sum(pair.as_good is not None and pair.as_good <= LEVEL for pair in pairs)
    label, beside = say("executions-within", margin=f"{margin:g}"), say("executions-of-pairs", n=len(pairs))
    return Fact(label, str(n_as_good), say("executions-within-level", n=len(pairs)), "set", beside=beside)


def _alone(several: Mapping[str, Sequence[float]]) -> list[Fact]:
    """Return how far the mean of the executions of the first system is from that of others, on the same topics."""
    for name, values in several.items():
        found = mean_interval(list(values)).interval if len(set(values)) > 1 else None
        half = (found.high - found.low) / 2 if found else 0.0
        meaning = say("executions-alone-meaning", system=name, n=len(values))
        return [Fact(say("executions-alone"), f"± {half:.{telling_decimals(half)}f}", meaning)]
    return []


def _executions(means: Mapping[str, Sequence[float]]) -> Chart:
    """Return a dot for each execution, a row for each system, with a line at their mean."""
    rows = list(enumerate(reversed([*means]), 1))
    dots = [series(f"{fmean(means[name]):.4f}", sorted(means[name]), [row] * len(means[name])) for row, name in rows]
    lines = series(
        "", [fmean(means[name]) for _, name in rows], [None for _ in rows], mark="spans", style="ink",
        low=[row - 0.28 for row, _ in rows], high=[row + 0.28 for row, _ in rows],
    )  # fmt: skip
    panel = Panel(data=f"{len(rows)} systems", series=(*dots, lines))
    return _rows(panel, [(row, [name]) for row, name in rows], "executions", "One dot, one execution, by system")


def _differences(pairs: Sequence[ExecutedPair], margin: float | None) -> Chart:
    """Return the difference of each pair with its interval, in a row, and the band within which two are as good."""
    rows = list(enumerate(reversed(pairs), 1))
    lines = []
    for row, pair in rows:
        found, is_as_good = pair.found, pair.as_good is not None and pair.as_good <= LEVEL
        is_told = is_as_good or pair.pvalue <= LEVEL
        answer = "different" if pair.pvalue <= LEVEL else "as good" if is_as_good else "open"
        ends = [found.interval.low, found.interval.high]
        value = signed(found.estimate, telling_decimals((ends[1] - ends[0]) / 2))
        lines.append(series(f"{value} {answer}", ends, [row] * 2, mark="curve", style="ink", is_highlighted=is_told))
        lines.append(series("", [found.estimate], [row], mark="points", style="ink", is_highlighted=is_told))
    rules = [Rule(name="", at=0.0, axis="x", style="ink")]
    rules += [Rule(name=f"within ±{margin:g}", at=-margin, to=margin, axis="x", style="measured")] if margin else []
    panel = Panel(data=f"{len(rows)} pairs", series=tuple(lines), rules=tuple(rules))
    named = [(row, [pair.found.first, pair.found.second]) for row, pair in rows]
    return _rows(panel, named, "pairs", "The difference of each two systems, with its 95% interval")


def _rows(panel: Panel, rows: Sequence[tuple[int, list[str]]], name: str, text: str) -> Chart:
    """Return a chart of rows that have names at the left, in three widths."""
    ends = [x for line in panel.series for x in line.x if x is not None]
    beyond = 0.04 * (max(ends) - min(ends))
    x, forms = Axis(label="", low=min(ends) - beyond, high=max(ends) + beyond), []
    for size, longest in _FORMS.items():
        named = [(row, " − ".join(shorten(one, longest // len(names)) for one in names)) for row, names in rows]
        y = Axis(label="", low=0.4, high=len(rows) + 0.6, ticks=tuple(named))
        forms.append((y, replace(size, height=_ROW * len(rows), names=110.0)))
    scenes = tuple(draw_scene(panel, x, y, size) for y, size in forms)
    return Chart(name, text, scenes, ((panel,), x, forms[0][0]))
