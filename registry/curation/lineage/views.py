"""The pages of lineages and of sources."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.document_pages import DocumentPage, as_lists
from registry.core.forms import asked
from registry.curation.lineage.access import get_visible_lineage
from registry.curation.lineage.documents import NamedLineage
from registry.curation.lineage.forms import LineageForm
from registry.journal.queries import journal_version
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.queries import source_counts

SYSTEMS_PER_PAGE = 200


@require_safe
def lineage_detail(request: HttpRequest) -> HttpResponse:
    """Return the page of a lineage: what is of it, and what was decided about it."""
    form = asked(LineageForm(request.GET))
    key, ids = get_visible_lineage(form.cleaned_data["key"])
    lineage = NamedLineage(key)
    page = form.cut(lineage.systems(ids), SYSTEMS_PER_PAGE)
    context = {"lineage": lineage, "page": page, "query": {"key": key}}
    return render(request, "curation/lineage/lineage_detail.html", context)


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
