"""Addresses of search, of lists of things, of measures, and for crawlers."""

from django.urls import path, re_path

from registry.search import views
from registry.search.board_list import board_list
from registry.search.harvesting import harvest
from registry.search.model_list import model_list
from registry.search.paper_list import paper_list

app_name = "search"

_LISTS = {"leaderboard": board_list, "model": model_list, "paper": paper_list}

urlpatterns = [
    path("robots.txt", views.robots, name="robots"),
    re_path(r"^sitemap(?P<part>(?:-[1-9][0-9]*)?)\.xml$", views.sitemap, name="sitemap"),
    path("oai/", harvest, name="oai"),
    *(path(f"{kind}s/", view, name=f"{kind}-list") for kind, view in _LISTS.items()),
    *(re_path(rf"^{kind}s\.(?P<suffix>csv|json)$", view, name=f"{kind}-file") for kind, view in _LISTS.items()),
    *(path(f"{kind}s/", views.thing_list, {"kind": kind.value}, f"{kind}-list") for kind in views.LISTED),
    *(
        re_path(rf"^{kind}s\.(?P<suffix>csv|json)$", views.thing_list, {"kind": kind.value}, f"{kind}-file")
        for kind in views.LISTED
    ),
    path("search/", views.search, name="search"),
    path("search.atom", views.search_feed, name="search-feed"),
    re_path(r"^search\.(?P<suffix>csv|json)$", views.search, name="search-file"),
    path("measures/<str:measure>/", views.MEASURE.view, name="measure-detail"),
]
