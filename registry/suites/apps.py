"""Suites of collections."""

from functools import partial

from django.apps import AppConfig


class SuitesConfig(AppConfig):
    name = "registry.suites"

    def ready(self) -> None:
        from registry.core import shipping
        from registry.core.jobs import Routine, register
        from registry.suites.services.elsewhere import refresh_elsewhere
        from registry.suites.services.files import load_shipped_suites

        shipping.register(load_shipped_suites, finish=refresh_elsewhere)
        refresh = partial(refresh_elsewhere, reason="scores on members changed")
        register(Routine("suites.refresh_elsewhere", refresh, every=24 * 3600, expires=3600))
