"""Addresses of leaderboards and what belongs to them."""

from django.urls import path, re_path

from registry.leaderboards import caution_views, suite_views, views

app_name = "leaderboards"

urlpatterns = [
    path("", views.home, name="home"),
    path("collections/", views.collection_list, name="collection-list"),
    path("collections/<str:name>/", views.collection_detail, name="collection-detail"),
    # Measures hold dots, brackets and quotes, so a suffix is one of the formats and nothing else.
    re_path(
        r"^leaderboards/(?P<collection>[^/]+)/(?P<measure>[^/]+?)/?\.(?P<suffix>json|csv|tex|bib|md)$",
        views.leaderboard_detail,
        name="leaderboard-format",
    ),
    re_path(
        r"^leaderboards/(?P<collection>[^/]+)/(?P<measure>[^/]+?)/?\.atom$",
        views.leaderboard_feed,
        name="leaderboard-feed",
    ),
    path("leaderboards/<str:collection>/<str:measure>/", views.leaderboard_detail, name="leaderboard-detail"),
    path("suites/", suite_views.suite_list, name="suite-list"),
    re_path(
        r"^suites/(?P<slug>[^/]+)/(?P<measure>[^/]+?)/?\.(?P<suffix>json|csv|tex|bib|md)$",
        suite_views.suite_detail,
        name="suite-format",
    ),
    path("suites/<slug:slug>/", suite_views.suite_first, name="suite-first"),
    path("suites/<slug:slug>/<str:measure>/", suite_views.suite_detail, name="suite-detail"),
    re_path(
        r"^snapshots/(?P<snapshot_id>[0-9a-f]+)/?\.(?P<suffix>json|bib)$", views.snapshot_detail, name="snapshot-format"
    ),
    # Before the pages of docs/methods, of which it is one with a table.
    path("methods/calibration/", views.calibration_detail, name="calibration"),
    path("snapshots/<slug:snapshot_id>/topic_scores.csv", views.snapshot_topic_scores, name="snapshot-topic-scores"),
    path("snapshots/<slug:snapshot_id>/", views.snapshot_detail, name="snapshot-detail"),
    path("results/<int:pk>/cautions/<slug:code>/", caution_views.caution_detail, name="caution-detail"),
    path("results/<int:pk>/cautions/<slug:code>/answer/", caution_views.caution_answer, name="caution-answer"),
    path("results/<int:pk>/cautions/<slug:code>/decide/", caution_views.caution_decide, name="caution-decide"),
    path("cautions/answers/<int:pk>/withdraw/", caution_views.answer_withdraw, name="answer-withdraw"),
]
