"""Historical standardization."""

from django.apps import AppConfig


class StandardizationConfig(AppConfig):
    name = "registry.standardization"

    def ready(self) -> None:
        from registry.standardization.live_examples import register_examples

        register_examples()
