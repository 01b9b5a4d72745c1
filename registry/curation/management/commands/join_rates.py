"""Say how far results lead to papers, sources, families and training data."""

from typing import Any

from django.core.management.base import BaseCommand

from registry.core.templatetags.formatting import share_of
from registry.curation.lineage.join_rates import RELATIONS, JoinRates, join_rates


class Command(BaseCommand):
    help = "Print, by source, the shares of results with a titled paper, an openable source, a family, training data."

    def handle(self, **options: Any) -> None:
        found = join_rates()
        if not found:
            self.stdout.write("No results are on record.")
        for rates in found:
            self.stdout.write(f"{rates.source}: {rates.n_results:,} results")
            for line in _lines(rates):
                self.stdout.write(f"  {line}")


def _lines(rates: JoinRates) -> list[str]:
    """The shares of one source, with what they consist of."""
    parts = [f"{rates.papers[how]:,} {how}" for how in RELATIONS if rates.papers[how]]
    shown = ", ".join(parts)
    return [
        f"titled paper     {_share(rates.n_titled, rates.n_results)}{shown and f': {shown}'}",
        f"openable source  {_share(rates.n_openable, rates.n_results)}, {rates.n_at_line:,} of them at the line",
        f"family           {_share(rates.n_family, rates.n_results)}, {rates.n_alone:,} of them alone in it",
        f"training data    {_share(rates.n_declared, rates.n_trained)}",
    ]


def _share(n: int, of: int) -> str:
    """A count and its share."""
    if not of:
        return "of no trained model"
    return f"{n:,} of {of:,} ({share_of(n, of)})"
