"""Worlds with a known truth: the topics of a TREC matrix, drawn again with replacement."""

from collections.abc import Iterator

import numpy as np

from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix


def resampled_topics(name: str, equal: bool, trials: int) -> Iterator[tuple[np.ndarray, float, np.ndarray]]:
    """Yield means and residual variance of each sample of topics, and the true means, which may be made all equal."""
    scores = shipped_matrix(name).scores
    truth = np.full(len(scores), scores.mean()) if equal else scores.mean(axis=1)
    centred = scores - scores.mean(axis=1, keepdims=True) + truth[:, None]
    rng = np.random.default_rng(20150809)
    n_systems, n_topics = scores.shape
    for _ in range(trials):
        sample = centred[:, rng.integers(n_topics, size=n_topics)]
        residuals = sample - sample.mean(axis=1, keepdims=True) - sample.mean(axis=0) + sample.mean()
        yield sample.mean(axis=1), np.sum(residuals**2) / ((n_systems - 1) * (n_topics - 1)), truth


def with_other_topics(matrix: ScoreMatrix, rng: np.random.Generator, *, level: float | None = None) -> ScoreMatrix:
    """Return the matrix on topics drawn from it with replacement; with ``level`` all true means are made equal."""
    scores = matrix.scores if level is None else matrix.scores - matrix.means[:, None] + level
    picks = rng.integers(matrix.n_topics, size=matrix.n_topics)
    return ScoreMatrix(matrix.systems, [f"t{t}" for t in range(matrix.n_topics)], scores[:, picks])


#: Worlds that :func:`world` makes of a matrix.
WORLDS = ("as is", "top 20", "shrunk", "equal", "junk", "outlier", "clones")


def world(matrix: ScoreMatrix, kind: str) -> tuple[ScoreMatrix, list[str]]:
    """Return the runs of a matrix with other true means, or with others among them, and the family of each.

    "shrunk": differences of means a fifth of what they are; "junk": fifty bad runs; "outlier": the leader raised far
    above the rest; "clones": twenty near-copies of a run, labelled.
    """
    scores, means, families = matrix.scores, matrix.means, list(matrix.systems)
    rng = np.random.default_rng(5)
    if kind == "top 20":
        rows = np.argsort(-means)[:20]
        scores, families = scores[rows], [families[row] for row in rows]
    elif kind in ("shrunk", "equal"):
        share = 0.2 if kind == "shrunk" else 0.0
        scores = scores - ((1 - share) * (means - means.mean()))[:, None]
    elif kind == "junk":
        weak = means.min() * rng.uniform(0, 1, 50)
        scores = np.vstack([scores, weak[:, None] * scores.mean(axis=0) / scores.mean() + rng.normal(0, 0.02, (50, 1))])
        families += [f"junk {place}" for place in range(50)]
    elif kind == "outlier":
        scores = scores.copy()
        scores[means.argmax()] += 0.5 * (1 - scores[means.argmax()])
    elif kind == "clones":
        row = int(means.argmax())
        scores = np.vstack([scores, scores[row] + rng.normal(0, 0.002, (20, matrix.n_topics))])
        families += [families[row]] * 20
    return ScoreMatrix([f"s{place}" for place in range(len(scores))], matrix.topics, scores), families
