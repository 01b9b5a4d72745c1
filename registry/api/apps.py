"""REST API, version 1."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "registry.api"
