"""Worlds with a known truth: the topics of a TREC matrix, drawn again with replacement."""

from collections.abc import Iterator

import numpy as np

from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shared_matrix


def resampled_topics(name: str, equal: bool, trials: int) -> Iterator[tuple[np.ndarray, float, np.ndarray]]:
    """Means and residual variance of each sample of topics, and the true means, which may be made all equal."""
    scores = shared_matrix(name).scores
    truth = np.full(len(scores), scores.mean()) if equal else scores.mean(axis=1)
    centred = scores - scores.mean(axis=1, keepdims=True) + truth[:, None]
    rng = np.random.default_rng(20150809)
    n_systems, n_topics = scores.shape
    for _ in range(trials):
        sample = centred[:, rng.integers(n_topics, size=n_topics)]
        residuals = sample - sample.mean(axis=1, keepdims=True) - sample.mean(axis=0) + sample.mean()
        yield sample.mean(axis=1), np.sum(residuals**2) / ((n_systems - 1) * (n_topics - 1)), truth


def with_other_topics(matrix: ScoreMatrix, rng: np.random.Generator, *, level: float | None = None) -> ScoreMatrix:
    """The matrix on topics drawn from its own with replacement; with ``level`` all true means are made equal to it."""
    scores = matrix.scores if level is None else matrix.scores - matrix.means[:, None] + level
    picks = rng.integers(matrix.n_topics, size=matrix.n_topics)
    return ScoreMatrix(matrix.systems, [f"t{t}" for t in range(matrix.n_topics)], scores[:, picks])
