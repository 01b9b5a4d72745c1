"""The address that checks a score."""

from django.urls import path

from registry.check import views

app_name = "check"

urlpatterns = [path("check/", views.check, name="check")]
