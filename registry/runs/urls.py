"""Addresses of uploads, their studies, and judgements."""

from django.urls import path, re_path

from registry.runs import own_views, study_views, views

app_name = "runs"

urlpatterns = [
    path("runs/", views.upload_list, name="upload-list"),
    path("runs/example/", views.example_run, name="example"),
    path("runs/own/", own_views.own_list, name="own-list"),
    path("runs/own/public/", own_views.own_public, name="own-public"),
    path("runs/own/<str:key>/", own_views.own_detail, name="own-detail"),
    path("runs/own/<str:key>/measures/<int:pk>/remove/", own_views.own_measure_remove, name="own-measure-remove"),
    path("runs/own/<str:key>/listing/", own_views.own_listing, name="own-listing"),
    path("runs/own/<str:key>/<slug:act>/", own_views.own_act, name="own-act"),
    path("runs/own/<str:key>/boards/<int:pk>/", own_views.own_board, name="own-board"),
    path("runs/own/<str:key>/boards/<int:pk>.json", own_views.own_board, {"suffix": "json"}, name="own-board-json"),
    path("runs/<str:key>/", views.upload_detail, name="upload-detail"),
    path("runs/<str:key>/topic-scores.csv", views.upload_scores, name="upload-scores"),
    path("runs/<str:key>/<slug:act>/", study_views.upload_act, name="upload-act"),
    path("runs/<str:key>/studies/<int:pk>/", study_views.study_detail, name="study-detail"),
    re_path(
        r"^runs/(?P<key>[^/]+)/studies/(?P<pk>[0-9]{1,18})\.(?P<suffix>json)$",
        study_views.study_detail,
        name="study-format",
    ),
    path("runs/<str:key>/studies/<int:pk>/<slug:act>/", study_views.study_act, name="study-act"),
    path("collections/<str:name>/judgements/", views.judgements_detail, name="judgements-detail"),
    path("collections/<str:name>/judgements.qrels", views.judgements_lines, name="judgements-lines"),
    path("collections/<str:name>/runs/<str:run>.run", views.shipped_run, name="shipped-run"),
]
