"""Tiers of a leaderboard from published means. Public through :mod:`analysis.rankings`."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from analysis._results import Result
from analysis._validation import check_count, check_flag, check_positive, check_probability, check_vector

__all__ = ["MeansTiers", "tie_tiers_from_means"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)


@dataclass(frozen=True, slots=True)
class MeansTiers(Result):
    """Tiers of systems that published means can't tell apart.

    Attributes
    ----------
    tiers : tuple of int
        Tier of each mean, 1 for the best, in the order of ``means``.
    n_tiers : int
    radius : float
        Means that are further apart than this are told apart, in the unit of the measure.
    critical_value : float
        The radius in standard errors of a mean.
    confidence_level : float
        Of all separations together.
    residual_variance : float
        As given.
    """

    tiers: tuple[int, ...]
    n_tiers: int
    radius: float
    critical_value: float
    confidence_level: float
    residual_variance: float


def tie_tiers_from_means(
    means: ArrayLike,
    *,
    n_topics: int,
    residual_variance: float,
    confidence_level: float = 0.95,
    higher_is_better: bool = True,
) -> MeansTiers:
    """The means in tiers: a mean leaves a tier only if the tier's leader is significantly better.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Published means, at least 2, finite.
    n_topics : int
        Topics behind each mean, 1 or more.
    residual_variance : float
        Variance of a score beyond system and topic, per topic, above 0; taken as known.
    confidence_level : float, default 0.95
        Of all separations together, between 0 and 1.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    MeansTiers

    Raises
    ------
    ArgumentError
        If an argument is out of range or there are fewer than 2 means.

    Notes
    -----
    The best mean without a tier leads the next tier, and joining it are all means within
    q sqrt(residual_variance / n_topics) of it, q being the quantile of the range of as many independent standard
    normals (Tukey's honestly significant difference with a known variance [1]_). A tier says that its members can't be
    told from its leader; two members may differ by more than one can from the leader. Ties of means share a tier.
    Equal variances of all differences are assumed: where per-topic scores are at hand,
    :func:`analysis.rankings.tie_tiers` does without.

    References
    ----------
    .. [1] Tukey, J. W. (1953). The problem of multiple comparisons. In The Collected Works of John W. Tukey VIII.

    Examples
    --------
    >>> tie_tiers_from_means([0.31, 0.30, 0.22, 0.21], n_topics=50, residual_variance=0.0144).tiers
    (1, 1, 2, 2)
    """
    values = check_vector(means, "means", minimum=2)
    n_topics = check_count(n_topics, "n_topics")
    variance = check_positive(residual_variance, "residual_variance")
    level = check_probability(confidence_level, "confidence_level")
    check_flag(higher_is_better, "higher_is_better")
    critical = normal_range_ppf(level, values.size)
    radius = critical * float(np.sqrt(variance / n_topics))
    signed = values if higher_is_better else -values
    tiers = np.zeros(values.size, dtype=int)
    tier = 0
    while not tiers.all():
        tier += 1
        waiting = tiers == 0
        tiers[waiting & (signed >= signed[waiting].max() - radius)] = tier
    return MeansTiers(tuple(tiers.tolist()), tier, radius, critical, level, variance)


@lru_cache(maxsize=4096)
def normal_range_ppf(probability: float, k: int) -> float:
    """The range that k independent standard normals stay within with this probability."""
    # Over the largest of them, z; beyond ten standard deviations nothing is left to find.
    z = 10.0 * _NODES
    weight = 10.0 * _WEIGHTS * k * np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)

    def excess(w: float) -> float:
        return float(weight @ (ndtr(z) - ndtr(z - w)) ** (k - 1)) - probability

    return float(brentq(excess, 0.0, 20.0, xtol=1e-12))
