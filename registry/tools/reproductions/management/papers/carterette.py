"""Carterette (2015): the best published result is random."""

from pathlib import Path

from scipy.special import ndtri

from analysis.best import (
    analyse_best,
    analyse_summary,
    confidence_set_for_best,
    corrected_best,
    estimate_winner,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
    scores_maximum_cdf,
    winner_from_means,
)
from analysis.ranks import verified_leader
from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import measure_kind
from registry.tools.reproductions.lines import Line, Part
from registry.tools.reproductions.management.papers.sources import published_rows, unnamed_matrix, values_of
from registry.tools.reproductions.reproduction import Reproduction

_MEAN, _SD = 0.20, 0.027
_SIMULATED = "The paper simulates, from inputs that it prints rounded; here the distribution is exact."


def reproduce_carterette(data: Path) -> Reproduction:
    """Every number of the paper that can be found without its own transcription of the literature."""
    return Reproduction(
        slug="carterette-2015",
        authors="B. Carterette",
        title="The best published result is random: sequential testing and its effect on reported effectiveness",
        venue="SIGIR 2015, 747–750",
        doi="10.1145/2766462.2767812",
        summary="How good the best of N equal systems looks by chance, on TREC-7 and in the literature.",
        methods=("extreme-values", "best-result", "winner", "verified-leader"),
        parts=(_figures_1_and_2(), _from_the_numbers_printed(), _from_the_runs(data), _literature(data), _topics(data)),
    )


def _figures_1_and_2() -> Part:
    largest = maximum_distribution(100, mean=_MEAN, sd=_SD)
    one = maximum_distribution(1, mean=_MEAN, sd=_SD)
    drawn = "The figure draws it and prints no number."
    return Part(
        name="Figures 1 and 2: the best of equal systems",
        data=f"No data: normal distributions with mean {_MEAN:.2f} and standard deviation {_SD}.",
        lines=(
            Line("Mean of the maximum of 100", "0.267", largest.mean(), 4, why="The paper simulates."),
            Line("Its distance from the mean of one system", "34", 100 * (largest.mean() / _MEAN - 1), 1, unit="%"),
            Line(
                "Single systems above 0.267", "0.6", 100 * float(one.sf(0.267)), 2, unit="%", why="The paper simulates."
            ),
            Line(
                "Maxima above the upper end of the 95 % interval, one-sided",
                "99",
                100 * float(largest.sf(_MEAN + _SD * ndtri(0.95))),
                1,
                unit="%",
            ),
            Line(
                "The same, two-sided",
                "99",
                100 * float(largest.sf(_MEAN + _SD * ndtri(0.975))),
                1,
                unit="%",
                why="The paper does not say which end it means; its number is that of the one-sided interval.",
            ),
            Line(
                "Location of the Gumbel distribution that approximates the maximum",
                "0.20",
                gumbel_approximation(100, mean=_MEAN, sd=_SD).location,
                4,
                why="The paper takes the location for the mean of one system; that of a maximum grows with N.",
            ),
            *(
                Line(
                    f"Mean of the maximum of {n:,}",
                    None,
                    maximum_distribution(n, mean=_MEAN, sd=_SD).mean(),
                    4,
                    why=drawn,
                )
                for n in (10, 1000)
            ),
        ),
    )


def _from_the_numbers_printed() -> Part:
    found = analyse_summary(mean=0.2, sd=0.08, best=0.303, n_results=103, n_topics=50)
    worst = minimum_distribution(103, mean=found.adjusted_mean, sd=found.standard_error)
    held = range_probability(found.lower, found.best, 103, mean=found.adjusted_mean, sd=found.standard_error)
    return Part(
        name="Section 3.1 and figure 3: TREC-7, from the numbers printed",
        data="103 results on 50 topics with mean 0.2 and standard deviation 0.08, as the paper rounds them.",
        lines=(
            *_limits(found.chance_upper, found.chance_lower, _SIMULATED),
            Line("Mean that explains the best automatic run, 0.303", "0.2705", found.adjusted_mean, 4, why=_SIMULATED),
            Line("How far below 0.303 that is", "11", 100 * (found.inflation or 0.0), 1, unit="%"),
            Line("20 % point of the minimum around it", "0.2378", float(worst.ppf(0.2)), 4, why=_SIMULATED),
            Line(
                "Probability that all 103 lie between it and 0.303",
                "60",
                100 * held,
                1,
                unit="%",
                why="The paper subtracts 20 % for each end, as if both ends were never passed at once.",
            ),
            Line("How much 0.303 is above the lower end", "27", 100 * (found.best / found.lower - 1), 1, unit="%"),
        ),
    )


def _limits(upper: float, lower: float, why: str) -> tuple[Line, Line]:
    return (
        Line("95 % point of the maximum of 103", "0.2375", upper, 4, why=why),
        Line("5 % point of the minimum of 103", "0.1625", lower, 4, why=why),
    )


def _from_the_runs(data: Path) -> Part:
    rows = published_rows(data, "trec_adhoc.csv", "trec-7-adhoc")
    means = values_of(rows)
    found = analyse_best(means, n_topics=50, contenders=[row["run_type"] == "automatic" for row in rows])
    above, below = int((means > 0.2375).sum()), int((means < 0.1625).sum())
    return Part(
        name="Section 3.1: TREC-7, from the runs",
        data=f"The means of the {len(means)} runs of TREC-7 ad hoc that ship (trec_adhoc.csv), to four digits.",
        lines=(
            Line("Runs", "103", found.n_results, 0),
            Line("Mean of the means", "0.2", found.mean, 4),
            Line("Their standard deviation", "0.08", found.sd, 4),
            *_limits(
                found.chance_upper,
                found.chance_lower,
                "The paper rounds mean and standard deviation first, and simulates.",
            ),
            Line("Runs above 0.2375", "35", above, 0),
            Line("Runs below 0.1625", "34", below, 0),
            Line("Runs between", "34", len(means) - above - below, 0),
            Line(
                "Runs above 0.2375 that are truly better than the mean",
                "33",
                above - 103 * (1 - 0.95 ** (1 / 103)),
                2,
                why="The paper takes 5 % of the 35 for false; at the 95 % point of the maximum, 103 equal systems give"
                " 0.05 false ones together.",
            ),
            Line("Best automatic run", "0.303", found.best, 4),
            Line(
                "Mean that explains it", "0.2705", found.adjusted_mean, 4, why="The best run is 0.3033 before rounding."
            ),
            Line(
                "Automatic runs that might as well have been the best",
                None,
                found.n_plausible,
                0,
                why="The paper does not count them.",
            ),
        ),
    )


def _literature(data: Path) -> Part:
    rows = [row for row in published_rows(data, "robust04_papers.csv", "trec-2004-robust") if row["role"] == "proposed"]
    found = analyse_best(values_of(rows), n_topics=249)
    other = "Another sample of papers: the paper’s transcription of results of 1995 to 2014 does not ship here."
    numbers = (
        ("results", found.n_results, 0),
        ("mean AP", found.mean, 4),
        ("standard deviation", found.sd, 4),
        ("largest AP", found.best, 4),
        ("mean that explains the largest", found.adjusted_mean, 4),
        ("lower end of the range", found.lower, 4),
        ("results at or above the lower end", found.n_plausible, 0),
    )
    return Part(
        name="Tables 2 and 3: the literature",
        data=f"Robust04: the best proposed AP of each of {len(rows)} papers of 2005 to 2019 (robust04_papers.csv)."
        " What the paper prints is of another sample, and is not set beside it.",
        lines=(
            *(Line(f"Robust04: {what}", None, value, digits, why=other) for what, value, digits in numbers),
            Line(
                "WSJ, AP, GOV2, WT10g",
                None,
                None,
                4,
                why="Not recomputed here: needs the results that the author transcribed from papers.",
            ),
        ),
    )


def _topics(data: Path) -> Part:
    """The claim of the abstract against what scores by topic say of the same collection."""
    matrix = unnamed_matrix(data, "trec-7-adhoc__AP")
    kind = measure_kind("AP")
    families = near_copies(matrix).families
    residual = family_weighted_variance(matrix, families)
    corrected = corrected_best(matrix, kind=kind, families=families, residual_variance=residual)
    report = estimate_winner(matrix, rng=1, measure_name="AP")
    best_set = confidence_set_for_best(matrix, rng=1)
    means = matrix.scores.mean(axis=1)
    estimates: list[tuple[str, float | None]] = [
        ("spacings of the scores at the top", corrected.estimate),
        ("James-Stein, from topic scores", report.estimate),
        ("James-Stein, from means", winner_from_means(means, n_topics=50, residual_variance=residual).estimate),
        *((one.method, one.estimate) for one in report.alternatives if one.method in ("bootstrap optimism", "hybrid")),
    ]
    excess = "The paper’s “as much as 20 %” is the widest of its ranges, on GOV2; it is no estimate, and not of TREC-7."
    is_alone = verified_leader(best_set.members, n_topics=best_set.n_topics).is_verified
    equal = scores_maximum_cdf(0.2375, matrix.scores, 1, means=[float(means.mean())] * matrix.n_systems)
    return Part(
        name="“As much as 20 % higher”: TREC-7, from topic scores",
        data="AP of the 103 runs on 50 topics, without their names (trec-7-adhoc__AP.csv). The best is a manual run.",
        lines=(
            *(
                Line(
                    f"Best score above its true level: {name}",
                    None,
                    None if estimate is None else 100 * (report.raw_mean / estimate - 1),
                    1,
                    unit="%",
                    why=excess,
                )
                for name, estimate in estimates
            ),
            Line(
                "Chance that the best of 103 equal runs exceeds 0.2375",
                "5",
                100 * (1 - equal.estimate),
                0,
                unit="%",
                why="The paper’s standard error is that of the means over √50; here errors vary and go together"
                " as topic scores show.",
            ),
            Line(
                "Runs that may be the best (max-t, 95 %)",
                None,
                best_set.n_members,
                0,
                why=f"The paper has no such set; the leader is {'' if is_alone else 'not '}told apart from all others.",
            ),
        ),
    )
