"""Systems that were executed several times, as pages show them: three numbers, two drawings, a sentence to cite."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from analysis.comparisons import mean_interval
from analysis.figures import Axis, Panel, Rule, Series, series
from analysis.readers.text import shorten
from registry.core.charts import Chart, draw_scene
from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.core.messages import say
from registry.core.templatetags.formatting import NOTHING, pvalue, signed, telling_decimals
from registry.leaderboards.wording import Fact
from registry.tools.pairs.documents import LEVEL
from registry.tools.pairs.execution_documents import ExecutedPair

#: How long names are at most in each width; more rows than these are not drawn; pixels of a row.
_FORMS = {WIDE: 40, MIDDLE: 28, NARROW: 13}
_MOST_DRAWN, _ROW = 15, 34.0


def show_executions(
    means: Mapping[str, Sequence[float]], pairs: Sequence[ExecutedPair], margin: float | None, board: str
) -> dict[str, Any]:
    """Return what a page shows of systems, by the means of their executions, and of their differences.

    ``board`` names the collection, or the topics, with the measure.
    """
    found, n = pairs[0].found, len(pairs)
    half = (found.interval.high - found.interval.low) / 2
    estimate, low, high = (
        signed(value, telling_decimals(half)) for value in (found.estimate, found.interval.low, found.interval.high)
    )
    said: dict[str, Any] = {"first": found.first, "second": found.second, "p": pvalue(pairs[0].pvalue), "n": n}
    error = f"± {half:.{telling_decimals(half)}f}" if half else ""
    as_good = [pair for pair in pairs if pair.as_good is not None and pair.as_good <= LEVEL]
    label = say("executions-within", margin=f"{margin:g}" if margin else "none")
    meaning = say("executions-within-level", n=n if margin else "none")
    facts = [
        Fact(say("executions-fact", **said), estimate, say("executions-fact-p", **said), beside=error),
        Fact(label, str(len(as_good)), meaning, "set", beside=say("executions-of-pairs", n=n))
        if margin
        else Fact(label, NOTHING, meaning, "set"),
    ]
    for name, values in [(name, values) for name, values in means.items() if len(set(values)) > 1][:1]:
        interval = mean_interval(list(values)).interval
        assert interval is not None, "the values differ"
        alone = (interval.high - interval.low) / 2
        meaning = say("executions-alone-meaning", system=name, n=len(values))
        facts.append(Fact(say("executions-alone"), f"± {alone:.{telling_decimals(alone)}f}", meaning))
    return {
        "facts": facts,
        "executions": _executions(means),
        "differences": _differences(pairs, margin) if n <= _MOST_DRAWN else None,
        "sentence": say("executions-cite", board=board, **said, estimate=estimate, low=low, high=high),
    }


def _executions(means: Mapping[str, Sequence[float]]) -> Chart:
    """Return a dot for each execution, a row for each system, with a line at their mean."""
    lines = []
    for row, values in enumerate(reversed([*means.values()]), 1):
        mean = fmean(values)
        lines.append(series(f"{mean:.4f}", sorted(values), [row] * len(values)))
        lines.append(series("", [mean], [None], mark="spans", style="ink", low=[row - 0.28], high=[row + 0.28]))
    return _rows(lines, [], [[name] for name in means], "executions")


def _differences(pairs: Sequence[ExecutedPair], margin: float | None) -> Chart:
    """Return the difference of each pair with its interval, in a row, and the band within which two are as good."""
    lines = []
    for row, pair in enumerate(reversed(pairs), 1):
        found, is_other, ends = pair.found, pair.pvalue <= LEVEL, [pair.found.interval.low, pair.found.interval.high]
        is_told = is_other or (pair.as_good is not None and pair.as_good <= LEVEL)
        answer = "different" if is_other else "as good" if is_told else "open"
        name = f"{signed(found.estimate, telling_decimals((ends[1] - ends[0]) / 2))} {answer}"
        lines.append(series(name, ends, [row] * 2, mark="curve", style="ink", is_highlighted=is_told))
        lines.append(series("", [found.estimate], [row], mark="points", style="ink", is_highlighted=is_told))
    rules = [Rule(name="", at=0.0, axis="x", style="ink")]
    rules += [Rule(name=f"within ±{margin:g}", at=-margin, to=margin, axis="x", style="measured")] if margin else []
    return _rows(lines, rules, [[pair.found.first, pair.found.second] for pair in pairs], "pairs")


def _rows(lines: Sequence[Series], rules: Sequence[Rule], named: Sequence[Sequence[str]], name: str) -> Chart:
    """Return a chart of rows that have names at the left, from the top, in three widths."""
    panel = Panel(data=f"{len(named)} rows", series=tuple(lines), rules=tuple(rules))
    ends = [x for line in lines for x in line.x] + [x for rule in rules for x in (rule.at, rule.to) if x is not None]
    beyond = 0.04 * (max(ends) - min(ends))
    x, scenes, ys = Axis(label="", low=min(ends) - beyond, high=max(ends) + beyond), [], []
    for size, longest in _FORMS.items():
        texts = [" − ".join(shorten(one, longest // len(row)) for one in row) for row in reversed(named)]
        ys.append(Axis(label="", low=0.4, high=len(texts) + 0.6, ticks=tuple(enumerate(texts, 1))))
        scenes.append(draw_scene(panel, x, ys[-1], replace(size, height=_ROW * len(texts), names=110.0)))
    return Chart(name, say("executions-drawn", name=name), tuple(scenes), ((panel,), x, ys[0]))
