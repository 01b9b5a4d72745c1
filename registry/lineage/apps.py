"""Who systems come from, and what they were trained on."""

from functools import partial

from django.apps import AppConfig


class LineageConfig(AppConfig):
    name = "registry.lineage"

    def ready(self) -> None:
        from registry.core import shipping
        from registry.core.jobs import Routine, register
        from registry.lineage.services.files import load_shipped_lineage
        from registry.lineage.services.twins import record_twins

        shipping.register(load_shipped_lineage, finish=record_twins)
        find_twins = partial(record_twins, reason="looked for systems with the same scores")
        register(Routine("lineage.find_twins", find_twins, every=24 * 3600, expires=3600))
