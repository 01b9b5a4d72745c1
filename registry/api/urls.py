"""Addresses of the API, version 1."""

from django.urls import path

from registry.api.forms import CollectionListForm, LeaderboardListForm, PagedForm
from registry.api.shapes import describe, paged
from registry.api.views import documents, reading, runs, submissions
from registry.api.views.documents import gives, lists, shows
from registry.catalog.documents import CollectionDocument, MeasureDocument, collection_document, measure_document
from registry.catalog.models import Collection, Measure
from registry.leaderboards.documents.boards import leaderboard_summary
from registry.leaderboards.documents.shapes import BoardSummary
from registry.leaderboards.queries.boards import summarised_leaderboards
from registry.leaderboards.views.suites import SUITES
from registry.search.views import MEASURE
from registry.tools.baselines.documents import BASELINES
from registry.tools.compare.views import COMPARE
from registry.tools.model_page.views import MODEL
from registry.tools.pairs.views import PAIR, PAIRS, TOPICS
from registry.tools.reproduced import REPRODUCED
from registry.tools.resolution.documents import RESOLUTION
from registry.tools.standardization.pages import STANDARDIZED

app_name = "api"

MEASURE_FULL = describe("MeasureFull", MeasureDocument)
COLLECTION_LIST = lists(
    "list_collections",
    paged("CollectionList", describe("CollectionFull", CollectionDocument), meaning="Collections, in pages."),
    CollectionListForm,
    lambda form: (
        form.chosen(Collection.objects.with_results())
        .select_related("density")
        .prefetch_related("aliases", "questions")
    ),
    collection_document,
    "Collections that have results, those with the most leaderboards first.",
)
MEASURE_LIST = lists(
    "list_measures",
    paged("MeasureList", MEASURE_FULL, meaning="Measures, in pages."),
    PagedForm,
    lambda form: Measure.objects.prefetch_related("aliases"),
    measure_document,
    "Measures.",
)
LEADERBOARD_LIST = lists(
    "list_leaderboards",
    paged("LeaderboardList", BoardSummary, meaning="Leaderboards, in pages."),
    LeaderboardListForm,
    lambda form: form.narrow(summarised_leaderboards()),
    leaderboard_summary,
    "Leaderboards with the headline of their analysis; by default those that carry one.",
)

#: Address, name, and what answers there.
_READ = (
    ("", "index", shows(reading.INDEX, "get_index", "Index")),
    ("search/", "search", reading.Search.as_view()),
    ("check/", "check", shows(reading.CHECK, "get_check", "Check")),
    ("check/best-of/", "best-of", shows(reading.BEST_OF, "get_best_of", "BestOf")),
    ("compare/", "compare", shows(COMPARE, "get_compare", "Compare")),
    ("review-table/", "review-table", documents.REVIEW),
    ("compare/topics/", "compare-topics", documents.COMPARE_TOPICS),
    ("collections/", "collection-list", COLLECTION_LIST),
    ("measures/", "measure-list", MEASURE_LIST),
    ("measures/<str:measure>/", "measure-detail", shows(MEASURE, "get_measure", MEASURE_FULL)),
    ("leaderboards/", "leaderboard-list", LEADERBOARD_LIST),
    ("suites/", "suite-list", shows(SUITES, "list_suites", "SuiteList")),
    ("suites/<str:suite>/", "suite-record", shows(reading.SUITE_RECORD, "get_suite_record", "SuiteRecord")),
    ("suites/<str:suite>/<str:measure>/", "suite-detail", shows(reading.SUITE_IN_PAGES, "get_suite", "Suite")),
    ("snapshots/<str:id>/", "snapshot-detail", shows(reading.SNAPSHOT, "get_snapshot", reading.SNAPSHOT_SHAPES)),
    ("systems/<str:slug>/", "system-detail", shows(reading.SYSTEM, "get_system", "System")),
    ("systems/<str:slug>/results/", "system-results", gives(documents.SYSTEM_RESULTS, "get_system_results")),
    ("models/<slug:slug>/", "model-detail", shows(MODEL, "get_model", "Model")),
    ("reproduced/", "reproduced", shows(REPRODUCED, "get_reproduced", "Reproduced")),
    ("papers/<str:slug>/", "paper-detail", shows(reading.PAPER, "get_paper", "Paper")),
    ("papers/<str:slug>/results/", "paper-results", gives(documents.PAPER_RESULTS, "get_paper_results")),
    ("results/<int:id>/", "result-detail", shows(reading.RESULT, "get_result", "ResultDetail")),
    ("schema/", "schema", shows(reading.SCHEMA, "get_schema", {"type": "object", "additionalProperties": {}})),
)
_OF_COLLECTION = (
    ("", "detail", shows(reading.COLLECTION, "get_collection", "CollectionDetail")),
    ("resolution/", "resolution", shows(RESOLUTION, "get_collection_resolution", "CollectionResolution")),
    ("baselines/", "baselines", shows(BASELINES, "get_collection_baselines", "CollectionBaselines")),
    ("standardized/", "standardized", shows(STANDARDIZED, "get_collection_standardized", "CollectionStandardized")),
)
_OF_LEADERBOARD = (
    ("", "detail", shows(reading.LEADERBOARD_IN_PAGES, "get_leaderboard", "Leaderboard")),
    ("results/", "results", gives(documents.LEADERBOARD_RESULTS, "get_leaderboard_results")),
    ("pairs/", "pairs", shows(PAIRS, "get_pairs", "Pairs")),
    ("pairs/<int:first>/<int:second>/", "pair", shows(PAIR, "get_pair", "Pair")),
    ("topics/", "topics", shows(TOPICS, "get_topics", "Topics")),
)
_OF_PEOPLE = (
    ("runs/", "run-list", runs.RunList.as_view()),
    ("runs/own/", "own-collection-list", runs.OwnCollectionList.as_view()),
    ("runs/own/public/", "own-collection-public", runs.PublicOwnCollectionList.as_view()),
    ("runs/own/<str:key>/", "own-collection-detail", runs.OwnCollectionDetail.as_view()),
    ("runs/own/<str:key>/judgements/", "own-judgements", runs.OwnJudgements.as_view()),
    ("runs/own/<str:key>/measures/", "own-measure-list", runs.OwnMeasureList.as_view()),
    ("runs/own/<str:key>/measures/<path:measure>/", "own-measure-detail", runs.OwnMeasureDetail.as_view()),
    ("runs/<str:key>/", "run-detail", runs.RunDetail.as_view()),
    ("submissions/", "submission-list", submissions.SubmissionList.as_view()),
    ("submissions/<uuid:id>/", "submission-detail", submissions.SubmissionDetail.as_view()),
    ("submissions/<uuid:id>/rows/", "submission-rows", submissions.SubmissionRows.as_view()),
    ("submissions/<uuid:id>/rows/<int:line>/", "submission-row", submissions.SubmissionRow.as_view()),
    ("submissions/<uuid:id>/submit/", "submission-submit", submissions.SubmissionSubmit.as_view()),
    ("submissions/<uuid:id>/decision/", "submission-decision", submissions.SubmissionDecision.as_view()),
    ("submissions/<uuid:id>/take-back/", "submission-take-back", submissions.SubmissionTakeBack.as_view()),
    ("submissions/<uuid:id>/results/", "submission-results", documents.SubmissionResults.as_view()),
)

urlpatterns = [
    *(path(address, view, name=name) for address, name, view in (*_READ, *_OF_PEOPLE)),
    *(
        path(f"collections/<str:collection>/{end}", view, name=f"collection-{name}")
        for end, name, view in _OF_COLLECTION
    ),
    *(
        path(f"leaderboards/<str:collection>/<str:measure>/{end}", view, name=f"leaderboard-{name}")
        for end, name, view in _OF_LEADERBOARD
    ),
]
