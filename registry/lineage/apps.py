"""Who systems come from, and what they were trained on."""

from django.apps import AppConfig


class LineageConfig(AppConfig):
    name = "registry.lineage"

    def ready(self) -> None:
        from registry.core import shipping
        from registry.lineage.services.files import load_shipped_lineage
        from registry.lineage.services.twins import record_twins

        shipping.register(load_shipped_lineage, finish=record_twins)
