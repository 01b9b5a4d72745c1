"""The shapes of answers, for the OpenAPI description. The apps' ``documents`` make them; tests compare the two."""

from registry.api.serializers.catalog import CollectionList, CollectionResolution, Found, MeasureFull, MeasureList
from registry.api.serializers.common import Error, Index
from registry.api.serializers.leaderboards import (
    Check,
    CollectionDetail,
    Leaderboard,
    LeaderboardList,
    Snapshot,
    Suite,
    SuiteList,
)
from registry.api.serializers.results import Paper, ResultDetail, System
from registry.api.serializers.submissions import (
    Cells,
    DryRun,
    DryRunOrSubmission,
    Errand,
    ResultsBody,
    ResultsFile,
    RowsBody,
    SubmissionList,
    SubmissionWithRows,
)

__all__ = [
    "Cells",
    "Check",
    "CollectionDetail",
    "CollectionList",
    "CollectionResolution",
    "DryRun",
    "DryRunOrSubmission",
    "Errand",
    "Error",
    "Found",
    "Index",
    "Leaderboard",
    "LeaderboardList",
    "MeasureFull",
    "MeasureList",
    "Paper",
    "ResultDetail",
    "ResultsBody",
    "ResultsFile",
    "RowsBody",
    "Snapshot",
    "SubmissionList",
    "SubmissionWithRows",
    "Suite",
    "SuiteList",
    "System",
]
