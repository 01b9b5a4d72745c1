"""The reference sets of a leaderboard, and where its results stand among their systems."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils import timezone

from analysis.standardization import StandardizationFactors, reference_factors, standardize, standardize_means
from registry.leaderboards.canonical import rounded
from registry.leaderboards.models import ReferenceSet
from registry.leaderboards.queries import Evidence, Row
from registry.results.models import Result

#: Fewer reference systems than this make no yardstick.
MIN_REFERENCES = 3


@dataclass(frozen=True, slots=True)
class ProposedReference:
    """A reference set that is not written yet, with the ids of its members."""

    reference: ReferenceSet
    members: tuple[int, ...]


def propose_references(evidence: Evidence) -> tuple[ProposedReference, ...]:
    """The sets to standardize against, frozen as results stand: by published means, and by topic where possible.

    The original shared-task runs where there are any, else reference implementations, else whatever counts.
    """
    proposed = []
    for name, rows in _reference_candidates(evidence):
        values = np.array([row.value for row in rows])
        if values.size >= MIN_REFERENCES and np.ptp(values) > 0:
            factors = {"mean": values.mean(), "sd": values.std(ddof=1), "means": values.tolist()}
            proposed.append(_propose(evidence, ReferenceSet.Basis.PUBLISHED_MEANS, name, rows, factors))
            break
    for name, rows in _reference_candidates(evidence):
        matrix = evidence.topic_matrix
        rows = [row for row in rows if matrix is not None and str(row.id) in matrix.systems]
        if matrix is not None and len(rows) >= MIN_REFERENCES:
            factors = reference_factors(matrix.select([str(row.id) for row in rows])).to_dict()
            proposed.append(_propose(evidence, ReferenceSet.Basis.TOPIC_SCORES, name, rows, factors))
            break
    return tuple(proposed)


def _reference_candidates(evidence: Evidence) -> list[tuple[str, list[Row]]]:
    comparable = [row for row in evidence.rows if row.comparability == Result.Comparability.STANDARD]
    comparable = [row for row in comparable if row.replicate_of is None]
    return [
        ("original shared-task runs", [row for row in comparable if row.role == Result.Role.TREC_RUN]),
        ("reference implementations", [row for row in comparable if row.role == Result.Role.REFERENCE_IMPLEMENTATION]),
        ("results recorded when the set was frozen", comparable),
    ]


def _propose(evidence: Evidence, basis: str, name: str, rows: list[Row], factors: dict[str, Any]) -> ProposedReference:
    reference = ReferenceSet(
        leaderboard=evidence.leaderboard,
        basis=basis,
        name=f"{evidence.leaderboard.collection.name}: {len(rows)} {name}",
        n_systems=len(rows),
        factors=rounded(factors),
        frozen_on=timezone.now().date(),
    )
    return ProposedReference(reference, tuple(row.id for row in rows))


def standardize_rows(evidence: Evidence, references: dict[str, ReferenceSet]) -> dict[str, dict[str, float]]:
    """Where each row stands among the reference systems, by result id.

    ``z`` and ``percentile`` are taken among the reference *means*; ``topic_z`` is the mean of per-topic z-scores
    against the stored factors, for rows with per-topic scores.
    """
    better = evidence.leaderboard.measure.higher_is_better
    standing: dict[str, dict[str, float]] = {str(row.id): {} for row in evidence.rows}
    by_means = references.get(ReferenceSet.Basis.PUBLISHED_MEANS)
    if by_means and evidence.rows:
        found = standardize_means(evidence.values, by_means.factors["means"], higher_is_better=better)
        for row, z, percentile in zip(evidence.rows, found.z, found.percentile, strict=True):
            standing[str(row.id)] = {"z": float(z), "percentile": float(percentile)}
    by_topic = references.get(ReferenceSet.Basis.TOPIC_SCORES)
    if by_topic and evidence.topic_matrix is not None:
        factors = StandardizationFactors.from_dict(by_topic.factors)
        scores = standardize(evidence.topic_matrix, factors, transform="z", higher_is_better=better)
        for label, z in zip(scores.matrix.systems, scores.means, strict=True):
            standing[label]["topic_z"] = float(z)
    return standing
