"""``manage.py find_twins``: systems whose scores agree with those of another to the last digit."""

from typing import Any

from registry.catalog.management.base import LoadingCommand
from registry.core.templatetags.formatting import number_of
from registry.curation.lineage.services.twins import record_twins
from registry.results.models import System


class Command(LoadingCommand):
    help = "Find systems that stand under several names, by their scores, and keep what was found as lineages."

    def handle(self, *, verbosity: int, **options: Any) -> None:
        twins = record_twins(**self.for_journal(options))
        names = System.objects.in_bulk({pk for twin in twins for pk in (twin.first, twin.second)})
        for twin in sorted(twins, key=lambda twin: -twin.n_same) if verbosity else []:
            first, second = names[twin.first], names[twin.second]
            pair = f"{first} [{first.team}] = {second} [{second.team}]"
            self.stdout.write(f"{twin.n_same:4} of {twin.n_common:4}  {pair}")
        self.stdout.write(f"{number_of(len(twins), 'pair of systems has', 'pairs of systems have')} the same scores.")
