"""Random numbers for the statistics: one generator passed in, one way to a p-value, bounded memory."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis._validation import FloatArray
from analysis.errors import ArgumentError

Item = TypeVar("Item")

#: What every function that draws at random takes as ``rng``: a generator, or a seed of one.
RandomSource = np.random.Generator | int

#: Called now and then with (done, total) by functions that take seconds.
Progress = Callable[[int, int], None]

#: Comparisons of a resampled with the observed statistic ignore differences below this, relative to the scale
#: of the statistic: sums of the same numbers in another order differ by rounding.
TIE_TOLERANCE = 1e-12

#: Largest temporary array of a resampling loop, in float64 cells (64 MB).
MAX_CELLS = 8_000_000


def as_generator(rng: Any, argument: str = "rng") -> np.random.Generator:
    """Return a generator: the one given, or a new one seeded with a whole number.

    There is no default and no global state: an analysis that can't be repeated is of no use to a registry.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    raise ArgumentError(argument, rng, "must be a numpy Generator or a whole number, 0 or more, to seed one")


def check_progress(progress: Any) -> None:
    """Refuse a callback that can't be called, before the work begins that it would be told about."""
    if progress is not None and not callable(progress):
        raise ArgumentError("progress", progress, "must be None or a function of (done, total)")


def chunks(n_resamples: int, cells_per_resample: int, progress: Progress | None = None) -> Iterator[int]:
    """Yield sizes that add up to ``n_resamples``, each within :data:`MAX_CELLS` cells; reports progress between
    them."""
    check_progress(progress)
    size = max(1, min(n_resamples, MAX_CELLS // max(1, cells_per_resample)))
    done = 0
    while done < n_resamples:
        step = min(size, n_resamples - done)
        yield step
        done += step
        if progress is not None:
            progress(done, n_resamples)


def with_progress(items: Sequence[Item], progress: Progress | None = None) -> Iterator[Item]:
    """Yield the items one by one; reports progress after each."""
    check_progress(progress)
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(done, len(items))


def monte_carlo_pvalue(n_as_extreme: int | FloatArray, n_resamples: int) -> Any:
    """Return (1 + b) / (1 + B): never 0, because the observed sample is one of the possible ones.

    Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.
    """
    return (1.0 + n_as_extreme) / (1.0 + n_resamples)


def tail_rank(tail: float, n_resamples: int) -> int:
    """Return the largest 1 + b for which (1 + b) / (1 + B) is still at most ``tail``."""
    return int(np.floor(tail * (1 + n_resamples) + 1e-9))


def bootstrap_counts(n_items: int, n_resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw how often each item is in a sample with replacement of as many, ``(n_resamples, n_items)``."""
    return rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n_resamples)


def gaussian_mean_draws(scores: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Draw the sampling error of the system means, ``(n_resamples, n_systems)``.

    Each row is normal with mean 0 and covariance cov(scores) / n_topics, drawn through the topics: a standard
    normal weight per topic times the centred scores. The covariance matrix is never formed, so more systems than
    topics are no problem. ``scores`` is (n_systems, n_topics).
    """
    n_topics = scores.shape[1]
    centred = scores - scores.mean(axis=1, keepdims=True)
    weights = rng.standard_normal((n_resamples, n_topics))
    draws: FloatArray = weights @ centred.T / np.sqrt(n_topics * (n_topics - 1.0))
    return draws


def bootstrap_mean_draws(scores: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Draw system means over topics with replacement, ``(n_resamples, n_systems)``; ``scores`` (n_systems, n_topics).

    Every system gets the same topics, so that the draws keep the correlation of the systems.
    """
    n_topics = scores.shape[1]
    draws: FloatArray = bootstrap_counts(n_topics, n_resamples, rng) @ scores.T / n_topics
    return draws
