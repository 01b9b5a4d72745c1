"""Families of comparisons: their results, and the pairs and checks that every family needs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import chunks
from analysis._validation import FloatArray, IntArray, check_choice, check_label, warn_if_all_agree
from analysis.comparisons._difference_tests import ALTERNATIVES, score_differences
from analysis.errors import ArgumentError
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class PairComparison(Result):
    """One comparison of a family."""

    first: Annotated[str, "The systems compared."]
    second: Annotated[str, "The systems compared."]
    estimate: Annotated[float, "Mean difference, first minus second, in the unit of the measure."]
    statistic: Annotated[float | None, "Statistic of the test; None where it has no meaning from this side."]
    pvalue: Annotated[float, "In (0, 1]: of the comparison by itself, and as a member of the family."]
    adjusted_pvalue: Annotated[float, "In (0, 1]: of the comparison by itself, and as a member of the family."]
    significant: Annotated[bool, "Whether the adjusted p-value is at most 1 - confidence_level."]
    interval: Annotated[Interval | None, "Simultaneous interval of the difference, for Tukey procedures."]


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonFamily(Result):
    """Many comparisons of systems on the same topics, judged together."""

    test: Annotated[str, "The test of each pair, or the procedure that treats all of them at once."]
    correction: Annotated[str, 'How p-values were adjusted: "none", "holm", "benjamini-hochberg", "max-t" or "tukey".']
    alternative: Annotated[str, '"two-sided", "less" or "greater". About first minus second.']
    confidence_level: Annotated[float, "Significant are adjusted p-values of at most 1 - confidence_level."]
    systems: Annotated[tuple[str, ...], "Labels, in the order of the matrix."]
    baseline: Annotated[str | None, "The system that all others were compared to; None for all pairs."]
    n_topics: Annotated[int, "Number of topics."]
    first: Annotated[IntArray, "ndarray of int, shape (n_comparisons,). Positions in ``systems`` of the first."]
    second: Annotated[IntArray, "ndarray of int, shape (n_comparisons,). Positions of the second."]
    estimates: Annotated[
        FloatArray, "Of shape (n_comparisons,). Mean differences, first minus second, in the unit of the measure."
    ]
    statistics: Annotated[
        FloatArray, "Of shape (n_comparisons,). t in standard errors; differences in the unit of the measure."
    ]
    pvalues: Annotated[FloatArray, "Of shape (n_comparisons,). Probabilities in (0, 1], of each by itself."]
    adjusted_pvalues: Annotated[FloatArray, "Of shape (n_comparisons,). Probabilities as members of the family."]
    significant: Annotated[
        NDArray[np.bool_], "ndarray of bool, shape (n_comparisons,). Whether adjusted p-values are small enough."
    ]
    critical_difference: Annotated[
        float | None, "Tukey: smallest significant mean difference, half the width of simultaneous intervals."
    ] = None
    n_resamples: Annotated[
        int | None, "Number of resamples, if any; fewer than asked for where all sign patterns were enumerated."
    ] = None

    @property
    def n_comparisons(self) -> int:
        """Size of the family."""
        return int(self.first.size)

    @property
    def n_significant(self) -> int:
        """Return how many comparisons are significant."""
        return int(self.significant.sum())

    def pair(self, first: str, second: str) -> PairComparison:
        """Return the comparison of two systems; seen from the other side, a two-sided one changes sign.

        Counts of ranks and wins have no sign to change: from the other side, their ``statistic`` is None.

        Parameters
        ----------
        first, second : str
            Labels of two systems.

        Raises
        ------
        ArgumentError
            If the family does not hold it.
        """
        place, other = self._position(first, "first"), self._position(second, "second")
        places = np.flatnonzero((self.first == place) & (self.second == other))
        if places.size:
            return self._comparison(int(places[0]), first, second, 1.0)
        mirrored = np.flatnonzero((self.first == other) & (self.second == place))
        if mirrored.size and self.alternative == "two-sided":
            return self._comparison(int(mirrored[0]), first, second, -1.0)
        raise ArgumentError("second", second, f"must be compared with {first!r} in this family")

    def significantly_below(self, system: str) -> tuple[str, ...]:
        """Return the labels of the systems whose mean score is significantly lower than that of ``system``.

        Parameters
        ----------
        system : str
            Label of a system.

        Raises
        ------
        ArgumentError
            If the family does not hold it.
        """
        position = self._position(system, "system")
        below = self.significant & (
            ((self.first == position) & (self.estimates > 0)) | ((self.second == position) & (self.estimates < 0))
        )
        others = np.where(self.first == position, self.second, self.first)[below]
        return tuple(self.systems[other] for other in np.sort(others))

    def _position(self, system: str, argument: str) -> int:
        return self.systems.index(check_label(system, argument, self.systems))

    def _comparison(self, index: int, first: str, second: str, sign: float) -> PairComparison:
        estimate = sign * float(self.estimates[index])
        interval = None
        if self.critical_difference is not None:
            half = self.critical_difference
            interval = Interval(estimate - half, estimate + half, self.confidence_level)
        counted = self.test in ("wilcoxon", "sign")
        return PairComparison(
            first=first,
            second=second,
            estimate=estimate,
            statistic=None if counted and sign < 0 else sign * float(self.statistics[index]),
            pvalue=float(self.pvalues[index]),
            adjusted_pvalue=float(self.adjusted_pvalues[index]),
            significant=bool(self.significant[index]),
            interval=interval,
        )


@dataclass(frozen=True, slots=True)
class Pairs:
    """The compared systems: positions of both, and their mean differences, each (n_comparisons,)."""

    first: IntArray
    second: IntArray
    estimates: FloatArray


def family_pairs(matrix: ScoreMatrix, baseline: str | None) -> Pairs:
    """Return all pairs of the systems, or every other system against the baseline."""
    check_matrix(matrix)
    warn_if_all_agree(matrix.scores)
    if baseline is None:
        first, second = (positions.astype(np.int64) for positions in np.triu_indices(matrix.n_systems, 1))
    else:
        position = matrix.systems.index(check_label(baseline, "baseline", matrix.systems))
        first = np.delete(np.arange(matrix.n_systems), position)
        second = np.full_like(first, position)
    means = matrix.means
    return Pairs(first, second, score_differences(means[first], means[second]))


def check_side(alternative: str, baseline: str | None) -> None:
    """Refuse unknown alternatives, and one-sided ones where no system of a pair is the one to be beaten."""
    check_choice(alternative, "alternative", ALTERNATIVES)
    if alternative != "two-sided" and baseline is None:
        raise ArgumentError("alternative", alternative, "must be 'two-sided' unless there is a baseline")


def pair_differences(scores: FloatArray, pairs: Pairs) -> Iterator[tuple[slice, FloatArray]]:
    """Yield differences per topic of as many pairs at once as memory allows, with their place in the family."""
    start = 0
    # Ranking needs about ten temporary arrays of the size of the differences.
    for size in chunks(pairs.first.size, 10 * scores.shape[1]):
        part = slice(start, start + size)
        yield part, score_differences(scores[pairs.first[part]], scores[pairs.second[part]])
        start += size


def make_family(
    matrix: ScoreMatrix, pairs: Pairs, adjusted: FloatArray, level: float, **fields: Any
) -> ComparisonFamily:
    """Return a family with what every procedure fills in alike."""
    return ComparisonFamily(
        systems=matrix.systems,
        n_topics=matrix.n_topics,
        first=pairs.first,
        second=pairs.second,
        estimates=pairs.estimates,
        adjusted_pvalues=adjusted,
        significant=adjusted <= 1 - level + 1e-12,
        confidence_level=level,
        **fields,
    )
