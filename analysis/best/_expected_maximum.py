"""Expected best score of several attempts at one system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, check_counts, check_flag, check_vector
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True)
class ExpectedMaximum(Result):
    """Expected best score of several attempts at one system, by number of attempts."""

    n_scores: Annotated[int, "Number of attempts that were made and are known."]
    n_attempts: Annotated[tuple[int, ...], "Numbers of attempts that the expectations are for."]
    estimate: Annotated[
        tuple[float, ...],
        "Without replacement: the mean best of all subsets of that size; unbiased. The one to report.",
    ]
    with_replacement: Annotated[
        tuple[float, ...],
        "The best of draws from the empirical distribution; too low on average (too high where lower is better).",
    ]


def expected_maximum_of_attempts(
    scores: ArrayLike, n_attempts: int | Sequence[int], *, higher_is_better: bool = True
) -> ExpectedMaximum:
    """Expected best score of ``n_attempts`` attempts (seeds, settings) at one system, from those that were made.

    Parameters
    ----------
    scores : array_like of float, shape (n_scores,)
        Score of each attempt, in the unit of the measure: all of them and not the best ones. The attempts must be
        exchangeable: random seeds or settings drawn at random, not the steps of a directed search.
    n_attempts : int or sequence of int
        Numbers of attempts, each from 1 to n_scores. Beyond n_scores nothing unbiased exists.
    higher_is_better : bool, default True
        If False, the best score is the smallest.

    Returns
    -------
    ExpectedMaximum

    Raises
    ------
    ArgumentError
        If there is no score, a score is not finite, or a number of attempts is not whole or out of range.

    Notes
    -----
    With v(1) <= ... <= v(B): unbiased is sum_i v(i) C(i - 1, n - 1) / C(B, n), a U-statistic (Tang et al. 2020);
    with replacement is sum_i v(i) ((i / B)**n - ((i - 1) / B)**n) (Dodge et al. 2019), biased towards the mean.
    Ties need no treatment.

    References
    ----------
    R. Tang et al. (2020), Showing your work doesn't always work, ACL, doi:10.18653/v1/2020.acl-main.246.
    J. Dodge et al. (2019), Show your work: improved reporting of experimental results, EMNLP, doi:10.18653/v1/D19-1224.

    Examples
    --------
    >>> expected = expected_maximum_of_attempts([0.1, 0.2, 0.3, 0.4], 2)
    >>> round(expected.estimate[0], 4), round(expected.with_replacement[0], 4)
    (0.3333, 0.3125)
    """
    values = check_vector(scores, "scores")
    ordered = np.sort(values if check_flag(higher_is_better, "higher_is_better") else -values)
    sizes = tuple(check_counts([n_attempts] if np.isscalar(n_attempts) else n_attempts, "n_attempts"))
    if max(sizes) > ordered.size:
        raise ArgumentError("n_attempts", n_attempts, f"must lie between 1 and the number of scores, {ordered.size}")
    sign = 1.0 if higher_is_better else -1.0
    return ExpectedMaximum(
        ordered.size,
        sizes,
        tuple(sign * float(_subset_weights(ordered.size, size) @ ordered) for size in sizes),
        tuple(sign * float(np.diff((np.arange(ordered.size + 1) / ordered.size) ** size) @ ordered) for size in sizes),
    )


def _subset_weights(n_scores: int, size: int) -> FloatArray:
    """Share of the subsets of ``size`` whose largest member is the i-th smallest: C(i - 1, size - 1) / C(B, size).

    From the largest down each is (i - size) / (i - 1) of the one above, which never overflows.
    """
    rank = np.arange(n_scores, 1, -1)
    shares: FloatArray = size / n_scores * np.cumprod(np.concatenate([[1.0], np.maximum(rank - size, 0) / (rank - 1)]))
    return shares[::-1]
