"""Baselines of papers."""

from django.apps import AppConfig


class BaselinesConfig(AppConfig):
    name = "registry.baselines"
