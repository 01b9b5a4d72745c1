"""Taking the registry home."""

from django.apps import AppConfig


class DumpsConfig(AppConfig):
    name = "registry.dumps"

    def ready(self) -> None:
        from registry.core.jobs import Routine, register
        from registry.dumps import services
        from registry.dumps.queries import EXPORT_WHEN_DUE, check_dumps, last_told, read_last_dumped
        from registry.dumps.tables import SEALED
        from registry.journal import chain, sealing, verifying

        register(
            Routine(EXPORT_WHEN_DUE, services.export_when_due, every=60, expires=60),
            Routine("dumps.clear_away", services.clear_away, every=60, expires=60, at_start=True),
        )
        verifying.register(verifying.Check("head that a dump remembers", "heads that dumps remember", check_dumps))
        sealing.register(*SEALED)
        chain.WITNESSES.append(read_last_dumped)
        chain.TOLD.append(last_told)
