"""The first page about the data: where it is from, and under which terms."""

from registry.core.document_pages import DocumentPage, as_lists
from registry.journal.queries import journal_version
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.queries import source_counts

#: So many of the largest sources are shown at once.
MOST_SHOWN = 20

SOURCES = DocumentPage(
    template="curation/lineage/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: source_counts(),
    lay_out=lambda _, sources, form: {
        "sources": sources,
        "parts": [part for part in (sources[:MOST_SHOWN], sources[MOST_SHOWN:]) if part],
    },
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
