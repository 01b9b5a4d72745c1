"""Counting reversals: pairs of systems ordered on one set of topics, and ordered again on another."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from analysis._resampling import TIE_TOLERANCE, chunks
from analysis._validation import FloatArray, IntArray
from analysis.comparisons._difference_tests import score_differences, sign_tests, wilcoxon_tests

#: What became of a pair that the first topic set ordered.
SAME, REVERSED, TIED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Bins:
    """Edges of the classes that pairs are counted in; the last class of differences is open."""

    pvalues: FloatArray
    absolute: FloatArray
    relative: FloatArray

    @property
    def n_bands(self) -> int:
        """Return number of p-value bands."""
        return self.pvalues.size - 1


@dataclass(frozen=True, slots=True)
class TopicSets:
    """Pairs of topic sets of one size: positions of topics, both (n_splits, size)."""

    first: IntArray
    second: IntArray


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes counted by band and bin, (n_bands, n_bins, 3), and by split and band, (n_splits, n_bands, 3)."""

    absolute: IntArray
    relative: IntArray
    by_split: IntArray


def draw_topic_sets(n_topics: int, size: int, n_splits: int, design: str, rng: np.random.Generator) -> TopicSets:
    """Draw pairs of topic sets: disjoint halves of a random order, or two samples with replacement."""
    if design == "disjoint":
        orders = rng.permuted(np.broadcast_to(np.arange(n_topics), (n_splits, n_topics)), axis=1)
        return TopicSets(orders[:, :size], orders[:, size : 2 * size])
    first, second = rng.integers(0, n_topics, (2, n_splits, size))
    return TopicSets(first, second)


def tally_swaps(scores: FloatArray, sets: TopicSets, bins: Bins, test: str | None, *, higher_is_better: bool) -> Tally:
    """Count what the second topic sets make of the order and significance of all pairs on the first ones."""
    parts = []
    for gaps, gaps_again, worse, set_scores in compared_pairs(scores, sets, test, higher_is_better=higher_is_better):
        parts.append(_count(gaps, gaps_again, worse, _bands(set_scores, gaps, test, bins), bins))
    return Tally(
        np.sum([part.absolute for part in parts], axis=0),
        np.sum([part.relative for part in parts], axis=0),
        np.concatenate([part.by_split for part in parts]),
    )


def compared_pairs(
    scores: FloatArray, sets: TopicSets, test: str | None, *, higher_is_better: bool
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray, FloatArray]]:
    """Yield for some splits at once and all pairs: gaps of means on both sets, the worse mean, and the scores.

    The first three are (n_splits, n_pairs), the worse mean on the first set; the scores on it are (n_splits, n_systems,
    size). For how many splits at once the memory suffices depends on the ``test`` that they are for.
    """
    n_splits, size = sets.first.shape
    first, second = np.triu_indices(scores.shape[0], 1)
    by_topic = 10 * size if test in ("wilcoxon", "sign") else 0
    start = 0
    for step in chunks(n_splits, first.size * (12 + by_topic)):
        splits = slice(start, start + step)
        start += step
        set_scores = _set_scores(scores, sets.first[splits])
        means, means_again = set_scores.mean(axis=2), _set_scores(scores, sets.second[splits]).mean(axis=2)
        gaps = score_differences(means[:, first], means[:, second])
        gaps_again = score_differences(means_again[:, first], means_again[:, second])
        worse = (np.minimum if higher_is_better else np.maximum)(means[:, first], means[:, second])
        yield gaps, gaps_again, worse, set_scores


def _set_scores(scores: FloatArray, chosen: IntArray) -> FloatArray:
    """Return scores on the chosen topics, (n_splits, n_systems, size)."""
    return np.ascontiguousarray(scores[:, chosen].transpose(1, 0, 2))


def _count(gaps: FloatArray, gaps_again: FloatArray, worse: FloatArray, band: IntArray, bins: Bins) -> Tally:
    ordered = gaps != 0
    outcome = np.where(gaps_again == 0, TIED, np.where(gaps * gaps_again < 0, REVERSED, SAME))
    size = np.abs(gaps)
    relative = np.divide(size, worse, out=np.full_like(size, np.inf), where=worse > 0)
    split = np.broadcast_to(np.arange(gaps.shape[0])[:, np.newaxis], gaps.shape)
    n_splits, n_bands = gaps.shape[0], bins.n_bands
    return Tally(
        _cross(band, bin_positions(size, bins.absolute), outcome, ordered, (n_bands, bins.absolute.size)),
        _cross(band, bin_positions(relative, bins.relative), outcome, ordered, (n_bands, bins.relative.size)),
        _cross(split, band, outcome, ordered, (n_splits, n_bands)),
    )


def _cross(
    rows: IntArray, columns: IntArray, outcome: IntArray, kept: NDArray[np.bool_], shape: tuple[int, int]
) -> IntArray:
    cells = (rows * shape[1] + columns) * 3 + outcome
    return np.bincount(cells[kept], minlength=shape[0] * shape[1] * 3).reshape(*shape, 3).astype(np.int64)


def bin_positions(values: FloatArray, edges: FloatArray) -> IntArray:
    """Return the position of the class [edge, next edge) of each value; a value on an edge but for rounding is on
    it."""
    return np.searchsorted(edges, values + TIE_TOLERANCE, side="right") - 1


def _bands(set_scores: FloatArray, gaps: FloatArray, test: str | None, bins: Bins) -> IntArray:
    """Return the position of the band (edge, next edge] of each p-value."""
    inner = bins.pvalues[1:-1]
    if test != "t":
        return np.searchsorted(inner, pair_pvalues(set_scores, gaps, test), side="left")
    # A few critical values instead of a p-value for each of millions of pairs.
    critical = np.sort(-stdtrit(set_scores.shape[2] - 1, inner / 2))
    return inner.size - np.searchsorted(critical, _t_statistics(set_scores, gaps), side="right")


def pair_pvalues(set_scores: FloatArray, gaps: FloatArray, test: str | None) -> FloatArray:
    """Return p-values of all pairs, (n_splits, n_pairs), of what :func:`compared_pairs` gives; 1 without a test."""
    if test is None:
        return np.ones_like(gaps)
    if test == "t":
        pvalues: FloatArray = 2 * stdtr(set_scores.shape[2] - 1, -_t_statistics(set_scores, gaps))
        return pvalues
    first, second = np.triu_indices(set_scores.shape[1], 1)
    differences = score_differences(set_scores[:, first], set_scores[:, second])
    rows = differences.reshape(-1, set_scores.shape[2])
    tests = wilcoxon_tests(rows, "two-sided", method="quick") if test == "wilcoxon" else sign_tests(rows, "two-sided")
    return tests.pvalues.reshape(gaps.shape)


def _t_statistics(set_scores: FloatArray, gaps: FloatArray) -> FloatArray:
    """Return |t| of all pairs from the covariances of the systems; infinite where a difference is constant, 0 for
    none."""
    first, second = np.triu_indices(set_scores.shape[1], 1)
    size = set_scores.shape[2]
    centred = set_scores - set_scores.mean(axis=2, keepdims=True)
    products = centred @ centred.transpose(0, 2, 1)
    own = np.diagonal(products, axis1=1, axis2=2)
    both = own[:, first] + own[:, second]
    squares = both - 2 * products[:, first, second]
    squares[squares <= TIE_TOLERANCE * both] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t: FloatArray = np.abs(gaps) / np.sqrt(squares / (size * (size - 1)))
    t[gaps == 0] = 0.0
    return t
