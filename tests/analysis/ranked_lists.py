"""Ranked lists to test with: simulated ones, and the bootstrap over documents done the direct way."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis.documents import RankedList

N_DOCUMENTS = 20_000  # expected number of irrelevant documents in a simulated collection


def simulated_list(
    rng: np.random.Generator, expected_relevant: float, separation: float, depth: int = 1000
) -> RankedList:
    """Return the list of a system on a collection drawn from an infinite source, for one topic.

    Documents are points of a Poisson process: irrelevant ones have standard normal scores, relevant ones normal scores
    with mean ``separation``; the highest ``depth`` scores are returned.
    """
    n_relevant = 0
    while n_relevant == 0:
        n_relevant = rng.poisson(expected_relevant)
    relevant = -np.sort(-rng.normal(separation, 1.0, n_relevant))
    # The k-th highest of the irrelevant scores has a tail probability that is the k-th arrival of a Poisson process.
    tails = np.cumsum(rng.exponential(size=depth)) / N_DOCUMENTS
    irrelevant = -ndtri(np.minimum(tails, 1.0))
    ranks = np.arange(1, n_relevant + 1) + np.searchsorted(-irrelevant, -relevant)
    return RankedList(ranks[ranks <= depth], n_relevant, depth)


def direct_bootstrap(ranked: RankedList, n_resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return AP on resampled collections with one Poisson count for every document of the list; NaN where R* = 0."""
    counts = rng.poisson(1.0, (n_resamples, ranked.depth))
    positions = ranked.relevant_ranks - 1
    length = counts.cumsum(axis=1)
    copies = counts[:, positions]
    start_rank = length[:, positions] - copies
    start_found = copies.cumsum(axis=1) - copies
    total = np.zeros(n_resamples)
    for copy in range(1, int(copies.max(initial=0)) + 1):
        present = copies >= copy
        total += np.sum(present * (start_found + copy) / (start_rank + copy), axis=1)
    n_relevant = copies.sum(axis=1) + rng.poisson(ranked.n_relevant - positions.size, n_resamples)
    with np.errstate(invalid="ignore"):
        return np.where(n_relevant > 0, total / n_relevant, np.nan)
