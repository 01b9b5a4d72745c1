"""Addresses of papers that are computed again."""

from django.urls import path, re_path

from registry.tools.reproductions import views

app_name = "reproductions"

# Before the pages of docs/methods, of which the list is one with a table.
urlpatterns = [
    path("methods/papers/", views.paper_list, name="paper-list"),
    re_path(r"^methods/papers\.(?P<suffix>csv|json)$", views.paper_list, name="paper-file"),
    path("methods/papers/<slug:slug>/", views.paper_detail, name="paper-detail"),
    re_path(r"^methods/papers/(?P<slug>[\w-]+)\.(?P<suffix>json)$", views.paper_detail, name="paper-format"),
    path("methods/papers/<slug:slug>/<slug:figure>/", views.figure_detail, name="figure-detail"),
    re_path(
        r"^methods/papers/(?P<slug>[\w-]+)/(?P<figure>[\w-]+)\.(?P<suffix>csv|json)$",
        views.figure_detail,
        name="figure-format",
    ),
]
