"""Two looks behind swap rates: what the disjoint design does to itself, and how significance goes with difference."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._resampling import RandomSource, as_generator
from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_score_array,
    warn_if_all_agree,
)
from analysis.errors import ArgumentError
from analysis.reliability._swap_counts import TopicSets, bin_positions, compared_pairs, draw_topic_sets, pair_pvalues
from analysis.reliability._swap_rates import DESIGNS, SWAP_TESTS, Design, SwapTest, top_rows
from analysis.results import Result

_EDGES = np.arange(0, 101, 10) / 100
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class SignificantPairs(Result):
    """The pairs that are significant on all topics, within a class of relative differences."""

    low: Annotated[float, "Lower end of the class, as a fraction of the worse mean."]
    high: Annotated[float | None, "Its upper end; None where there is none."]
    n_pairs: Annotated[int, "Pairs of the compared systems in the class."]
    n_significant: Annotated[int, "Those with p at most .05 in a two-sided t test."]


def reversal_profile(
    scores: ArrayLike,
    n_topics: int,
    rng: RandomSource,
    *,
    design: Design = "disjoint",
    n_splits: int = 50,
    top_fraction: float = 0.75,
    higher_is_better: bool = True,
) -> FloatArray:
    """Return reversals by how much each pair differed: do large differences show reliability, or an unlucky split?

    Of shape (n_splits,): the share of the pairs of systems that were reversed, in the split with the smallest
    difference of each pair, the second smallest, and so on.

    If sets were independent, rates would fall as the difference grows. In large disjoint sets they rise again at the
    end: a set that holds nearly all the topics that favour one system leaves the other set those that don't. This is
    why disjoint sets give an upper bound (Sanderson & Zobel 2005, doi:10.1145/1076034.1076064, figure 8).
    Arguments are those of :func:`swap_rates`.
    """
    array = check_score_array(scores, n_topics=4)
    check_choice(design, "design", DESIGNS)
    size = check_count(n_topics, "n_topics", minimum=2)
    if size > array.shape[1] // (2 if design == "disjoint" else 1):
        raise ArgumentError("n_topics", n_topics, f"must leave room for a second set among {array.shape[1]} topics")
    sets = draw_topic_sets(array.shape[1], size, check_count(n_splits, "n_splits"), design, as_generator(rng))
    kept = array[top_rows(array, top_fraction, higher_is_better=higher_is_better)]
    warn_if_all_agree(kept)
    parts = list(compared_pairs(kept, sets, None, higher_is_better=higher_is_better))
    gaps, gaps_again = (np.concatenate([part[column] for part in parts]) for column in (0, 1))
    order = np.argsort(np.abs(gaps), axis=0, kind="stable")
    rates: FloatArray = np.take_along_axis(gaps * gaps_again < 0, order, axis=0).mean(axis=1)
    return rates


def significant_shares(
    scores: ArrayLike,
    *,
    test: SwapTest = "t",
    top_fraction: float = 0.75,
    higher_is_better: bool = True,
) -> tuple[SignificantPairs, ...]:
    """Return how many pairs of systems are significant at .05 on all topics, by the relative difference of their means.

    Parameters
    ----------
    scores : array_like of float, shape (n_systems, n_topics)
        In the unit of the measure, as for :func:`swap_rates`.
    test : {"t", "wilcoxon", "sign"}, default "t"
        Two-sided test.
    top_fraction, higher_is_better
        Which systems are kept, as for :func:`swap_rates`.

    Returns
    -------
    tuple of SignificantPairs
        Classes of a tenth, and all beyond; significant is p at most .05 by ``test``.

    Raises
    ------
    ArgumentError
        If an argument is out of range, or fewer than two systems are kept.

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, section 3.

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal([[0.2], [0.25], [0.4]], 0.1, (3, 50))
    >>> shares = significant_shares(scores, top_fraction=1)
    >>> [(pairs.low, pairs.n_significant) for pairs in shares if pairs.n_pairs]
    [(0.1, 0), (0.5, 1), (0.8, 1)]
    """
    array = check_score_array(scores, n_topics=4)
    check_choice(test, "test", SWAP_TESTS)
    kept = array[top_rows(array, top_fraction, higher_is_better=higher_is_better)]
    warn_if_all_agree(kept)
    every = np.arange(array.shape[1])[np.newaxis]
    sets = TopicSets(every, every)
    ((gaps, _, worse, set_scores),) = compared_pairs(kept, sets, test, higher_is_better=higher_is_better)
    size = np.abs(gaps)
    relative = np.divide(size, worse, out=np.full_like(size, np.inf), where=worse > 0)
    position = bin_positions(relative, _EDGES).ravel()
    significant = pair_pvalues(set_scores, gaps, test).ravel() <= _LEVEL + 1e-12
    counts = [np.bincount(places, minlength=_EDGES.size).tolist() for places in (position, position[significant])]
    lows = _EDGES.tolist()
    return tuple(map(SignificantPairs, lows, [*lows[1:], None], *counts))
