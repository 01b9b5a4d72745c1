"""Addresses of all parts, which go by the name of each."""

import re

from django.urls import include, path, re_path

from registry.tools.baselines.documents import BASELINES
from registry.tools.cards import card
from registry.tools.check.views import check
from registry.tools.compare.views import compare, compare_beside
from registry.tools.home import home, moves_feed
from registry.tools.model_page.views import MODEL, PICTURES, model_feed, model_picture
from registry.tools.pairs.views import PAIR, PAIRS, TOPICS, pair
from registry.tools.reproduced import REPRODUCED
from registry.tools.reproductions.views import figure_detail, paper_detail, paper_list
from registry.tools.resolution.documents import RESOLUTION
from registry.tools.review_table.gains import GAINS
from registry.tools.review_table.views import review_table
from registry.tools.standardization.pages import STANDARDIZED

_BOARD, _COLLECTION, _PAPERS = (
    "leaderboards/<str:collection>/<str:measure>",
    "collections/<str:collection>",
    "methods/papers",
)
_PAIR = f"{_BOARD}/pairs/<int:first>/<int:second>"

_PARTS = {
    "resolution": RESOLUTION.paths(f"{_COLLECTION}/resolution", "collection-resolution"),
    "pairs": [
        *PAIRS.paths(f"{_BOARD}/pairs", "pairs"),
        *PAIR.files(_PAIR, "pair"),
        path(f"{_PAIR}/", pair, name="pair"),
        *TOPICS.paths(f"{_BOARD}/topics", "topics"),
    ],
    "check": [path("check/", check, name="check")],
    "baselines": BASELINES.paths(f"{_COLLECTION}/baselines", "collection-baselines"),
    "standardization": STANDARDIZED.paths(f"{_COLLECTION}/standardized", "collection-standardized"),
    "compare": [
        path("compare/", compare, name="compare"),
        path("compare.json", compare, {"suffix": "json"}, name="compare-format"),
        path("compare/beside/", compare_beside, name="compare-beside"),
    ],
    "models": [
        path("models/<slug:slug>.atom", model_feed, name="model-feed"),
        re_path(
            rf"^models/(?P<slug>[-\w]+)/(?P<name>{'|'.join(map(re.escape, PICTURES))})$",
            model_picture,
            name="model-picture",
        ),
        *MODEL.paths("models/<slug:slug>", "model-detail"),
    ],
    "reproduced": REPRODUCED.paths("reproduced", "reproduced"),
    "review_table": [
        path("review-table/", review_table, name="review-table"),
        *GAINS.files("papers/<str:slug>/gains", "paper-gains"),
    ],
    "reproductions": [
        path(f"{_PAPERS}/", paper_list, name="paper-list"),
        re_path(rf"^{_PAPERS}\.(?P<suffix>csv|json)$", paper_list, name="paper-file"),
        path(f"{_PAPERS}/<slug:slug>/", paper_detail, name="paper-detail"),
        re_path(rf"^{_PAPERS}/(?P<slug>[\w-]+)\.(?P<suffix>json)$", paper_detail, name="paper-format"),
        path(f"{_PAPERS}/<slug:slug>/<slug:figure>/", figure_detail, name="figure-detail"),
        re_path(
            rf"^{_PAPERS}/(?P<slug>[\w-]+)/(?P<figure>[\w-]+)\.(?P<suffix>csv|json)$",
            figure_detail,
            name="figure-format",
        ),
    ],
    "home": [
        path("", home, name="home"),
        path("moves.atom", moves_feed, name="moves-feed"),
        re_path(r"^(?P<page>(?:papers/[^/]+/|results/[0-9]{1,18}/|compare/)?)card\.png$", card, name="card"),
    ],
}

urlpatterns = [path("", include((addresses, part))) for part, addresses in _PARTS.items()]
