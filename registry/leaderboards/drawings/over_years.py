"""A leaderboard over the years: what papers gained over their baselines, and whether that raised the best on record.

Drawn in pixels in three widths, as the plumb line is, so that names stand where they fit.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from analysis.readers.text import shorten
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.leaderboards.drawings.canvas import round_numbers
from registry.results.models import Result
from registry.results.querysets import year_here

#: Of fewer years nothing is drawn.
MIN_YEARS = 3
#: Fewer original runs than this are no field to stand in.
MIN_RUNS = 5
#: Of fewer papers no gains are added up.
MIN_PAPERS = 3
#: Pixels: between lines of text, of a character at most, of the drawing's field, below it.
LINE, CHARACTER = 16.0, 7.2
_FIELD, _BELOW = 260.0, 28.0
_GAP = 8.0
#: Room of the number of a year.
_YEAR = 44.0

Years = dict[int, list[RowDocument]]


@dataclass(frozen=True, slots=True)
class Size:
    """A form of the drawing: its width, room left and right of the field, how many steps are named, and how long."""

    width: float
    left: float
    right: float
    most_named: int
    longest_name: int


WIDE = Size(1120.0, 52.0, 270.0, 9, 24)
MIDDLE = Size(736.0, 48.0, 216.0, 7, 17)
NARROW = Size(358.0, 38.0, 96.0, 5, 0)


@dataclass(frozen=True, slots=True)
class Text:
    """Words at a place: ``x`` is where they begin, "middle" or "end"; ``y`` is their foot."""

    x: float
    y: float
    text: str
    anchor: str = "start"

    @property
    def middle(self) -> float:
        """Where a line stands that it belongs to."""
        return self.y - 4

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Where it reaches at most: left, top, right, bottom."""
        width = CHARACTER * len(self.text)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - LINE + 4, left + width, self.y + 3


@dataclass(frozen=True, slots=True)
class Level:
    """A line across all years with its name."""

    kind: str
    y: float
    name: Text


@dataclass(frozen=True, slots=True)
class Step:
    """A record with its name above the field, and the line from there to where the best rises."""

    x: float
    y: float
    name: Text


@dataclass(frozen=True, slots=True)
class YearsDrawing:
    """One form of the drawing; dots, papers from baseline to own best, and the best so far are paths."""

    width: float
    height: float
    left: float
    right: float
    dots: str
    gains: str
    losses: str
    best: str
    steps: tuple[Step, ...]
    levels: tuple[Level, ...]
    x_ticks: tuple[Text, ...]
    y_ticks: tuple[Text, ...]

    @property
    def texts(self) -> list[Text]:
        """All words in it."""
        steps, levels = [one.name for one in self.steps], [one.name for one in self.levels]
        return [*steps, *levels, *self.x_ticks, *self.y_ticks]


@dataclass(frozen=True, slots=True)
class OverYears:
    """The results that raised the best on record, what papers claim beside it, and the drawing in each width."""

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
    drawings: tuple[YearsDrawing, ...]

    @property
    def levels(self) -> set[str]:
        """The kinds of the lines across."""
        return {level.kind for level in self.drawings[0].levels}


@dataclass(frozen=True, slots=True)
class _Paper:
    """The best baseline and the best own score of a paper, in the year of the latter."""

    year: int
    baseline: float
    proposed: float


def over_years(document: BoardDocument) -> OverYears | None:
    """The drawing of all results of a leaderboard; None of those of fewer than three years. None begins before the
    year of the collection."""
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
    levels = _levels(runs if len(runs) >= MIN_RUNS else [], reruns, sign)
    papers = _papers([row for rows in years.values() for row in rows], sign)
    total_gain, risen = _added_up(papers, years, sign, flagged)
    decimals = document.measure["decimals"]
    return OverYears(
        records=records,
        n_years=len(years),
        n_undated=sum(row.year is None for row in competing),
        n_older=sum(one.year != other.year for one, other in zip(ranked, competing, strict=True)),
        n_flagged=sum(row.id in flagged for rows in years.values() for row in rows),
        n_runs=len(runs),
        n_papers=len(papers),
        total_gain=total_gain,
        risen=risen,
        drawings=tuple(_draw(size, years, records, papers, levels, sign, decimals) for size in (WIDE, MIDDLE, NARROW)),
    )


def _draw(
    size: Size,
    years: Years,
    records: Sequence[RowDocument],
    papers: Sequence[_Paper],
    named: Sequence[tuple[str, str, str, float]],
    sign: float,
    decimals: int,
) -> YearsDrawing:
    values = [*(row.value for rows in years.values() for row in rows), *(value for *_, value in named)]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 1.0
    low, high = low - margin, high + margin
    first, last = min(years), max(years)
    end = size.width - size.right
    wide = (end - size.left) / (last - first + 1)
    named_steps = records[-size.most_named :]
    said = [_said(row, size, decimals) for row in named_steps]
    rows = _rows([size.left + (_year(row) - first) * wide for row in named_steps], said)
    top = LINE * (max(rows) + 1) + _GAP

    def across(year: int, share: float = 0.0) -> float:
        return round(size.left + (year - first + share) * wide, 1)

    def down(value: float) -> float:
        return round(top + _FIELD * (high - value) / (high - low), 1)

    every = math.ceil(_YEAR / wide)
    return YearsDrawing(
        width=size.width,
        height=top + _FIELD + _BELOW,
        left=size.left,
        right=end,
        dots=_dots(years, across, down),
        gains=_arrows([one for one in papers if sign * (one.proposed - one.baseline) > 0], across, down),
        losses=_arrows([one for one in papers if sign * (one.proposed - one.baseline) <= 0], across, down),
        best=f"M{across(first)} {down(records[0].value)}"
        + "".join(f"H{across(_year(row))}V{down(row.value)}" for row in records[1:])
        + f"H{end:g}",
        steps=tuple(
            Step(across(_year(row)), down(row.value), Text(across(_year(row)) + 3, top - _GAP - LINE * place, text))
            for row, text, place in zip(named_steps, said, rows, strict=True)
        ),
        levels=_placed(named, size, end, down, top),
        x_ticks=tuple(
            Text(across(year, 0.5), top + _FIELD + 20, str(year), "middle") for year in range(first, last + 1, every)
        ),
        y_ticks=tuple(
            Text(size.left - 6, down(value) + 4, f"{value:g}", "end") for value in round_numbers(low, high, 5)
        ),
    )


def _rows(xs: Sequence[float], texts: Sequence[str]) -> list[int]:
    """How many lines above the field each name stands, so that neither names nor the lines to them meet.

    A name reaches to the right of its own line: it stands above all later ones whose line it would meet.
    """
    found: list[int] = [0] * len(xs)
    for place in reversed(range(len(xs))):
        reach = xs[place] + CHARACTER * len(texts[place]) + _GAP
        found[place] = 1 + max((found[later] for later in range(place + 1, len(xs)) if xs[later] < reach), default=-1)
    return found


def _said(row: RowDocument, size: Size, decimals: int) -> str:
    """A record in words: year, whose, score; the name where there is room."""
    whose = f" {shorten(row.system, size.longest_name)}" if size.longest_name else ""
    return f"{row.year}{whose} {row.value:.{decimals}f}"


def _dots(years: Years, across: Callable[[int, float], float], down: Callable[[float], float]) -> str:
    """Every result with a year, in the order in which they were recorded."""
    return "".join(
        f"M{across(year, 0.1 + 0.8 * (place + 0.5) / len(rows)):.0f} {down(row.value):.0f}h0"
        for year, rows in years.items()
        for place, row in enumerate(sorted(rows, key=lambda one: one.id))
    )


def _arrows(papers: Sequence[_Paper], across: Callable[[int, float], float], down: Callable[[float], float]) -> str:
    """A line for each paper, those of one year beside each other."""
    by_year: dict[int, list[_Paper]] = defaultdict(list)
    for paper in papers:
        by_year[paper.year].append(paper)
    return "".join(
        f"M{across(year, 0.1 + 0.8 * (place + 0.5) / len(some))} {down(one.baseline)}V{down(one.proposed)}"
        for year, some in by_year.items()
        for place, one in enumerate(some)
    )


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


def _levels(runs: Sequence[float], reruns: Sequence[float], sign: float) -> list[tuple[str, str, str, float]]:
    """Name, the same in short, kind and score of each line; ``reruns`` are on the scale on which more is better."""
    found = []
    if runs:
        quantiles = np.quantile([sign * run for run in runs], [0.5, 0.75, 1.0])
        names = (
            ("median original run", "median run"),
            ("upper quartile", "3rd quarter"),
            ("best original run", "best run"),
        )
        found = [(*name, "runs", sign * float(value)) for name, value in zip(names, quantiles, strict=True)]
    if reruns:
        found.append(("best run of a toolkit", "toolkit", "toolkit", sign * max(reruns)))
    return found


def _placed(
    levels: Sequence[tuple[str, str, str, float]], size: Size, end: float, down: Callable[[float], float], top: float
) -> tuple[Level, ...]:
    """The lines, highest first, their names right of the field, below each other where they would overlap."""
    rows = sorted(((down(value), full, short, kind) for full, short, kind, value in levels), key=lambda one: one[0])
    feet: list[float] = []
    for y, *_ in rows:
        feet.append(max(y + 4, feet[-1] + LINE) if feet else max(y + 4, top + 4))
    for place in reversed(range(len(feet))):
        lowest = top + _FIELD if place == len(feet) - 1 else feet[place + 1] - LINE
        feet[place] = min(feet[place], lowest)
    return tuple(
        Level(kind, y, Text(end + 6, round(foot, 1), full if size.longest_name else short))
        for (y, full, short, kind), foot in zip(rows, feet, strict=True)
    )
