"""Addresses of uploads, their studies, and judgements."""

from django.urls import path, re_path

from registry.runs import views

app_name = "runs"

urlpatterns = [
    path("runs/", views.upload_list, name="upload-list"),
    path("runs/example/", views.example_run, name="example"),
    path("runs/<str:key>/keep/", views.upload_keep, name="upload-keep"),
    path("runs/<str:key>/", views.upload_detail, name="upload-detail"),
    path("runs/<str:key>/progress/", views.upload_progress, name="upload-progress"),
    path("runs/<str:key>/topic-scores.csv", views.upload_scores, name="upload-scores"),
    path("runs/<str:key>/executions/", views.upload_executions, name="executions"),
    path("runs/<str:key>/delete/", views.upload_delete, name="upload-delete"),
    path("runs/<str:key>/record/", views.upload_record, name="upload-record"),
    path("runs/<str:key>/studies/", views.study_ask, name="study-ask"),
    path("runs/<str:key>/documents/", views.documents_ask, name="documents-ask"),
    path("runs/<str:key>/studies/<int:pk>/", views.study_detail, name="study-detail"),
    re_path(
        r"^runs/(?P<key>[^/]+)/studies/(?P<pk>[0-9]{1,18})\.(?P<suffix>json)$", views.study_detail, name="study-format"
    ),
    path("runs/<str:key>/studies/<int:pk>/progress/", views.study_progress, name="study-progress"),
    path("runs/<str:key>/studies/<int:pk>/delete/", views.study_delete, name="study-delete"),
    path("collections/<str:name>/judgements/", views.judgements_detail, name="judgements-detail"),
    path("collections/<str:name>/judgements.qrels", views.judgements_lines, name="judgements-lines"),
    path("collections/<str:name>/runs/<str:run>.run", views.shipped_run, name="shipped-run"),
]
