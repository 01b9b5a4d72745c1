"""Pages that find things."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from registry.catalog.access import get_visible_measure
from registry.core.forms import QueryForm
from registry.core.http import kept_response
from registry.core.views import bad_request
from registry.leaderboards.queries import analysed_leaderboards
from registry.search.documents import groups_of
from registry.search.forms import SearchForm
from registry.search.models import Thing
from registry.search.queries import index_version, page_of, read_search

THINGS_PER_PAGE = 50


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What is found by some words: the best of each kind, or all of one kind in pages."""
    form = SearchForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    text, kind = form.cleaned_data["q"], form.cleaned_data["kind"]

    def build() -> HttpResponse:
        found = read_search(text)
        query = {name: value for name, value in (("q", text), ("kind", kind)) if value}
        context = {"search": found, "kind": kind, "query": query}
        context["kinds"] = [(one, Thing.Kind(one).label, n) for one, n in found.counts.items()]
        if kind:
            page = Paginator(range(found.counts.get(kind, 0)), THINGS_PER_PAGE).get_page(form.number)
            context |= {"page": page, "things": page_of(found, kind, page.start_index() - 1, THINGS_PER_PAGE)}
        else:
            context["groups"] = groups_of(found)
        return render(request, "search/search.html", context)

    key = f"search {index_version()} {kind} {form.number} {text}"
    return kept_response(request, key=key, build=build)


@require_safe
def measure_detail(request: HttpRequest, name: str) -> HttpResponse:
    """One measure, with the leaderboards on which it scores."""
    measure = get_visible_measure(name)
    if measure.name != name:
        return redirect("search:measure-detail", measure.name, permanent=True)
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    boards = analysed_leaderboards().filter(measure=measure)
    aliases = measure.aliases.order_by("alias").values_list("alias", flat=True)
    context = {"measure": measure, "aliases": aliases, "boards": boards}
    return render(request, "search/measure_detail.html", context)
