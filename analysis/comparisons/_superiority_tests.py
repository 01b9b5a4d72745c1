"""The paired tests of superiority: Wilcoxon's signed ranks and signs. They are no tests of means."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from analysis._resampling import TIE_TOLERANCE
from analysis._validation import FloatArray, check_choice, check_flag, check_nonnegative, warn
from analysis.comparisons._difference_tests import (
    EXACT_TIED_UP_TO,
    EXACT_UP_TO,
    Alternative,
    sign_counts,
    sign_tests,
    signed_rank_cdf,
    signed_ranks,
    wilcoxon_tests,
    zero_if_rounding,
)
from analysis.comparisons._paired_results import PairedTest, checked_differences, paired_result
from analysis.errors import ArgumentError
from analysis.results import Interval

_ABOUT_SYMMETRY = "the differences are symmetric about 0 (a test of medians and superiority, not of means)"
_ABOUT_WINS = "each system wins as many topics (a test of the median difference and superiority, not of means)"


def wilcoxon_test(
    first: ArrayLike,
    second: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    correction: bool = True,
    method: Literal["auto", "exact", "normal"] = "auto",
    tie_tolerance: float = TIE_TOLERANCE,
    confidence_level: float = 0.95,
) -> PairedTest:
    """Return Wilcoxon's signed-rank test: are the differences symmetric about 0?  A test of medians, not of means.

    Parameters
    ----------
    first, second : array_like of float, shape (n_topics,)
        Scores of two systems on the same topics in the same order, in the unit of the measure; at least two topics.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater" asks whether the first system tends to score higher.
    correction : bool, default True
        Whether the normal approximation is corrected for continuity (as in R; SciPy's default is not to).
    method : {"auto", "exact", "normal"}, default "auto"
        Distribution of the statistic. "auto" is exact up to 50 topics without ties and zeros, and up to 13 with
        them, as in SciPy; normal otherwise.
    tie_tolerance : float, 0 or more, default 1e-12
        Differences closer than this, relative to the largest, are tied. 0 ranks the floating-point numbers as they
        are, as R and SciPy do: then 0.3 - 0.1 and 0.5 - 0.3 get different ranks.
    confidence_level : float in (0, 1), default 0.95
        Of the interval of the pseudo-median, from the ordered Walsh averages.

    Returns
    -------
    PairedTest
        ``statistic`` is the sum of the ranks of positive differences, ``estimate`` the Hodges-Lehmann pseudo-median.

    Raises
    ------
    ArgumentError
        If the vectors differ in length or hold anything but finite numbers, or ``method`` is "exact" and there are
        ties or zeros.

    Warns
    -----
    DegenerateWarning
        If the systems agree on every topic; the p-value is then 1.

    Notes
    -----
    If mean scores are equal but the differences are skewed, the test rejects more often than its level, and ever
    more often as topics are added: at .05, .061 with 25 topics and .097 with 100 (AP; Urbano, Lima & Hanjalic 2019).
    Topics without a difference are left out before ranking. Tied magnitudes share their average rank, and the variance
    of the normal approximation allows for it.

    References
    ----------
    Wilcoxon (1945), doi:10.2307/3001968. Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172.

    Examples
    --------
    >>> result = wilcoxon_test([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    ...                        [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29], alternative="greater")
    >>> result.statistic, round(result.pvalue, 5)  # Hollander & Wolfe (1973), p. 29
    (40.0, 0.01953)
    """
    differences, confidence_level = checked_differences(first, second, alternative, confidence_level)
    check_choice(method, "method", ("auto", "exact", "normal"))
    tie_tolerance = check_nonnegative(tie_tolerance, "tie_tolerance")
    check_flag(correction, "correction")
    rows = differences[np.newaxis]
    ranks = signed_ranks(rows, tie_tolerance=tie_tolerance)
    untied = bool(ranks.untied[0])
    if method == "exact" and not untied:
        raise ArgumentError("method", method, "must be 'auto' or 'normal' where differences are tied or 0")
    row = wilcoxon_tests(rows, alternative, correction=correction, method=method, tie_tolerance=tie_tolerance)
    most = EXACT_UP_TO if untied else EXACT_TIED_UP_TO
    exact = method == "exact" or (method == "auto" and differences.size <= most)
    normal = f"normal approximation, {'with' if correction else 'without'} continuity correction"
    n_used = int(ranks.n_used[0])
    interval = _walsh_interval(differences, confidence_level) if n_used else None
    return paired_result(
        differences,
        test="wilcoxon",
        null_hypothesis=_ABOUT_SYMMETRY,
        alternative=alternative,
        method=f"{'exact distribution' if exact else normal}, zero method wilcox",
        n_used=n_used,
        estimate=_walsh_median(differences),
        estimand="pseudo-median difference",
        statistic=float(row.statistics[0]),
        pvalue=float(row.pvalues[0]),
        interval=interval,
        why_no_interval=None if interval else "too few topics differ for this confidence level",
    )


def sign_test(
    first: ArrayLike,
    second: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    tie_threshold: float = 0.0,
    confidence_level: float = 0.95,
) -> PairedTest:
    """Return the sign test: does one system win more topics than the other?  A test of superiority, not of means.

    Parameters
    ----------
    first, second : array_like of float, shape (n_topics,)
        Scores of two systems on the same topics in the same order, in the unit of the measure; at least two topics.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater" asks whether the first system wins more topics.
    tie_threshold : float, 0 or more, default 0
        Differences of at most this, in the unit of the measure, are ties and left out.
    confidence_level : float in (0, 1), default 0.95
        Of the Clopper-Pearson interval of the share of wins.

    Returns
    -------
    PairedTest
        ``statistic`` is the number of topics that the first system wins, ``estimate`` its share of the untied ones.

    Raises
    ------
    ArgumentError
        If the vectors differ in length or hold anything but finite numbers, or ``tie_threshold`` is below 0.

    Warns
    -----
    DegenerateWarning
        If every topic is tied; the p-value is then 1.

    Notes
    -----
    Exact binomial probabilities. Like Wilcoxon's test it is no test of mean scores: where means are equal but one
    system wins small and often, it rejects, ever more often as topics are added.

    References
    ----------
    Van Rijsbergen (1979), Information Retrieval, ch. 7. Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> result = sign_test([0.5, 0.6, 0.7, 0.8, 0.2], [0.4, 0.5, 0.6, 0.7, 0.195], tie_threshold=0.01)
    >>> result.n_used, result.statistic, result.pvalue
    (4, 4.0, 0.125)
    """
    differences, confidence_level = checked_differences(first, second, alternative, confidence_level)
    tie_threshold = check_nonnegative(tie_threshold, "tie_threshold")
    wins, losses = (int(count[0]) for count in sign_counts(differences[np.newaxis], tie_threshold))
    row = sign_tests(differences[np.newaxis], alternative, tie_threshold=tie_threshold)
    untied = wins + losses
    if untied == 0 and differences.any():
        warn("every topic is tied: the p-value is 1")
    interval = None
    if untied:
        from scipy.stats import binomtest  # It takes as long to load as all else.

        share = binomtest(wins, untied).proportion_ci(confidence_level)
        interval = Interval(float(share.low), float(share.high), confidence_level)
    return paired_result(
        differences,
        test="sign",
        null_hypothesis=_ABOUT_WINS,
        alternative=alternative,
        method=f"exact binomial distribution, ties up to {tie_threshold:g} left out",
        n_used=untied,
        estimate=wins / untied if untied else 0.5,
        estimand="share of wins",
        statistic=float(wins),
        pvalue=float(row.pvalues[0]),
        interval=interval,
        why_no_interval=None if interval else "every topic is tied",
    )


def _walsh_interval(differences: FloatArray, confidence_level: float) -> Interval | None:
    """Return the interval of the pseudo-median: the Walsh averages that bound what the signed-rank test doesn't
    reject."""
    n = differences.size
    n_averages = n * (n + 1) // 2
    tail = (1 - confidence_level) / 2
    if n <= EXACT_UP_TO:
        rank = int(np.searchsorted(signed_rank_cdf(n), tail))
    else:
        sd = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        rank = int(np.floor(n_averages / 2 + ndtri(tail) * sd + 0.5))
    if rank < 1:
        return None
    low, high = (_without_rounding(_ordered_walsh(differences, k), differences) for k in (rank, n_averages + 1 - rank))
    return Interval(low, high, confidence_level)


def _walsh_median(differences: FloatArray) -> float:
    """Return the Hodges-Lehmann estimate: the median of the averages of all pairs of differences, each with itself
    too."""
    n_averages = differences.size * (differences.size + 1) // 2
    middle = (_ordered_walsh(differences, k) for k in ((n_averages + 1) // 2, n_averages // 2 + 1))
    return _without_rounding(sum(middle) / 2, differences)


def _without_rounding(average: float, differences: FloatArray) -> float:
    return float(zero_if_rounding(average, float(np.abs(differences).max())))


def _ordered_walsh(differences: FloatArray, rank: int) -> float:
    """Return the ``rank``-th smallest of the n(n+1)/2 averages of two differences, by bisection, without forming
    them."""
    ordered = np.sort(differences)
    own = np.arange(ordered.size)

    def n_below(average: float) -> int:
        partners = np.searchsorted(ordered, 2 * average - ordered, side="right")
        return int(np.maximum(partners - own, 0).sum())

    low, high = float(ordered[0]), float(ordered[-1])
    if n_below(low) >= rank:
        return low
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if n_below(middle) >= rank else (middle, high)
    return high
