"""Pages that find things."""

from collections.abc import Iterable

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import conditional_page, require_safe

from registry.catalog.access import get_visible_measure
from registry.catalog.documents import MeasureDocument, measure_document
from registry.core import views as core_views
from registry.core.columns import list_file
from registry.core.documents import DocumentPage
from registry.core.forms import asked
from registry.core.http import negotiated, site_address
from registry.core.kept import kept_response
from registry.core.metadata import atom_response
from registry.core.templatetags.formatting import query_with
from registry.journal.queries import journal_version
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.leaderboards.versions import registry_version
from registry.results.feeds import result_events
from registry.results.models import Result
from registry.search.documents import describe_thing, groups_of
from registry.search.forms import FileForm, FindForm, ListForm, SearchForm
from registry.search.models import Thing
from registry.search.queries import (
    Search,
    addresses_on,
    index_version,
    map_numbers,
    nearest_things,
    page_of,
    read_search,
    results_of,
    things_of,
)
from registry.search.site_pages import list_asked_for, pages_called, pages_spelled

THINGS_PER_PAGE = 25
#: A feed has results of so many things, the best first.
THINGS_IN_A_FEED = 25
_COLUMNS = ("kind", "title", "detail", "url", "n_results")

#: The kinds whose list is of names alone.
LISTED = (Thing.Kind.SYSTEM, Thing.Kind.MEASURE)

#: What is for people and programs alone, and what shows the same things again under other choices.
_NOT_FOR_CRAWLERS = (
    "/*?", "/accounts/", "/admin/", "/api/", "/moderation/", "/submissions/", "/submit/", "/search/",
    "/-/",
)  # fmt: skip


@require_safe
@negotiated("csv", "json")
def search(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Return what is found by some words: the best of each kind, or all of one kind in pages; all of it as a file."""
    form = asked((FindForm if suffix else SearchForm)(request.GET))
    text, kind = form.cleaned_data["q"], form.cleaned_data["kind"]
    number = form.number if isinstance(form, SearchForm) else 1
    if not (suffix or kind) and (asked_for := list_asked_for(text)):
        return redirect(asked_for)

    def build() -> HttpResponse:
        found = read_search(text)
        if suffix:
            return _file(page_of(found, kind, 0, found.n), "search", suffix)
        context = {"search": found, "kind": kind, "query": {"q": text, "kind": kind}}
        context["kinds"] = [(one, Thing.Kind(one).label, n) for one, n in found.counts.items()]
        if kind:
            page = Paginator(range(found.counts.get(kind, 0)), THINGS_PER_PAGE).get_page(number)
            context |= {"page": page, "things": page_of(found, kind, page.start_index() - 1, THINGS_PER_PAGE)}
        else:
            context |= {"groups": groups_of(found), "pages": pages_called(text), "answers": answers_of(found)}
            context["read_as"] = read_as(found)
        return render(request, "search/search.html", context)

    key = f"search {suffix} {index_version()} {kind} {number} {text}"
    return kept_response(request, key=key, build=build)


@conditional_page
@require_safe
def search_feed(request: HttpRequest) -> HttpResponse:
    """Results that came and went of what some words find, as Atom."""
    form = asked(FindForm(request.GET))
    text, kind = form.cleaned_data["q"], form.cleaned_data["kind"]
    things = page_of(read_search(text), kind, 0, THINGS_IN_A_FEED)
    page = f"{reverse('search:search')}?{urlencode({'q': text})}"
    events = result_events(results_of(things), names_board=True)
    return atom_response(request, title=f"Plumbline: {text}", page=page, entries=events)


def _file(things: Iterable[Thing], name: str, suffix: str) -> HttpResponse:
    return list_file(name, _COLUMNS, ([*describe_thing(thing).values()] for thing in things), suffix)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for what is not there, with what may have been meant."""
    return core_views.not_found(request, exception, lambda path: [*pages_spelled(path), *nearest_things(path)])


@require_safe
@negotiated("csv", "json")
def thing_list(request: HttpRequest, kind: str, suffix: str = "") -> HttpResponse:
    """All things of a kind, or those that some words find: as a page, or all of them as a file."""
    form = asked((FileForm if suffix else ListForm)(request.GET))
    text = form.cleaned_data["q"]
    number = form.number if isinstance(form, ListForm) else 1

    def build() -> HttpResponse:
        found = read_search(text)
        if suffix:
            things = page_of(found, kind, 0, found.n) if found.text else things_of(kind)
            return _file(things, f"{kind}s", suffix)
        n = found.counts.get(kind, 0) if found.text else things_of(kind).count()
        page = Paginator(range(n), THINGS_PER_PAGE).get_page(number)
        start = max(0, page.start_index() - 1)
        listed = (
            page_of(found, kind, start, THINGS_PER_PAGE) if found.text else things_of(kind)[start : page.end_index()]
        )
        context = {"search": found, "kind": Thing.Kind(kind), "page": page, "things": listed, "n": n}
        context["query"] = {"q": text} if text else {}
        context["others"] = [(reverse(f"search:{one}-list"), one.label) for one in LISTED if one != kind]
        return render(request, f"search/{kind}_list.html", context)

    return kept_response(
        request, key=f"things {kind} {suffix} {registry_version()} {index_version()} {number} {text}", build=build
    )


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_CRAWLERS)]
    lines += ["", f"Sitemap: {site_address(reverse('search:sitemap', args=['']))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest, part: str) -> HttpResponse:
    """The pages that are worth finding: the list of the lists, or one of these, as ``-2``."""
    number = int(part[1:] or 0)
    if number and number not in map_numbers():
        raise Http404("There is no such part of the map of the site.")

    def build() -> HttpResponse:
        parts = [(reverse("search:sitemap", args=[f"-{n}"]), None) for n in map_numbers()]
        site = site_address()
        listed = [(f"{site}{path}", day) for path, day in (addresses_on(number) if number else parts)]
        context = {"is_index": not number, "addresses": listed}
        return render(request, "search/sitemap.xml", context, content_type="application/xml", using="jinja2")

    versions = f"{index_version()} {registry_version()}"
    return kept_response(request, key=f"sitemap {site_address()} {versions} {number}", build=build)


MEASURE = DocumentPage(
    template="search/measure_detail.html",
    meaning="One measure; by name or alias.",
    document=MeasureDocument,
    names=("measure",),
    find=get_visible_measure,
    canonical=lambda measure, form: (measure.name,),
    version=lambda _: (registry_version(), journal_version()),
    describe=lambda measure, form: measure_document(measure),
    lay_out=lambda measure, document, form: {
        "measure": measure,
        "aliases": document["aliases"],
        "boards": analysed_leaderboards().filter(measure=measure),
    },
)


#: So many results answer; the others stand in the list of finds.
_MOST = 2


def read_as(search: Search) -> list[tuple[str, str]]:
    """Return the names of which the text is made, each after its kind, and the address of the search without it."""
    names, called = search.composed.parts, {str(Thing.Kind.SUITE): "benchmark"}
    return [
        (f"{called.get(kind, kind)} {name}", query_with({}, "q", " ".join(one for _, one in names if one != name)))
        for kind, name in names
    ]


def answers_of(search: Search) -> list[Result]:
    """The first results where the names meet."""
    ids = search.composed.results[:_MOST]
    found = Result.objects.select_related("system", "leaderboard__collection", "leaderboard__measure").in_bulk(ids)
    return [found[pk] for pk in ids]
