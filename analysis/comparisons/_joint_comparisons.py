"""Procedures that judge all comparisons at once, through the distribution of the largest of them."""

import numpy as np

from analysis._resampling import (
    TIE_TOLERANCE,
    RandomSource,
    as_generator,
    chunks,
    monte_carlo_pvalue,
    tail_rank,
)
from analysis._validation import FloatArray, IntArray, check_count, check_probability
from analysis.comparisons._comparison_family import (
    ComparisonFamily,
    Pairs,
    check_side,
    family_pairs,
    make_family,
    pair_differences,
)
from analysis.comparisons._difference_tests import Alternative, n_resampled, resampled_pvalues, sign_flip_weights
from analysis.comparisons._studentized_range import studentized_range_ppf, studentized_range_sf
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix

_PAIRS_AT_ONCE = 64


def step_down_max_t(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    baseline: str | None = None,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
) -> ComparisonFamily:
    """Return randomization tests of all pairs, or against a baseline, adjusted by the step-down maximum of their t.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics, at least two systems.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    baseline : str, optional
        Compare all other systems to this one; by default all pairs are compared.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater": the system scores higher than the baseline. One-sided only against a baseline.
    confidence_level : float in (0, 1), default 0.95
        Comparisons with an adjusted p-value of at most 1 - confidence_level are significant.
    n_resamples : int, 1 or more, default 10000
        Random sign patterns, the same for all pairs; each pattern once where there are no more than that.

    Returns
    -------
    ComparisonFamily
        ``statistics`` are mean differences over the root mean square of the differences, in [-1, 1]: an increasing
        function of t whose denominator sign flips don't change.

    Raises
    ------
    ArgumentError
        If an argument is out of range, or a one-sided alternative is asked of all pairs.

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    Notes
    -----
    Holds the chance of any false significance below 1 - confidence_level, as Holm does, but uses how strongly the
    comparisons hang together: many runs of one group cost little. The most significant pair is judged against the
    largest of all statistics, the next against the largest of the remaining ones, and so on. Assumes that the
    differences of pairs without a true difference are jointly symmetric about 0.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, algorithm 2.8. Boytsov, Belova & Westfall (2013),
    doi:10.1145/2484028.2484034.
    """
    check_side(alternative, baseline)
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    pairs = family_pairs(matrix, baseline)
    sizes = _root_mean_squares(matrix, pairs)
    statistics = np.divide(pairs.estimates, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    single, step_down = np.zeros(sizes.size, dtype=np.int64), np.zeros(sizes.size, dtype=np.int64)
    order = np.argsort(_sided(statistics, alternative), kind="stable")[::-1]
    for weights in sign_flip_weights(matrix.n_topics, n_resamples, generator, matrix.n_systems):
        null = np.ascontiguousarray((weights @ matrix.scores.T).T)
        _count_maxima(null, pairs, sizes, statistics, order, alternative, single, step_down)
    pvalues, adjusted = (
        resampled_pvalues(counts, matrix.n_topics, n_resamples, enumerable=True) for counts in (single, step_down)
    )
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return make_family(
        matrix,
        pairs,
        adjusted,
        level,
        test="randomization",
        correction="max-t",
        alternative=alternative,
        baseline=baseline,
        statistics=statistics,
        pvalues=pvalues,
        n_resamples=n_resampled(matrix.n_topics, n_resamples),
    )


def tukey_hsd(matrix: ScoreMatrix, *, confidence_level: float = 0.95) -> ComparisonFamily:
    """Return Tukey's honestly significant differences of all pairs, with topics as blocks.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics, at least two systems.
    confidence_level : float in (0, 1), default 0.95
        Of the simultaneous intervals, and 1 minus the level of the tests.

    Returns
    -------
    ComparisonFamily
        ``critical_difference`` is the HSD; ``pair()`` gives simultaneous intervals. ``pvalues`` are those of single
        t tests with the pooled variance, ``statistics`` the studentized differences q.

    Raises
    ------
    ArgumentError
        If there are fewer than two systems, or systems differ by the same amount on every topic: no residual is left
        to judge differences by.

    Notes
    -----
    HSD = q sqrt(MSE / n), with the residual mean square of the two-way analysis of variance on (n-1)(k-1) degrees of
    freedom. Assumes that differences of all pairs vary alike over topics (sphericity); runs of one group vary less, so
    their differences are judged too strictly, and others too mildly. ``scipy.stats.tukey_hsd`` treats the scores of
    systems as independent samples, puts the topic differences into the error, and is not for shared topics.

    References
    ----------
    Tukey (1953), The Problem of Multiple Comparisons. Carterette (2012), doi:10.1145/2094072.2094076.
    Tague-Sutcliffe & Blustein (1995), A statistical analysis of the TREC-3 data, NIST SP 500-225.
    """
    level = check_probability(confidence_level, "confidence_level")
    pairs = family_pairs(matrix, None)
    k, n = matrix.n_systems, matrix.n_topics
    df = (k - 1) * (n - 1)
    residuals = matrix.scores - matrix.means[:, np.newaxis] - matrix.scores.mean(axis=0) + matrix.scores.mean()
    error = float(np.sqrt((residuals**2).sum() / df / n))
    if error <= TIE_TOLERANCE * float(np.abs(matrix.scores).max()):
        raise ArgumentError("matrix", matrix.systems, "must hold systems whose differences vary over topics")
    statistics = pairs.estimates / error
    return make_family(
        matrix,
        pairs,
        studentized_range_sf(np.abs(statistics), k, df),
        level,
        test="tukey-hsd",
        correction="tukey",
        alternative="two-sided",
        baseline=None,
        statistics=statistics,
        pvalues=studentized_range_sf(np.abs(statistics), 2, df),
        critical_difference=studentized_range_ppf(level, k, df) * error,
    )


def randomized_tukey_hsd(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
) -> ComparisonFamily:
    """Return the randomized Tukey HSD test of all pairs: how far apart the best and the worst get if systems are
    shuffled.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics, at least two systems.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    confidence_level : float in (0, 1), default 0.95
        Comparisons with an adjusted p-value of at most 1 - confidence_level are significant.
    n_resamples : int, 1 or more, default 10000
        Shuffles of the systems' scores within each topic.

    Returns
    -------
    ComparisonFamily
        ``pvalues`` equal ``adjusted_pvalues``: the procedure has no others. ``critical_difference`` is the range above
        which a difference is significant, None if there are too few resamples for the level.

    Raises
    ------
    ArgumentError
        If there are fewer than two systems or an argument is out of range.

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    Notes
    -----
    Shuffling assumes that *all* systems are equal, so the differences between them count as noise: with unequal
    systems the test is far more conservative than :func:`tukey_hsd`, and its set of runs that can't be told from the
    best 1.6 to 6.8 times the size that the data allow. Prefer :func:`step_down_max_t`.

    References
    ----------
    Carterette (2012), doi:10.1145/2094072.2094076.

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b"], ["1", "2", "3", "4", "5", "6"],
    ...                      [[0.1, 0.2, 0.3, 0.2, 0.4, 0.1], [0.4, 0.5, 0.7, 0.5, 0.6, 0.3]])
    >>> bool(randomized_tukey_hsd(matrix, rng=1).significant[0])
    True
    """
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    pairs = family_pairs(matrix, None)
    ranges = np.sort(_shuffled_ranges(matrix.scores, n_resamples, generator))
    tolerance = TIE_TOLERANCE * float(np.abs(matrix.scores).max())
    n_wider = n_resamples - np.searchsorted(ranges, np.abs(pairs.estimates) - tolerance)
    pvalues = monte_carlo_pvalue(n_wider.astype(np.float64), n_resamples)
    # Significant are the differences that at most (1 - level)(1 + B) - 1 of the ranges reach.
    n_allowed = tail_rank(1 - level, n_resamples) - 1
    return make_family(
        matrix,
        pairs,
        pvalues,
        level,
        test="randomized-tukey-hsd",
        correction="tukey",
        alternative="two-sided",
        baseline=None,
        statistics=pairs.estimates.copy(),
        pvalues=pvalues.copy(),
        critical_difference=float(ranges[-1 - n_allowed]) if n_allowed >= 0 else None,
        n_resamples=n_resamples,
    )


def _root_mean_squares(matrix: ScoreMatrix, pairs: Pairs) -> FloatArray:
    sizes = np.empty(pairs.first.size)
    for part, differences in pair_differences(matrix.scores, pairs):
        sizes[part] = np.sqrt((differences**2).mean(axis=1))
    return sizes


def _sided(statistics: FloatArray, alternative: str) -> FloatArray:
    """Return statistics whose large values speak against the null hypothesis."""
    if alternative == "two-sided":
        return np.abs(statistics)
    return statistics if alternative == "greater" else -statistics


def _count_maxima(
    null: FloatArray,
    pairs: Pairs,
    sizes: FloatArray,
    statistics: FloatArray,
    order: IntArray,
    alternative: str,
    single: IntArray,
    step_down: IntArray,
) -> None:
    """Add to the counts of resamples in which a statistic, and the largest of it and the lesser ones, is as extreme.

    Pairs are taken from the least significant up, so that the running maximum is the successive maximum of
    Westfall & Young; ``null`` is (n_systems, n_resamples).
    """
    running = np.full(null.shape[1], -np.inf)
    rising = order[::-1]
    for start in range(0, rising.size, _PAIRS_AT_ONCE):
        block = rising[start : start + _PAIRS_AT_ONCE]
        drawn = null[pairs.first[block]] - null[pairs.second[block]]
        drawn *= np.divide(1.0, sizes[block], out=np.zeros(block.size), where=sizes[block] > 0)[:, np.newaxis]
        drawn = _sided(drawn, alternative)
        seen = (_sided(statistics[block], alternative) - TIE_TOLERANCE)[:, np.newaxis]
        single[block] += np.count_nonzero(drawn >= seen, axis=1)
        for row in drawn:  # np.maximum.accumulate over this axis is ten times slower
            running = np.maximum(row, running, out=row)
        step_down[block] += np.count_nonzero(drawn >= seen, axis=1)


def _shuffled_ranges(scores: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return largest minus smallest mean after shuffling the systems' scores within each topic, (n_resamples,)."""
    by_topic = scores.T
    ranges = []
    for size in chunks(n_resamples, 2 * scores.size):
        shuffled = rng.permuted(np.broadcast_to(by_topic, (size, *by_topic.shape)), axis=2)
        ranges.append(np.ptp(shuffled.mean(axis=1), axis=1))
    return np.concatenate(ranges)
