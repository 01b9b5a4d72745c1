"""The list of leaderboards: each with its best score, also adjusted for luck, and the ties for first."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Exists, F, FloatField, OuterRef, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, NullIf
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from registry.catalog.models import Collection, Leaderboard
from registry.catalog.querysets import domains_in, languages_in
from registry.core.columns import list_file
from registry.core.forms import asked
from registry.core.http import negotiated, path_to
from registry.core.kept import kept_response
from registry.core.lists import ListColumn, SortedListForm, in_order
from registry.curation.suites.models import Suite, SuiteMember
from registry.leaderboards.drawings.pages import draw_strip
from registry.leaderboards.versions import registry_version
from registry.search.models import Thing
from registry.search.queries import found_ids, index_version

COLUMNS = (
    ListColumn("Leaderboard", "name"),
    ListColumn("Results", "results", is_number=True),
    ListColumn("Scores", title="Left to right from low to high; teal: tied for first."),
    ListColumn("Best ranked", is_number=True),
    ListColumn("System"),
    ListColumn("Adjusted", "adjusted", is_number=True, title="For luck, ± 95%."),
    ListColumn("Tied for first", "tied"),
    ListColumn("Last change", "change", is_number=True, title="Year of the newest result that is ranked."),
)
FILE_COLUMNS = (
    "collection", "measure", "n_results", "best", "system", "corrected", "error", "n_set", "n_ranked", "view", "year",
    "margin", "resolves", "evidence", "snapshot", "url",
)  # fmt: skip
#: Years that are offered, back from this one.
_YEARS = 12


def _number(key: str, field: str) -> NullIf:
    """Return a number of a JSON field, of which SQLite would make 0 for null."""
    return NullIf(Cast(KeyTextTransform(key, f"analysis__{field}"), FloatField()), Value(0.0))


_ORDERS: dict[str, Any] = {
    "name": F("collection__name"),
    "results": F("analysis__n_results"),
    "adjusted": _number("corrected", "headline"),
    "tied": _number("n_members", "headline"),
    "change": _number("year", "standings"),
}


class BoardListForm(SortedListForm):
    """Narrows down the list of leaderboards."""

    sorts = tuple(_ORDERS)
    default = "-results"
    address = "search:leaderboard-list"
    named = "Collection or data set"

    benchmark = forms.ChoiceField(help_text="Only data sets of this benchmark, under its measure.")
    language = forms.ChoiceField(help_text="A language of the collection.")
    measure = forms.ChoiceField(help_text="The measure.")
    domain = forms.ChoiceField(help_text="A domain of the collection.")
    judge = forms.ChoiceField(label="Judged by", choices=[("", "Judged by anyone"), *Collection.JUDGES.items()])
    since = forms.ChoiceField(label="Changed since", help_text="Only those with a ranked result of this year or later.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        boards = Leaderboard.objects.filter(results_version__gt=0).order_by()
        suites = Suite.objects.filter(members__collection__leaderboards__results_version__gt=0).distinct()
        self.offer("benchmark", "Any benchmark", suites.values_list("slug", "name"))
        written = boards.values_list("collection__language", "collection__domain").distinct()
        languages = {name for language, _ in written for name in languages_in(language)}
        domains = {name for _, domain in written for name in domains_in(domain)}
        self.offer("language", "Any language", ((name, name) for name in sorted(languages)))
        self.offer("domain", "Any domain", ((name, name.capitalize()) for name in sorted(domains)))
        measures = boards.values_list("measure__name", flat=True).distinct()
        self.offer("measure", "Any measure", ((name, name) for name in sorted(measures)))
        year = timezone.now().year
        self.offer("since", "Any year", ((str(name), f"since {name}") for name in range(year, year - _YEARS, -1)))


def listed_boards(given: dict[str, Any], order: str) -> QuerySet[Leaderboard]:
    """Return the leaderboards with results that match these choices, in an order, with names and analysis."""
    boards = Leaderboard.objects.with_names().select_related("analysis").filter(results_version__gt=0)
    if given.get("q"):
        boards = boards.filter(pk__in=found_ids(given["q"], Thing.Kind.LEADERBOARD))
    if given.get("benchmark"):
        members = SuiteMember.objects.filter(suite__slug=given["benchmark"], part_of=None)
        boards = boards.filter(Exists(members.filter(collection=OuterRef("collection"), measure=OuterRef("measure"))))
    if given.get("measure"):
        boards = boards.filter(measure__name=given["measure"])
    collections = Collection.objects.narrowed(**{name: given.get(name, "") for name in ("language", "domain", "judge")})
    if collections is not None:
        boards = boards.filter(collection__in=collections.order_by().values("pk"))
    if given.get("since"):
        boards = boards.annotate(changed=_number("year", "standings")).filter(changed__gte=int(given["since"]))
    first = in_order(_ORDERS[order.removeprefix("-")], order)
    return boards.order_by(first, "-analysis__n_results", "collection__slug", "measure__name")


def board_rows(boards: Iterable[Leaderboard]) -> list[dict[str, Any]]:
    """Return leaderboards as rows of tables: the findings of the analysis, and the strip of scores."""
    rows = []
    for board in boards:
        analysis = getattr(board, "analysis", None)
        standings = analysis.standings if analysis else {}
        headline = analysis.headline if analysis else {}
        rows.append(
            {
                "board": board,
                "collection": board.collection,
                "measure": board.measure,
                "n_results": analysis.n_results if analysis else None,
                "headline": headline,
                "standings": standings,
                "strip": draw_strip(standings),
                "is_zero_shot": headline.get("view") == "declared-none",
            }
        )
    return rows


#: The columns that make the rows of a file, read without models.
_READ = (
    "collection__slug", "measure__name", "analysis__n_results", "analysis__headline", "analysis__standings",
    "analysis__snapshot",
)  # fmt: skip


def _cells(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    slug, measure, n_results, headline, standings, snapshot = columns
    headline, standings = headline or {}, standings or {}
    numbers = (headline.get(name) for name in ("margin", "resolves", "evidence"))
    estimates = (headline.get(name) for name in ("corrected", "error", "n_members"))
    return (
        slug, measure, n_results, headline.get("best"), standings.get("leader"), *estimates, standings.get("n_ranked"),
        headline.get("view"), standings.get("year"), *numbers, snapshot,
        path_to("leaderboards:leaderboard-detail", None, (slug, measure)),
    )  # fmt: skip


@require_safe
@negotiated("csv", "json")
def board_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    form = asked(BoardListForm(request.GET))

    def build() -> HttpResponse:
        boards = listed_boards(form.cleaned_data, form.order)
        if suffix:
            return list_file("leaderboards", FILE_COLUMNS, map(_cells, boards.values_list(*_READ)), suffix)
        context = form.shown(boards, COLUMNS, units="Leaderboards")
        return render(request, "search/leaderboard_list.html", context | {"rows": board_rows(context["page"])})

    key = f"leaderboards {suffix} {registry_version()} {index_version()} {form.number} {form.asked}"
    return kept_response(request, key=key, build=build)
