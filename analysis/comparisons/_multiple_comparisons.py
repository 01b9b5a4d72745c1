"""Many comparisons on the same topics, judged together.

All pairs of systems, or all systems against one baseline. With 100 systems there are 4,950 pairs: at .05 each, some
250 would be "significant" if all systems were equal. Every procedure here says what it holds back, and against what.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis._resampling import TIE_TOLERANCE, RandomSource, as_generator
from analysis._validation import (
    FloatArray,
    IntArray,
    check_choice,
    check_count,
    check_probability,
    check_vector,
)
from analysis.comparisons._comparison_family import (
    ComparisonFamily,
    Pairs,
    check_side,
    family_pairs,
    make_family,
    pair_differences,
)
from analysis.comparisons._difference_tests import (
    TESTS,
    Alternative,
    RowTests,
    TestName,
    bootstrap_weights,
    count_as_extreme,
    n_resampled,
    resampled_pvalues,
    row_moments,
    sign_flip_weights,
    sign_tests,
    t_tests,
    wilcoxon_tests,
)
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix

Correction = Literal["holm", "benjamini-hochberg", "none"]

_CORRECTIONS = ("holm", "benjamini-hochberg", "none")


def adjust_pvalues(pvalues: ArrayLike, method: Correction = "holm", *, n_comparisons: int | None = None) -> FloatArray:
    """Return p-values adjusted for the other comparisons of their family, as `multipletests` of statsmodels does.

    Parameters
    ----------
    pvalues : array_like of float, shape (n,)
        Probabilities, 0 to 1.
    method : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Holm's step-down rule holds for the whole family under any dependence; Benjamini and Hochberg's step-up rule
        for the share of false discoveries.
    n_comparisons : int, optional
        How many were made, where these are some of them, whichever; at least n. Default: n.

    Returns
    -------
    ndarray of float, shape (n,)
        Probabilities, at most 1. Holm: the k-th smallest times the number of those not smaller, made non-decreasing.
        Benjamini-Hochberg: the k-th smallest times their number / k, made non-decreasing from the largest down.
        Comparisons of which no p-value is given count as not smaller than any.

    Raises
    ------
    ArgumentError
        If a value is not a probability, there is none, more are given than were made, or the method is another.

    Notes
    -----
    Benjamini and Hochberg's rule is proven for independent and for positively dependent tests; comparisons that share
    systems are mostly so.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70. Benjamini & Hochberg (1995),
    doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> adjust_pvalues([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust_pvalues([0.01, 0.03], n_comparisons=6).round(3).tolist()
    [0.06, 0.15]
    >>> adjust_pvalues([0.01, 0.04, 0.03], "benjamini-hochberg").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    values = check_vector(pvalues, "pvalues")
    if (values < 0).any() or (values > 1).any():
        raise ArgumentError("pvalues", pvalues, "must lie between 0 and 1")
    check_choice(method, "method", _CORRECTIONS)
    n = values.size if n_comparisons is None else check_count(n_comparisons, "n_comparisons", minimum=values.size)
    if method == "none":
        return values
    order = np.argsort(values, kind="stable")
    places = np.arange(values.size)
    adjusted = np.empty_like(values)
    if method == "holm":
        adjusted[order] = np.maximum.accumulate(values[order] * (n - places))
    else:
        adjusted[order] = np.minimum.accumulate((values[order] * n / (places + 1))[::-1])[::-1]
    return np.minimum(adjusted, 1.0)


def compare_family(
    matrix: ScoreMatrix,
    *,
    test: TestName = "t",
    correction: Correction = "holm",
    baseline: str | None = None,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: RandomSource | None = None,
) -> ComparisonFamily:
    """Return one paired test of all pairs of systems, or of all against a baseline, with adjusted p-values.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics, at least two systems.
    test : {"t", "wilcoxon", "sign", "randomization", "bootstrap-shift"}, default "t"
        As in :func:`compare`, with the defaults of each test.
    correction : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Holm holds the chance of any false significance below 1 - confidence_level; Benjamini-Hochberg the share of
        false ones among the significant, for exploration.
    baseline : str, optional
        Compare all other systems to this one; by default all pairs are compared. A planned comparison to a
        baseline has a family of N - 1 members instead of N (N - 1) / 2, and finds more.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater": the system scores higher than the baseline. One-sided only against a baseline.
    confidence_level : float in (0, 1), default 0.95
        Comparisons with an adjusted p-value of at most 1 - confidence_level are significant.
    n_resamples : int, 1 or more, default 10000
        For the tests that resample. All pairs share the resampled topics.
    rng : numpy.random.Generator or int, optional
        Needed by the tests that resample.

    Returns
    -------
    ComparisonFamily

    Raises
    ------
    ArgumentError
        If an argument is out of range, a one-sided alternative is asked of all pairs, ``rng`` is missing where it is
        needed, or a test can't treat a pair (t and bootstrap: the same difference, not 0, on every topic).

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    Notes
    -----
    Systems that agree on every topic have p = 1. With B resamples no p-value is below 1 / (B + 1): for Holm over
    4,950 pairs to find anything at .05, B must exceed 99,000. Use :func:`step_down_max_t` then.

    References
    ----------
    Carterette (2012), doi:10.1145/2094072.2094076. Boytsov, Belova & Westfall (2013), doi:10.1145/2484028.2484034.
    """
    check_choice(test, "test", TESTS)
    check_choice(correction, "correction", _CORRECTIONS)
    level = check_probability(confidence_level, "confidence_level")
    check_side(alternative, baseline)
    pairs = family_pairs(matrix, baseline)
    n_resamples = check_count(n_resamples, "n_resamples")
    if rng is not None or test in ("randomization", "bootstrap-shift"):
        generator = as_generator(rng)
    if test in ("randomization", "bootstrap-shift"):
        tests = _resampled(matrix, pairs, test, alternative, n_resamples, generator)
    else:
        tests = _computed(matrix, pairs, test, alternative)
    return make_family(
        matrix,
        pairs,
        adjust_pvalues(tests.pvalues, correction),
        level,
        test=test,
        correction=correction,
        alternative=alternative,
        baseline=baseline,
        statistics=tests.statistics,
        pvalues=tests.pvalues,
        n_resamples=_n_resamples(matrix, test, n_resamples),
    )


def _computed(matrix: ScoreMatrix, pairs: Pairs, test: str, alternative: str) -> RowTests:
    """Return tests with a known distribution, on as many pairs at once as memory allows."""
    statistics, pvalues = np.empty(pairs.first.size), np.empty(pairs.first.size)
    for part, differences in pair_differences(matrix.scores, pairs):
        if test == "t":
            rows = t_tests(differences, alternative)
            _refuse_constant(matrix, pairs, part.start + np.flatnonzero(np.isinf(rows.statistics)))
        else:
            rows = (
                wilcoxon_tests(differences, alternative) if test == "wilcoxon" else sign_tests(differences, alternative)
            )
        statistics[part], pvalues[part] = rows.statistics, rows.pvalues
    return RowTests(statistics, pvalues)


def _resampled(
    matrix: ScoreMatrix,
    pairs: Pairs,
    test: str,
    alternative: str,
    n_resamples: int,
    rng: np.random.Generator,
) -> RowTests:
    """Return tests by resampled topics: one product of weights and scores serves all pairs."""
    draw = sign_flip_weights if test == "randomization" else bootstrap_weights
    centred = matrix.scores
    if test == "bootstrap-shift":
        centred = matrix.scores - matrix.means[:, np.newaxis]
        for part, differences in pair_differences(matrix.scores, pairs):
            constant = (row_moments(differences)[1] == 0) & differences.any(axis=1)
            _refuse_constant(matrix, pairs, part.start + np.flatnonzero(constant))
    tolerance = TIE_TOLERANCE * float(np.abs(matrix.scores).max())
    counts = np.zeros(pairs.first.size, dtype=np.int64)
    for weights in draw(matrix.n_topics, n_resamples, rng, matrix.n_systems):
        null = np.ascontiguousarray((weights @ centred.T).T)
        counts += count_as_extreme(null, pairs.first, pairs.second, pairs.estimates, tolerance, alternative)
    enumerable = test == "randomization"
    pvalues = resampled_pvalues(counts, matrix.n_topics, n_resamples, enumerable=enumerable)
    return RowTests(pairs.estimates.copy(), pvalues)


def _refuse_constant(matrix: ScoreMatrix, pairs: Pairs, constant: IntArray) -> None:
    if constant.size:
        first, second = pairs.first[constant[0]], pairs.second[constant[0]]
        raise ArgumentError(
            "matrix",
            (matrix.systems[first], matrix.systems[second]),
            "must not hold systems that differ by the same amount on every topic (try randomization)",
        )


def _n_resamples(matrix: ScoreMatrix, test: str, n_resamples: int) -> int | None:
    if test == "randomization":
        return n_resampled(matrix.n_topics, n_resamples)
    return n_resamples if test == "bootstrap-shift" else None
