"""Score matrices made up for tests: with shared topics, and with a covariance known exactly."""

import numpy as np

from analysis.scores import ScoreMatrix


def labelled(scores) -> ScoreMatrix:
    """Return the matrix with systems s0, s1, … and topics t0, t1, …."""
    scores = np.asarray(scores, dtype=float)
    return ScoreMatrix([f"s{row}" for row in range(len(scores))], [f"t{t}" for t in range(scores.shape[1])], scores)


def noisy_matrix(means, n_topics=50, seed=1, residual_sd=0.11, topic_sd=0.13) -> ScoreMatrix:
    """Return system + topic + residual, all normal."""
    rng = np.random.default_rng(seed)
    means = np.asarray(means, dtype=float)
    topics = rng.normal(0, topic_sd, n_topics)
    return labelled(means[:, None] + topics + rng.normal(0, residual_sd, (means.size, n_topics)))


def average_precision_like(means, n_topics, rng):
    """Return scores of runs in eight families on shared, skewed topics; better runs vary more. Sds are those of AP."""
    n_systems = len(means)
    topic = 0.13 * (rng.gamma(2.0, 1.0, n_topics) - 2.0) / np.sqrt(2.0)
    family = rng.normal(0, 0.06, (8, n_topics))[np.arange(n_systems) % 8]
    own = 0.10 * (rng.gamma(4.0, 1.0, (n_systems, n_topics)) - 4.0) / 2.0
    return labelled(means[:, None] + topic + (family + own) * (0.7 + 1.2 * means[:, None]))


def orthogonal_matrix(means, n_topics=50, standard_error=1.0, seed=1) -> ScoreMatrix:
    """Return scores with exactly the given means, equal standard errors and sample correlations of exactly 0."""
    rng = np.random.default_rng(seed)
    means = np.asarray(means, dtype=float)
    noise = rng.normal(size=(n_topics, means.size + 1))
    noise[:, 0] = 1.0  # Columns orthogonal to a constant have mean 0.
    unit = np.linalg.qr(noise)[0][:, 1:].T
    return labelled(means[:, None] + unit * standard_error * np.sqrt(n_topics * (n_topics - 1)))


def shuffled(matrix: ScoreMatrix, seed=3) -> ScoreMatrix:
    """Return the same matrix with systems and topics in another order."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(matrix.n_systems), rng.permutation(matrix.n_topics)
    return ScoreMatrix(
        [matrix.systems[row] for row in rows],
        [matrix.topics[column] for column in columns],
        matrix.scores[np.ix_(rows, columns)],
    )


def mirrored(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the same matrix as errors instead of scores: lower is better."""
    return ScoreMatrix(matrix.systems, matrix.topics, 1 - matrix.scores)


def awkward_matrices() -> dict[str, ScoreMatrix]:
    """Return matrices that formulas trip over: as few systems and topics as can be, ties, a topic without spread."""
    rng = np.random.default_rng(5)
    with_constant_topic, with_duplicates = rng.random((5, 8)).round(1), rng.random((6, 10)).round(1)
    with_constant_topic[:, 3] = 0.4
    with_duplicates[1] = with_duplicates[0]
    tables = {
        "two systems on two topics": [[0.1, 0.5], [0.4, 0.3]],
        "two systems": rng.random((2, 9)).round(1),
        "two topics": rng.random((6, 2)).round(1),
        "a constant topic": with_constant_topic,
        "duplicates": with_duplicates,
        "more systems than topics": rng.random((12, 5)).round(1),
        "reciprocal ranks": 1 / rng.integers(1, 6, (7, 20)),
        "skewed": rng.beta(0.3, 2, (9, 15)),
    }
    return {name: labelled(scores) for name, scores in tables.items()}
