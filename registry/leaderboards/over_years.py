"""A leaderboard over the years: what papers gained over their baselines, and whether that raised the best on record."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from typing_extensions import Doc

from registry.leaderboards.documents import BoardDocument, RowDocument
from registry.leaderboards.drawings import HEIGHT, LEFT_PERCENT, SPAN_PERCENT, TOP, WIDTH, Tick, round_numbers
from registry.results.models import Result

#: Of fewer years nothing is drawn.
MIN_YEARS = 3
#: Fewer original runs than this are no field to stand in.
MIN_RUNS = 5
#: Pixels between two lines of text.
_LINE = 13.0
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Level:
    """A line across all years with its name, whose foot stands at ``text`` pixels from the top of the drawing."""

    name: str
    kind: str
    y: float
    text: float


@dataclass(frozen=True, slots=True)
class OverYears:
    """Everything that is drawn, in the units of the inner picture, and the results that raised the best on record."""

    records: Annotated[
        tuple[RowDocument, ...],
        Doc(
            "The best of the first year, then every best of a year that is better than all of earlier ones; none with a"
            " flag."
        ),
    ]
    n_years: Annotated[
        int,
        Doc(
            "Years with results, results that compete and have no year, those with a year and a flag, original runs, "
            "papers with a baseline and a score of their own."
        ),
    ]
    n_undated: Annotated[
        int,
        Doc(
            "Years with results, results that compete and have no year, those with a year and a flag, original runs, "
            "papers with a baseline and a score of their own."
        ),
    ]
    n_flagged: Annotated[
        int,
        Doc(
            "Years with results, results that compete and have no year, those with a year and a flag, original runs, "
            "papers with a baseline and a score of their own."
        ),
    ]
    n_runs: Annotated[
        int,
        Doc(
            "Years with results, results that compete and have no year, those with a year and a flag, original runs, "
            "papers with a baseline and a score of their own."
        ),
    ]
    n_papers: Annotated[
        int,
        Doc(
            "Years with results, results that compete and have no year, those with a year and a flag, original runs, "
            "papers with a baseline and a score of their own."
        ),
    ]
    dots: Annotated[str, Doc("Paths: every result with a year; papers from baseline to own best; the best so far.")]
    gains: Annotated[str, Doc("Paths: every result with a year; papers from baseline to own best; the best so far.")]
    losses: Annotated[str, Doc("Paths: every result with a year; papers from baseline to own best; the best so far.")]
    best: Annotated[str, Doc("Paths: every result with a year; papers from baseline to own best; the best so far.")]
    levels: Annotated[tuple[Level, ...], Doc("The original runs, and the best of toolkits' own runs.")]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def over_years(document: BoardDocument) -> OverYears | None:
    """The drawing of all results of a leaderboard; None of those of fewer than three years."""
    sign = 1.0 if document.measure["higher_is_better"] else -1.0
    competing = [row for row in document.results if row.rank is not None]
    years: dict[int, list[RowDocument]] = defaultdict(list)
    for row in competing:
        if row.year is not None:
            years[row.year].append(row)
    if len(years) < MIN_YEARS:
        return None
    runs = [row.value for row in competing if row.role == Result.Role.TREC_RUN]
    reruns = [sign * row.value for row in competing if row.role == Result.Role.REFERENCE_IMPLEMENTATION]
    named = _levels(runs if len(runs) >= MIN_RUNS else [], reruns, sign)
    values = [*(row.value for rows in years.values() for row in rows), *(value for _, _, value in named)]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 1.0
    low, high = low - margin, high + margin
    first, last = min(years), max(years)
    wide = WIDTH / (last - first + 1)

    def down(value: float) -> float:
        return round(HEIGHT * (high - value) / (high - low), 1)

    dots: list[str] = []
    gains: list[str] = []
    losses: list[str] = []
    n_papers = 0
    for year, rows in years.items():
        start = (year - first) * wide
        for place, row in enumerate(sorted(rows, key=lambda one: one.id)):
            dots.append(f"M{start + wide * (0.1 + 0.8 * (place + 0.5) / len(rows)):.1f} {down(row.value)}h0")
        papers = _papers(rows, sign)
        n_papers += len(papers)
        for place, (baseline, proposed) in enumerate(papers):
            x = start + wide * (0.1 + 0.8 * (place + 0.5) / len(papers))
            (gains if sign * (proposed - baseline) > 0 else losses).append(
                f"M{x:.1f} {down(baseline)}V{down(proposed)}"
            )
    flagged = document.verdict.flagged if document.verdict else frozenset()
    records = _records(years, sign, flagged)
    if not records:
        return None
    steps = [f"M{(_year(records[0]) - first) * wide:.1f} {down(records[0].value)}"]
    steps += [f"H{(_year(row) - first) * wide:.1f}V{down(row.value)}" for row in records[1:]]
    every = -(-(last - first + 1) // _MOST_TICKS)
    return OverYears(
        records=records,
        n_years=len(years),
        n_undated=sum(row.year is None for row in competing),
        n_flagged=sum(row.id in flagged for rows in years.values() for row in rows),
        n_runs=len(runs),
        n_papers=n_papers,
        dots="".join(dots),
        gains="".join(gains),
        losses="".join(losses),
        best="".join([*steps, f"H{WIDTH:.0f}"]),
        levels=_placed((name, kind, down(value)) for name, kind, value in named),
        x_ticks=tuple(
            Tick(round(LEFT_PERCENT + SPAN_PERCENT * (year - first + 0.5) * wide / WIDTH, 2), str(year))
            for year in range(first, last + 1, every)
        ),
        y_ticks=tuple(Tick(TOP + down(value), f"{value:g}") for value in round_numbers(low, high, 5)),
    )


def _year(row: RowDocument) -> int:
    assert row.year is not None
    return row.year


def _records(years: dict[int, list[RowDocument]], sign: float, flagged: frozenset[int]) -> tuple[RowDocument, ...]:
    """The results that raised the best, year by year; none that a flag is about."""
    found: list[RowDocument] = []
    for year in sorted(years):
        rows = [row for row in years[year] if row.id not in flagged]
        best = max(rows, key=lambda row: (sign * row.value, -row.id), default=None)
        if best and (not found or sign * (best.value - found[-1].value) > 0):
            found.append(best)
    return tuple(found)


def _papers(rows: Iterable[RowDocument], sign: float) -> list[tuple[float, float]]:
    """The best baseline and the best own score of each paper that has both among these rows of one year."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.paper_id is not None and row.role in {Result.Role.BASELINE, Result.Role.PROPOSED}:
            known = found[row.paper_id].get(row.role, row.value)
            found[row.paper_id][row.role] = max(known, row.value, key=lambda value: sign * value)
    both = [one for one in found.values() if len(one) == 2]
    return sorted((one[Result.Role.BASELINE], one[Result.Role.PROPOSED]) for one in both)


def _levels(runs: Sequence[float], reruns: Sequence[float], sign: float) -> list[tuple[str, str, float]]:
    """Name, kind and score of each line; ``reruns`` are on the scale on which more is better."""
    found = []
    if runs:
        quantiles = np.quantile([sign * run for run in runs], [0.5, 0.75, 1.0])
        names = ("median original run", "upper quartile", "best original run")
        found = [(name, "runs", sign * float(value)) for name, value in zip(names, quantiles, strict=True)]
    if reruns:
        found.append(("best run of a toolkit", "toolkit", sign * max(reruns)))
    return found


def _placed(levels: Iterable[tuple[str, str, float]]) -> tuple[Level, ...]:
    """The lines, highest first, their names below each other where they would overlap."""
    placed: list[Level] = []
    for name, kind, y in sorted(levels, key=lambda one: one[2]):
        text = TOP + y + _LINE - 1
        if placed:
            text = max(text, placed[-1].text + _LINE)
        placed.append(Level(name, kind, y, round(text, 1)))
    return tuple(placed)
