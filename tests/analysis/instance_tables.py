"""Tables of instances x topics for the tests of mixed models."""

from pathlib import Path

import numpy as np

from analysis.scores import InstanceScores
from tests.data.shipped import table

REFERENCE = Path(__file__).parent / "reference"


def simulated_table(
    rng: np.random.Generator,
    n_instances: int,
    n_topics: int,
    *,
    instance: float = 0.01,
    interaction: float = 0.05,
    residual: float = 0.05,
    topic: float = 0.15,
    n_algorithms: int = 2,
) -> np.ndarray:
    """Simulate scores of the model without differences, (n_algorithms, n_instances, n_topics); arguments are sds."""
    size = (n_algorithms, n_instances, n_topics)
    return (
        0.4
        + rng.normal(0, topic, n_topics)
        + rng.normal(0, instance, (*size[:2], 1))
        + rng.normal(0, interaction, (n_algorithms, 1, n_topics))
        + rng.normal(0, residual, size)
    )


def table_with_mean_squares(
    instance: float, interaction: float, residual: float, difference: float, *, n_instances: int, n_topics: int
) -> np.ndarray:
    """Return scores of two algorithms with exactly these mean squares and this difference of the means."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, n_instances, n_topics))
    algorithm = noise.mean(axis=(1, 2), keepdims=True)
    instances = noise.mean(axis=2, keepdims=True) - algorithm
    topics = noise.mean(axis=(0, 1)) - noise.mean()
    cells = noise.mean(axis=1, keepdims=True) - algorithm - topics
    rest = noise - noise.mean(axis=2, keepdims=True) - noise.mean(axis=1, keepdims=True) + algorithm
    df = 2 * (n_instances - 1)
    instances *= np.sqrt(instance * df / (n_topics * (instances**2).sum()))
    cells *= np.sqrt(interaction * (n_topics - 1) / (n_instances * (cells**2).sum()))
    rest *= np.sqrt(residual * df * (n_topics - 1) / (rest**2).sum())
    means = 0.4 + difference * np.array([0.5, -0.5])[:, None, None]
    return means + instances + cells + rest + topics


def reference_scores(case: str) -> InstanceScores:
    """Return one case of the data that lme4 fitted."""
    rows = [row for row in table(REFERENCE / "mixed_models_data.csv") if row["case"] == case]
    return InstanceScores(
        [row["algorithm"] for row in rows],
        [row["instance"] for row in rows],
        [row["topic"] for row in rows],
        [float(row["score"]) for row in rows],
        deterministic=["B"] if case == "deterministic" else [],
    )


def gappy_scores(seed: int, n_instances: int = 3, n_topics: int = 12, share: float = 0.2, **sds) -> InstanceScores:
    rng = np.random.default_rng(seed)
    table = simulated_table(rng, n_instances, n_topics, **sds)
    return only_cells(table, rng.random(table.shape) >= share)


def only_cells(table: np.ndarray, is_present: np.ndarray, **options) -> InstanceScores:
    """Return the scores of some cells of algorithms A, B, …; the others are absent."""
    labels = zip(*(("ABC"[a], str(i), str(t)) for a, i, t in np.argwhere(is_present)), strict=True)
    return InstanceScores(*labels, table[is_present], **options)
