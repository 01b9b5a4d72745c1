"""Pages of standardized scores: of a collection, of a year; what is said of a system stands on its page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from registry.catalog.pages import collection_page
from registry.core.document_pages import DocumentPage, as_lists
from registry.core.forms import QueryForm, asked
from registry.core.http import leads_to
from registry.leaderboards.versions import registry_version
from registry.results.access import get_visible_system
from registry.tools.standardization import across
from registry.tools.standardization.documents import StandardizedDocument, standardized_document
from registry.tools.standardization.drawings import draw_year
from registry.tools.standardization.queries import standardization_version

#: Of more rows a table shows the best alone; the JSON has all.
MOST_ROWS = 8

STANDARDIZED = collection_page(
    template="tools/standardization/collection_standardized.html",
    meaning=(
        "Scores on the scale of fixed reference systems, and original runs among systems of today; by slug or alias."
    ),
    document=StandardizedDocument,
    version=standardization_version,
    describe=lambda collection, form: standardized_document(collection),
    lay_out=lambda collection, document, form: {"collection": collection, "years": across.years_on_record()},
)
SYSTEM = DocumentPage(
    meaning="All results of a system on the scales of their collections' reference systems, with its mean over them.",
    document=across.SystemAcross,
    names=("slug",),
    find=get_visible_system,
    canonical=lambda system, form: ((system.merged_into or system).slug,),
    version=lambda system: across.across_version(),
    describe=lambda system, form: across.system_across(system),
)


def _year(year: int, form: QueryForm) -> across.YearAcross:
    document = across.year_across(year)
    if not document.n_results:
        raise Http404(f"No comparable result of {year} is recorded.")
    return document


YEAR = DocumentPage(
    template="tools/standardization/year_detail.html",
    meaning="The results of a year on the scales of their collections' reference systems: quartiles by collection.",
    document=across.YearAcross,
    names=("year",),
    find=int,
    version=lambda year: across.across_version(),
    describe=_year,
    lay_out=lambda year, document, form: {
        "groups": [(one, draw_year(one)) for one in document.groups],
        "most": MOST_ROWS,
        "years": across.years_on_record(),
    },
)


YEARS = DocumentPage(
    meaning="The years with results.",
    document=list,
    find=lambda: None,
    version=lambda _: registry_version(),
    describe=lambda _, form: across.years_on_record(),
    formats=as_lists("years", across.YEAR_COLUMNS, list, "csv", "json"),
)


@require_safe
@leads_to(csv="standardization:year-list-csv", json="standardization:year-list-json")
def latest_year(request: HttpRequest) -> HttpResponse:
    """The latest year with results, whose page leads to all others."""
    asked(QueryForm(request.GET))
    years = across.years_on_record()
    if not years:
        raise Http404("No comparable result has a year.")
    return redirect(years[0][1])
