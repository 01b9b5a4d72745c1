"""Historical standardization."""

from django.apps import AppConfig


class StandardizationConfig(AppConfig):
    name = "registry.standardization"
