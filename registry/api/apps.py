"""REST API, version 1."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "registry.api"

    def ready(self) -> None:
        from registry.core.queries import register_pages
        from registry.search.queries import least_of_each_kind

        register_pages(lambda: [f"/api/v1{address}" for address in least_of_each_kind()])
