"""The shapes of answers, for the OpenAPI description. The apps' ``documents`` make them; tests compare the two."""

from registry.api.serializers.catalog import (
    CollectionBaselines,
    CollectionList,
    CollectionResolution,
    CollectionStandardized,
    Found,
    MeasureFull,
    MeasureList,
)
from registry.api.serializers.common import Error, Index
from registry.api.serializers.comparisons import Executions, Pair, Pairs, Topics
from registry.api.serializers.leaderboards import (
    BestOf,
    Check,
    CollectionDetail,
    Compare,
    Leaderboard,
    LeaderboardList,
    Snapshot,
    Suite,
    SuiteList,
    SuiteRecord,
)
from registry.api.serializers.results import Paper, ResultDetail, System
from registry.api.serializers.runs import Run, RunList
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
    "BestOf",
    "Cells",
    "Check",
    "CollectionBaselines",
    "CollectionDetail",
    "CollectionList",
    "CollectionResolution",
    "CollectionStandardized",
    "Compare",
    "DryRun",
    "DryRunOrSubmission",
    "Errand",
    "Error",
    "Executions",
    "Found",
    "Index",
    "Leaderboard",
    "LeaderboardList",
    "MeasureFull",
    "MeasureList",
    "Pair",
    "Pairs",
    "Paper",
    "ResultDetail",
    "ResultsBody",
    "ResultsFile",
    "RowsBody",
    "Run",
    "RunList",
    "Snapshot",
    "SubmissionList",
    "SubmissionWithRows",
    "Suite",
    "SuiteList",
    "SuiteRecord",
    "System",
    "Topics",
]
