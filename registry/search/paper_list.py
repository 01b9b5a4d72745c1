"""The list of papers: their own results and their baselines, by year."""

from typing import Any

from django import forms
from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import asked
from registry.core.http import negotiated
from registry.core.kept import kept_response
from registry.core.lists import ListColumn, SortedListForm, in_order
from registry.leaderboards.versions import registry_version
from registry.results.models import Paper, Result
from registry.search.models import Thing
from registry.search.queries import found_ids, index_version

COLUMNS = (
    ListColumn("Paper", "name"),
    ListColumn("Title"),
    ListColumn("Year", "year", is_number=True),
    ListColumn("Results", "results", is_number=True),
    ListColumn("Own", is_number=True, title="Results that the paper reports as its own."),
    ListColumn("Baselines", is_number=True, title="Results that it reports to compare with."),
    ListColumn("Collections", is_number=True),
    ListColumn("Significance", title="Whether the paper tests differences for significance."),
)
FILE_COLUMNS = ("paper", "title", "venue", "year", "n_results", "n_own", "n_baselines", "n_collections", "url")
_ORDERS = {"name": F("cite"), "year": F("year"), "results": F("n_results")}
_KINDS = {
    "article": "Articles",
    "inproceedings": "In proceedings",
    "misc": "Preprints and others",
    "software": "Software",
}


class PaperListForm(SortedListForm):
    """Narrows down the list of papers."""

    sorts = tuple(_ORDERS)
    default = "-results"
    address = "search:paper-list"
    named = "Author, title, DOI"

    year = forms.ChoiceField()
    kind = forms.ChoiceField(choices=[("", "Any kind"), *_KINDS.items()])
    tests = forms.ChoiceField(
        label="Tests for significance",
        choices=[("", "Tested or not"), ("yes", "Tests for significance"), ("no", "Tests none")],
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        papers = Paper.objects.filter(merged_into=None, year__isnull=False)
        years = papers.order_by("-year").values_list("year", flat=True).distinct()
        self.offer("year", "Any year", ((str(year), str(year)) for year in years))


def listed_papers(given: dict[str, Any], order: str) -> QuerySet[Paper]:
    """Return the papers with results that match these choices, in an order."""
    things = Thing.objects.filter(kind=Thing.Kind.PAPER, n_results__gt=0)
    if given["q"]:
        things = things.filter(object_id__in=found_ids(given["q"], Thing.Kind.PAPER))
    of_paper = Thing.objects.filter(kind=Thing.Kind.PAPER, object_id=OuterRef("pk"))
    papers = Paper.objects.defer("bibtex").filter(pk__in=things.values("object_id"))
    papers = papers.annotate(n_results=Subquery(of_paper.values("n_results")[:1], output_field=IntegerField()))
    if given["year"]:
        papers = papers.filter(year=int(given["year"]))
    if given["kind"]:
        papers = papers.filter(kind=given["kind"])
    if given["tests"]:
        papers = papers.filter(reports_significance=given["tests"] == "yes")
    first = in_order(_ORDERS[order.removeprefix("-")], order)
    return papers.order_by(first, "-n_results", "slug")


def paper_rows(papers: list[Paper]) -> list[dict[str, Any]]:
    """Return papers as rows, with the numbers of own results, baselines and collections of each."""
    own, baselines = Q(role=Result.Role.PROPOSED), Q(role=Result.Role.BASELINE)
    standing = Result.objects.standing().filter(paper__in=[paper.pk for paper in papers]).order_by()
    counts = standing.values("paper").annotate(
        n_own=Count("pk", filter=own),
        n_baselines=Count("pk", filter=baselines),
        n_collections=Count("leaderboard__collection", distinct=True),
    )
    by_paper: dict[int, Any] = {row["paper"]: row for row in counts}
    nothing = {"n_own": 0, "n_baselines": 0, "n_collections": 0}
    return [{**by_paper.get(paper.pk, nothing), "paper": paper} for paper in papers]


@require_safe
@negotiated("csv", "json")
def paper_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    form = asked(PaperListForm(request.GET))

    def build() -> HttpResponse:
        papers = listed_papers(form.cleaned_data, form.order)
        if suffix:
            rows = (
                (str(paper := row["paper"]), paper.title, paper.venue, paper.year, paper.n_results,
                 row["n_own"], row["n_baselines"], row["n_collections"], paper.get_absolute_url())
                for row in paper_rows(list(papers))
            )  # fmt: skip
            return list_file("papers", FILE_COLUMNS, rows, suffix)
        context = form.shown(papers, COLUMNS, units="Papers")
        return render(request, "search/paper_list.html", context | {"rows": paper_rows(list(context["page"]))})

    key = f"papers {suffix} {registry_version()} {index_version()} {form.number} {form.asked}"
    return kept_response(request, key=key, build=build)
