"""The record of changes."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class JournalConfig(AppConfig):
    name = "registry.journal"

    def ready(self) -> None:
        from registry.core.jobs import Routine, register
        from registry.core.kept import register_version
        from registry.core.queries import register_section
        from registry.journal import chain, sealing, services, verifying
        from registry.journal.chain import check_seals
        from registry.journal.queries import journal_version
        from registry.journal.verifying import check_references

        verifying.register(
            verifying.Check("sealed row", "sealed rows", check_seals),
            verifying.Check("reference to a row", "references to rows", check_references),
        )
        register_version(journal_version)
        register_section("verification", verifying.health)
        register(
            Routine("journal.seal_new", sealing.seal_new, every=60, expires=60),
            Routine("journal.sign_today", chain.sign_today, every=3600, expires=3600),
            Routine("journal.verify_when_due", verifying.verify_when_due, every=3600, expires=3600),
        )
        post_migrate.connect(services.note_writes, sender=self, dispatch_uid="note_writes")
