"""Pages of papers whose figures and numbers are computed again."""

from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.papers.paper import Figure, Reproduction, figure_of
from registry.core.columns import list_file, table_csv
from registry.core.forms import NumberField, QueryForm, asked
from registry.core.http import as_download, json_response, must_exist, negotiated
from registry.core.pages import read_method
from registry.core.services import hurry_jobs
from registry.tools.reproductions.documents import (
    POINT_COLUMNS,
    FigureDocument,
    figure_document,
    lay_out,
    live_pages,
    point_rows,
    reproductions,
)
from registry.tools.reproductions.services import REDRAW_FIGURES, arguments_of
from registry.tools.reproductions.sources import drawing_of

_COLUMNS = ("title", "url", "doi", "n_compared", "n_as_printed", "n_not_recomputed")


@require_safe
@negotiated("csv", "json")
def paper_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Show the papers, with how many of their numbers came out, as a page or as a file."""
    asked(QueryForm(request.GET))
    papers = list(reproductions().values())
    if suffix:
        return list_file("papers-computed-again", _COLUMNS, map(_cells, papers), suffix)
    document = must_exist(read_method("papers"), "No method is called papers.")
    context = {
        "document": document,
        "body": document.html.partition("</h1>")[2],
        "papers": [(paper, live_pages(paper.methods)) for paper in papers],
    }
    return render(request, "tools/reproductions/paper_list.html", context)


def _cells(paper: Reproduction) -> tuple[str | int | None, ...]:
    page = reverse("reproductions:paper-detail", args=[paper.slug])
    return paper.title, page, paper.doi, paper.n_compared, paper.n_as_printed, paper.n_missing


@require_safe
@negotiated("json")
def paper_detail(request: HttpRequest, slug: str, suffix: str = "") -> HttpResponse:
    """Show one paper: its figures, and every number as printed and as recomputed, as a page or as JSON."""
    asked(QueryForm(request.GET))
    paper = _paper(slug)
    if suffix:
        return json_response(msgspec.to_builtins(paper))
    pages = [
        lay_out(FigureDocument(slug, figure, None, figure.factor.default if figure.factor else None, ()))
        for figure in paper.figures
    ]
    context = {"paper": paper, "pages": pages, "live": live_pages(paper.methods)}
    return render(request, "tools/reproductions/paper_detail.html", context)


def _paper(slug: str) -> Reproduction:
    return must_exist(reproductions().get(slug), f"No paper that is computed again is called {slug}.")


@require_safe
@negotiated("csv", "json")
def figure_detail(request: HttpRequest, slug: str, figure: str, suffix: str = "") -> HttpResponse:
    """Show a figure of a paper beside the same of a collection that the reader chooses, as a page or as a file."""
    paper = _paper(slug)
    shown = must_exist(figure_of(paper.figures, figure), f"No figure of {paper.title} is called {figure}.")
    form = asked(FigureForm(request.GET, figure=shown))
    document = figure_document(paper, shown, **form.wanted)
    if form.wanted["collection"]:
        known = any(choice.collection == form.wanted["collection"] for choice in document.choices)
        must_exist(known or None, f"This figure can’t be drawn of {form.wanted['collection']}.")
    drawing, chosen = drawing_of(slug, figure), document.chosen
    if drawing and chosen and chosen.state == "waiting":
        hurry_jobs([(REDRAW_FIGURES, arguments_of(drawing, chosen.choice))])
    if suffix == "json":
        return json_response(msgspec.to_builtins(document))
    if suffix == "csv":
        return as_download(_csv(document), "text/csv; charset=utf-8", f"plumbline-{slug}-{figure}.csv")
    context = {"paper": paper, "figure": shown, "page": lay_out(document), "live": live_pages(shown.methods)}
    context |= {"wanted": form.wanted, "query": form.query}
    return render(request, "tools/reproductions/figure_detail.html", context)


def _csv(document: FigureDocument) -> str:
    tables = [panel for panel in document.panels if panel.columns]
    if not tables:
        return table_csv(POINT_COLUMNS, point_rows(document.panels))
    rows = [(panel.data, *row) for panel in tables for row in panel.rows]
    return table_csv(("drawn_of",), rows, [column.name for column in tables[0].columns])


class FigureForm(QueryForm):
    """The collection to draw it for beside the paper's, and the measure."""

    collection = forms.CharField(max_length=200, help_text="Slug of a collection that can be chosen.")
    measure = forms.CharField(max_length=100, help_text="Name of a measure of that collection.")

    def __init__(self, *args: Any, figure: Figure, **options: Any) -> None:
        super().__init__(*args, **options)
        if factor := figure.factor:
            self.fields["factor"] = NumberField(
                required=False, min_value=factor.low, max_value=factor.high, help_text=factor.label
            )

    @property
    def wanted(self) -> dict[str, Any]:
        return {"factor": None, **self.cleaned_data}
