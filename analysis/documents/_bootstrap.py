"""The bootstrap over documents: AP on collections drawn from the same source as the one at hand.

Cormack & Lynam (2006) repeat each retrieved document a Poisson(1) number of times, keeping the copies together in the
ranking, and each relevant document that was not retrieved likewise. Drawing a count for each of a thousand documents is
not needed: AP depends on how many irrelevant documents stand before each relevant one only, and the counts of g
documents add up to Poisson(g). Adjacent relevant documents share their number of irrelevant ones, so k of them are one
Poisson(k). A list costs two draws for each group of relevant documents, and the sum of the precisions of a group is a
difference of harmonic numbers.
"""

from collections.abc import Iterable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import RandomSource, as_generator, chunks
from analysis._validation import FloatArray, IntArray, check_count, check_instance
from analysis.documents._average_precision import RankedList
from analysis.documents._ranked_pairs import RankedPair

Groups = Iterable[tuple[IntArray, IntArray]]

#: Rates up to this one are drawn from tables (64 kB each), larger ones by NumPy's generator.
_LARGEST_TABLE = 100
_TABLE_SIZE = 1 << 16
_UNDECIDED = 255


def bootstrap_average_precision(ranked: RankedList, rng: RandomSource, *, n_resamples: int = 2000) -> FloatArray:
    """Return AP of a ranked list on resampled collections.

    Parameters
    ----------
    ranked : RankedList
        Ranks of the relevant documents.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    n_resamples : int, default 2000
        Number of resampled collections.

    Returns
    -------
    ndarray of float, shape (n_resamples,)
        AP values, 0 to 1.

    Raises
    ------
    ArgumentError
        If it is no ranked list, or there is no resample.

    Notes
    -----
    Every document is an independent draw from an infinite source, and the collection is large against the list, which
    is not cut at its depth again. A resample in which no relevant document occurs has no AP and is drawn again: the
    distribution is conditional on R* >= 1. Memory is proportional to ``n_resamples`` whatever the length of the list.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR, pp. 533-540,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> samples = bootstrap_average_precision(RankedList([1, 2, 4, 9], n_relevant=8, depth=1000), 1)
    >>> samples.shape, bool((0 <= samples).all() and (samples <= 1).all())
    ((2000,), True)
    """
    check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    gaps, sizes = _groups(check_instance(ranked, "ranked", RankedList))
    n_unretrieved = ranked.n_relevant - ranked.relevant_ranks.size
    harmonic = _harmonic_numbers(ranked.depth + ranked.n_relevant)
    arrays: list[FloatArray] = []
    missing = n_resamples
    while missing:
        groups = (
            (_poisson(gap, missing, generator), _poisson(size, missing, generator))
            for gap, size in zip(gaps, sizes, strict=True)
        )
        retrieved, precisions = _sum_of_precisions(groups, missing, harmonic)
        n_relevant = retrieved + _poisson(n_unretrieved, missing, generator)
        defined = n_relevant > 0
        arrays.append(precisions[defined] / n_relevant[defined])
        missing -= int(defined.sum())
    return np.concatenate(arrays)


def bootstrap_pair(pair: RankedPair, rng: RandomSource, *, n_resamples: int = 2000) -> FloatArray:
    """Return AP of two ranked lists on the same resampled collections, shape (2, n_resamples).

    A document has the same number of copies in both, which is what makes their difference more precise than that of two
    separate bootstraps. As for :func:`bootstrap_average_precision`; one draw for each kind of irrelevant document.
    """
    generator = as_generator(rng)
    rows = 2 * (pair.first.relevant_ranks.size + pair.second.relevant_ranks.size)
    blocks = []
    for size in chunks(n_resamples, rows):
        missing = size
        while missing:
            values = _resampled_pair(pair, missing, generator)
            blocks.append(values)
            missing -= values.shape[1]
    return np.concatenate(blocks, axis=1)


def _resampled_pair(pair: RankedPair, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return AP of both lists on up to ``n_resamples`` collections, those without relevant documents left out."""
    lists = (pair.first, pair.second)
    copies = [np.zeros((ranked.relevant_ranks.size, n_resamples), dtype=np.int64) for ranked in lists]
    passed = [np.zeros_like(array) for array in copies]
    n_relevant = np.zeros(n_resamples, dtype=np.int64)
    for positions in pair.relevant.tolist():
        drawn = _poisson(1, n_resamples, rng)
        n_relevant += drawn
        for array, position in zip(copies, positions, strict=True):
            if position >= 0:
                array[position] += drawn
    for *positions, count in pair.irrelevant.tolist():
        drawn = _poisson(count, n_resamples, rng)
        for array, position in zip(passed, positions, strict=True):
            if position < len(array):
                array[position] += drawn
    defined = n_relevant > 0
    values = [
        _sum_of_precisions(
            zip(passed[side], copies[side], strict=True),
            n_resamples,
            _harmonic_numbers(ranked.depth + ranked.n_relevant),
        )[1][defined]
        / n_relevant[defined]
        for side, ranked in enumerate(lists)
    ]
    return np.array(values)


def _groups(ranked: RankedList) -> tuple[list[int], list[int]]:
    """Return number of irrelevant documents before each group of adjacent relevant documents, and size of each
    group."""
    gaps = np.diff(ranked.relevant_ranks, prepend=0) - 1
    starts = np.flatnonzero((gaps > 0) | (np.arange(gaps.size) == 0))
    sizes = np.diff(starts, append=gaps.size)
    return gaps[starts].tolist(), sizes.tolist()


def _sum_of_precisions(groups: Groups, n_resamples: int, harmonic: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return number of relevant documents retrieved and the sum of the precisions at their ranks, for each resample.

    ``groups`` yields, from the top of the list, the counts of irrelevant documents and of relevant ones after them.
    With C relevant and B irrelevant documents before it, the j-th of K relevant ones in a row has precision
    (C + j) / (C + j + B), and these add up to K - B (H(C + K + B) - H(C + B)), H being the harmonic numbers.
    """
    relevant = np.zeros(n_resamples, dtype=np.int64)
    irrelevant = np.zeros(n_resamples, dtype=np.int64)
    lost = np.zeros(n_resamples)
    for passed, copies in groups:
        irrelevant += passed
        start = relevant + irrelevant
        relevant += copies
        lost += irrelevant * (harmonic.take(start + copies) - harmonic.take(start))
    return relevant, relevant - lost


def _harmonic_numbers(n_documents: int) -> FloatArray:
    """Return harmonic numbers, enough for the resampled length of a list of so many documents."""
    # A Poisson(n) count passes 2n + 1000 with probability below 1e-170, whatever n is.
    return _harmonic_table(int(np.ceil((2 * n_documents + 1000) / 4096)) * 4096)


@lru_cache(maxsize=8)
def _harmonic_table(size: int) -> FloatArray:
    table = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, size))])
    table.setflags(write=False)
    return table


def _poisson(rate: int, size: int, rng: np.random.Generator) -> IntArray:
    """Draw Poisson counts of a whole rate, several times faster than NumPy for the small rates that dominate here.

    Sixteen random bits look a count up in a table in which it has its probability rounded down to multiples of
    2^-16; the few entries left over are decided by what rounding took away, so that the distribution is exact
    (the condensed table of Marsaglia, Tsang & Wang 2004, doi:10.18637/jss.v011.i03, with one level).
    """
    if rate == 0:
        return np.zeros(size, dtype=np.int64)
    if rate > _LARGEST_TABLE:
        return rng.poisson(rate, size)
    table, remainder = _poisson_table(rate)
    counts = table.take(np.frombuffer(rng.bytes(2 * size), dtype="<u2")).astype(np.int64)
    undecided = np.flatnonzero(counts == _UNDECIDED)
    if undecided.size:
        counts[undecided] = np.searchsorted(remainder, rng.random(undecided.size), side="right")
    return counts


@cache
def _poisson_table(rate: int) -> tuple[NDArray[np.uint8], FloatArray]:
    """Return counts by sixteen random bits, 255 where they do not decide, and the distribution function of what is
    left."""
    from scipy.stats import poisson  # It takes as long to load as all else.

    counts = np.arange(_UNDECIDED)  # A Poisson(100) count reaches 255 with probability 1e-37.
    share = poisson.pmf(counts, rate) * _TABLE_SIZE
    entries = np.floor(share).astype(np.int64)
    table = np.full(_TABLE_SIZE, _UNDECIDED, dtype=np.uint8)
    table[: entries.sum()] = np.repeat(counts, entries)
    remainder = np.cumsum(share - entries)
    return table, remainder / remainder[-1]
