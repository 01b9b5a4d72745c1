"""The ground of every app: settings helpers, background jobs, formatting."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "registry.core"

    def ready(self) -> None:
        from django.conf import settings

        # The Celery application of all tasks; programs that only compute do without it.
        from registry import celery  # noqa: F401
        from registry.core import checks, services  # noqa: F401 - importing checks registers them
        from registry.core.jobs import Routine, register
        from registry.core.messages import load_messages

        load_messages()

        period = settings.PLUMBLINE_SWEEP_SECONDS
        register(Routine(services.SWEEP, services.sweep, every=period, expires=period, at_start=True))
