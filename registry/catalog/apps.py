"""Collections, measures, leaderboards."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    name = "registry.catalog"

    def ready(self) -> None:
        from registry.accounts import personal
        from registry.catalog import documents, services

        personal.register(personal.Section("curated", documents.curated_collections, services.forget_curator))
