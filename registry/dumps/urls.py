"""Addresses of dumps."""

from django.urls import path

from registry.dumps import views

app_name = "dumps"

urlpatterns = [
    path("data/", views.dump_list, name="dump-list"),
    path("data.json", views.dump_list, {"suffix": "json"}, name="dump-document"),
    path("data/latest/<str:file>", views.latest_file, name="latest-file"),
    path("data/<str:name>/<str:file>", views.dump_file, name="dump-file"),
]
