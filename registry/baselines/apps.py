"""Baselines of papers."""

from django.apps import AppConfig


class BaselinesConfig(AppConfig):
    name = "registry.baselines"

    def ready(self) -> None:
        from registry.baselines.live_examples import register_examples

        register_examples()
