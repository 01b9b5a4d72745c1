"""Search over everything that has a page."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "registry.search"

    def ready(self) -> None:
        from registry.core import loading
        from registry.core.jobs import Routine, register
        from registry.core.queries import register_pages
        from registry.search.queries import least_of_each_kind
        from registry.search.services import index_registry, index_what_was_loaded

        register_pages(least_of_each_kind)
        loading.register_finish(index_what_was_loaded)
        register(Routine("search.index", index_registry, every=60, expires=60))
