"""A p-value for two algorithms that rests on simulated scores instead of a t distribution."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._resampling import TIE_TOLERANCE, Progress, RandomSource, as_generator, check_progress, monte_carlo_pvalue
from analysis._validation import FloatArray, check_count
from analysis.errors import ArgumentError
from analysis.instances._anova import InstanceComponents
from analysis.instances._mixed_models import judged
from analysis.results import Result
from analysis.scores import InstanceScores
from analysis.scores._instances import select_pair


@dataclass(frozen=True, slots=True)
class BootstrapComparison(Result):
    """A parametric bootstrap test of two algorithms."""

    first: Annotated[str, "The algorithms; differences are first minus second."]
    second: Annotated[str, "The algorithms; differences are first minus second."]
    estimate: Annotated[float, "Difference, and difference over standard error."]
    statistic: Annotated[float, "Difference, and difference over standard error."]
    pvalue: Annotated[float, "Two-sided: (1 + simulated |statistics| at least as large) / (1 + n_resamples)."]
    n_resamples: Annotated[int, "Number of simulated data sets."]


def bootstrap_comparison(
    scores: InstanceScores,
    first: str,
    second: str,
    rng: RandomSource,
    *,
    n_resamples: int = 499,
    progress: Progress | None = None,
) -> BootstrapComparison:
    """Return the parametric bootstrap p-value of no difference between two algorithms.

    Parameters
    ----------
    scores : InstanceScores
        Scores of the algorithms; cells may be absent.
    first, second : str
        Two different algorithms of ``scores``.
    rng : numpy Generator or int
        Source of randomness, or a seed.
    n_resamples : int, default 499
        Number of simulated data sets, 19 or more. With absent cells each needs a fit.
    progress : callable, optional
        Called with (done, total) now and then.

    Returns
    -------
    BootstrapComparison

    Raises
    ------
    ArgumentError
        If an algorithm is unknown, both are the same or deterministic, or nothing varies.

    Notes
    -----
    Scores are simulated from the model with the estimated variance components, no difference, and the same absent
    cells. A check on the t distribution of :func:`analysis.instances.compare_algorithms` where instances are few.

    References
    ----------
    Halekoh & Højsgaard (2014), doi:10.18637/jss.v059.i09.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> table = rng.normal(0, 0.1, 20) + rng.normal(0, 0.02, (2, 3, 1)) + rng.normal(0.4, 0.05, (2, 3, 20))
    >>> bootstrap_comparison(InstanceScores.from_array(table), "A", "B", 7, n_resamples=199).pvalue
    0.4
    """
    check_count(n_resamples, "n_resamples", minimum=19)
    generator = as_generator(rng)
    check_progress(progress)
    pair = select_pair(scores, first, second)
    if len(pair.deterministic) == 2:
        raise ArgumentError("scores", pair.deterministic, "must hold an algorithm that varies; a paired test does it")
    estimate, error, _, components = judged(pair, first, second)
    if error == 0:
        raise ArgumentError("scores", error, "must vary")
    statistic = estimate / error
    exceeding = 0
    for done in range(1, n_resamples + 1):
        value, spread, *_ = judged(_simulated(pair, components, generator), first, second)
        exceeding += abs(value) >= (abs(statistic) - TIE_TOLERANCE) * spread
        if progress is not None:
            progress(done, n_resamples)
    return BootstrapComparison(
        first=first,
        second=second,
        estimate=estimate,
        statistic=statistic,
        pvalue=float(monte_carlo_pvalue(exceeding, n_resamples)),
        n_resamples=n_resamples,
    )


def _simulated(pair: InstanceScores, components: InstanceComponents, generator: np.random.Generator) -> InstanceScores:
    """Return scores of the model without a difference, where ``pair`` has scores."""
    owner = np.array([pair.algorithms.index(name) for name, _ in pair.instances])
    varying = np.array([name not in pair.deterministic for name, _ in pair.instances])
    shape = pair.scores.shape

    def normal(variance: float | None, size: tuple[int, ...]) -> FloatArray:
        return generator.normal(0.0, float(np.sqrt(variance or 0.0)), size)

    table = normal(components.topic, (1, shape[1])) + normal(components.algorithm_topic, (2, shape[1]))[owner]
    table = table + (normal(components.instance, (shape[0], 1)) + normal(components.residual, shape)) * varying[:, None]
    return pair.with_scores(table)
