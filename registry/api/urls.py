"""Addresses of the API, version 1."""

from django.urls import path

from registry.api import serializers
from registry.api.views import exports, private, runs, submissions, suites, tables, vectors
from registry.api.views import reading as views
from registry.api.views.documents import LEADERBOARD_IN_PAGES, shows
from registry.tools.baselines.views import BASELINES
from registry.tools.pairs.views import EXECUTIONS, PAIR, PAIRS, TOPIC, TOPICS
from registry.tools.passports.views import PASSPORT
from registry.tools.resolution.views import RESOLUTION
from registry.tools.standardization.views import STANDARDIZED, SYSTEM, YEAR

app_name = "api"

urlpatterns = [
    path("", views.Index.as_view(), name="index"),
    path("search/", views.Search.as_view(), name="search"),
    path("check/", views.Check.as_view(), name="check"),
    path("check/best-of/", views.BestOf.as_view(), name="best-of"),
    path("compare/", views.Compare.as_view(), name="compare"),
    path("review-table/", tables.ReviewTable.as_view(), name="review-table"),
    path("compare/topics/", vectors.CompareTopics.as_view(), name="compare-topics"),
    path("collections/", views.CollectionList.as_view(), name="collection-list"),
    path("collections/<str:collection>/", views.CollectionDetail.as_view(), name="collection-detail"),
    path(
        "collections/<str:collection>/resolution/",
        shows(RESOLUTION, "get_collection_resolution", serializers.CollectionResolution),
        name="collection-resolution",
    ),
    path(
        "collections/<str:collection>/baselines/",
        shows(BASELINES, "get_collection_baselines", serializers.CollectionBaselines),
        name="collection-baselines",
    ),
    path(
        "collections/<str:collection>/standardized/",
        shows(STANDARDIZED, "get_collection_standardized", serializers.CollectionStandardized),
        name="collection-standardized",
    ),
    path("measures/", views.MeasureList.as_view(), name="measure-list"),
    path("measures/<str:measure>/", views.MeasureDetail.as_view(), name="measure-detail"),
    path("leaderboards/", views.LeaderboardList.as_view(), name="leaderboard-list"),
    path(
        "leaderboards/<str:collection>/<str:measure>/",
        shows(LEADERBOARD_IN_PAGES, "get_leaderboard", serializers.Leaderboard),
        name="leaderboard-detail",
    ),
    path(
        "leaderboards/<str:collection>/<str:measure>/results/",
        exports.LeaderboardResults.as_view(),
        name="leaderboard-results",
    ),
    *(
        path(f"leaderboards/<str:collection>/<str:measure>/{end}/", view, name=f"leaderboard-{name}")
        for end, name, view in (
            ("pairs", "pairs", shows(PAIRS, "get_pairs", serializers.Pairs)),
            ("pairs/<int:first>/<int:second>", "pair", shows(PAIR, "get_pair", serializers.Pair)),
            ("topics", "topics", shows(TOPICS, "get_topics", serializers.Topics)),
            ("topics/<path:label>", "topic", shows(TOPIC, "get_topic", serializers.Topic)),
            ("executions", "executions", shows(EXECUTIONS, "get_executions", serializers.Executions)),
        )
    ),
    path("suites/", suites.SuiteList.as_view(), name="suite-list"),
    path("suites/<str:suite>/", suites.SuiteRecord.as_view(), name="suite-record"),
    path("suites/<str:suite>/<str:measure>/", suites.SuiteDetail.as_view(), name="suite-detail"),
    path("snapshots/<str:id>/", views.SnapshotDetail.as_view(), name="snapshot-detail"),
    path("systems/<int:id>/", views.SystemDetail.as_view(), name="system-detail"),
    path("systems/<int:id>/results/", exports.SystemResults.as_view(), name="system-results"),
    path(
        "systems/<int:id>/standardized/",
        shows(SYSTEM, "get_system_standardized", serializers.SystemAcross),
        name="system-standardized",
    ),
    path("models/<slug:slug>/", shows(PASSPORT, "get_model", serializers.Model), name="model-detail"),
    path("years/<int:year>/", shows(YEAR, "get_year", serializers.YearAcross), name="year-detail"),
    path("papers/<int:id>/", views.PaperDetail.as_view(), name="paper-detail"),
    path("papers/<int:id>/results/", exports.PaperResults.as_view(), name="paper-results"),
    path("results/<int:id>/", views.ResultDetail.as_view(), name="result-detail"),
    path("runs/", runs.RunList.as_view(), name="run-list"),
    path("runs/<str:key>/", runs.RunDetail.as_view(), name="run-detail"),
    path("submissions/", submissions.SubmissionList.as_view(), name="submission-list"),
    path("submissions/<uuid:id>/", submissions.SubmissionDetail.as_view(), name="submission-detail"),
    path("submissions/<uuid:id>/rows/", submissions.SubmissionRows.as_view(), name="submission-rows"),
    path("submissions/<uuid:id>/rows/<int:line>/", submissions.SubmissionRow.as_view(), name="submission-row"),
    path("submissions/<uuid:id>/submit/", submissions.SubmissionSubmit.as_view(), name="submission-submit"),
    path("submissions/<uuid:id>/take-back/", submissions.SubmissionTakeBack.as_view(), name="submission-take-back"),
    path("submissions/<uuid:id>/results/", exports.SubmissionResults.as_view(), name="submission-results"),
    path("errands/<uuid:id>/", private.ErrandDetail.as_view(), name="errand-detail"),
    path("schema/", views.Schema.as_view(), name="schema"),
]
