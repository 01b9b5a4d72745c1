"""How much of the variation of scores comes from systems, from topics, and from neither.

The two-way model is score = level + system + topic + residual. The residual decides how well two systems can be told
apart on the same topics; the topic variance shifts all systems together.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis._validation import FloatArray, check_instances
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class VarianceComponents(Result):
    """Mean squares and variance components of a systems x topics matrix.

    Attributes
    ----------
    n_systems, n_topics : int
        Size of the matrix.
    system_mean_square, topic_mean_square, residual_mean_square : float
        MSS, MST and MSE of the analysis of variance, in squared units of the measure.
    system_variance, topic_variance, residual_variance : float
        Variance components, 0 or more. A negative estimate is reported as 0 and named in ``truncated``.
    system_variance_error, topic_variance_error, residual_variance_error : float
        Standard errors of the components (before truncation), assuming normality.
    truncated : tuple of str
        Components whose estimate was negative: among "system" and "topic".
    intraclass_correlation : float or None
        topic_variance / (topic_variance + residual_variance): the correlation of two systems over topics in this
        model. None if both variances are 0.
    difference_standard_error : float
        sqrt(2 MSE / n_topics): standard error of the difference of two system means.
    residual_standard_error : float
        sqrt(MSE / n_topics).
    mean_standard_error : float
        sqrt((topic_variance + residual_variance) / n_topics): standard error of one system's mean.
    generalizability : float or None
        system_variance / (system_variance + MSE / n_topics): reliability of differences between systems. None if the
        denominator is 0.
    dependability : float or None
        system_variance / (system_variance + mean_standard_error²): reliability of absolute means. None likewise.
    """

    n_systems: int
    n_topics: int
    system_mean_square: float
    topic_mean_square: float
    residual_mean_square: float
    system_variance: float
    topic_variance: float
    residual_variance: float
    system_variance_error: float
    topic_variance_error: float
    residual_variance_error: float
    truncated: tuple[str, ...]
    intraclass_correlation: float | None
    difference_standard_error: float
    residual_standard_error: float
    mean_standard_error: float
    generalizability: float | None
    dependability: float | None

    @property
    def residual_degrees_of_freedom(self) -> int:
        """(n_systems - 1)(n_topics - 1)."""
        return (self.n_systems - 1) * (self.n_topics - 1)


@dataclass(frozen=True, slots=True)
class VarianceEntry(Result):
    """What one matrix says about the variation of a measure; a row of the variance library.

    Attributes
    ----------
    collection, measure : str
        Label of the matrix.
    n_topics, n_systems : int
        Its size.
    sd_of_means : float
        Standard deviation between the system means (ddof=1): S of Carterette (2015).
    published_scale : float
        S / sqrt(n_topics): the scale of Carterette (2015) as published.
    mean_standard_error : float
        Average over systems of the standard error of the mean.
    residual_standard_error : float
        sqrt(MSE / n_topics).
    residual_sd : float
        sqrt(MSE): standard deviation per topic.
    topic_sd : float
        Square root of the topic variance (0 where its estimate was negative).
    average_correlation : float or None
        Average over pairs of systems of their correlation over topics; None if no pair varies.
    top_gap : float
        Difference of the two best means.
    """

    collection: str
    measure: str
    n_topics: int
    n_systems: int
    sd_of_means: float
    published_scale: float
    mean_standard_error: float
    residual_standard_error: float
    residual_sd: float
    topic_sd: float
    average_correlation: float | None
    top_gap: float


@dataclass(frozen=True, slots=True)
class MeasureVariance(Result):
    """The residual standard deviation of a measure over several matrices.

    Attributes
    ----------
    measure : str
        Label of the measure.
    residual_sd : float
        Median over the matrices, per topic, in the unit of the measure.
    lowest, highest : float
        Range over the matrices.
    n_matrices : int
        Their number.
    """

    measure: str
    residual_sd: float
    lowest: float
    highest: float
    n_matrices: int


def two_way_anova(matrix: ScoreMatrix) -> VarianceComponents:
    """Variance components of systems, topics and residual, from the two-way analysis of variance.

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
    errors do: the variance of a mean square on f degrees of freedom is estimated by 2 MS² / (f + 2) [1]_.

    References
    ----------
    .. [1] Searle, S. R., Casella, G., & McCulloch, C. E. (1992). Variance Components. Wiley.
       doi:10.1002/9780470316856
    .. [2] Brennan, R. L. (2001). Generalizability Theory. Springer. doi:10.1007/978-1-4757-3456-0

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b", "c"], ["1", "2"], [[0.1, 0.5], [0.2, 0.6], [0.6, 0.7]])
    >>> parts = two_way_anova(matrix)
    >>> round(parts.system_mean_square, 4), round(parts.topic_mean_square, 4), round(parts.residual_mean_square, 4)
    (0.065, 0.135, 0.015)
    >>> round(parts.topic_variance, 4), parts.truncated
    (0.04, ())
    """
    parts = components_of(matrix)
    if parts.residual_variance == 0:
        message = "systems differ by the same amounts on every topic: the residual variance is 0"
        warnings.warn(message, DegenerateWarning, stacklevel=2)
    return parts


def components_of(matrix: ScoreMatrix) -> VarianceComponents:
    """As :func:`two_way_anova`, for functions with a word of their own on a residual variance of 0."""
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


def variance_library(matrices: Mapping[tuple[str, str], ScoreMatrix]) -> tuple[VarianceEntry, ...]:
    """One row per matrix with what it says about the variation of its measure.

    Where a collection has published means only, an analysis borrows the residual variance of other collections under
    the same measure from here.

    Parameters
    ----------
    matrices : mapping of (collection, measure) to ScoreMatrix
        At least one matrix, each of at least 2 systems.

    Returns
    -------
    tuple of VarianceEntry
        In the order of ``matrices``.

    Raises
    ------
    ArgumentError
        If there is no matrix, or one holds fewer than 2 systems.

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b", "c"], ["1", "2"], [[0.1, 0.5], [0.2, 0.6], [0.6, 0.7]])
    >>> entry, = variance_library({("toy", "AP"): matrix})
    >>> round(entry.residual_sd, 4), round(entry.top_gap, 4), round(entry.average_correlation, 4)
    (0.1225, 0.25, 1.0)
    """
    if not isinstance(matrices, Mapping) or not matrices:
        raise ArgumentError("matrices", matrices, "must map at least one (collection, measure) to its matrix")
    for label, matrix in matrices.items():
        if not isinstance(label, tuple) or len(label) != 2:
            raise ArgumentError("matrices", label, "must have a key (collection, measure) for each matrix")
        check_matrix(matrix, "matrices")
    return tuple(_entry(collection, measure, matrix) for (collection, measure), matrix in matrices.items())


def summarize_by_measure(entries: Sequence[VarianceEntry]) -> tuple[MeasureVariance, ...]:
    """Median and range of the residual standard deviation of each measure, in order of first appearance.

    Parameters
    ----------
    entries : sequence of VarianceEntry
        Rows of :func:`variance_library`, at least one.

    Returns
    -------
    tuple of MeasureVariance
        One for each measure.

    Raises
    ------
    ArgumentError
        If there is no entry.

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b", "c"], ["1", "2"], [[0.1, 0.5], [0.2, 0.6], [0.6, 0.7]])
    >>> summary, = summarize_by_measure(variance_library({("toy", "AP"): matrix}))
    >>> summary.measure, round(summary.residual_sd, 4), summary.n_matrices
    ('AP', 0.1225, 1)
    """
    check_instances(entries, "entries", VarianceEntry)
    by_measure: dict[str, list[float]] = {}
    for entry in entries:
        by_measure.setdefault(entry.measure, []).append(entry.residual_sd)
    return tuple(
        MeasureVariance(measure, float(np.median(values)), min(values), max(values), len(values))
        for measure, values in by_measure.items()
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


def _entry(collection: str, measure: str, matrix: ScoreMatrix) -> VarianceEntry:
    parts = two_way_anova(matrix)
    means, sds = matrix.means, matrix.scores.std(axis=1, ddof=1)
    best, second = np.sort(means)[::-1][:2]
    spread = float(means.std(ddof=1))
    return VarianceEntry(
        collection=collection,
        measure=measure,
        n_topics=matrix.n_topics,
        n_systems=matrix.n_systems,
        sd_of_means=spread,
        published_scale=spread / float(np.sqrt(matrix.n_topics)),
        mean_standard_error=float(sds.mean() / np.sqrt(matrix.n_topics)),
        residual_standard_error=parts.residual_standard_error,
        residual_sd=float(np.sqrt(parts.residual_mean_square)),
        topic_sd=float(np.sqrt(parts.topic_variance)),
        average_correlation=_average_correlation(matrix.scores[sds > 0]),
        top_gap=float(best - second),
    )


def _average_correlation(scores: FloatArray) -> float | None:
    n_systems = len(scores)
    if n_systems < 2:
        return None
    centred = scores - scores.mean(axis=1, keepdims=True)
    unit = centred / np.sqrt((centred**2).sum(axis=1, keepdims=True))
    # The sum over all pairs is the squared length of the sum: no n_systems x n_systems matrix is needed.
    return float(((unit.sum(axis=0) ** 2).sum() - n_systems) / (n_systems * (n_systems - 1)))
