"""Where rows stand among the frozen reference systems of their board."""

import numpy as np

from analysis.boards._findings import Standing
from analysis.boards._inputs import BoardInputs, ReferenceFactors
from analysis.scales import StandardizationFactors, standardize, standardize_means
from analysis.scores import ScoreMatrix


def find_standing(inputs: BoardInputs, topic_scores: ScoreMatrix | None) -> tuple[Standing, ...]:
    """z and percentile of every row among the reference means, and the mean of its z by topic where there are any."""
    better = inputs.measure.higher_is_better
    by_basis: dict[str, ReferenceFactors] = {reference.basis: reference for reference in inputs.references}
    z: list[float | None] = [None] * len(inputs.rows)
    percentile: list[float | None] = [None] * len(inputs.rows)
    by_means, by_topic = by_basis.get("published-means"), by_basis.get("topic-scores")
    if by_means and inputs.rows:
        values = np.array([row.value for row in inputs.rows])
        found = standardize_means(values, by_means.means, higher_is_better=better)
        z, percentile = list(map(float, found.z)), list(map(float, found.percentile))
    topic_z: dict[str, float] = {}
    if by_topic and topic_scores is not None:
        factors = StandardizationFactors.from_dict(
            {
                "topics": by_topic.topics,
                "means": by_topic.topic_means,
                "sds": by_topic.topic_sds,
                "n_systems": by_topic.n_systems,
            }
        )
        scores = standardize(topic_scores, factors, transform="z", higher_is_better=better)
        topic_z = dict(zip(scores.matrix.systems, map(float, scores.means), strict=True))
    return tuple(
        Standing(result=row.id, z=z[place], percentile=percentile[place], topic_z=topic_z.get(str(row.id)))
        for place, row in enumerate(inputs.rows)
    )
