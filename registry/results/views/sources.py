"""Pages of the places that figures were taken from."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.forms import PageForm, asked
from registry.core.pages import section_about
from registry.results.access import get_visible_source
from registry.results.models import Result

BOARDS_PER_PAGE = 25


@require_safe
def source_detail(request: HttpRequest, name: str) -> HttpResponse:
    """What was taken from one place, in which state, under which terms, when, and what was left out."""
    form = asked(PageForm(request.GET))
    source = get_visible_source(name)
    boards = Result.objects.standing().filter(source=source.name).by_leaderboard()
    context = {
        "source": source,
        "counts": Result.objects.filter(source=source.name).summary(),
        "page": form.cut(boards, BOARDS_PER_PAGE),
        "section": section_about("sources", source.name),
    }
    return render(request, "results/source_detail.html", context)
