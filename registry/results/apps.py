"""Published results."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "registry.results"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.core import jobs, loading
        from registry.journal import verifying
        from registry.results import queries
        from registry.results.services.corrections import show_old_disputes
        from registry.results.services.files import load_shipped_results

        register(Section("correction_requests", queries.export_corrections))
        register(Section("confirmations", queries.export_confirmations))
        jobs.register(jobs.Routine("results.show_disputes", show_old_disputes, every=86_400, expires=3600))
        loading.register(load_shipped_results)
        verifying.register(verifying.Check("score as printed", "scores as printed", queries.check_scores))
