"""Published results."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "registry.results"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.results import personal

        register(Section("correction_requests", personal.export_corrections))
        register(Section("confirmations", personal.export_confirmations))
