"""What looks wrong in the record, and what curators decide on it."""

from functools import partial

from django.apps import AppConfig


class OdditiesConfig(AppConfig):
    name = "registry.oddities"

    def ready(self) -> None:
        from registry.core.jobs import Routine, register
        from registry.oddities.services import find_oddities

        find = partial(find_oddities, reason="looked through the record for what is odd")
        register(Routine("oddities.find_oddities", find, every=24 * 3600, expires=3600))
