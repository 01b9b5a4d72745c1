"""The tables and figures of papers, computed again."""

from django.apps import AppConfig


class ReproductionsConfig(AppConfig):
    name = "registry.reproductions"
