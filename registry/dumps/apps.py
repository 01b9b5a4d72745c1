"""Taking the registry home."""

from django.apps import AppConfig


class DumpsConfig(AppConfig):
    name = "registry.dumps"

    def ready(self) -> None:
        from registry.core.jobs import Routine, register
        from registry.dumps import services

        register(Routine("dumps.export_when_due", services.export_when_due, every=600, expires=600))
