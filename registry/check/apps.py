"""Checking a score."""

from django.apps import AppConfig


class CheckConfig(AppConfig):
    name = "registry.check"
