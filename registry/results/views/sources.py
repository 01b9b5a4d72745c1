"""Pages of the places that figures were taken from."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import PageForm, QueryForm, asked
from registry.core.http import negotiated
from registry.core.pages import section_about
from registry.results.access import get_visible_source
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.models import Result
from registry.results.queries import source_counts

BOARDS_PER_PAGE = 100


@require_safe
@negotiated("csv", "json")
def source_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Where figures were taken from, with how many stand."""
    asked(QueryForm(request.GET))
    if suffix:
        return list_file("sources", SOURCE_COLUMNS, map(source_cells, source_counts()), suffix)
    return render(request, "results/source_list.html", {"sources": source_counts()})


@require_safe
def source_detail(request: HttpRequest, name: str) -> HttpResponse:
    """What was taken from one place, in which state, under which terms, when, and what was left out."""
    form = asked(PageForm(request.GET))
    source = get_visible_source(name)
    boards = Result.objects.standing().filter(source=source.name).by_leaderboard()
    context = {
        "source": source,
        "counts": Result.objects.filter(source=source.name).summary(),
        "page": Paginator(boards, BOARDS_PER_PAGE).get_page(form.number),
        "section": section_about("sources", source.name),
    }
    return render(request, "results/source_detail.html", context)
