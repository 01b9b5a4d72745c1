"""What people say to the cautions that leaderboards give, and what curators decide on them."""

from django.apps import AppConfig


class CautionsConfig(AppConfig):
    name = "registry.cautions"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.cautions import personal

        register(Section("caution_answers", personal.export_answers, personal.erase_answers))
