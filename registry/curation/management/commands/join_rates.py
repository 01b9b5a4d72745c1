"""Say how far results lead to papers, sources, families and training data."""

from typing import Any

from django.core.management.base import BaseCommand

from registry.core.templatetags.formatting import number_of, share_of
from registry.curation.lineage.join_rates import RATE_COLUMNS, RELATIONS, JoinRates, join_rates

#: The counts that add up, but for those of papers by relation.
_COUNTS = [name for name in RATE_COLUMNS if name.startswith("n_") and not name.startswith("n_paper_")]


class Command(BaseCommand):
    help = "Print, by source, the shares of results with a titled paper, an openable source, a family, training data."

    def handle(self, **options: Any) -> None:
        found = join_rates()
        if not found:
            self.stdout.write("No results are on record.")
        for rates in [*found, *([_all(found)] if len(found) > 1 else [])]:
            self.stdout.write(f"{rates.source}: {number_of(rates.n_results, 'result', 'results')}")
            for line in _lines(rates):
                self.stdout.write(f"  {line}")


def _all(found: list[JoinRates]) -> JoinRates:
    """What all sources come to; a paper that two of them name counts for each."""
    rates = JoinRates("All sources")
    for one in found:
        rates.papers += one.papers
        for name in _COUNTS:
            setattr(rates, name, getattr(rates, name) + getattr(one, name))
    return rates


def _lines(rates: JoinRates) -> list[str]:
    """The shares of one source, with what they consist of."""
    parts = [f"{rates.papers[how]:,} {how}" for how in RELATIONS if rates.papers[how]]
    if rates.n_page:
        parts.append(f"{rates.n_page:,} of the others name a page on their model")
    if rates.n_linked:
        parts.append(f"of systems with a paper {_share(rates.n_linked_titled, rates.n_linked)}")
    shown, n_titled, n_doi = ", ".join(parts), rates.n_papers_titled, rates.n_papers_doi
    return [
        f"titled paper     {_share(rates.n_titled, rates.n_results)}{shown and f': {shown}'}",
        f"papers           {rates.n_papers:,} named, {n_titled:,} titled, {n_doi:,} with a DOI",
        f"openable source  {_share(rates.n_openable, rates.n_results)}, {rates.n_at_line:,} of them at the line",
        f"family           {_share(rates.n_family, rates.n_results)}, {rates.n_alone:,} of them alone in it",
        f"training data    {_share(rates.n_declared, rates.n_trained)}",
    ]


def _share(n: int, of: int) -> str:
    """A count and its share."""
    if not of:
        return "of no trained model"
    return f"{n:,} of {of:,} ({share_of(n, of)})"
