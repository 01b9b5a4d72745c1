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
    path("runs/own/<str:key>/change/", own_views.own_change, name="own-change"),
    path("runs/own/<str:key>/measures/", own_views.own_measure_add, name="own-measure-add"),
    path("runs/own/<str:key>/measures/<int:pk>/remove/", own_views.own_measure_remove, name="own-measure-remove"),
    path("runs/own/<str:key>/tables/", own_views.own_table_add, name="own-table-add"),
    path("runs/own/<str:key>/runs/", own_views.own_run_add, name="own-run-add"),
    path("runs/own/<str:key>/judgements/", own_views.own_judgements_put, name="own-judgements-put"),
    path("runs/own/<str:key>/listing/", own_views.own_listing, name="own-listing"),
    path("runs/own/<str:key>/keep/", own_views.own_keep, name="own-keep"),
    path("runs/own/<str:key>/delete/", own_views.own_delete, name="own-delete"),
    path("runs/own/<str:key>/boards/<int:pk>/", own_views.own_board, name="own-board"),
    path("runs/own/<str:key>/boards/<int:pk>.json", own_views.own_board, {"suffix": "json"}, name="own-board-json"),
    path("runs/<str:key>/keep/", views.upload_keep, name="upload-keep"),
    path("runs/<str:key>/", views.upload_detail, name="upload-detail"),
    path("runs/<str:key>/progress/", views.upload_progress, name="upload-progress"),
    path("runs/<str:key>/topic-scores.csv", views.upload_scores, name="upload-scores"),
    path("runs/<str:key>/executions/figure/", study_views.executions_figure, name="executions-figure"),
    path("runs/<str:key>/delete/", views.upload_delete, name="upload-delete"),
    path("runs/<str:key>/record/", views.upload_record, name="upload-record"),
    path("runs/<str:key>/studies/", study_views.study_ask, name="study-ask"),
    path("runs/<str:key>/documents/", study_views.documents_ask, name="documents-ask"),
    path("runs/<str:key>/studies/<int:pk>/", study_views.study_detail, name="study-detail"),
    re_path(
        r"^runs/(?P<key>[^/]+)/studies/(?P<pk>[0-9]{1,18})\.(?P<suffix>json)$",
        study_views.study_detail,
        name="study-format",
    ),
    path("runs/<str:key>/studies/<int:pk>/figures/", study_views.study_figures, name="study-figures"),
    path(
        "runs/<str:key>/studies/<int:pk>/figures/<slug:paper>/<slug:figure>/",
        study_views.study_figure,
        name="study-figure",
    ),
    path("runs/<str:key>/studies/<int:pk>/progress/", study_views.study_progress, name="study-progress"),
    path("runs/<str:key>/studies/<int:pk>/delete/", study_views.study_delete, name="study-delete"),
    path("collections/<str:name>/judgements/", views.judgements_detail, name="judgements-detail"),
    path("collections/<str:name>/judgements.qrels", views.judgements_lines, name="judgements-lines"),
    path("collections/<str:name>/runs/<str:run>.run", views.shipped_run, name="shipped-run"),
]
