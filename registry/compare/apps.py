"""Comparing systems."""

from django.apps import AppConfig


class CompareConfig(AppConfig):
    name = "registry.compare"
