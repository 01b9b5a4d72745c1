"""The shapes of one document: results of a collection over the years, and the baselines of its papers."""

from dataclasses import dataclass
from typing import Annotated

from analysis.trends import LuckyBest


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperAgainst:
    """The best baseline and the best proposed score of a paper."""

    paper: int
    name: str
    url: str
    year: int
    baseline: float
    proposed: float
    baseline_system: str
    gain: Annotated[
        float,
        "How far the proposed score is beyond the baseline; positive is better whatever the direction of the measure.",
    ]
    is_beyond: Annotated[
        bool | None,
        "Whether means tell the two apart, each of the paper's own scores being one comparison; None where that "
        "can't be known.",
    ]
    known: Annotated[
        float | None, "The best score on record of earlier years, by any source; None where there is none."
    ]
    known_year: int | None
    shortfall: Annotated[float | None, "How far the baseline falls short of it; negative where it is beyond."]
    percentile: Annotated[
        float | None, "Of the baseline among the original runs; None where fewer than five are recorded."
    ]
    proposed_percentile: Annotated[float | None, "The same of the proposed score."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongRuns:
    """The papers among the runs that were submitted when the collection was made."""

    n_runs: Annotated[int, "Original runs."]
    median: Annotated[float, "Of their scores."]
    upper_quartile: Annotated[float, "The better one, whatever the direction of the measure."]
    best: Annotated[float, "Of their scores."]
    median_baseline: Annotated[float, "Medians of the papers' percentiles among them."]
    median_proposed: Annotated[float, "Medians of the papers' percentiles among them."]
    n_above_best: Annotated[int, "Papers whose proposed score is better than every original run."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongImplementations:
    """The papers among the reference implementations: what toolkits score without anybody's tuning for a paper."""

    n: int
    median: Annotated[float, "Of their scores."]
    best: Annotated[float, "Of their scores."]
    n_baselines_below: Annotated[int, "Papers whose baseline is worse than the best of them."]
    n_proposed_below: Annotated[int, "Papers whose own best score is."]


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
    by_team: Annotated[Slope | None, "The same, with whole teams resampled; None for fewer than ten teams."]
    frontier: Annotated[
        Slope | None,
        "Of the quantile 0.9, the better end, with whole teams resampled; None for fewer than twenty papers or ten "
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


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardBaselines:
    """The baselines of papers on one leaderboard."""

    measure: str
    decimals: int
    url: str
    papers: Annotated[tuple[PaperAgainst, ...], "By year."]
    n_known: Annotated[int, "Papers before whose year something is recorded."]
    n_reaching: Annotated[int, "Those of them whose baseline reaches the best of it, as ``shortfall`` has it."]
    n_weak: Annotated[
        int | None, "Papers whose baseline most of the original runs beat; None where too few runs are recorded."
    ]
    n_beyond: Annotated[
        int | None,
        "Papers whose gain means tell from chance, each paper judged by itself; None where that can't be known.",
    ]
    total_gain: Annotated[float, "All gains added up, those below 0 as well, and those of flagged scores."]
    n_losses: Annotated[int, "Papers whose own best score is worse than their baseline: their gain is below 0."]
    first_known: Annotated[float | None, "The best recorded of years before the first paper; None where nothing is."]
    last_best: Annotated[float, "The best up to the last paper's year, of scores without a flag where there are any."]
    risen: Annotated[float | None, "By how much the best has risen in between; None where nothing older is recorded."]
    among_runs: Annotated[AmongRuns | None, "None where fewer than five original runs are recorded."]
    among_implementations: Annotated[AmongImplementations | None, "None where no reference implementation is recorded."]
    over_years: Annotated[
        OverYears | None, "None for fewer than four papers, or where all are of one year or have one score."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A result that raised the best."""

    result: int
    system: str
    value: float
    year: int
    is_beyond: Annotated[
        bool | None, "Whether it beats the best before by more than chance explains; None where that can't be known."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProgress:
    """Results of a leaderboard over the years, against luck."""

    measure: str
    url: str
    claim: Annotated[str, "In a sentence."]
    n_dated: Annotated[int, "Results that compete and have a year."]
    n_elsewhere: Annotated[int, "Those of them in the year of their paper or model, as nobody knows their own."]
    steps: Annotated[tuple[Step, ...], "The best of the first year, and each that raised it."]
    luck: Annotated[
        LuckyBest | None,
        "The best so far by year, and what luck alone stays within; None where it is not known how much scores vary.",
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselinesDocument:
    """Whether results on a collection added up, and what its papers compared with."""

    collection: str
    name: str
    url: str
    progress: Annotated[
        tuple[BoardProgress, ...],
        "Of leaderboards with twenty results or more of three years or more; those of most results first.",
    ]
    boards: Annotated[
        tuple[BoardBaselines, ...],
        "Of three papers or more with a baseline, a proposed score and a year; those of most papers first.",
    ]
    n_waiting: Annotated[int, "Other leaderboards with as many papers, not analysed yet."]
