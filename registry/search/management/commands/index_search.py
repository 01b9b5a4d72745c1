"""``manage.py index_search``: make the index of search again, whatever it holds."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from registry.search.models import Term
from registry.search.services import index_registry


class Command(BaseCommand):
    help = "Make the index of search again from everything that is recorded."

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.perf_counter()
        n_things = index_registry(is_forced=True)
        n_terms, seconds = Term.objects.count(), time.perf_counter() - started
        self.stdout.write(f"{n_things:,} things are found by {n_terms:,} words and names ({seconds:.1f} s).")
