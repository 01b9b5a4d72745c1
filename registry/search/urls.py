"""Addresses of search, and of measures."""

from django.urls import path

from registry.search import views

app_name = "search"

urlpatterns = [
    path("search/", views.search, name="search"),
    path("measures/<str:name>/", views.measure_detail, name="measure-detail"),
]
