"""Topics that come in groups, as turns of one conversation or wordings of one need: only groups are independent."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis._validation import FloatArray, check_labels
from analysis.errors import ArgumentError
from analysis.scores._matrix import ScoreMatrix, check_matrix


class IndependentScores(NamedTuple):
    """Scores whose columns are independent, and how many columns of equal weight they are worth."""

    matrix: ScoreMatrix
    n: float


def independent_scores(matrix: ScoreMatrix, topic_groups: Sequence[str] | None) -> IndependentScores:
    """Return the scores of a matrix with a column for each group of topics, as :func:`independent_columns` has them;
    the matrix itself without groups."""
    check_matrix(matrix)
    if topic_groups is None:
        return IndependentScores(matrix, float(matrix.n_topics))
    names, columns, n = independent_columns(matrix.scores, topic_groups)
    return IndependentScores(ScoreMatrix(matrix.systems, names, columns), n)


def independent_columns(scores: FloatArray, topic_groups: Sequence[str]) -> tuple[list[str], FloatArray, float]:
    """Return the groups of topics, scores with a column for each, with the same means, and how many these are worth.

    Parameters
    ----------
    scores : ndarray, shape (n_systems, n_topics)
    topic_groups : sequence of str
        The group of each topic; at least two different ones.

    Returns
    -------
    names : list of str
    columns : ndarray, shape (n_systems, n_groups)
        With G groups of n topics, the value of a system in a group is its mean plus G / n times the sum, over the
        topics of the group, of what its scores there differ from its mean.
    n : float
        n² / sum n_c², n_c the topics of a group: G if they are equally large.

    Raises
    ------
    ArgumentError
        If labels don't fit, or all topics are of one group.

    Notes
    -----
    The variance of the difference of two systems over the columns, divided by G, is the cluster-robust one of their
    means, G / (G - 1) sum_c (sum_{t in c} e_t)² / n², e their difference less its mean. So what is computed from the
    columns as from topics allows for the groups; degrees of freedom are those of ``n`` columns.

    References
    ----------
    Liang & Zeger (1986), "Longitudinal data analysis using generalized linear models", Biometrika 73,
    doi:10.1093/biomet/73.1.13.
    """
    labels = check_labels(topic_groups, "topic_groups", scores.shape[1])
    names, group_of = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ArgumentError("topic_groups", labels[:3], "must name at least two different groups")
    means = scores.mean(axis=1, keepdims=True)
    sums = np.zeros((len(names), len(scores)))
    np.add.at(sums, group_of, (scores - means).T)
    sizes = np.bincount(group_of)
    columns: FloatArray = means + len(names) / scores.shape[1] * sums.T
    return [str(name) for name in names], columns, float(sizes.sum() ** 2 / (sizes**2).sum())
