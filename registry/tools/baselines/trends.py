"""Whether the scores of papers get better over the years."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from analysis.boards import METHODS
from analysis.errors import ArgumentError
from analysis.results import Interval
from analysis.trends import clustered_trend, records_test, trend_over_time

#: Fewer papers have no slope of their upper end.
_MIN_FRONTIER = 20
_MIN_TEAMS = 10
_YEARS = 10.0
#: Drawn while a reader waits: a few tenths of a second for a hundred papers.
_N_RESAMPLES = 199


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """A change by ten years, positive where scores get better; ``low`` and ``high`` end its 95 % interval."""

    change: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverYears:
    """Whether the papers' own scores get better over the years."""

    tau: Annotated[float, "Kendall's tau-b of score and year, positive where later is better."]
    pvalue: Annotated[float, "Of the Mann-Kendall test."]
    median: Annotated[Slope, "Theil & Sen's, with an interval that takes every paper as independent."]
    by_team: Annotated[Slope | None, "The same, with whole teams resampled; None of fewer than ten teams."]
    frontier: Annotated[
        Slope | None,
        "Of the quantile 0.9, the better end, with whole teams resampled; None of fewer than twenty papers or ten "
        "teams.",
    ]
    n_teams: Annotated[int, "Teams; a paper without one counts as one."]
    n_records: Annotated[
        int, "Scores above those of all earlier papers, the first included, as papers of a year are listed."
    ]
    fewest_records: Annotated[int, "In the order within years that has the fewest."]
    most_records: Annotated[int, "In the one that has the most."]
    expected_records: Annotated[float, "Mean of their number in a random order."]
    sd_records: Annotated[float, "Its standard deviation."]
    pvalue_records: Annotated[float, "Probability of as many or more in a random order."]
    pvalue_fewest_records: Annotated[float, "The same of the fewest."]
    pvalue_most_records: Annotated[float, "The same of the most."]


def over_years(years: Sequence[int], gains: Sequence[float], teams: Sequence[str]) -> OverYears | None:
    """Return what the scores of papers do; ``gains`` are the better the higher. None where nothing can be said."""
    try:
        trend = trend_over_time(years, gains)
    except ArgumentError:  # Fewer than four papers, one year, or one score.
        return None
    records = records_test(years, gains)
    # Within a year the best first gives the fewest, the worst first the most.
    fewest, most = (
        records_test(*zip(*sorted(zip(years, gains, strict=True), key=lambda one: (one[0], way * one[1])), strict=True))
        for way in (-1, 1)
    )
    by_team, frontier = _by_team(years, gains, teams)
    return OverYears(
        tau=trend.tau,
        pvalue=trend.pvalue,
        median=_slope(trend.slope, trend.interval),
        by_team=by_team,
        frontier=frontier,
        n_teams=len(set(teams)),
        n_records=records.n_records,
        fewest_records=records.fewest,
        most_records=records.most,
        expected_records=records.expected,
        sd_records=records.standard_deviation,
        pvalue_records=records.pvalue_more,
        pvalue_fewest_records=fewest.pvalue_more,
        pvalue_most_records=most.pvalue_more,
    )


def _by_team(years: Sequence[int], gains: Sequence[float], teams: Sequence[str]) -> tuple[Slope | None, Slope | None]:
    """The slopes with intervals from resampled teams: of the middle, and of the better end."""
    if len(set(teams)) < _MIN_TEAMS:
        return None, None
    quantile = 0.9 if len(gains) >= _MIN_FRONTIER else None
    found = clustered_trend(years, gains, teams, METHODS.seed, quantile=quantile, n_resamples=_N_RESAMPLES)
    frontier = None
    if found.frontier_slope is not None and found.frontier_interval is not None:
        frontier = _slope(found.frontier_slope, found.frontier_interval)
    return _slope(found.slope, found.slope_interval), frontier


def _slope(slope: float, interval: Interval) -> Slope:
    return Slope(change=_YEARS * slope, low=_YEARS * interval.low, high=_YEARS * interval.high)
