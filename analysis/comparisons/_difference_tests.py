"""Paired tests on many rows of differences at once.

The one implementation behind single tests, families of them and swap rates. A row holds the differences of one pair
of systems, ``differences`` is (n_pairs, n_topics). Arguments are trusted: they were checked at the public edge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr, stdtr

from analysis._resampling import TIE_TOLERANCE, chunks, monte_carlo_pvalue
from analysis._validation import FloatArray, IntArray

Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")

TestName = Literal["t", "wilcoxon", "sign", "randomization", "bootstrap-shift"]
TESTS = ("t", "wilcoxon", "sign", "randomization", "bootstrap-shift")


#: Smallest p-value that is given: a tail too thin for floating point is not a probability of 0.
SMALLEST_PVALUE = float(np.finfo(np.float64).tiny)

#: So many differences have the exact distribution of the Wilcoxon statistic, and so many that are tied or 0 (SciPy's
#: rules).
EXACT_UP_TO, EXACT_TIED_UP_TO = 50, 13

#: Pairs whose resampled differences are formed together: few enough to stay in the processor's cache.
_PAIRS_AT_ONCE = 64
_RESAMPLES_AT_ONCE = 2048
_CELLS_IN_CACHE = 65_536


@dataclass(frozen=True, slots=True)
class RowTests:
    """Statistics and p-values of rows of differences, each (n_pairs,)."""

    statistics: FloatArray
    pvalues: FloatArray


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The sum of the ranks of positive differences, and its mean and variance if signs were coin tosses."""

    statistics: FloatArray
    means: FloatArray
    variances: FloatArray
    n_used: IntArray
    untied: NDArray[np.bool_]
    #: Rank of each difference; 0 of those left out.
    ranks: FloatArray


def score_differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return first - second, and exactly 0 where both agree but for rounding."""
    differences = first - second
    differences[np.abs(differences) <= TIE_TOLERANCE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return differences


def row_moments(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean and sd (ddof=1) of each row; what is no more than rounding of its largest difference is 0
    exactly."""
    largest = np.abs(differences).max(axis=1)
    means, sds = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    return zero_if_rounding(means, largest), zero_if_rounding(sds, largest)


def zero_if_rounding(values: FloatArray | float, largest: FloatArray | float) -> FloatArray:
    """Return the values, and 0 for those that are no more than rounding of numbers as large as ``largest``."""
    return np.where(np.abs(values) <= TIE_TOLERANCE * largest, 0.0, values)


def two_tails(lower: FloatArray, upper: FloatArray, alternative: str) -> FloatArray:
    """Return p-values from both tail probabilities (each including the observed value) of a statistic."""
    if alternative == "less":
        pvalues = lower
    elif alternative == "greater":
        pvalues = upper
    else:
        pvalues = np.minimum(1.0, 2.0 * np.minimum(lower, upper))
    return np.maximum(pvalues, SMALLEST_PVALUE)


def t_tests(differences: FloatArray, alternative: str, degrees_of_freedom: float | None = None) -> RowTests:
    """Return paired t tests. A row of zeros has t = 0 and p = 1; any other constant row has an infinite t."""
    n_topics = differences.shape[1]
    means, sds = row_moments(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.where((sds == 0) & (means == 0), 0.0, means / (sds / np.sqrt(n_topics)))
    df = n_topics - 1 if degrees_of_freedom is None else degrees_of_freedom
    pvalues = two_tails(stdtr(df, statistics), stdtr(df, -statistics), alternative)
    pvalues[(differences == 0).all(axis=1)] = 1.0
    return RowTests(statistics, pvalues)


def signed_ranks(differences: FloatArray, *, tie_tolerance: float) -> SignedRanks:
    """Return Wilcoxon's signed ranks, without differences of 0, and average ranks for ties."""
    from scipy.stats import rankdata  # It takes as long to load as all else.

    n_topics = differences.shape[1]
    rounded = round_ties(differences, tie_tolerance)
    nonzero = rounded != 0
    n_used = nonzero.sum(axis=1)
    ranks = (rankdata(np.abs(rounded), axis=1) - (n_topics - n_used)[:, np.newaxis]) * nonzero
    squares = (ranks**2).sum(axis=1)
    return SignedRanks(
        statistics=np.where(rounded > 0, ranks, 0.0).sum(axis=1),
        # Whatever the ties: the sum of independent tosses between 0 and each rank.
        means=ranks.sum(axis=1) / 2.0,
        variances=squares / 4.0,
        n_used=n_used,
        # Ties make the sum of the squared ranks smaller.
        untied=(n_used == n_topics) & (squares == n_topics * (n_topics + 1) * (2 * n_topics + 1) // 6),
        ranks=ranks,
    )


def round_ties(differences: FloatArray, tie_tolerance: float) -> FloatArray:
    """Return differences rounded so that those equal on paper (0.3 - 0.1 and 0.5 - 0.3) are equal in the computer too.

    The grid is ``tie_tolerance`` times the power of ten above the largest difference, so that decimal scores lie on it.
    """
    if tie_tolerance == 0:
        return differences
    largest = np.abs(differences).max(axis=1, keepdims=True)
    grid: FloatArray = tie_tolerance * np.power(10.0, np.ceil(np.log10(np.where(largest > 0, largest, 1.0))))
    rounded: FloatArray = np.rint(differences / grid)
    return rounded


def wilcoxon_tests(
    differences: FloatArray,
    alternative: str,
    *,
    correction: bool = True,
    method: str = "auto",
    tie_tolerance: float = TIE_TOLERANCE,
) -> RowTests:
    """Return Wilcoxon signed-rank tests; rows without a difference have p = 1.

    "quick" is for very many rows: exact below 50 differences without ties and zeros, as in R, and normal otherwise.
    """
    ranks = signed_ranks(differences, tie_tolerance=tie_tolerance)
    pvalues = _normal_tails(ranks, alternative, correction)
    n_topics = differences.shape[1]
    most = {"exact": n_topics, "auto": EXACT_UP_TO, "quick": EXACT_UP_TO - 1, "normal": 0}[method]
    exact = ranks.untied & (n_topics <= most)
    if exact.any():
        cdf = signed_rank_cdf(n_topics)
        observed = np.rint(ranks.statistics[exact]).astype(np.int64)
        pvalues[exact] = two_tails(cdf[observed], cdf[cdf.size - 1 - observed], alternative)
    if method == "auto" and n_topics <= EXACT_TIED_UP_TO:
        for row in np.flatnonzero(~ranks.untied):
            cdf = _tied_rank_cdf(tuple(sorted(np.rint(2.0 * ranks.ranks[row]).astype(int).tolist())))
            twice = int(np.rint(2.0 * ranks.statistics[row]))
            tails = np.array([cdf[twice]]), np.array([cdf[cdf.size - 1 - twice]])
            pvalues[row] = two_tails(*tails, alternative)[0]
    pvalues[ranks.n_used == 0] = 1.0
    return RowTests(ranks.statistics, pvalues)


def _normal_tails(ranks: SignedRanks, alternative: str, correction: bool) -> FloatArray:
    distance = ranks.statistics - ranks.means
    shift: FloatArray | float = np.sign(distance)
    if alternative != "two-sided":
        shift = 1.0 if alternative == "greater" else -1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (distance - 0.5 * shift * correction) / np.sqrt(ranks.variances)
    return two_tails(ndtr(z), ndtr(-z), alternative)


@cache
def signed_rank_cdf(n: int) -> FloatArray:
    """Return P(W <= w) for w = 0, 1, …, n(n+1)/2, where W sums a random subset of the ranks 1 to n."""
    return _subset_cdf(range(1, n + 1))


@lru_cache(maxsize=1000)
def _tied_rank_cdf(doubled: tuple[int, ...]) -> FloatArray:
    """Return the same for ranks of which some are tied, each given twice over."""
    return _subset_cdf([rank for rank in doubled if rank])


def _subset_cdf(ranks: Sequence[int]) -> FloatArray:
    distribution = np.zeros(sum(ranks) + 1)
    distribution[0] = 1.0
    for rank in ranks:
        distribution[rank:] += distribution[:-rank].copy()
        distribution /= 2.0
    cumulated: FloatArray = np.minimum(1.0, np.cumsum(distribution))
    cumulated.setflags(write=False)
    return cumulated


def sign_counts(differences: FloatArray, tie_threshold: float) -> tuple[IntArray, IntArray]:
    """Return the wins and losses of each row; differences of at most ``tie_threshold`` are ties."""
    tolerance = TIE_TOLERANCE * np.abs(differences).max(axis=1, keepdims=True)
    wins = (differences > tie_threshold + tolerance).sum(axis=1)
    losses = (differences < -tie_threshold - tolerance).sum(axis=1)
    return wins, losses


def sign_tests(differences: FloatArray, alternative: str, *, tie_threshold: float = 0.0) -> RowTests:
    """Return sign tests: wins against losses as tosses of a fair coin; rows of ties have p = 1."""
    wins, losses = sign_counts(differences, tie_threshold)
    untied = wins + losses
    # P(X >= wins) equals P(X <= losses), as the coin is fair.
    pvalues = two_tails(bdtr(wins, untied, 0.5), bdtr(losses, untied, 0.5), alternative)
    pvalues[untied == 0] = 1.0
    return RowTests(wins.astype(np.float64), pvalues)


def sign_flip_weights(n_topics: int, n_resamples: int, rng: np.random.Generator, cells: int) -> Iterator[FloatArray]:
    """Yield chunks of topic weights of ±1/n: every sign pattern once where 2^n <= n_resamples, else random ones."""
    for bits in sign_patterns(n_topics, n_resamples, rng, cells):
        yield (2.0 * bits - 1.0) / n_topics


def sign_patterns(n_topics: int, n_resamples: int, rng: np.random.Generator, cells: int) -> Iterator[NDArray[Any]]:
    """Yield chunks of the same patterns, 1 for a difference that keeps its sign and 0 for one that changes it."""
    exact = is_exact(n_topics, n_resamples)
    total = 2**n_topics if exact else n_resamples
    done = 0
    for step in _steps(total, max(cells, n_topics)):
        if exact:
            patterns = np.arange(done, done + step)[:, np.newaxis] >> np.arange(n_topics)
            yield patterns & 1
        else:
            yield rng.integers(0, 2, size=(step, n_topics), dtype=np.int8)
        done += step


def is_exact(n_topics: int, n_resamples: int) -> bool:
    """Say whether all sign patterns are enumerated rather than drawn."""
    return n_topics < 63 and 2**n_topics <= n_resamples


def n_resampled(n_topics: int, n_resamples: int) -> int:
    """Return how many sign patterns are used: all of them, if there are no more than asked for."""
    return int(2**n_topics) if is_exact(n_topics, n_resamples) else n_resamples


def bootstrap_weights(n_topics: int, n_resamples: int, rng: np.random.Generator, cells: int) -> Iterator[FloatArray]:
    """Yield chunks of topic weights count/n of samples of n topics drawn with replacement."""
    for step in _steps(n_resamples, max(cells, n_topics)):
        # Positions in the flattened chunk: counting them is faster than multinomial draws.
        drawn = rng.integers(0, n_topics, (step, n_topics)) + n_topics * np.arange(step)[:, np.newaxis]
        yield np.bincount(drawn.ravel(), minlength=step * n_topics).reshape(step, n_topics) / n_topics


def bootstrap_samples(n_topics: int, n_resamples: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield the same samples, as the places of the topics that were drawn, in blocks that stay in the processor's
    cache."""
    for step in _steps(n_resamples, n_topics):
        for start in range(0, step, n_rows := _rows_in_cache(n_topics)):
            yield rng.integers(0, n_topics, (min(n_rows, step - start), n_topics))


def in_cache(chunk: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield blocks of the rows of a chunk that stay in the processor's cache with what is computed from them."""
    n_rows = _rows_in_cache(chunk.shape[1])
    return (chunk[start : start + n_rows] for start in range(0, len(chunk), n_rows))


def _rows_in_cache(n_topics: int) -> int:
    return max(1, _CELLS_IN_CACHE // n_topics)


def _steps(total: int, cells: int) -> Iterator[int]:
    done = 0
    for chunk in chunks(total, cells):
        while chunk > 0:
            step = min(chunk, _RESAMPLES_AT_ONCE)
            yield step
            chunk -= step
            done += step


def resampled_pvalues(n_as_extreme: Any, n_topics: int, n_resamples: int, *, enumerable: bool) -> Any:
    """Return p-values of counts: a share of all sign patterns if they were enumerated, else (1 + b)/(1 + B)."""
    if enumerable and is_exact(n_topics, n_resamples):
        return n_as_extreme / 2.0**n_topics
    return monte_carlo_pvalue(n_as_extreme, n_resamples)


def count_as_extreme(
    draws: FloatArray, first: IntArray, second: IntArray, observed: FloatArray, tolerance: float, alternative: str
) -> IntArray:
    """Return how many of the resampled differences of each pair are as extreme as the observed one.

    ``draws`` is (n_systems, n_resamples): resampled means whose differences are centred on the null hypothesis, so
    that all pairs share one product of weights and scores.
    """
    counts = np.zeros(first.size, dtype=np.int64)
    for start in range(0, first.size, _PAIRS_AT_ONCE):
        block = slice(start, start + _PAIRS_AT_ONCE)
        null = draws[first[block]]
        null -= draws[second[block]]
        seen = observed[block, np.newaxis]
        if alternative == "two-sided":
            np.abs(null, out=null)
            as_extreme = null >= np.abs(seen) - tolerance
        elif alternative == "greater":
            as_extreme = null >= seen - tolerance
        else:
            as_extreme = null <= seen + tolerance
        counts[block] = np.count_nonzero(as_extreme, axis=1)
    return counts


def n_as_extreme(null: FloatArray, differences: FloatArray, alternative: str) -> int:
    """Return how many resampled mean differences of one pair, centred on the null hypothesis, reach the observed
    one."""
    return int(
        count_as_extreme(
            np.stack([null, np.zeros_like(null)]),
            np.array([0]),
            np.array([1]),
            np.array([differences.mean()]),
            TIE_TOLERANCE * float(np.abs(differences).max()),
            alternative,
        )[0]
    )
