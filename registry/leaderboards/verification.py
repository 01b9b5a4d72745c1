"""Checking a snapshot: its id against its content, its results against its inputs."""

import json
import math
from typing import Any

import numpy as np

from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure, Topic
from registry.leaderboards.canonical import canonical, rounded, snapshot_id
from registry.leaderboards.models import ReferenceSet, Snapshot
from registry.leaderboards.pipeline import METHODS_VERSION, analyse, describe_matrix
from registry.leaderboards.queries import BorrowedVariance, Evidence, Row
from registry.leaderboards.references import standardize_rows
from registry.results.models import Result, TopicScores

#: Numbers that differ by less, relatively, are the same: another processor may round the last digits otherwise.
TOLERANCE = 1e-8


def verify_snapshot(snapshot: Snapshot) -> list[str]:
    """What is wrong with a snapshot, in words; nothing when it is what it was and its numbers come out again."""
    if snapshot_id(snapshot.content) != snapshot.pk:
        return ["the content does not have this id: it was changed"]
    content = json.loads(snapshot.content)
    problems = [] if canonical(content) == snapshot.content else ["the content is not in canonical form"]
    if content["methods"]["version"] != METHODS_VERSION:
        return problems  # Made by earlier methods: only its id can be checked by the present ones.
    evidence = _evidence(content, snapshot)
    matrix = evidence.topic_matrix
    if describe_matrix(matrix) != content["inputs"]["topic_scores"]:
        return [*problems, "the per-topic scores behind it are not what they were"]
    found = rounded(analyse(evidence) | {"standing": standardize_rows(evidence, _references(content))})
    return problems + [f"{place} differs: {ours}" for place, ours in differences(content["results"], found)]


def differences(stored: Any, computed: Any, place: str = "results") -> list[tuple[str, str]]:
    """Where two nested results differ beyond rounding, with both values."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        found = []
        for key in sorted({*stored, *computed}):
            found += differences(stored.get(key), computed.get(key), f"{place}.{key}")
        return found
    if isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        pairs = zip(stored, computed, strict=True)
        return [one for i, pair in enumerate(pairs) for one in differences(*pair, f"{place}[{i}]")]
    is_number = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (stored, computed))
    if stored == computed or (is_number and math.isclose(stored, computed, rel_tol=TOLERANCE, abs_tol=1e-12)):
        return []
    return [(place, f"{stored!r} is stored, {computed!r} comes out")]


def _evidence(content: dict[str, Any], snapshot: Snapshot) -> Evidence:
    """The evidence that the snapshot's inputs are, independent of what stands on the leaderboard today."""
    board, about, inputs = snapshot.leaderboard, content["leaderboard"], content["inputs"]
    borrowed = inputs["borrowed_variance"]
    return Evidence(
        leaderboard=Leaderboard(
            pk=board.pk,
            collection=Collection(slug=about["collection"], name=board.collection.name, n_topics=about["n_topics"]),
            measure=Measure(name=about["measure"], higher_is_better=about["higher_is_better"]),
        ),
        results_version=0,
        rows=tuple(_row(row) for row in inputs["results"]),
        topic_matrix=_matrix(inputs["topic_scores"], snapshot),
        residual_variance=BorrowedVariance(**borrowed) if borrowed else None,
    )


def _row(stored: dict[str, Any]) -> Row:
    unknown: dict[str, Any] = dict.fromkeys(Row.__dataclass_fields__)
    is_counted = not stored["why_not_counted"]
    return Row(
        **unknown
        | {name: value for name, value in stored.items() if name in unknown}
        | {"comparability": Result.Comparability.STANDARD if is_counted else Result.Comparability.DOUBTFUL}
    )


def _matrix(described: dict[str, Any] | None, snapshot: Snapshot) -> ScoreMatrix | None:
    """The per-topic scores that were known when the snapshot was made; None where they are not what it says."""
    if described is None:
        return None
    vectors = TopicScores.objects.known_at(snapshot.created_at).vectors(described["results"])
    if set(vectors) != set(described["results"]) or any(None in scores for scores in vectors.values()):
        return None
    topics = Topic.objects.filter(collection=snapshot.leaderboard.collection).values_list("label", flat=True)
    scores = np.array([vectors[result_id] for result_id in described["results"]], dtype=np.float64)
    return ScoreMatrix([str(result_id) for result_id in described["results"]], list(topics), scores)


def _references(content: dict[str, Any]) -> dict[str, ReferenceSet]:
    sets = content["inputs"]["reference_sets"]
    return {basis: ReferenceSet(basis=basis, factors=stored["factors"]) for basis, stored in sets.items()}
