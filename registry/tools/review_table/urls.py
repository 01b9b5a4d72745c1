"""The address that reviews a table."""

from django.urls import path

from registry.tools.review_table import views

app_name = "review_table"

urlpatterns = [path("review-table/", views.review_table, name="review-table")]
