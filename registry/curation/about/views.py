"""The first page about the data: where it is from, under which terms, how far it leads, and what looks wrong in it."""

from registry.core.document_pages import DocumentPage, as_lists
from registry.curation.lineage.join_rates import RATE_COLUMNS, JoinRates, join_rates
from registry.curation.oddities.queries import n_waiting_by_kind
from registry.journal.queries import journal_version
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.models import Source
from registry.results.queries import source_counts

#: So many of the largest sources are shown at once.
MOST_SHOWN = 20


def _with_rates(sources: list[Source]) -> list[list[tuple[Source, JoinRates]]]:
    """The sources with their rates, those that are shown at once first, then the others."""
    rates = {one.source: one for one in join_rates()}
    rows = [(one, rates.get(one.name, JoinRates(one.name))) for one in sources]
    return [part for part in (rows[:MOST_SHOWN], rows[MOST_SHOWN:]) if part]


SOURCES = DocumentPage(
    template="curation/about/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=n_waiting_by_kind,
    version=lambda n_waiting: (journal_version(), n_waiting),
    describe=lambda n_waiting, form: source_counts(),
    lay_out=lambda n_waiting, sources, form: {
        "sources": sources,
        "parts": _with_rates(sources),
        "n_waiting": n_waiting,
    },
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
JOINS = DocumentPage(
    meaning="How far results lead to papers, places, families and training data, by source.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: join_rates(),
    formats=as_lists("joins", RATE_COLUMNS, lambda rates: [one.cells() for one in rates], "csv", "json"),
)
