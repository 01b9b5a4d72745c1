"""What every app stands on: settings helpers, background jobs, formatting."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "registry.core"

    def ready(self) -> None:
        from django.conf import settings

        from registry.core import checks, services  # noqa: F401 - importing checks registers them
        from registry.core.jobs import Routine, register

        period = settings.PLUMBLINE_SWEEP_SECONDS
        register(Routine(services.SWEEP, services.sweep, every=period, expires=period, at_start=True))
