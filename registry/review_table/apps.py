"""Reviewing a table."""

from django.apps import AppConfig


class ReviewTableConfig(AppConfig):
    name = "registry.review_table"
