"""Is the difference between two systems on the same topics more than chance?

Two score vectors in, a frozen result out. The t test is the default for statements about mean scores, the
randomization test its check; Wilcoxon's and the sign test answer other questions and are labelled so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from analysis._validation import FloatArray, check_choice, check_label, check_positive, warn
from analysis.comparisons._difference_tests import Alternative, TestName, row_moments, t_tests
from analysis.comparisons._equivalence import EquivalenceOfDifference, one_sided_level, two_one_sided_tests
from analysis.comparisons._paired_resampling import bootstrap_shift_test, randomization_test
from analysis.comparisons._paired_results import (
    ABOUT_MEAN,
    PairedTest,
    checked_differences,
    paired_result,
    refuse_constant,
    vector_differences,
)
from analysis.comparisons._superiority_tests import sign_test, wilcoxon_test
from analysis.errors import ArgumentError
from analysis.results import Interval
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix, independent_columns


@dataclass(frozen=True, slots=True)
class EquivalenceTest(EquivalenceOfDifference):
    """Two one-sided t tests of whether a mean difference lies within a margin declared in advance."""

    n_topics: Annotated[int, "Number of topics."]


def ttest_rel(
    first: ArrayLike,
    second: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    topic_groups: Sequence[str] | None = None,
) -> PairedTest:
    """Return the paired t test of the mean difference, with its interval and effect size.

    Parameters
    ----------
    first, second : array_like of float, shape (n_topics,)
        Scores of two systems on the same topics in the same order, in the unit of the measure; at least two topics.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater" asks whether the first system scores higher; about scores, so for a measure where lower is better
        that is the worse system.
    confidence_level : float in (0, 1), default 0.95
        Of the interval.
    topic_groups : sequence of str, optional
        The group of each topic, where topics come in groups (turns of a conversation, wordings of one need): groups
        are then what is independent. At least two different ones.

    Returns
    -------
    PairedTest

    Raises
    ------
    ArgumentError
        If the vectors differ in length or hold anything but finite numbers, or the difference is the same, not 0,
        on every topic, or in every group: there is no variation to judge it by.

    Warns
    -----
    DegenerateWarning
        If the systems agree on every topic; the p-value is then 1.

    Notes
    -----
    With groups the standard error is the cluster-robust one, sqrt(G / (G - 1) sum_c (sum_{t in c} e_t)²) / n, e the
    differences less their mean, on n² / sum n_c² - 1 degrees of freedom, n_c the topics of a group.
    Assumes topics (or groups) sampled independently from those that the statement is about, and enough of them that the
    mean difference is near normal: at 50 topics the actual error at .05 is .051 (Urbano, Lima & Hanjalic 2019).
    Ties are no problem. Topics that one system lacks must be dealt with before (see :class:`ScoreMatrix`).

    References
    ----------
    Student (1908), doi:10.1093/biomet/6.1.1. Sanderson & Zobel (2005), doi:10.1145/1076034.1076064.
    Urbano, Lima & Hanjalic (2019), doi:10.1145/3331184.3331259.

    Examples
    --------
    The extra hours of sleep of Student (1908), as in R's ``t.test``:

    >>> first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    >>> second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    >>> result = ttest_rel(first, second)
    >>> round(result.statistic, 4), round(result.pvalue, 6)
    (-4.0621, 0.002833)
    >>> round(result.interval.low, 7), round(result.interval.high, 7)
    (-2.4598858, -0.7001142)
    """
    differences, confidence_level = checked_differences(first, second, alternative, confidence_level)
    refuse_constant(differences)
    columns, df = differences, differences.size - 1.0
    if topic_groups is not None:
        _, grouped, n_independent = independent_columns(differences[np.newaxis], topic_groups)
        columns, df = grouped[0], n_independent - 1.0
        refuse_constant(columns)
    row = t_tests(columns[np.newaxis], alternative, df)
    mean, error = _mean_and_error(columns)
    half = float(-stdtrit(df, (1 - confidence_level) / 2)) * error
    constant = half == 0
    return paired_result(
        differences,
        test="t",
        null_hypothesis=ABOUT_MEAN,
        alternative=alternative,
        method=f"Student's t with {df:.{0 if df.is_integer() else 1}f} degrees of freedom",
        statistic=float(row.statistics[0]),
        pvalue=float(row.pvalues[0]),
        interval=None if constant else Interval(mean - half, mean + half, confidence_level),
        why_no_interval="the systems agree on every topic" if constant else None,
    )


def equivalence_test(
    first: ArrayLike, second: ArrayLike, *, margin: float, confidence_level: float = 0.95
) -> EquivalenceTest:
    """Return two one-sided t tests (TOST) of whether the mean difference lies within a margin declared in advance.

    Parameters
    ----------
    first, second : array_like of float, shape (n_topics,)
        Scores of two systems on the same topics in the same order, in the unit of the measure; at least two topics.
    margin : float, above 0
        Mean differences between -margin and +margin count as equivalent, in the unit of the measure. To be chosen
        before the scores are seen.
    confidence_level : float in (0.5, 1), default 0.95
        Each one-sided test is made at 1 - confidence_level; the interval that says the same has level
        1 - 2 (1 - confidence_level), 90 % by default.

    Returns
    -------
    EquivalenceTest

    Raises
    ------
    ArgumentError
        If the vectors differ in length or hold anything but finite numbers, ``margin`` is not above 0, the
        confidence level is .5 or less, or the difference is the same, not 0, on every topic.

    Warns
    -----
    DegenerateWarning
        If the systems agree on every topic: they are then equivalent at any margin, and the p-value is the smallest
        that is given.

    Notes
    -----
    Assumptions as for :func:`ttest_rel`. A difference that is "not significant" is no evidence of equivalence; this
    is. A 95 % interval inside the margin is this test at .025.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419.
    """
    margin, level = check_positive(margin, "margin"), one_sided_level(confidence_level)
    differences = vector_differences(first, second)
    refuse_constant(differences)
    (mean, error), df = _mean_and_error(differences), differences.size - 1
    if error == 0:
        warn("the systems agree on every topic: equivalent at any margin")
    return EquivalenceTest(n_topics=differences.size, **two_one_sided_tests(mean, error, df, margin, level))


def compare(matrix: ScoreMatrix, system_a: str, system_b: str, *, test: TestName = "t", **options: Any) -> PairedTest:
    """Return one of the paired tests on two systems of a matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics.
    system_a, system_b : str
        Labels of two different systems; differences are a minus b.
    test : {"t", "wilcoxon", "sign", "randomization", "bootstrap-shift"}, default "t"
        Which test.
    **options
        Arguments of that test: ``alternative``, ``confidence_level``; of t ``topic_groups``; of Wilcoxon's
        ``zero_method``, ``correction``, ``method``, ``tie_tolerance``; of the sign test ``tie_threshold``; of
        randomization and bootstrap ``rng``, which they need, ``n_resamples``.

    Returns
    -------
    PairedTest

    Raises
    ------
    ArgumentError
        If a system is unknown or both are the same, the test is unknown, or the test refuses the scores.

    References
    ----------
    Smucker, Allan & Carterette (2007), "A comparison of statistical significance tests for information retrieval
    evaluation", CIKM 2007, doi:10.1145/1321440.1321528.
    """
    check_choice(test, "test", tuple(_TESTS))
    check_matrix(matrix)
    check_label(system_a, "system_a", matrix.systems)
    if check_label(system_b, "system_b", matrix.systems) == system_a:
        raise ArgumentError("system_b", system_b, "must be another system than system_a")
    first, second = matrix.select([system_a, system_b]).scores
    return _TESTS[test](first, second, **options)


_TESTS: dict[str, Callable[..., PairedTest]] = {
    "t": ttest_rel,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "randomization": randomization_test,
    "bootstrap-shift": bootstrap_shift_test,
}


def _mean_and_error(differences: FloatArray) -> tuple[float, float]:
    """Return the mean and its standard error."""
    means, sds = row_moments(differences[np.newaxis])
    return float(means[0]), float(sds[0]) / float(np.sqrt(differences.size))
