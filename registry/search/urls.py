"""Addresses of search, of lists of things, of measures, and for crawlers."""

from django.urls import path, re_path

from registry.search import views

app_name = "search"

_LISTS = {
    "leaderboards": "leaderboard",
    "measures": "measure",
    "models": "model",
    "systems": "system",
    "papers": "paper",
}

urlpatterns = [
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", views.sitemap, name="sitemap"),
    path("sitemap-<int:number>.xml", views.sitemap, name="sitemap-part"),
    *(path(f"{name}/", views.thing_list, {"kind": kind}, f"{kind}-list") for name, kind in _LISTS.items()),
    *(
        re_path(rf"^{name}\.(?P<suffix>csv|json)$", views.thing_list, {"kind": kind}, f"{kind}-file")
        for name, kind in _LISTS.items()
    ),
    path("search/", views.search, name="search"),
    re_path(r"^search\.(?P<suffix>csv|json)$", views.search, name="search-file"),
    path("measures/<str:measure>/", views.MEASURE.view, name="measure-detail"),
]
