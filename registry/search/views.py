"""Pages of the search, of lists of things, of measures, of the site itself, and for crawlers."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import conditional_page, require_safe

from analysis.readers.text import nearest
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
from registry.search.asking import boards_asked_for, compared, list_asked_for
from registry.search.documents import describe_thing, groups_of
from registry.search.forms import FileForm, FindForm, ListForm, SearchForm
from registry.search.models import Thing
from registry.search.names import VOCABULARY, words_of
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

THINGS_PER_PAGE = 25
_COLUMNS = ("kind", "title", "detail", "url", "n_results")

#: The kinds whose list is of names alone.
LISTED = (Thing.Kind.SYSTEM, Thing.Kind.MEASURE)

#: Addresses that crawlers have no use for, and those that show the same things under other choices.
_NOT_FOR_CRAWLERS = (
    "/*?", "/accounts/", "/admin/", "/api/", "/moderation/", "/submissions/", "/submit/", "/search/", "/-/",
)  # fmt: skip


@require_safe
@negotiated("csv", "json")
def search(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Show what some words find: the best of each kind, or all of one kind in pages; or all of it as a file."""
    form = asked((FindForm if suffix else SearchForm)(request.GET))
    text, kind = form.cleaned_data["q"], form.cleaned_data["kind"]
    number = form.number if isinstance(form, SearchForm) else 1
    if not (suffix or kind) and (asked_for := compared(text) or list_asked_for(text)):
        return redirect(asked_for)

    def build() -> HttpResponse:
        finds = read_search(text)
        if suffix:
            return _file(page_of(finds, kind, 0, finds.n), "search", suffix)
        pages = pages_called(text)
        if finds.is_corrected and pages:
            finds = Search(text, text, ())
        context = {"search": finds, "kind": kind, "query": {"q": text, "kind": kind}}
        context["kinds"] = [(name, Thing.Kind(name).label, n) for name, n in finds.counts.items()]
        if kind:
            page = Paginator(range(finds.counts.get(kind, 0)), THINGS_PER_PAGE).get_page(number)
            context |= {"page": page, "things": page_of(finds, kind, page.start_index() - 1, THINGS_PER_PAGE)}
        else:
            pages = [*map(SitePage._make, boards_asked_for(text)), *pages]
            context |= {"groups": groups_of(finds), "pages": pages, "answers": answers_of(finds)}
            context["read_as"] = read_as(finds)
        return render(request, "search/search.html", context)

    key = f"search {suffix} {index_version()} {kind} {number} {text}"
    return kept_response(request, key=key, build=build)


@conditional_page
@require_safe
def search_feed(request: HttpRequest) -> HttpResponse:
    """Return the newest changes of results of what some words find, as Atom."""
    form = asked(FindForm(request.GET))
    text, kind = form.cleaned_data["q"], form.cleaned_data["kind"]
    things = page_of(read_search(text), kind, 0, THINGS_PER_PAGE)
    page = f"{reverse('search:search')}?{urlencode({'q': text})}"
    events = result_events(results_of(things), names_board=True)
    return atom_response(request, title=f"Plumbline: {text}", page=page, entries=events)


def _file(things: Iterable[Thing], name: str, suffix: str) -> HttpResponse:
    return list_file(name, _COLUMNS, ([*describe_thing(thing).values()] for thing in things), suffix)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show that there is no such page, with what may have been meant."""
    return core_views.not_found(request, exception, lambda path: [*pages_spelled(path), *nearest_things(path)])


@require_safe
@negotiated("csv", "json")
def thing_list(request: HttpRequest, kind: str, suffix: str = "") -> HttpResponse:
    """Show all things of a kind, or those that some words find: as a page, or all of them as a file."""
    form = asked((FileForm if suffix else ListForm)(request.GET))
    text = form.cleaned_data["q"]
    number = form.number if isinstance(form, ListForm) else 1

    def build() -> HttpResponse:
        finds = read_search(text)
        n = finds.counts.get(kind, 0) if finds.text else things_of(kind).count()
        page = Paginator(range(n), max(1, n) if suffix else THINGS_PER_PAGE).get_page(number)
        start, end = max(0, page.start_index() - 1), page.end_index()
        listed = page_of(finds, kind, start, end - start) if finds.text else things_of(kind)[start:end]
        if suffix:
            return _file(listed, f"{kind}s", suffix)
        context = {"search": finds, "kind": Thing.Kind(kind), "page": page, "things": listed, "n": n}
        context["query"] = {"q": text} if text else {}
        context["others"] = [(reverse(f"search:{other}-list"), other.label) for other in LISTED if other != kind]
        return render(request, f"search/{kind}_list.html", context)

    key = f"things {kind} {suffix} {registry_version()} {index_version()} {number} {text}"
    return kept_response(request, key=key, build=build)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_CRAWLERS)]
    lines += ["", f"Sitemap: {site_address(reverse('search:sitemap', args=['']))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest, part: str) -> HttpResponse:
    """Return the site map for crawlers: the list of its parts, or a part as ``-2``."""
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


#: Results that are shown as answers; the others are in the list of finds.
_MOST = 2


def read_as(search: Search) -> list[tuple[str, str]]:
    """Return the names in the text, each after its kind, with the address of the search without it."""
    names, called = search.composed.parts, {str(Thing.Kind.SUITE): "benchmark"}
    return [
        (f"{called.get(kind, kind)} {name}", query_with({}, "q", " ".join(text for _, text in names if text != name)))
        for kind, name in names
    ]


def answers_of(search: Search) -> list[Result]:
    """Return the first results where the names in the text meet."""
    ids = search.composed.results[:_MOST]
    results = Result.objects.select_related("system", "leaderboard__collection", "leaderboard__measure").in_bulk(ids)
    return [results[pk] for pk in ids]


class SitePage(NamedTuple):
    """A page of the site itself, shown as finds are."""

    title: str
    detail: str
    address: str


#: Title, detail, name of the address, and other words that find the page.
with Path(__file__).with_name("site_pages.csv").open(encoding="utf-8", newline="") as _rows_of_pages:
    _PAGES = tuple(row for row in csv.reader(_rows_of_pages) if row[0] != "title")


def _address(name: str) -> str:
    view, _, rest = name.partition(" ")
    return reverse(view) + rest if rest.startswith("#") else reverse(view, args=[rest] if rest else [])


def pages_called(text: str) -> list[SitePage]:
    """Return the pages of the site that match all words of a text but fillers; none for a text of fillers."""
    words = [word for word in words_of(text) if word not in VOCABULARY["page"]]
    return [
        SitePage(title, detail, _address(name))
        for title, detail, name, other_words in _PAGES
        if words and {*words} <= {*words_of(title), *words_of(other_words)}
    ]


def pages_spelled(path: str) -> list[SitePage]:
    """Return the pages whose address is spelled like the first part of a path."""
    first = path.strip("/").partition("/")[0].partition(".")[0]
    addresses = {_address(name).partition("#")[0]: (title, detail) for title, detail, name, _ in _PAGES}
    stems = {address.strip("/").rpartition("/")[2]: address for address in addresses}
    return [SitePage(*addresses[stems[name]], stems[name]) for name in nearest(first, list(stems), n=2) if first]
