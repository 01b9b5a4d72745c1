"""The model of instances reduced to what its likelihood needs: cross products, eliminated topic by topic.

The model is score = algorithm + instance + topic + algorithm x topic + residual. Work and memory depend on the number
of instances and topics, not on the number of scores; any cell may be absent.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis._validation import FloatArray
from analysis.scores import InstanceScores

#: The random parts whose standard deviations, in units of the residual's, are the arguments of ``solve``.
COMPONENTS = ("instance", "topic", "algorithm_topic")

#: Standard deviation of topics in units of the residual's that is as good as infinite: nothing is learned from
#: comparing one topic with another.
_BLOCKS = 1e3


@dataclass(frozen=True, slots=True)
class Solution:
    """The generalized least squares answer for given variance ratios, in units of the residual variance."""

    means: FloatArray
    quadratic: float
    contrast_variance: float
    log_determinants: float


@dataclass(frozen=True, slots=True)
class Equations:
    """Cross products of the design with X of algorithm means and y of scores, in blocks of what they can share.

    A topic's effects (its own and its two interactions) meet no other topic's, so that they are eliminated topic by
    topic; what is left has the size of the instances.
    """

    topic: FloatArray  # (n_topics, 3, 3): Z'Z of a topic's effect and its interaction with either algorithm
    topic_known: FloatArray  # (n_topics, 3, 3): their Z'[X y]
    shared: FloatArray  # (n_topics, 3, n_effects): their Z' times that of the instances
    instance: FloatArray  # (n_effects,): scores of each instance that has an effect
    instance_known: FloatArray  # (n_effects, 3)
    fixed: FloatArray  # (3, 3): [X y]'[X y]
    n_free: int  # scores minus algorithms

    @property
    def used(self) -> NDArray[np.intp]:
        """Which components there are, as positions in ``COMPONENTS``."""
        return np.arange(3) if self.instance.size else np.arange(1, 3)

    def solve(self, ratios: FloatArray) -> Solution:
        """Means and determinants for standard deviations of the components in units of the residual's."""
        reduced, log_determinant = self._reduced(ratios, [0, 1, 2])
        design, moments = reduced[:2, :2], reduced[:2, 2]
        inverse = np.linalg.inv(design)
        means = inverse @ moments
        return Solution(
            means=means,
            quadratic=float(reduced[2, 2] - moments @ means),
            contrast_variance=float(inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]),
            log_determinants=log_determinant + float(np.linalg.slogdet(design)[1]),
        )

    def solve_within_topics(self, instance_ratio: float, interaction_ratio: float) -> Solution:
        """The same with topics as blocks of any level: ``means`` are the difference and 0, and only it is fixed."""
        reduced, log_determinant = self._reduced(np.array([instance_ratio, _BLOCKS, interaction_ratio]), [0, 2])
        precision, moment = float(reduced[0, 0]), float(reduced[0, 1])
        return Solution(
            means=np.array([moment / precision, 0.0]),
            quadratic=float(reduced[1, 1]) - moment**2 / precision,
            contrast_variance=1.0 / precision,
            log_determinants=log_determinant + float(np.log(precision)),
        )

    def _reduced(self, ratios: FloatArray, columns: list[int]) -> tuple[FloatArray, float]:
        """Cross products of some columns of [X y] with the random parts eliminated, and the log determinant of that."""
        scale = ratios[[1, 2, 2]]
        # L L' = I + S Z'Z S in two stages: topics, and instances given the topics.
        factors = np.linalg.cholesky(np.eye(3) + scale[:, None] * self.topic * scale)
        shared = np.linalg.solve(factors, scale[:, None] * self.shared * ratios[0])
        shared = shared.reshape(3 * len(factors), self.instance.size)
        known = np.linalg.solve(factors, scale[:, None] * self.topic_known[:, :, columns])
        known = known.reshape(3 * len(factors), len(columns))
        factor = np.linalg.cholesky(np.diag(1 + ratios[0] ** 2 * self.instance) - shared.T @ shared)
        rest = np.linalg.solve(factor, ratios[0] * self.instance_known[:, columns] - shared.T @ known)
        diagonals = np.append(np.diagonal(factors, axis1=1, axis2=2).ravel(), np.diag(factor))
        reduced = self.fixed[np.ix_(columns, columns)] - known.T @ known - rest.T @ rest
        return reduced, float(2 * np.log(diagonals).sum())


def instance_equations(scores: InstanceScores, instance_effect: bool, *, copies: float = 1.0) -> Equations:
    """The equations of two algorithms; each score of a deterministic one counts as so many equal ``copies``."""
    first = np.array([name == scores.algorithms[0] for name, _ in scores.instances])
    fixed = np.array([name in scores.deterministic for name, _ in scores.instances])
    owners = np.stack([np.ones(first.size), first, ~first]).astype(float)  # topic, and interaction with either
    weights = scores.present * np.where(fixed, copies, 1.0)[:, None]
    # Centred scores: the criterion works with sums of squares.
    values = (scores.scores - scores.scores[scores.present].mean()) * scores.present
    counts, sums = owners @ weights, owners @ (weights * values)  # (3, n_topics)
    varying = ~fixed & instance_effect
    totals = counts.sum(axis=1)
    squares = float((weights * values**2).sum())
    known = np.array([[totals[1], 0, sums[1].sum()], [0, totals[2], sums[2].sum()], [0, 0, squares]])
    topic = np.array([[counts[0], counts[1], counts[2]], [counts[1], counts[1], 0 * counts[1]],
                      [counts[2], 0 * counts[2], counts[2]]])  # fmt: skip
    per_instance = weights.sum(axis=1)[:, None] * owners[1:].T
    return Equations(
        topic=topic.transpose(2, 0, 1),
        topic_known=np.stack([topic[:, 1], topic[:, 2], sums], axis=1).transpose(2, 0, 1),
        shared=np.einsum("ei,it->tei", owners, weights)[:, :, varying],
        instance=weights.sum(axis=1)[varying],
        instance_known=np.column_stack([per_instance, (weights * values).sum(axis=1)])[varying],
        fixed=known + np.triu(known, 1).T,
        n_free=int(scores.present.sum()) - 2,
    )
