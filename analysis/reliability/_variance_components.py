"""The variation of scores, split into systems, topics, and neither.

The two-way model is score = level + system + topic + residual. The residual decides how well two systems can be told
apart on the same topics; the topic variance shifts all systems together.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._validation import FloatArray, warn
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class VarianceComponents(Result):
    """Mean squares and variance components of a systems x topics matrix."""

    n_systems: Annotated[int, "Size of the matrix."]
    n_topics: Annotated[int, "Size of the matrix."]
    system_mean_square: Annotated[float, "MSS of the analysis of variance, in squared units of the measure."]
    topic_mean_square: Annotated[float, "MST, likewise."]
    residual_mean_square: Annotated[float, "MSE, likewise."]
    system_variance: Annotated[float, "0 or more; a negative estimate is reported as 0 and named in ``truncated``."]
    topic_variance: Annotated[float, "Likewise of topics."]
    residual_variance: Annotated[float, "Likewise of what is beyond system and topic."]
    system_variance_error: Annotated[float, "Standard error of the component (before truncation), assuming normality."]
    topic_variance_error: Annotated[float, "Likewise of topics."]
    residual_variance_error: Annotated[float, "Likewise of what is beyond system and topic."]
    truncated: Annotated[tuple[str, ...], 'Components whose estimate was negative: among "system" and "topic".']
    intraclass_correlation: Annotated[
        float | None, "topic_variance / (topic_variance + residual_variance); None if both are 0."
    ]
    difference_standard_error: Annotated[float, "sqrt(2 MSE / n_topics): that of the difference of two means."]
    residual_standard_error: Annotated[float, "sqrt(MSE / n_topics)."]
    mean_standard_error: Annotated[float, "sqrt((topic_variance + residual_variance) / n_topics)."]
    generalizability: Annotated[
        float | None, "system_variance / (system_variance + MSE / n_topics): of differences between systems."
    ]
    dependability: Annotated[
        float | None, "system_variance / (system_variance + mean_standard_error²): of absolute means."
    ]

    @property
    def residual_degrees_of_freedom(self) -> int:
        """(n_systems - 1)(n_topics - 1)."""
        return (self.n_systems - 1) * (self.n_topics - 1)


def two_way_anova(matrix: ScoreMatrix) -> VarianceComponents:
    """Return variance components of systems, topics and residual, from the two-way analysis of variance.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics, every system scored on every topic.

    Returns
    -------
    VarianceComponents
        Mean squares, components with standard errors, and the standard errors of means and differences.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems.

    Warns
    -----
    DegenerateWarning
        If the residual variance is 0.

    Notes
    -----
    Expected mean squares: E MSE = residual; E MST = residual + n_systems * topic; E MSS = residual + n_topics *
    system. One score per cell leaves the interaction of system and topic in the residual, where it belongs: it is
    what makes the comparison of two systems uncertain. Mean squares and components need no normality, their standard
    errors do: the variance of a mean square on f degrees of freedom is estimated by 2 MS² / (f + 2) (Searle et al.).

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, Wiley, doi:10.1002/9780470316856. Brennan (2001),
    Generalizability Theory, Springer, doi:10.1007/978-1-4757-3456-0.
    """
    parts = components_of(matrix)
    if parts.residual_variance == 0:
        warn("systems differ by the same amounts on every topic: the residual variance is 0")
    return parts


def components_of(matrix: ScoreMatrix) -> VarianceComponents:
    """Return as :func:`two_way_anova`, for functions with a word of their own on a residual variance of 0."""
    check_matrix(matrix)
    n_systems, n_topics = matrix.n_systems, matrix.n_topics
    mss, mst, mse = _mean_squares(matrix.scores)
    mss_var = 2 * mss**2 / (n_systems + 1)
    mst_var = 2 * mst**2 / (n_topics + 1)
    mse_var = 2 * mse**2 / ((n_systems - 1) * (n_topics - 1) + 2)
    system, topic = (mss - mse) / n_topics, (mst - mse) / n_systems
    truncated = tuple(name for name, value in (("system", system), ("topic", topic)) if value < 0)
    system, topic = max(0.0, system), max(0.0, topic)
    mean_variance = (topic + mse) / n_topics
    return VarianceComponents(
        n_systems=n_systems,
        n_topics=n_topics,
        system_mean_square=mss,
        topic_mean_square=mst,
        residual_mean_square=mse,
        system_variance=system,
        topic_variance=topic,
        residual_variance=mse,
        system_variance_error=float(np.sqrt(mss_var + mse_var)) / n_topics,
        topic_variance_error=float(np.sqrt(mst_var + mse_var)) / n_systems,
        residual_variance_error=float(np.sqrt(mse_var)),
        truncated=truncated,
        intraclass_correlation=_share(topic, mse),
        difference_standard_error=float(np.sqrt(2 * mse / n_topics)),
        residual_standard_error=float(np.sqrt(mse / n_topics)),
        mean_standard_error=float(np.sqrt(mean_variance)),
        generalizability=_share(system, mse / n_topics),
        dependability=_share(system, mean_variance),
    )


def _mean_squares(scores: FloatArray) -> tuple[float, float, float]:
    n_systems, n_topics = scores.shape
    level, by_system, by_topic = scores.mean(), scores.mean(axis=1), scores.mean(axis=0)
    residuals = scores - by_system[:, None] - by_topic + level
    squares = (
        n_topics * float(((by_system - level) ** 2).sum()) / (n_systems - 1),
        n_systems * float(((by_topic - level) ** 2).sum()) / (n_topics - 1),
        float((residuals**2).sum()) / ((n_systems - 1) * (n_topics - 1)),
    )
    # Constant data leaves rounding, the ratios of which mean nothing.
    floor = (1e-12 * float(np.abs(scores).max())) ** 2
    system, topic, residual = (square if square > floor else 0.0 for square in squares)
    return system, topic, residual


def _share(part: float, rest: float) -> float | None:
    return part / (part + rest) if part + rest > 0 else None
