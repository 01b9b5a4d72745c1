"""What every app stands on: settings helpers, background jobs, formatting."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "registry.core"

    def ready(self) -> None:
        from registry.core import checks  # noqa: F401 - importing it registers the checks
