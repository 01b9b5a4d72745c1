"""The model of instances reduced to what its likelihood needs.

The model is score = algorithm + instance + topic + algorithm x topic + residual, with any cell absent. Topics that the
same instances have are one class, and so are the instances of an algorithm that have the same topics: of the scores of
a class sums and products are enough. Where few cells are absent there are a handful of classes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from analysis._validation import FloatArray
from analysis.scores import InstanceScores
from analysis.scores._matrix import group_sums

#: The random parts whose variances, in units of the residual's, are the arguments of ``solve``.
COMPONENTS = ("instance", "topic", "algorithm_topic")


@dataclass(frozen=True, slots=True)
class Solution:
    """The generalized least squares answer for given variance ratios, in units of the residual variance."""

    means: FloatArray
    quadratic: float
    contrast_variance: float
    log_determinants: float


@dataclass(frozen=True, slots=True)
class TopicClasses:
    """Topics that the same instances have; a cell is an algorithm's scores on a topic."""

    size: FloatArray  # (n_classes,): topics
    counts: FloatArray  # (n_classes, 2): scores in the cells of either algorithm
    mean_sums: FloatArray  # (n_classes, 2): sum over topics of the cells' means
    mean_products: FloatArray  # (n_classes, 2, 2): sum over topics of their products


@dataclass(frozen=True, slots=True)
class InstanceClasses:
    """Instances of an algorithm that have the same topics; a deviation is a score less its cell's mean."""

    size: FloatArray  # (n_classes,): instances
    owner: NDArray[np.intp]  # (n_classes,): their algorithm, 0 or 1
    has: FloatArray  # (topic classes, n_classes): 1 where they have those topics
    n_scores: FloatArray  # (n_classes,): scores of one instance
    deviation: FloatArray  # (n_classes,): mean over instances of their summed deviations
    spread: FloatArray  # (n_classes,): sum of squares of the summed deviations around it


@dataclass(frozen=True, slots=True)
class Equations:
    """Sums and products of scores, from which effects are eliminated: of topics first, then of instances."""

    topics: TopicClasses
    instances: InstanceClasses
    within: float  # sum of squares of the deviations
    n_free: int  # scores minus algorithms
    centre: float  # mean of the scores, which is taken off them: means are from here

    @property
    def used(self) -> NDArray[np.intp]:
        """Return which components there are, as positions in ``COMPONENTS``."""
        return np.arange(3) if self.instances.size.size else np.arange(1, 3)

    @property
    def scores_of_effects(self) -> FloatArray:
        """Return how many scores an effect of each component there is reaches, on average."""
        scores = float(self.topics.size @ self.topics.counts.sum(axis=1))
        cells = float(self.topics.size @ (self.topics.counts > 0).sum(axis=1))
        mean = np.array([0.0, scores / self.topics.size.sum(), scores / cells])
        if self.instances.size.size:
            mean[0] = self.instances.size @ self.instances.n_scores / self.instances.size.sum()
        return mean[self.used]

    def solve(self, ratios: FloatArray) -> Solution:
        """Return means and determinants for variances of the components in units of the residual's."""
        instance, topic, interaction = ratios.tolist()
        reduced, log_determinant = self._reduced(instance, (1.0, topic), interaction)
        design, moments = reduced[:2, :2], reduced[:2, 2]
        inverse = np.linalg.inv(design)
        means = inverse @ moments
        return Solution(
            means=means,
            quadratic=float(reduced[2, 2] - moments @ means),
            contrast_variance=float(inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]),
            log_determinants=log_determinant + float(np.linalg.slogdet(design)[1]),
        )

    def solve_within_topics(self, instance: float, interaction: float) -> Solution:
        """Return the same with topics as blocks of any level: ``means`` are the difference and 0, and only it is
        fixed."""
        reduced, log_determinant = self._reduced(instance, (0.0, 1.0), interaction)
        precision, moment = float(reduced[0, 0]), float(reduced[0, 2])
        return Solution(
            means=np.array([moment / precision, 0.0]),
            quadratic=float(reduced[2, 2]) - moment**2 / precision,
            contrast_variance=1.0 / precision,
            log_determinants=log_determinant + float(np.log(precision)),
        )

    def _reduced(self, instance: float, topic: tuple[float, float], interaction: float) -> tuple[FloatArray, float]:
        """Return the cross products of [X y] with the random parts eliminated, and the log determinant of that.

        The variance of topics is a pair: (1, variance), or (0, 1) for an infinite one.
        """
        topics, members = self.topics, self.instances
        parts = _topic_parts(topics.counts, topic, interaction)
        means = np.einsum("cab,cb->ca", parts.outside, topics.mean_sums)
        reduced = np.empty((3, 3))
        reduced[:2, :2] = np.einsum("c,cab->ab", topics.size, parts.kept)
        reduced[:2, 2] = reduced[2, :2] = np.einsum("cab,cb->a", parts.kept, topics.mean_sums)
        reduced[2, 2] = self.within + np.einsum("cab,cab->", parts.kept, topics.mean_products)
        alone = 1 + instance * members.n_scores
        # Instances of a class around its mean are correlated with nothing else.
        reduced[2, 2] -= (instance * members.spread / alone).sum()
        log_determinant = topics.size @ np.log(parts.determinant) + (members.size - 1) @ np.log(alone)
        every = np.concatenate([topics.size[:, None, None] * parts.outside, means[:, :, None]], axis=2)
        known = (members.has.T @ every.reshape(-1, 6)).reshape(-1, 2, 3)[np.arange(members.owner.size), members.owner]
        known[:, 2] += members.deviation
        scale = np.sqrt(instance * members.size)
        factors = np.sqrt(topics.size)[:, None, None] * parts.factor
        shared = np.concatenate([factors[:, members.owner, column] * members.has for column in (0, 1)]) * scale
        explained, log_rest = _explained(alone, shared, known * scale[:, None])
        return reduced - explained, float(log_determinant + log_rest)


@dataclass(frozen=True, slots=True)
class TopicParts:
    """With N the scores in the two cells of a topic and D the covariance of their effects, for each class of topics:

    what eliminating the effects takes and leaves. Matrices are (n_classes, 2, 2).
    """

    factor: FloatArray  # L L' = D (I + N D)^-1
    outside: FloatArray  # (I + D N)^-1
    kept: FloatArray  # N (I + D N)^-1
    determinant: FloatArray  # (n_classes,): of I + N D


def _topic_parts(counts: FloatArray, topic: tuple[float, float], interaction: float) -> TopicParts:
    """Return the parts written out, so that nothing cancels however large D is; D's part of (unit, level) is times the
    unit."""
    unit, level = topic
    first, second = counts.T
    single, cross = unit * interaction + level, interaction * (unit * interaction + 2 * level)
    determinant = unit + single * (first + second) + cross * first * second
    own = single + second * cross
    factor = np.zeros((first.size, 2, 2))
    if single > 0:
        factor[:, 0, 0] = np.sqrt(own / determinant)
        factor[:, 1, 0] = level / np.sqrt(own * determinant)
        factor[:, 1, 1] = np.sqrt(cross / own)
    outside = np.empty_like(factor)
    outside[:, 0, 0], outside[:, 0, 1] = unit + single * second, -level * second
    outside[:, 1, 0], outside[:, 1, 1] = -level * first, unit + single * first
    outside /= determinant[:, None, None]
    return TopicParts(factor, outside, counts[:, :, None] * outside, determinant)


def _explained(alone: FloatArray, shared: FloatArray, known: FloatArray) -> tuple[FloatArray, float]:
    """Return K' M^-1 K and the log determinant of M = diag(alone) - B'B, by whichever side of B is smaller."""
    if len(shared) < alone.size:
        scaled = known / alone[:, None]
        factor = np.linalg.cholesky(np.eye(len(shared)) - (shared / alone) @ shared.T)
        rest = solve_triangular(factor, shared @ scaled, lower=True, check_finite=False)
        return known.T @ scaled + rest.T @ rest, float(np.log(alone).sum() + 2 * np.log(np.diag(factor)).sum())
    factor = np.linalg.cholesky(np.diag(alone) - shared.T @ shared)
    rest = solve_triangular(factor, known, lower=True, check_finite=False)
    return rest.T @ rest, float(2 * np.log(np.diag(factor)).sum())


def instance_equations(scores: InstanceScores, instance_effect: bool, *, copies: float = 1.0) -> Equations:
    """Return the equations of two algorithms; each score of a deterministic one counts as so many equal ``copies``."""
    owner = np.array([scores.algorithms.index(name) for name, _ in scores.instances])
    fixed = np.array([name in scores.deterministic for name, _ in scores.instances])
    owners = np.stack([owner == 0, owner == 1]).astype(float)
    weights = scores.present * np.where(fixed, copies, 1.0)[:, None]
    # Centred scores: the criterion works with sums of squares.
    centre = float(scores.scores[scores.present].mean())
    values = (scores.scores - centre) * scores.present
    counts = owners @ weights
    means = np.divide(owners @ (weights * values), counts, out=np.zeros_like(counts), where=counts > 0)
    deviations = (values - means[owner]) * scores.present
    patterns, of_topic = np.unique(scores.present, axis=1, return_inverse=True)
    first = np.unique(of_topic, return_index=True)[1]
    topics = TopicClasses(
        size=np.bincount(of_topic).astype(float),
        counts=counts.T[first],
        mean_sums=group_sums(means.T, of_topic),
        mean_products=group_sums(np.einsum("at,bt->tab", means, means), of_topic),
    )
    varying = ~fixed & instance_effect
    return Equations(
        topics=topics,
        instances=_instance_classes(owner[varying], patterns[varying], topics.size, deviations[varying].sum(axis=1)),
        within=float((weights * deviations**2).sum()),
        n_free=int(scores.present.sum()) - 2,
        centre=centre,
    )


def _instance_classes(
    owner: NDArray[np.intp], patterns: NDArray[np.bool_], topic_size: FloatArray, deviations: FloatArray
) -> InstanceClasses:
    keys, of_instance = np.unique(np.column_stack([owner, patterns]), axis=0, return_inverse=True)
    size, has = np.bincount(of_instance, minlength=len(keys)).astype(float), keys[:, 1:].T.astype(float)
    mean = group_sums(deviations, of_instance) / size
    spread = group_sums((deviations - mean[of_instance]) ** 2, of_instance)
    return InstanceClasses(size, keys[:, 0].astype(np.intp), has, topic_size @ has, mean, spread)
