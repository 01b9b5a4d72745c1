"""``manage.py find_oddities``: what looks wrong in the record, for curators to decide on at ``/oddities/``."""

from typing import Any

from registry.catalog.management.base import LoadingCommand
from registry.core.templatetags.formatting import plural
from registry.curation.oddities.models import Oddity
from registry.curation.oddities.services import find_oddities


class Command(LoadingCommand):
    help = (
        "Look through the record for failed runs, lone scores, averages that their parts contradict, years out of "
        "order, and systems and collections under two names; editors and curators decide on them."
    )

    def handle(self, *, verbosity: int, **options: Any) -> None:
        found = find_oddities(**self.for_journal(options))
        if verbosity > 1:
            for oddity in Oddity.objects.waiting().for_listing():
                self.stdout.write(f"{oddity.get_kind_display()}: {oddity.subject}. {oddity.says}")
        for kind in Oddity.Kind:
            self.stdout.write(f"{found[kind]:7,}  {kind.label}")
        waiting = plural(Oddity.objects.waiting().count(), "oddity waits,oddities wait")
        self.stdout.write(f"{waiting} for a decision.")
