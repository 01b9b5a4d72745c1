"""The record of changes."""

from django.apps import AppConfig


class JournalConfig(AppConfig):
    name = "registry.journal"
