"""Systems that are no independent attempts: copies found by their scores, and a variance that they can't move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import connected_components

from analysis._validation import FloatArray, check_count, check_in_range, check_labels, check_vector, warn
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix, group_sums

#: Below this share of what pairs of systems typically vary by, a difference tells nothing: two such systems are
#: near-copies, and the standard error of their difference is not believed.
SMALL_SHARE = 0.1

#: A difference whose variance is below this share of the variances of both scores is no more than rounding.
_RELATIVE_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class NearCopies(Result):
    """The families of systems that labels and near-copies make together."""

    systems: Annotated[tuple[str, ...], "As in the matrix."]
    groups: Annotated[
        tuple[tuple[str, ...], ...],
        "Systems that are near-copies of each other, directly or over others, in the order of the matrix; "
        "systems without a near-copy are in none.",
    ]
    families: Annotated[
        tuple[str, ...],
        "The family of each system, in the order of the matrix: groups and given families, united where they "
        "overlap, under the label of their first system.",
    ]
    n_families: Annotated[int, "Number of different ones."]
    threshold: Annotated[float, "Mean squared difference of near-copies at most, in squared units of the measure."]


def near_copies(matrix: ScoreMatrix, families: Sequence[str] | None = None) -> NearCopies:
    """Return groups of systems whose scores hardly differ on any topic.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    families : sequence of str, optional
        The family of each system as far as it is known otherwise (team, paper, model), in the order of the matrix,
        to be united with the groups. Default: each system is a family of its own.

    Returns
    -------
    NearCopies
        The groups, and the family of each system.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems, or ``families`` has not one label for each.

    Warns
    -----
    DegenerateWarning
        If most pairs of systems differ by the same amount on every topic: identical systems alone are copies then.

    Notes
    -----
    Two systems are near-copies if the mean over topics of their squared difference is at most a tenth of the median,
    over all pairs, of the variance of their difference. By variance alone, a system that beats another by the same
    amount on every topic would be its copy. Copies of copies are in one group.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, Wiley, doi:10.1002/9780470316856:
    the residual of two systems. The limit below which they are copies is Plumbline's own.
    """
    check_matrix(matrix)
    labels = check_families(families, matrix)
    scores = matrix.scores
    variances = pair_variances(scores)
    threshold = SMALL_SHARE * median_of_pairs(variances)
    if threshold == 0:
        warn("most systems differ by the same amount on every topic: identical ones alone count as copies")
    means, n_topics = scores.mean(axis=1), scores.shape[1]
    squared = variances * (n_topics - 1) / n_topics + (means[:, None] - means) ** 2
    groups = connected_components(squared <= threshold + rounding_variance(scores), directed=False)[1]
    labelled = np.unique(labels, return_inverse=True)[1]
    united = connected_components((groups[:, None] == groups) | (labelled[:, None] == labelled), directed=False)[1]
    first = {int(family): labels[row] for row, family in reversed(list(enumerate(united)))}
    return NearCopies(
        systems=matrix.systems,
        groups=tuple(
            tuple(matrix.systems[row] for row in rows)
            for group in dict.fromkeys(groups.tolist())
            if len(rows := np.flatnonzero(groups == group)) > 1
        ),
        families=tuple(first[int(family)] for family in united),
        n_families=len(first),
        threshold=threshold,
    )


def family_weighted_variance(matrix: ScoreMatrix, families: Sequence[str] | None = None) -> float:
    """Return the variance of a score beyond system and topic, in which each pair of families of systems weighs the
    same.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics, every system scored on every topic.
    families : sequence of str, optional
        The family of each system, in the order of the matrix; at least two different ones. Default: each system is a
        family of its own, which gives the residual variance of :func:`two_way_anova`.

    Returns
    -------
    float
        In squared units of the measure, 0 or more.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or families, or ``families`` has not one label for each system.

    Warns
    -----
    DegenerateWarning
        If the variance is 0: systems differ by the same amounts on every topic.

    Notes
    -----
    Half the variance of the difference of two systems of different families, averaged over the systems of two families,
    then over all pairs of families, so that copies of a system count once. With v_f the mean variance of a family's
    systems and m_f the mean of their scores on each topic, the average is that of v_f less that of Cov(m_f, m_g), and
    the covariances of all pairs follow from the variance of the sum of m_f: no pair is formed.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, Wiley, doi:10.1002/9780470316856:
    its mean squares. The weights by family are Plumbline's own.
    """
    check_matrix(matrix)
    labels = check_families(families, matrix)
    names, member_of = np.unique(labels, return_inverse=True)
    n_families = len(names)
    if n_families < 2:
        raise ArgumentError("families", labels, "must name at least two different families")
    # Less the topics' own means: they cancel in every difference, and leave more digits to what remains.
    residuals = matrix.scores - matrix.scores.mean(axis=0)
    residuals -= residuals.mean(axis=1, keepdims=True)
    sizes = np.bincount(member_of)
    profiles = group_sums(residuals, member_of) / sizes[:, None]
    freedom = matrix.n_topics - 1
    own = (np.bincount(member_of, weights=(residuals**2).sum(axis=1)) / sizes).mean() / freedom
    between = ((profiles.sum(axis=0) ** 2).sum() - (profiles**2).sum()) / freedom / (n_families * (n_families - 1))
    variance = float(own - between)
    if variance > rounding_variance(matrix.scores):
        return variance
    warn("systems differ by the same amounts on every topic: the residual variance is 0")
    return 0.0


def variance_cap(
    means: ArrayLike, *, n_topics: int, value_range: tuple[float, float] | None = (0.0, 1.0)
) -> float | None:
    """Return the largest residual variance that scores within a range can have, given the means of the systems.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every system, in the unit of the range and within it.
    n_topics : int
        Number of topics behind each mean, 2 or more.
    value_range : pair of float or None, default (0, 1)
        Lowest and highest score that the measure can give; None where it has no bounds.

    Returns
    -------
    float or None
        In squared units of the measure; None where the measure has no bounds, and the variance none either.

    Raises
    ------
    ArgumentError
        If a mean lies outside of the range, or there are fewer than 2 topics.

    Notes
    -----
    A score between 0 and 1 with mean m varies most if it is either 0 or 1: by m (1 - m), times n / (n - 1) as
    variances are estimated. The average over the systems bounds the variance beyond system and topic, unless systems
    fail on opposite topics.

    References
    ----------
    Searle, Casella & McCulloch (1992), doi:10.1002/9780470316856: the residual mean square, which the range bounds.
    """
    values = check_vector(means, "means")
    check_count(n_topics, "n_topics", minimum=2)
    bounds = check_in_range(values, "means", value_range)
    if bounds is None:
        return None
    low, high = bounds
    return float(((values - low) * (high - values)).mean()) * n_topics / (n_topics - 1)


def check_families(families: Sequence[str] | None, matrix: ScoreMatrix) -> tuple[str, ...]:
    """Return the family of each system: as given, or each its own."""
    return matrix.systems if families is None else check_labels(families, "families", matrix.n_systems)


def pair_variances(scores: FloatArray) -> FloatArray:
    """Return variance over topics of the difference of every two systems (ddof=1), shape (n_systems, n_systems)."""
    residuals = scores - scores.mean(axis=0)
    residuals -= residuals.mean(axis=1, keepdims=True)
    covariances = residuals @ residuals.T / (scores.shape[1] - 1)
    own = np.diag(covariances)
    sums = own[:, None] + own
    variances: FloatArray = sums - 2 * covariances
    # What is left of nearly equal numbers is rounding, and may be negative.
    variances[variances <= np.maximum(_RELATIVE_ROUNDING * sums, rounding_variance(scores))] = 0.0
    np.fill_diagonal(variances, 0.0)
    return variances


def median_of_pairs(variances: FloatArray) -> float:
    """Return the median over pairs of different systems of what :func:`pair_variances` gives."""
    return float(np.median(variances[np.triu_indices(len(variances), 1)]))


def rounding_variance(scores: FloatArray) -> float:
    """Return a variance that is no more than the rounding of these scores."""
    return float((1e-12 * np.abs(scores).max()) ** 2)
