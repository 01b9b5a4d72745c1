"""A leaderboard over the years: whether the best rose beyond luck, and what papers gained over their baselines."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

from analysis.boards import METHODS, PairError, planned_pairs
from analysis.figures import Axis, Note, Panel, Series, series
from analysis.readers.text import shorten
from analysis.trends import LuckyBest, best_against_luck
from registry.core.charts import Chart, draw_forms
from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.core.messages import say
from registry.core.templatetags.formatting import score, signed
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument
from registry.results.models import Result
from registry.results.querysets import year_here

#: Of fewer years nothing is drawn; of fewer papers no gains are added up.
MIN_YEARS, MIN_PAPERS = 3, 3
#: Of fewer results with a year nothing is said of luck.
MIN_DATED = 20
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
    claim: Annotated[str, "Whether it added up, in a sentence."]
    luck: Annotated[
        LuckyBest | None,
        "The best so far, and what luck alone would make of it. None for fewer than twenty results with a year, or "
        "where it is not known how much scores vary.",
    ]
    luck_ends: Annotated[bool, "Whether luck alone could give the best score that the measure has."]
    needed: Annotated[float | None, "From which gain on a record beats the one before, of an average pair."]
    significant: Annotated[frozenset[int], "Records that do, by Holm's rule for all of them."]
    n_elsewhere: Annotated[int, "Results without a year of their own, which stand in that of their paper or model."]
    n_undated: Annotated[int, "Results that compete and have no year."]
    n_older: Annotated[int, "Those with a year before that of the collection, which stand in that."]
    n_flagged: Annotated[int, "Those with a year and a flag."]
    n_papers: Annotated[int, "Papers with a baseline and a score of their own."]
    total_gain: Annotated[
        float | None, "Their gains added up, losses taken off, flagged ones as claimed; None for fewer than three."
    ]
    risen: Annotated[
        float | None,
        "By how much the best without a flag rose from before the first of them to the last; None where nothing "
        "older is known.",
    ]
    kinds: Annotated[frozenset[str], 'What is drawn beside results: "gains", "losses", "luck".']
    n_beyond: Annotated[int, "Results that are much worse than all bests, which the chart leaves out."]
    chart: Chart

    @property
    def headline(self) -> str:
        """Say what papers claim beside how far the best rose; how often it rose where few papers claim anything."""
        gained = self.total_gain
        added = "none" if gained is None else signed(gained, 2) if gained > -0.005 else f"{-gained:.2f}"
        risen = "none" if self.risen is None else f"{self.risen:.2f}" if self.risen > 0 else "no"
        steps = len(self.records) - 1
        n = {0: "one", 1: "two"}.get(steps, "other")
        side = "loss" if gained is not None and gained <= -0.005 else "gain"
        return say("over-years", added=added, side=side, risen=risen, n=n, steps=steps, first=str(self.records[0].year))

    @property
    def steps(self) -> list[tuple[RowDocument, float | None]]:
        """Return the records, each with how far it is from the one before; the first with None."""
        gains = [later.value - earlier.value for earlier, later in pairwise(self.records)]
        return list(zip(self.records, [None, *gains], strict=True))

    @property
    def left_out(self) -> list[tuple[str, int]]:
        """Return what the chart leaves out or places elsewhere: the message of each, and of how many results."""
        counts = {
            "papers": self.n_papers if self.total_gain is not None else 0,
            "elsewhere": self.n_elsewhere,
            "undated": self.n_undated,
            "older": self.n_older,
            "flagged": self.n_flagged,
            "beyond": self.n_beyond,
        }
        return [(f"over-years-{name}", n) for name, n in counts.items() if n]


@dataclass(frozen=True, slots=True)
class _Paper:
    """The best baseline and the best own score of a paper, in the year of the latter."""

    year: int
    baseline: float
    proposed: float


def over_years(document: BoardDocument, elsewhere: Mapping[int, int] | None = None) -> OverYears | None:
    """Return the drawing of all results of a leaderboard; None of those of fewer than three years. None begins before
    the year of the collection. ``elsewhere`` has years of papers and models, for results without their own."""
    sign = 1.0 if document.measure["higher_is_better"] else -1.0
    ranked, first = [row for row in document.results if row.rank is not None], document.collection["year"]
    dated = [row if row.year else replace(row, year=(elsewhere or {}).get(row.id)) for row in ranked]
    placed = [(row, year_here(row.year, first)) for row in dated]
    competing = [row if row.year == year else replace(row, year=year) for row, year in placed]
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
    papers = _papers([row for rows in years.values() for row in rows], sign)
    total_gain, risen = _added_up(papers, years, sign, flagged)
    gains = [paper for paper in papers if sign * (paper.proposed - paper.baseline) > 0]
    losses = [paper for paper in papers if sign * (paper.proposed - paper.baseline) <= 0]
    error = _error(document)
    end = document.measure["high" if sign > 0 else "low"]
    luck = _luck(years, sign, flagged, error, end)
    luck_ends = luck is not None and luck.by_luck[-1] == end
    ends = [*(row.value for row in records), *(luck.by_luck if luck else ())]
    ends += (end for paper in papers for end in (paper.baseline, paper.proposed))
    low, high = min(ends, key=lambda end: sign * end), max(ends, key=lambda end: sign * end)
    # The worst score that is drawn: as far below all of these as they lie apart, or half as bad as the worst.
    worst = low - sign * max(abs(high - low), abs(low) / 4)
    near = {year: [row for row in rows if sign * row.value >= sign * worst] for year, rows in years.items()}
    significant = _significant(records, error)
    lines = tuple(_lines(near, records, gains, losses, luck, significant, document.measure["decimals"]))
    drawn = {"gains": gains, "losses": losses, "luck": luck}
    return OverYears(
        records=records,
        claim=_claim(document, records, luck, luck_ends=luck_ends),
        luck=luck,
        luck_ends=luck_ends,
        needed=error.margin(1 - METHODS.confidence_level) if error else None,
        significant=significant,
        n_elsewhere=sum(row.year != other.year for row, other in zip(ranked, dated, strict=True)),
        n_undated=sum(row.year is None for row in competing),
        n_older=sum(row.year != other.year for row, other in zip(dated, competing, strict=True)),
        n_flagged=sum(row.id in flagged for rows in years.values() for row in rows),
        n_papers=len(papers),
        total_gain=total_gain,
        risen=risen,
        kinds=frozenset(name for name, part in drawn.items() if part),
        n_beyond=sum(map(len, years.values())) - sum(map(len, near.values())),
        chart=_chart(near, records, lines, document.measure["decimals"]),
    )


def _error(document: BoardDocument) -> PairError | None:
    """Return how far chance moves the difference of an average pair, by the verdict; None where it has no set."""
    verdict, n_topics = document.verdict, document.collection["n_topics"]
    if not verdict or not verdict.set or not verdict.evidence.variance_of_set or not n_topics:
        return None
    assert verdict.evidence.degrees_of_freedom is not None
    return PairError(math.sqrt(2 * verdict.evidence.variance_of_set / n_topics), verdict.evidence.degrees_of_freedom)


def _luck(
    years: Years, sign: float, flagged: frozenset[int], error: PairError | None, end: float | None
) -> LuckyBest | None:
    """Return what luck alone would make of the best so far, of results without a flag; at most the measure's end."""
    rows = [(year, row.value) for year, of_year in sorted(years.items()) for row in of_year if row.id not in flagged]
    if error is None or len(rows) < MIN_DATED:
        return None
    times, values = zip(*rows, strict=True)
    chance = {"error": error.value, "degrees_of_freedom": error.degrees_of_freedom}
    level = METHODS.confidence_level
    luck = best_against_luck(times, values, **chance, confidence_level=level, higher_is_better=sign > 0)
    bounds = luck.by_luck if end is None else (sign * min(sign * bound, sign * end) for bound in luck.by_luck)
    return replace(luck, by_luck=tuple(bounds))


def _significant(records: Sequence[RowDocument], error: PairError | None) -> frozenset[int]:
    """Return the records that beat the one before by more than chance explains, each planned, by Holm's rule."""
    if error is None:
        return frozenset()
    gains = [later.value - earlier.value for earlier, later in pairwise(records)]
    pairs = planned_pairs(gains, [error] * len(gains))
    return frozenset(row.id for row, pair in zip(records[1:], pairs, strict=True) if pair.is_told_apart)


def _claim(document: BoardDocument, records: Sequence[RowDocument], luck: LuckyBest | None, *, luck_ends: bool) -> str:
    """Say whether it added up, with collection and measure."""
    decimals = document.measure["decimals"]
    return say(
        "years-claim",
        board=f"{document.collection['name']} ({document.measure['name']})",
        first=score(records[0].value, decimals),
        since=str(records[0].year),
        last=score(records[-1].value, decimals),
        until=str(records[-1].year),
        luck=score(luck.by_luck[-1], decimals) if luck else "",
        outcome="none" if len(records) == 1 else "unknown" if not luck else "ends" if luck_ends else "risen",
    )


def _chart(years: Years, records: Sequence[RowDocument], lines: tuple[Series, ...], decimals: int) -> Chart:
    first, last = min(years), max(years)
    values = [row.value for rows in years.values() for row in rows]
    values += [end for line in lines for end in line.low + line.high if end is not None]
    margin = 0.03 * (max(values) - min(values)) or 1.0
    ticks = tuple((year + 0.5, str(year)) for year in range(first, last + 1))
    x = Axis(label="", low=first, high=last + 1, ticks=ticks)
    y = Axis(label="", low=min(values) - margin, high=max(values) + margin)
    forms = []
    for size, (most_named, longest) in _FORMS.items():
        notes = []
        for row in records[-most_named:]:
            # The name where there is room.
            whose = f" {shorten(row.system, longest)}" if longest else ""
            text = f"{row.year}{whose} {row.value:.{decimals}f}"
            notes.append(Note(text=text, x=_year(row), y=row.value, looks="note"))
        forms.append((Panel(data="", series=lines, notes=tuple(notes)), x, size))
    return draw_forms(forms, y, name="years", text="The record, by year; the numbers stand in the table below")


def _lines(
    years: Years,
    records: Sequence[RowDocument],
    gains: Sequence[_Paper],
    losses: Sequence[_Paper],
    luck: LuckyBest | None,
    significant: frozenset[int],
    decimals: int,
) -> Iterator[Series]:
    """Return every result with a year, papers from baseline to own best, what luck alone gives, and the records."""
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
    if luck:
        # A bound holds for its whole year.
        bounds = list(zip(luck.times, luck.by_luck, strict=True))
        ends = [*(year for year, _ in bounds[1:]), max(years) + 1]
        at = [place for (year, _), end in zip(bounds, ends, strict=True) for place in (year, end)]
        heights = [bound for _, bound in bounds for _ in range(2)]
        yield series(
            "luck alone", at, heights, low=[luck.best[0]] * len(at), high=heights, mark="curve", style="other",
        )  # fmt: skip
    steps = [(_year(row), row.value) for row in records]
    yield series(
        "record", [*(x for x, _ in steps), max(years) + 1], [*(y for _, y in steps), steps[-1][1]],
        mark="steps", style="ink",
    )  # fmt: skip
    for name, part in (
        ("significant records", [row for row in records if row.id in significant]),
        ("other records", [row for row in records if row.id not in significant]),
    ):
        if part:
            yield series(
                name, map(_year, part), [row.value for row in part], mark="points", style="ink",
                is_highlighted=part[0].id in significant,
            )  # fmt: skip


def _within(year: int, place: int, n: int) -> float:
    """Return a place within a year for one of so many."""
    return round(year + 0.1 + 0.8 * (place + 0.5) / n, 3)


def _spans(name: str, papers: Sequence[_Paper], *, is_gain: bool) -> Series:
    by_year: dict[int, list[_Paper]] = defaultdict(list)
    for paper in papers:
        by_year[paper.year].append(paper)
    xs = [_within(year, place, len(of_year)) for year, of_year in by_year.items() for place in range(len(of_year))]
    ends = [(paper.baseline, paper.proposed) for of_year in by_year.values() for paper in of_year]
    return Series(
        name=name, x=tuple(xs), y=(None,) * len(xs), low=tuple(low for low, _ in ends),
        high=tuple(high for _, high in ends), mark="spans", style="measured" if is_gain else "muted",
        is_highlighted=is_gain,
    )  # fmt: skip


def _year(row: RowDocument) -> int:
    assert row.year is not None
    return row.year


def _records(years: Years, sign: float, flagged: frozenset[int]) -> tuple[RowDocument, ...]:
    """Return the results that raised the best, year by year; none that a flag is about."""
    records: list[RowDocument] = []
    for year in sorted(years):
        rows = [row for row in years[year] if row.id not in flagged]
        best = max(rows, key=lambda row: (sign * row.value, -row.id), default=None)
        if best and (not records or sign * (best.value - records[-1].value) > 0):
            records.append(best)
    return tuple(records)


def _papers(rows: Iterable[RowDocument], sign: float) -> list[_Paper]:
    """Return the papers that have both a baseline and a score of their own, by year."""
    baseline, proposed = Result.Role.BASELINE, Result.Role.PROPOSED
    by_paper: dict[int, dict[str, RowDocument]] = defaultdict(dict)
    for row in rows:
        if row.paper_id is not None and row.role in {baseline, proposed}:
            best = by_paper[row.paper_id].get(row.role, row)
            by_paper[row.paper_id][row.role] = max(best, row, key=lambda row: sign * row.value)
    both = [best for best in by_paper.values() if len(best) == 2]
    return sorted(
        (_Paper(_year(best[proposed]), best[baseline].value, best[proposed].value) for best in both),
        key=lambda paper: (paper.year, paper.baseline, paper.proposed),
    )


def _added_up(
    papers: Sequence[_Paper], years: Years, sign: float, flagged: frozenset[int]
) -> tuple[float | None, float | None]:
    """Return what papers gained over their baselines, all added up, and how far the best on record rose meanwhile."""
    if len(papers) < MIN_PAPERS:
        return None, None
    first, last = papers[0].year, papers[-1].year
    known = {year: [sign * row.value for row in rows if row.id not in flagged] for year, rows in years.items()}
    before = [value for year, values in known.items() if year < first for value in values]
    gained = sum(sign * (paper.proposed - paper.baseline) for paper in papers)
    if not before:
        return gained, None
    since = [value for year, values in known.items() if first <= year <= last for value in values]
    return gained, max([*before, *since]) - max(before)
