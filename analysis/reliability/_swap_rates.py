"""The experiment of swaps: how often the order of two systems, or a significant order, reverses on other topics.

The experiment of Sanderson and Zobel (2005), after Zobel (1998) and Voorhees and Buckley (2002): order all pairs of
systems on one random set of topics and look at another.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis._resampling import RandomSource, as_generator
from analysis._validation import (
    FloatArray,
    IntArray,
    check_choice,
    check_count,
    check_counts,
    check_flag,
    check_real,
    check_score_array,
    warn_if_all_agree,
)
from analysis.errors import ArgumentError
from analysis.reliability._swap_counts import Bins, TopicSets, draw_topic_sets, tally_swaps
from analysis.reliability._swap_results import SwapRates

Design = Literal["disjoint", "replacement"]
SwapTest = Literal["t", "wilcoxon", "sign"]

DESIGNS = ("disjoint", "replacement")
SWAP_TESTS: tuple[SwapTest, ...] = ("t", "wilcoxon", "sign")
#: The edges of p-values, of differences, and of differences over the worse mean.
BINS = Bins(np.array([0.0, 0.001, 0.01, 0.04, 0.05, 1.0]), np.arange(21) / 100, np.arange(0, 101, 5) / 100)


def swap_rates(
    scores: ArrayLike,
    rng: RandomSource,
    *,
    test: SwapTest | None = "t",
    design: Design = "disjoint",
    sizes: Sequence[int] | None = None,
    n_splits: int = 50,
    top_fraction: float = 0.75,
    higher_is_better: bool = True,
) -> SwapRates:
    """Order and test all pairs of systems on random topic sets, and count how often other sets reverse them.

    Parameters
    ----------
    scores : array_like of float, shape (n_systems, n_topics)
        In the unit of the measure. At least two systems are kept, and four topics.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    test : {"t", "wilcoxon", "sign"} or None, default "t"
        Two-sided test on the first topic set; None for none.
    design : {"disjoint", "replacement"}, default "disjoint"
        Two topic sets without a common topic, or two samples with replacement that may share topics.
    sizes : sequence of int, optional
        Sizes of the topic sets, 2 or more; disjoint sets have at most half of the topics, others at most all.
        Default: 5, 10, … up to half of the topics.
    n_splits : int, 1 or more, default 50
        Pairs of topic sets of each size. All pairs of systems are compared on the same ones.
    top_fraction : float in (0, 1], default 0.75
        Systems with the best means over all topics that are kept; 1 - top_fraction, rounded down, is left out.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    SwapRates

    Raises
    ------
    ArgumentError
        If an argument is out of range, or fewer than two systems are kept.

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    Notes
    -----
    With disjoint sets drawn from few topics, what one set has too much of the other lacks: errors are overstated, an
    upper bound. With replacement the sets share topics: a lower bound. A pair with equal means (but for rounding) on
    the first set has no order and is not counted; one with equal means on the second is a tie, not an error. Pairs are
    counted by p-value (edges 0, .001, .01, .04, .05, 1), difference (0, .01, …, .20) and relative difference (0, .05,
    …, 1). A
    difference that is the same on every topic of the first set has p = 0 under t. Relative differences are those of the
    means over the worse of them; where that is not above 0, they fall into the last, open class.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, sections 3, 6 and 7. Voorhees & Buckley (2002),
    doi:10.1145/564376.564432. Zobel (1998), doi:10.1145/290941.291014.
    """
    array = check_score_array(scores, n_topics=4)
    sets = topic_sets(array.shape[1], rng, test, design, sizes, n_splits)
    kept = array[top_rows(array, top_fraction, higher_is_better=higher_is_better)]
    warn_if_all_agree(kept)
    return count_swaps(kept, sets, test, design, higher_is_better=higher_is_better)


def topic_sets(
    n_topics: int, rng: RandomSource, test: str | None, design: str, sizes: Sequence[int] | None, n_splits: int
) -> list[TopicSets]:
    """Return the pairs of topic sets of every size, once the arguments of the experiment are checked."""
    if test is not None:
        check_choice(test, "test", SWAP_TESTS)
    check_choice(design, "design", DESIGNS)
    checked_sizes, n_splits = check_sizes(sizes, n_topics, design), check_count(n_splits, "n_splits")
    generator = as_generator(rng)
    return [draw_topic_sets(n_topics, size, n_splits, design, generator) for size in checked_sizes]


def count_swaps(
    scores: FloatArray,
    sets: Sequence[TopicSets],
    test: str | None,
    design: str,
    *,
    higher_is_better: bool,
) -> SwapRates:
    """Return the experiment on given topic sets and checked scores; what :func:`swap_rates` ends in."""
    tallies = [tally_swaps(scores, chosen, BINS, test, higher_is_better=higher_is_better) for chosen in sets]
    n_systems = scores.shape[0]
    return SwapRates(
        design=design,
        test=test,
        sizes=tuple(int(chosen.first.shape[1]) for chosen in sets),
        n_splits=int(sets[0].first.shape[0]),
        n_systems=n_systems,
        n_pairs=n_systems * (n_systems - 1) // 2,
        pvalue_edges=tuple(BINS.pvalues.tolist()),
        absolute_edges=tuple(BINS.absolute.tolist()),
        relative_edges=tuple(BINS.relative.tolist()),
        absolute=np.stack([tally.absolute for tally in tallies]),
        relative=np.stack([tally.relative for tally in tallies]),
        by_split=np.stack([tally.by_split for tally in tallies]),
    )


def top_rows(scores: FloatArray, top_fraction: float, *, higher_is_better: bool) -> IntArray:
    """Return positions of the best systems by mean, ascending."""
    fraction = check_real(top_fraction, "top_fraction")
    if not 0 < fraction <= 1:
        raise ArgumentError("top_fraction", top_fraction, "must lie above 0 and be at most 1")
    n_kept = scores.shape[0] - int(scores.shape[0] * (1 - fraction) + 1e-9)
    if n_kept < 2:
        raise ArgumentError("scores", scores.shape, "must leave at least two systems")
    means = scores.mean(axis=1)
    best = np.argsort(-means if check_flag(higher_is_better, "higher_is_better") else means, kind="stable")[:n_kept]
    return np.sort(best)


def check_sizes(sizes: Sequence[int] | None, n_topics: int, design: str) -> list[int]:
    """Return the sizes that the design allows, ascending."""
    largest = n_topics // 2 if design == "disjoint" else n_topics
    if sizes is None:
        return list(range(5, n_topics // 2 + 1, 5)) or [n_topics // 2]
    checked = sorted(set(check_counts(sizes, "sizes", minimum=2)))
    if checked[-1] > largest:
        limit = "half of them" if design == "disjoint" else "all of them"
        raise ArgumentError("sizes", sizes, f"must be of at most {largest} topics ({limit})")
    return checked
