"""How good is the run with the best mean really? Estimates that allow for its having been picked for its score.

The largest of many means tends to be too large: it won partly by luck with these topics.
"""

import numpy as np

from analysis._resampling import Progress, RandomSource, as_generator, bootstrap_mean_draws, chunks
from analysis._validation import check_count, check_probability
from analysis.best._winner import Winner, WinnerEstimate, find_winner
from analysis.reliability._variance_components import components_of
from analysis.scores import ScoreMatrix


def winner_naive(
    matrix: ScoreMatrix, *, confidence_level: float = 0.95, higher_is_better: bool = True
) -> WinnerEstimate:
    """The winner's mean with a t interval, as if the run had not been picked for its score.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    confidence_level : float, default 0.95
        Between 0 and 1.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    WinnerEstimate
        Raw mean and t interval on n_topics - 1 degrees of freedom.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or the level is out of range.

    Warns
    -----
    DegenerateWarning
        If all scores of the winner are equal: it has no interval then.

    Notes
    -----
    For comparison only: the mean is too large on average, and where many runs are about equal the nominal 95 %
    interval holds in 84 to 86 % of samples.

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b"], ["1", "2", "3"], [[0.1, 0.2, 0.3], [0.0, 0.1, 0.1]])
    >>> naive = winner_naive(matrix)
    >>> round(naive.interval.low, 4), round(naive.interval.high, 4)
    (-0.0484, 0.4484)
    """
    level = check_probability(confidence_level, "confidence_level")
    winner = find_winner(matrix, higher_is_better)
    return winner.report("naive t", winner.mean, _around(winner.mean, winner, level), level)


def winner_james_stein(
    matrix: ScoreMatrix, *, confidence_level: float = 0.95, higher_is_better: bool = True
) -> WinnerEstimate:
    """The winner's mean shrunk towards the average run by what the topics can't tell apart.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics. Below 4 systems there is nothing to estimate the shrinkage from, and the mean
        stays as it is.
    confidence_level : float, default 0.95
        Between 0 and 1.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    WinnerEstimate
        Shrunk mean, and the interval shrunk mean ± t s_w with s_w the winner's own standard error;
        ``details`` holds "shrinkage" (the factor B, 1 for none) and "grand_mean".

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or the level is out of range.

    Warns
    -----
    DegenerateWarning
        If all scores of the winner are equal: it has no interval then.

    Notes
    -----
    g + B (y_w - g) with g the mean of all scores, B = max(0, 1 - (k - 3) / (k - 1) * MSE / MSS) from the two-way
    analysis of variance. Only the residual matters: a common topic effect shifts all runs together and produces no
    winner's curse. The runs are taken as drawn from one population; a winner that truly stands apart is shrunk too
    much (by 0.013 in the worst collection examined).

    The interval has the width of the naive one around a better centre: coverage 0.91 to 0.99 over 26 simulated
    worlds. The narrower Bayesian interval of the same model covers 0.81 to 0.96 and is not offered.

    References
    ----------
    .. [1] Efron, B., & Morris, C. (1973). Stein's estimation rule and its competitors: an empirical Bayes approach.
       Journal of the American Statistical Association, 68(341), 117-130. doi:10.1080/01621459.1973.10481350

    Examples
    --------
    >>> matrix = ScoreMatrix(list("abcd"), ["1", "2"], [[0.1, 0.3], [0.2, 0.3], [0.3, 0.5], [0.5, 0.6]])
    >>> shrunk = winner_james_stein(matrix)
    >>> round(shrunk.estimate, 4), round(shrunk.details["shrinkage"], 4)
    (0.5478, 0.9889)
    """
    level = check_probability(confidence_level, "confidence_level")
    winner = find_winner(matrix, higher_is_better)
    shrinkage = shrinkage_of(matrix)
    estimate = shrunk_mean(winner, shrinkage)
    details: dict[str, float | None] = {"shrinkage": shrinkage, "grand_mean": float(matrix.scores.mean())}
    return winner.report("James-Stein", estimate, _around(estimate, winner, level), level, details=details)


def bootstrap_optimism(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
    progress: Progress | None = None,
) -> WinnerEstimate:
    """The winner's mean less the average by which winners of resampled topics exceed their own mean.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    rng : numpy.random.Generator or int
        Generator, or seed of one.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        Samples of topics drawn with replacement.
    higher_is_better : bool, default True
        Direction of the measure.
    progress : callable, optional
        Called with (done, total) resamples.

    Returns
    -------
    WinnerEstimate
        Corrected mean ± t s_w; ``details["optimism"]`` is the correction, 0 or more but for chance.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or a number is out of range.

    Warns
    -----
    DegenerateWarning
        If all scores of the winner are equal: it has no interval then.

    Notes
    -----
    No model of the runs and no theorem either. Coverage in simulations 0.90 to 0.98 (RR 0.84), bias of the estimate
    -0.004 to +0.014.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (20, 50))
    >>> matrix = ScoreMatrix(list("abcdefghijklmnopqrst"), [str(topic) for topic in range(50)], scores)
    >>> corrected = bootstrap_optimism(matrix, rng=1)
    >>> round(corrected.estimate, 2), round(corrected.details["optimism"], 3)
    (0.41, 0.015)
    """
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    winner = find_winner(matrix, higher_is_better)
    total = 0.0
    for step in chunks(n_resamples, matrix.n_systems, progress):
        draws = bootstrap_mean_draws(winner.scores, step, generator)
        rows = draws.argmax(axis=1)
        total += float((draws[np.arange(step), rows] - winner.means[rows]).sum())
    optimism = total / n_resamples
    estimate = winner.mean - optimism
    ends = _around(estimate, winner, level)
    return winner.report("bootstrap optimism", estimate, ends, level, details={"optimism": optimism})


def _around(centre: float, winner: Winner, level: float) -> tuple[float, float]:
    half_width = winner.half_width(level)
    return centre - half_width, centre + half_width


def shrinkage_of(matrix: ScoreMatrix) -> float:
    parts = components_of(matrix)
    k = parts.n_systems
    if k < 4 or parts.residual_mean_square == 0:
        return 1.0
    if parts.system_mean_square == 0:
        return 0.0
    return max(0.0, 1 - (k - 3) / (k - 1) * parts.residual_mean_square / parts.system_mean_square)


def shrunk_mean(winner: Winner, shrinkage: float) -> float:
    grand_mean = float(winner.means.mean())
    return grand_mean + shrinkage * (winner.mean - grand_mean)
