"""The first page about the data: where it is from, under which terms, and how far it leads."""

from registry.core.document_pages import DocumentPage, as_lists
from registry.curation.lineage.join_rates import JoinRates, join_rates
from registry.journal.queries import journal_version
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.models import Source
from registry.results.queries import source_counts

#: So many of the largest sources are shown at once.
MOST_SHOWN = 20


def _with_rates(sources: list[Source]) -> list[list[tuple[Source, JoinRates]]]:
    """The sources with their rates, those that are shown at once first, then the others."""
    rates = join_rates()
    rows = [(one, rates.get(one.name, JoinRates(one.name))) for one in sources]
    return [part for part in (rows[:MOST_SHOWN], rows[MOST_SHOWN:]) if part]


SOURCES = DocumentPage(
    template="curation/lineage/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: source_counts(),
    lay_out=lambda _, sources, form: {"sources": sources, "parts": _with_rates(sources)},
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
