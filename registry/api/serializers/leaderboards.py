"""Leaderboards, what was found about them, and snapshots: described by the values that they are made of."""

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers as s

from registry.api.serializers.catalog import CollectionBrief, CollectionFull, LeaderboardBrief, MeasureBrief
from registry.api.serializers.common import Paged, address, count
from registry.api.serializers.derived import describe
from registry.check.documents import CheckDocument
from registry.leaderboards.documents import BoardDocument, BoardSummary, SnapshotDocument
from registry.leaderboards.suite_documents import SuiteDocument, SuiteSnapshotDocument, SuiteSummary


def _names() -> dict[str, s.Field]:
    """How each of them names the leaderboard."""
    return {"collection": CollectionBrief(), "measure": MeasureBrief(), "url": address()}


def _content() -> s.Field:
    return s.DictField(help_text="Inputs, methods, libraries and findings as they were hashed.")


Leaderboard = describe(BoardDocument, "Leaderboard", **_names())
LeaderboardSummary = describe(BoardSummary, "LeaderboardSummary", **_names())
SnapshotOfLeaderboard = describe(SnapshotDocument, "SnapshotOfLeaderboard", **_names(), content=_content())
Suite = describe(SuiteDocument, "Suite", measure=MeasureBrief(), url=address())
SnapshotOfSuite = describe(
    SuiteSnapshotDocument, "SnapshotOfSuite", measure=MeasureBrief(), url=address(), content=_content()
)
Snapshot = PolymorphicProxySerializer(
    component_name="Snapshot", serializers=[SnapshotOfLeaderboard, SnapshotOfSuite], resource_type_field_name=None
)


class LeaderboardList(Paged):
    results = LeaderboardSummary(many=True)


class SuiteList(s.Serializer):
    """The suites whose mean people quote, in their order."""

    count = count()
    results = describe(SuiteSummary, "SuiteSummary", measure=MeasureBrief(), url=address())(many=True)


class CollectionDetail(CollectionFull):
    leaderboards = LeaderboardSummary(
        many=True, help_text="Those with results, those with the most counted results first."
    )


class Check(describe(CheckDocument, "CheckAnswer")):  # type: ignore[misc]
    """What a leaderboard says of a score that is not on it."""

    leaderboard = LeaderboardBrief()
