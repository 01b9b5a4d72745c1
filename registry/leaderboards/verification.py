"""Checking a stored snapshot: its id against its content, its findings against its inputs and topic scores."""

from typing import cast

import msgspec

import analysis.boards as boards
from analysis.scores import ScoreMatrix
from registry.catalog.models import Topic
from registry.leaderboards.models import Snapshot
from registry.results.models import TopicScores


def verify_snapshot(snapshot: Snapshot) -> list[str]:
    """What is wrong with a snapshot, in words; nothing when it is what it was and its numbers come out again.

    Of one by earlier methods only the id can be checked by the present ones.
    """
    if boards.snapshot_id(snapshot.content) != snapshot.pk:
        return ["the content does not have this id: it was changed"]
    if not is_by_present_methods(snapshot):
        return []
    if snapshot.leaderboard is None:
        return boards.verify_snapshot(snapshot.content, expected_id=snapshot.pk)
    stored = boards.read_snapshot(snapshot.content)
    topic_scores = topic_scores_of(snapshot)
    if stored.inputs.topic_scores != (topic_scores and boards.describe_topic_scores(topic_scores)):
        return ["the topic scores behind it are not what they were"]
    return boards.verify_snapshot(snapshot.content, topic_scores, expected_id=snapshot.pk)


class _Named(msgspec.Struct):
    name: str


class _Versioned(msgspec.Struct):
    version: str


class _Inputs(msgspec.Struct):
    measure: _Named


class _OfAnyFormat(msgspec.Struct):
    """What is asked of snapshots of any format. All else is passed over, which takes a tenth of reading it."""

    format: str


class _OfThisFormat(msgspec.Struct):
    methods: _Versioned


class _UnderMeasure(msgspec.Struct):
    inputs: _Inputs


def is_readable(snapshot: Snapshot) -> bool:
    """Whether this release can read it: those by earlier releases are of another format."""
    return msgspec.json.decode(snapshot.content, type=_OfAnyFormat).format == _format(snapshot)


def measure_of(snapshot: Snapshot) -> str:
    """The name of the measure, as any format has it."""
    return msgspec.json.decode(snapshot.content, type=_UnderMeasure).inputs.measure.name


def is_by_present_methods(snapshot: Snapshot) -> bool:
    """Whether this release can compute it again."""
    if not is_readable(snapshot):
        return False
    return msgspec.json.decode(snapshot.content, type=_OfThisFormat).methods.version == boards.METHODS.version


def _format(snapshot: Snapshot) -> str:
    """The format that this release writes."""
    return boards.SUITE_FORMAT if snapshot.leaderboard_id is None else boards.FORMAT


def topic_scores_of(snapshot: Snapshot) -> ScoreMatrix | None:
    """The topic scores that entered a snapshot, as they were known when it was made; None where it has none."""
    if snapshot.leaderboard is None:
        return None  # A suite has none.
    described = boards.read_snapshot(snapshot.content).inputs.topic_scores
    if described is None:
        return None
    vectors = TopicScores.objects.known_at(snapshot.created_at).vectors(described.results)
    if set(vectors) != set(described.results) or any(None in scores for scores in vectors.values()):
        return None
    topics = Topic.objects.filter(collection=snapshot.leaderboard.collection).values_list("label", flat=True)
    scores = cast("list[list[float]]", [vectors[result] for result in described.results])
    return ScoreMatrix([str(result) for result in described.results], list(topics), scores)
