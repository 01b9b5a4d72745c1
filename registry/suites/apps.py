"""Suites of collections."""

from django.apps import AppConfig


class SuitesConfig(AppConfig):
    name = "registry.suites"

    def ready(self) -> None:
        from registry.core import shipping
        from registry.suites.services.elsewhere import refresh_elsewhere
        from registry.suites.services.files import load_shipped_suites

        shipping.register(load_shipped_suites, finish=refresh_elsewhere)
