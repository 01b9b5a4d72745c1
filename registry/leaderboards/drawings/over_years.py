"""A leaderboard over the years: what papers gained over their baselines, and whether that raised the best on record."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from analysis.figures import Axis, Note, Panel, Rule, Series, series
from analysis.readers.text import shorten
from registry.core.charts import Chart, Size, draw_forms
from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.results.models import Result
from registry.results.querysets import year_here

#: Of fewer years nothing is drawn; fewer original runs are no field to stand in; of fewer papers no gains are added up.
MIN_YEARS, MIN_RUNS, MIN_PAPERS = 3, 5, 3
#: How many steps are named in each size, and how long their names are.
_FORMS = {WIDE: (9, 24), MIDDLE: (7, 17), NARROW: (5, 0)}

Years = dict[int, list[RowDocument]]


@dataclass(frozen=True, slots=True)
class OverYears:
    """The results that raised the best on record, what papers claim beside it, and the chart."""

    records: Annotated[
        tuple[RowDocument, ...],
        "The best of the first year, then each best of a year that beats all of earlier ones; none with a flag.",
    ]
    n_years: Annotated[int, "Years with results."]
    n_undated: Annotated[int, "Results that compete and have no year."]
    n_older: Annotated[int, "Those with a year before that of the collection, which stand in that."]
    n_flagged: Annotated[int, "Those with a year and a flag."]
    n_runs: Annotated[int, "Original runs."]
    n_papers: Annotated[int, "Papers with a baseline and a score of their own."]
    total_gain: Annotated[
        float | None, "Their gains added up, losses taken off, flagged ones as claimed; None of fewer than three."
    ]
    risen: Annotated[
        float | None,
        "By how much the best without a flag rose from before the first of them to the last; None where nothing "
        "older is known.",
    ]
    kinds: Annotated[frozenset[str], 'What is drawn beside results: "gains", "losses", "runs", "toolkit".']
    chart: Chart


@dataclass(frozen=True, slots=True)
class _Paper:
    """The best baseline and the best own score of a paper, in the year of the latter."""

    year: int
    baseline: float
    proposed: float


@dataclass(frozen=True, slots=True)
class _Level:
    """A line across all years: its name, the same in short, and whether it is of original runs or of a toolkit."""

    name: str
    short: str
    kind: str
    value: float


def over_years(document: BoardDocument) -> OverYears | None:
    """Return the drawing of all results of a leaderboard; None of those of fewer than three years. None begins before
    the year of the collection."""
    sign = 1.0 if document.measure["higher_is_better"] else -1.0
    ranked, first = [row for row in document.results if row.rank is not None], document.collection["year"]
    competing = [replace(row, year=year_here(row.year, first)) for row in ranked]
    years: Years = defaultdict(list)
    for row in competing:
        if row.year is not None:
            years[row.year].append(row)
    if len(years) < MIN_YEARS:
        return None
    flagged = document.verdict.flagged if document.verdict else frozenset()
    records = _records(years, sign, flagged)
    if not records:
        return None
    runs = [row.value for row in competing if row.role == Result.Role.TREC_RUN]
    reruns = [sign * row.value for row in competing if row.role == Result.Role.REFERENCE_IMPLEMENTATION]
    levels = list(_levels(runs if len(runs) >= MIN_RUNS else [], reruns, sign))
    papers = _papers([row for rows in years.values() for row in rows], sign)
    total_gain, risen = _added_up(papers, years, sign, flagged)
    gains = [paper for paper in papers if sign * (paper.proposed - paper.baseline) > 0]
    losses = [paper for paper in papers if sign * (paper.proposed - paper.baseline) <= 0]
    lines = tuple(_lines(years, records, gains, losses, document.measure["decimals"]))
    kinds = {level.kind for level in levels} | ({"gains"} if gains else set()) | ({"losses"} if losses else set())
    return OverYears(
        records=records,
        n_years=len(years),
        n_undated=sum(row.year is None for row in competing),
        n_older=sum(row.year != other.year for row, other in zip(ranked, competing, strict=True)),
        n_flagged=sum(row.id in flagged for rows in years.values() for row in rows),
        n_runs=len(runs),
        n_papers=len(papers),
        total_gain=total_gain,
        risen=risen,
        kinds=frozenset(kinds),
        chart=_chart(years, records, lines, levels, document.measure["decimals"]),
    )


def _chart(
    years: Years, records: Sequence[RowDocument], lines: tuple[Series, ...], levels: Sequence[_Level], decimals: int
) -> Chart:
    first, last = min(years), max(years)
    values = [*(row.value for rows in years.values() for row in rows), *(level.value for level in levels)]
    margin = 0.03 * (max(values) - min(values)) or 1.0
    ticks = tuple((year + 0.5, str(year)) for year in range(first, last + 1))
    x = Axis(label="", low=first, high=last + 1, ticks=ticks)
    y = Axis(label="", low=min(values) - margin, high=max(values) + margin)
    forms = [(_panel(size, records, lines, levels, decimals), x, size) for size in _FORMS]
    return draw_forms(forms, y, name="years", text="The best so far, by year; the numbers stand in the table below")


def _panel(
    size: Size, records: Sequence[RowDocument], lines: tuple[Series, ...], levels: Sequence[_Level], decimals: int
) -> Panel:
    most_named, longest = _FORMS[size]
    notes = (
        Note(text=_said(row, longest, decimals), x=_year(row), y=row.value, looks="note")
        for row in records[-most_named:]
    )
    rules = (Rule(name=level.name if longest else level.short, at=level.value, style="muted") for level in levels)
    return Panel(data="", series=lines, rules=tuple(rules), notes=tuple(notes))


def _said(row: RowDocument, longest: int, decimals: int) -> str:
    """Return a record in words: year, whose, score; the name where there is room."""
    whose = f" {shorten(row.system, longest)}" if longest else ""
    return f"{row.year}{whose} {row.value:.{decimals}f}"


def _lines(
    years: Years, records: Sequence[RowDocument], gains: Sequence[_Paper], losses: Sequence[_Paper], decimals: int
) -> Iterator[Series]:
    """Return every result with a year, papers from baseline to own best, and the best so far."""
    dots = [
        (_within(year, place, len(rows)), row)
        for year, rows in years.items()
        for place, row in enumerate(sorted(rows, key=lambda row: row.id))
    ]
    yield Series(
        name="results", x=tuple(x for x, _ in dots), y=tuple(row.value for _, row in dots), mark="points",
        style="muted", labels=tuple(f"{row.system}: {row.value:.{decimals}f}" for _, row in dots),
    )  # fmt: skip
    if gains:
        yield _spans("papers that gain", gains, is_gain=True)
    if losses:
        yield _spans("papers without a gain", losses, is_gain=False)
    steps = [(_year(row), row.value) for row in records]
    yield series(
        "best so far", [*(x for x, _ in steps), max(years) + 1], [*(y for _, y in steps), steps[-1][1]],
        mark="steps", style="ink",
    )  # fmt: skip


def _within(year: int, place: int, n: int) -> float:
    """Return a place within a year for one of so many."""
    return round(year + 0.1 + 0.8 * (place + 0.5) / n, 3)


def _spans(name: str, papers: Sequence[_Paper], *, is_gain: bool) -> Series:
    by_year: dict[int, list[_Paper]] = defaultdict(list)
    for paper in papers:
        by_year[paper.year].append(paper)
    xs = [_within(year, place, len(some)) for year, some in by_year.items() for place in range(len(some))]
    ends = [(paper.baseline, paper.proposed) for some in by_year.values() for paper in some]
    return Series(
        name=name, x=tuple(xs), y=(None,) * len(xs), low=tuple(low for low, _ in ends),
        high=tuple(high for _, high in ends), mark="spans", style="measured" if is_gain else "muted",
        is_highlighted=is_gain,
    )  # fmt: skip


def _year(row: RowDocument) -> int:
    assert row.year is not None
    return row.year


def _records(years: Years, sign: float, flagged: frozenset[int]) -> tuple[RowDocument, ...]:
    """The results that raised the best, year by year; none that a flag is about."""
    found: list[RowDocument] = []
    for year in sorted(years):
        rows = [row for row in years[year] if row.id not in flagged]
        best = max(rows, key=lambda row: (sign * row.value, -row.id), default=None)
        if best and (not found or sign * (best.value - found[-1].value) > 0):
            found.append(best)
    return tuple(found)


def _papers(rows: Iterable[RowDocument], sign: float) -> list[_Paper]:
    """The papers that have both a baseline and a score of their own, by year."""
    found: dict[int, dict[str, RowDocument]] = defaultdict(dict)
    for row in rows:
        if row.paper_id is not None and row.role in {Result.Role.BASELINE, Result.Role.PROPOSED}:
            known = found[row.paper_id].get(row.role, row)
            found[row.paper_id][row.role] = max(known, row, key=lambda one: sign * one.value)
    both = [(one[Result.Role.BASELINE], one[Result.Role.PROPOSED]) for one in found.values() if len(one) == 2]
    return sorted(
        (_Paper(_year(proposed), baseline.value, proposed.value) for baseline, proposed in both),
        key=lambda one: (one.year, one.baseline, one.proposed),
    )


def _added_up(
    papers: Sequence[_Paper], years: Years, sign: float, flagged: frozenset[int]
) -> tuple[float | None, float | None]:
    """What papers gained over their baselines, all added up, and how far the best on record rose meanwhile."""
    if len(papers) < MIN_PAPERS:
        return None, None
    first, last = papers[0].year, papers[-1].year
    known = {year: [sign * row.value for row in rows if row.id not in flagged] for year, rows in years.items()}
    before = [value for year, values in known.items() if year < first for value in values]
    gained = sum(sign * (one.proposed - one.baseline) for one in papers)
    if not before:
        return gained, None
    since = [value for year, values in known.items() if first <= year <= last for value in values]
    return gained, max([*before, *since]) - max(before)


def _levels(runs: Sequence[float], reruns: Sequence[float], sign: float) -> Iterator[_Level]:
    """Return the lines of original runs, and of the best of ``reruns``, which are on the scale where more is better."""
    if runs:
        median, upper, best = (
            sign * float(value) for value in np.quantile([sign * run for run in runs], [0.5, 0.75, 1])
        )
        yield _Level("median original run", "median run", "runs", median)
        yield _Level("upper quartile", "3rd quarter", "runs", upper)
        yield _Level("best original run", "best run", "runs", best)
    if reruns:
        yield _Level("best run of a toolkit", "toolkit", "toolkit", sign * max(reruns))
