"""The study of a matrix of topic scores: every pair by every test, variances, who comes first."""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis.best import (
    WinnerEstimate,
    WinnerReport,
    estimate_winner,
    model_confidence_set,
    probability_of_best,
    scores_maximum_cdf,
)
from analysis.comparisons import (
    ComparisonFamily,
    Correction,
    adjust_pvalues,
    compare_family,
    randomized_tukey_hsd,
    step_down_max_t,
    tukey_hsd,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.ranks import comparisons_with_best, rank_intervals
from analysis.reliability import VarianceComponents, two_way_anova
from analysis.scores import ScoreMatrix

#: Only the best of more systems are compared; these make 4,950 pairs.
MOST_SYSTEMS = 100
SEED = 2012
#: No p-value is below one in the number of resamples, so that a family of pairs takes many times their number.
_LEAST_RESAMPLES, _RESAMPLES_A_PAIR, _RESAMPLES_OF_ALL = 20_000, 200, 10_000

#: The tests of each pair, the default first, and the procedures that judge all pairs at once.
TESTS = ("randomization", "t", "bootstrap-shift", "wilcoxon", "sign")
JOINT = ("max-t", "tukey", "randomized-tukey")
CORRECTIONS = ("holm", "benjamini-hochberg", "none")


@dataclass(frozen=True, slots=True)
class Tested:
    """p-values of all pairs by one procedure."""

    name: Annotated[str, "Of ``TESTS`` or ``JOINT``."]
    pvalues: Annotated[
        tuple[float, ...],
        "Of the pairs, in their order; by a procedure of all pairs they are adjusted for their number. Empty where "
        "the test can't treat a pair.",
    ]
    n_resamples: Annotated[int | None, "Resamples, if any."]
    why_none: Annotated[str, "Why there are none; else blank."]


@dataclass(frozen=True, slots=True)
class RankedBy:
    """A system among all others, by three methods that need scores by topic."""

    low: Annotated[int, "Best rank that the scores allow, of all systems at once with 95% confidence."]
    high: Annotated[int, "The worst one, likewise."]
    may_be_best: Annotated[float, "p-value of the model confidence set: the system is in the 95 % set above 0.05."]
    lead: Annotated[float, "How much better it is than the best of the others; negative if worse."]
    lead_low: Annotated[float, "End of its interval under one variance for all, of all systems at once at 95%."]
    lead_high: Annotated[float, "The other end."]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one method of the literature says about the true mean of the system with the best mean."""

    method: Annotated[str, "Its name."]
    estimate: Annotated[float | None, "In the unit of the measure."]
    low: Annotated[float | None, "Ends of the interval at 95%; None where there is none, or without bound."]
    high: Annotated[float | None, "Ends of the interval at 95%; None where there is none, or without bound."]
    why_none: Annotated[str, "Why one of them is missing; else blank."]


@dataclass(frozen=True, slots=True)
class PairFindings:
    """The findings of topic scores on the systems of a leaderboard."""

    systems: Annotated[tuple[str, ...], "Labels of those that are compared, best first."]
    means: Annotated[tuple[float, ...], "Their means."]
    n_systems: Annotated[int, "Size of the matrix, from which at most the 100 best are compared."]
    n_topics: Annotated[int, "Size of the matrix, from which at most the 100 best are compared."]
    estimates: Annotated[tuple[float, ...], "Mean difference of each pair, first minus second, in order of pairs."]
    tested: Annotated[tuple[Tested, ...], "Their p-values by each procedure."]
    components: Annotated[VarianceComponents, "Of the whole matrix."]
    first_places: Annotated[tuple[float, ...], "How often each of ``systems`` came first when topics were drawn again."]
    ranked: Annotated[
        tuple[RankedBy, ...],
        "What ranks of ``systems`` are worth, among all systems; empty on fewer than 25 topics, where that was not "
        "shown to hold.",
    ]
    opinions: Annotated[tuple[Opinion, ...], "What the best mean is worth by methods of topic scores, each by name."]
    by_chance: Annotated[
        float,
        "Probability that the best of as many systems would reach the best mean, if all had the mean of all as their "
        "true mean and their errors went together as the scores do; never 0.",
    ]

    def by(self, name: str) -> Tested:
        return next(tested for tested in self.tested if tested.name == name)


def study_matrix(matrix: ScoreMatrix, *, measure: str, higher_is_better: bool) -> PairFindings:
    """Return the findings on a matrix, the same whenever scores and measure are the same.

    ``measure`` is written as in ir-measures: for some no interval of the best mean can be trusted. Raises
    ``ArgumentError`` for fewer than two systems.
    """
    order = np.argsort(-matrix.means if higher_is_better else matrix.means, kind="stable")[:MOST_SYSTEMS]
    best = matrix.select([matrix.systems[row] for row in order])
    first, second = np.triu_indices(best.n_systems, 1)
    shares = probability_of_best(matrix, SEED, higher_is_better=higher_is_better).entries
    share_of = {entry.system: entry.probability for entry in shares}
    return PairFindings(
        systems=best.systems, means=tuple(best.means.tolist()), n_systems=matrix.n_systems, n_topics=matrix.n_topics,
        estimates=tuple((best.means[first] - best.means[second]).tolist()),
        tested=tuple(_tested(best, name) for name in (*TESTS, *JOINT)), components=two_way_anova(matrix),
        first_places=tuple(share_of[system] for system in best.systems),
        ranked=_ranked(matrix, best.systems, higher_is_better=higher_is_better),
        opinions=tuple(_opinions(matrix, measure, higher_is_better=higher_is_better)),
        by_chance=_by_chance(matrix, 1.0 if higher_is_better else -1.0),
    )  # fmt: skip


def _by_chance(matrix: ScoreMatrix, sign: float) -> float:
    gains = sign * matrix.scores
    below = scores_maximum_cdf(float(gains.mean(axis=1).max()), gains, SEED, n_resamples=_RESAMPLES_OF_ALL)
    return (1 + (1 - below.estimate) * below.n_resamples) / (1 + below.n_resamples)


def _ranked(matrix: ScoreMatrix, systems: Sequence[str], *, higher_is_better: bool) -> tuple[RankedBy, ...]:
    ranks = rank_intervals(matrix, SEED, simultaneous=True, higher_is_better=higher_is_better)
    if ranks.why_no_badge:
        return ()
    sets = model_confidence_set(matrix, SEED, higher_is_better=higher_is_better)
    leads = comparisons_with_best(matrix, higher_is_better=higher_is_better)
    rows = zip(ranks.entries, sets.entries, leads.entries, strict=True)
    by_system = {
        rank.system: RankedBy(rank.low, rank.high, member.pvalue, lead.lead, lead.interval.low, lead.interval.high)
        for rank, member, lead in rows
    }
    return tuple(by_system[system] for system in systems)


def _opinions(matrix: ScoreMatrix, measure: str, *, higher_is_better: bool) -> Iterator[Opinion]:
    with warnings.catch_warnings():
        # The answer of a method itself says why it has no interval.
        warnings.simplefilter("ignore", DegenerateWarning)
        report = estimate_winner(matrix, SEED, measure_name=measure, higher_is_better=higher_is_better)
    answers: tuple[WinnerReport | WinnerEstimate, ...] = (report, *report.alternatives)
    for answer in answers:
        why = answer.why_no_interval or (answer.why_unbounded if isinstance(answer, WinnerEstimate) else "") or ""
        ends = (answer.interval.low, answer.interval.high) if answer.interval else ()
        low, high = (end if math.isfinite(end) else None for end in ends) if ends else (None, None)
        # Labels of systems are ids of results here.
        yield Opinion(
            answer.method, answer.estimate, low, high, why.replace(f"scores of {answer.system} ", "scores of the best ")
        )


def _tested(matrix: ScoreMatrix, name: str) -> Tested:
    try:
        family = _FAMILIES[name](matrix) if name in _FAMILIES else _each(matrix, name)
    except ArgumentError as error:
        return Tested(name, (), None, f"the {error.argument} {error.reason}")
    pvalues = family.pvalues if name in TESTS else family.adjusted_pvalues
    return Tested(name, tuple(float(f"{value:.5g}") for value in pvalues), family.n_resamples, "")


def _each(matrix: ScoreMatrix, test: str) -> ComparisonFamily:
    n_pairs = matrix.n_systems * (matrix.n_systems - 1) // 2
    n_resamples = max(_LEAST_RESAMPLES, _RESAMPLES_A_PAIR * n_pairs)
    return compare_family(matrix, test=test, correction="none", n_resamples=n_resamples, rng=SEED)  # type: ignore[arg-type]  # one of TESTS


_FAMILIES: dict[str, Callable[[ScoreMatrix], ComparisonFamily]] = {
    "max-t": lambda matrix: step_down_max_t(matrix, SEED, n_resamples=_RESAMPLES_OF_ALL),
    "tukey": tukey_hsd,
    "randomized-tukey": lambda matrix: randomized_tukey_hsd(matrix, SEED, n_resamples=_RESAMPLES_OF_ALL),
}


def adjusted(tested: Tested, correction: str) -> tuple[float, ...]:
    """Return the p-values adjusted for the number of pairs, as those of a procedure of all pairs are already."""
    if not tested.pvalues or tested.name in JOINT or correction == "none":
        return tested.pvalues
    method: Correction = "holm" if correction == "holm" else "benjamini-hochberg"
    return tuple(adjust_pvalues(tested.pvalues, method).tolist())
