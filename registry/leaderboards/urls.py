"""Addresses of leaderboards and what belongs to them."""

import re
from collections.abc import Iterable

from django.urls import path, re_path

from registry.leaderboards.exports.citing import CITATIONS, RESULT_CITATIONS
from registry.leaderboards.exports.pictures import PICTURES
from registry.leaderboards.views import boards, collections, snapshots, suites

app_name = "leaderboards"


def _one_of(suffixes: Iterable[str]) -> str:
    """Return a pattern of these suffixes: measures hold dots, so nothing else is one."""
    return "|".join(map(re.escape, sorted(suffixes)))


_PICTURES = _one_of(PICTURES)
_OF_A_BOARD = _one_of(boards.FORMATS.keys() - PICTURES)
# An average names no papers.
_OF_A_SUITE = _one_of(boards.FORMATS.keys() - PICTURES - {"sources.bib"})
_OF_A_RESULT = _one_of(RESULT_CITATIONS)

urlpatterns = [
    path("collections/", collections.collection_list, name="collection-list"),
    re_path(r"^collections\.(?P<suffix>csv|json)$", collections.collection_list, name="collection-file"),
    path("collections/<str:name>.croissant.json", collections.collection_croissant, name="collection-croissant"),
    path("collections/<str:name>/", collections.collection_detail, name="collection-detail"),
    path("collections/<str:name>/about/", collections.collection_about, name="collection-about"),
    re_path(
        rf"^leaderboards/(?P<collection>[^/]+)/(?P<measure>[^/]+?)/?\.(?P<suffix>{_OF_A_BOARD})$",
        boards.LEADERBOARD.view,
        name="leaderboard-format",
    ),
    re_path(
        r"^leaderboards/(?P<collection>[^/]+)/(?P<measure>[^/]+?)/?\.atom$",
        boards.leaderboard_feed,
        name="leaderboard-feed",
    ),
    re_path(
        rf"^leaderboards/(?P<collection>[^/]+)/(?P<measure>[^/]+)/(?P<suffix>{_PICTURES})$",
        boards.pictured(boards.LEADERBOARD),
        name="leaderboard-picture",
    ),
    path("leaderboards/<str:collection>/<str:measure>/", boards.LEADERBOARD.view, name="leaderboard-detail"),
    re_path(
        rf"^results/(?P<pk>[0-9]{{1,18}})\.(?P<suffix>{_OF_A_RESULT})$",
        snapshots.result_citation,
        name="result-citation",
    ),
    path("benchmarks/", suites.SUITES.view, name="suite-list"),
    re_path(r"^benchmarks\.(?P<suffix>csv|json)$", suites.SUITES.view, name="suite-file"),
    re_path(
        rf"^benchmarks/(?P<suite>[^/]+)/(?P<measure>[^/]+?)/?\.(?P<suffix>{_OF_A_SUITE})$",
        suites.SUITE.view,
        name="suite-format",
    ),
    re_path(
        rf"^benchmarks/(?P<suite>[^/]+)/(?P<measure>[^/]+)/(?P<suffix>{_PICTURES})$",
        boards.pictured(suites.SUITE),
        name="suite-picture",
    ),
    re_path(r"^benchmarks/(?P<suite>[^/]+)/(?P<measure>[^/]+?)/?\.atom$", suites.suite_feed, name="suite-feed"),
    path("feed.atom", boards.site_feed, name="site-feed"),
    path("benchmarks/<slug:slug>/", suites.suite_first, name="suite-first"),
    path("benchmarks/<slug:suite>/<str:measure>/", suites.SUITE.view, name="suite-detail"),
    re_path(
        rf"^snapshots/(?P<snapshot_id>[0-9a-f]+)/?\.(?P<suffix>{_one_of(['json', *CITATIONS])})$",
        snapshots.snapshot_detail,
        name="snapshot-format",
    ),
    # Before the pages of docs/methods, of which it is one with a table.
    path("methods/calibration/", collections.calibration_detail, name="calibration"),
    path(
        "snapshots/<slug:snapshot_id>/topic_scores.csv", snapshots.snapshot_topic_scores, name="snapshot-topic-scores"
    ),
    re_path(
        rf"^snapshots/(?P<snapshot_id>[-a-zA-Z0-9_]+)/(?P<name>{_PICTURES})$",
        snapshots.snapshot_picture,
        name="snapshot-picture",
    ),
    path("snapshots/<slug:snapshot_id>/bundle.zip", snapshots.snapshot_bundle, name="snapshot-bundle"),
    path("snapshots/<slug:snapshot_id>/", snapshots.snapshot_detail, name="snapshot-detail"),
]
