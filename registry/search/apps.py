"""Search over everything that has a page."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "registry.search"

    def ready(self) -> None:
        from registry.core import shipping
        from registry.core.jobs import Routine, register
        from registry.search.services import index_registry, index_what_was_loaded

        shipping.register_finish(index_what_was_loaded)
        register(Routine("search.index", index_registry, every=60, expires=60))
