"""The largest of mean scores whose errors go together as scores by topic show."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._resampling import RandomSource, as_generator, chunks, gaussian_mean_draws
from analysis._validation import check_count, check_real, check_score_array, check_vector, warn_without_variation
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True)
class MaximumProbability(Result):
    """Probability that the largest of correlated means is at most a value, with the error of its simulation."""

    estimate: Annotated[float, "The probability."]
    standard_error: Annotated[float, "Standard error of the simulation."]
    n_resamples: Annotated[int, "Number of draws."]


def scores_maximum_cdf(
    x: float, scores: ArrayLike, rng: RandomSource, *, means: ArrayLike | None = None, n_resamples: int = 100_000
) -> MaximumProbability:
    """Probability that the largest of the mean scores is at most ``x``, with the covariance that the topics show.

    Parameters
    ----------
    x : float
        Value of the largest mean score.
    scores : array_like of float, shape (n_systems, n_topics)
        In the unit of the measure. Their covariance divided by the number of topics is that of the means. It is never
        formed: errors are drawn through the topics, so more systems than topics are no problem.
    rng : numpy.random.Generator or int
        Source of randomness or a seed.
    means : array_like of float, shape (n_systems,), optional
        True means that are assumed, in the unit of the scores. Default: all equal to the grand mean of ``scores``, the
        premise that no system is better than another.
    n_resamples : int, default 100000
        Number of draws.

    Returns
    -------
    MaximumProbability

    Raises
    ------
    ArgumentError
        If there are fewer than two topics, scores are not finite, or ``means`` does not fit.

    Warns
    -----
    DegenerateWarning
        If no system's score varies over topics.

    References
    ----------
    Carterette (2015), "The best published result is random", SIGIR 2015, doi:10.1145/2766462.2767812.

    Examples
    --------
    >>> scores = [[0.1, 0.5, 0.3, 0.7], [0.2, 0.4, 0.5, 0.5], [0.3, 0.1, 0.6, 0.6]]
    >>> round(scores_maximum_cdf(0.5, scores, rng=1).estimate, 2)
    0.63
    """
    matrix, generator = check_score_array(scores), as_generator(rng)
    check_count(n_resamples, "n_resamples")
    warn_without_variation(matrix)
    centres = np.full(matrix.shape[0], matrix.mean()) if means is None else check_vector(means, "means")
    if centres.size != matrix.shape[0]:
        raise ArgumentError("means", means, f"must hold {matrix.shape[0]} values, one for each system")

    threshold, below = check_real(x, "x"), 0
    for size in chunks(n_resamples, centres.size):
        below += int((gaussian_mean_draws(matrix, size, generator) + centres <= threshold).all(axis=1).sum())
    # Agresti and Coull's centre, so that a share of 0 or 1 does not claim to be without error.
    centre = (below + 2.0) / (n_resamples + 4.0)
    error = float(np.sqrt(centre * (1.0 - centre) / (n_resamples + 4.0)))
    return MaximumProbability(below / n_resamples, error, n_resamples)
