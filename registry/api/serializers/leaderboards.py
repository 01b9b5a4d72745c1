"""Leaderboards, what was found about them, and snapshots: described by the values that they are made of."""

from rest_framework import serializers as s

from registry.api.serializers.catalog import CollectionBrief, CollectionFull, LeaderboardBrief, MeasureBrief
from registry.api.serializers.common import Paged, address
from registry.api.serializers.derived import describe
from registry.check.documents import CheckDocument
from registry.leaderboards.documents import BoardDocument, BoardSummary, SnapshotDocument


def _names() -> dict[str, s.Field]:
    """How each of them names the leaderboard."""
    return {"collection": CollectionBrief(), "measure": MeasureBrief(), "url": address()}


Leaderboard = describe(BoardDocument, "Leaderboard", **_names())
LeaderboardSummary = describe(BoardSummary, "LeaderboardSummary", **_names())
Snapshot = describe(
    SnapshotDocument,
    "Snapshot",
    **_names(),
    content=s.DictField(help_text="Inputs, methods, libraries and findings as they were hashed."),
)


class LeaderboardList(Paged):
    results = LeaderboardSummary(many=True)


class CollectionDetail(CollectionFull):
    leaderboards = LeaderboardSummary(
        many=True, help_text="Those with results, those with the most counted results first."
    )


class Check(describe(CheckDocument, "CheckAnswer")):  # type: ignore[misc]
    """What a leaderboard says of a score that is not on it."""

    leaderboard = LeaderboardBrief()
