"""Published results."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "registry.results"
