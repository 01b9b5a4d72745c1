"""What a leaderboard says: one object that the page, its JSON and CSV twins and the API all show.

Frozen and typed. What was found stands in it as :mod:`analysis.boards` names it; a name that only the site has, such
as the state of an analysis, stands here.
"""

from registry.leaderboards.documents.boards import (
    describe_snapshot,
    leaderboard_document,
    leaderboard_summary,
    snapshot_document,
    verdict_in_words,
)
from registry.leaderboards.documents.rows import DESCENDING_SORTS, Marks, competition_ranks, ranks_of
from registry.leaderboards.documents.shapes import (
    AnalysisState,
    BoardDocument,
    BoardSummary,
    CautionDocument,
    Marked,
    RowDocument,
    SnapshotBrief,
    SnapshotDocument,
    VerdictDocument,
)

__all__ = [
    "DESCENDING_SORTS",
    "AnalysisState",
    "BoardDocument",
    "BoardSummary",
    "CautionDocument",
    "Marked",
    "Marks",
    "RowDocument",
    "SnapshotBrief",
    "SnapshotDocument",
    "VerdictDocument",
    "competition_ranks",
    "describe_snapshot",
    "leaderboard_document",
    "leaderboard_summary",
    "ranks_of",
    "snapshot_document",
    "verdict_in_words",
]
