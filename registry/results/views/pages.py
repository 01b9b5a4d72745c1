"""Pages of systems, papers and results."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from registry.accounts.access import is_editor
from registry.core.forms import PageForm, QueryForm
from registry.core.views import bad_request
from registry.results.access import get_visible_paper, get_visible_result, get_visible_system, may_correct, may_withdraw
from registry.results.documents import log_entry
from registry.results.models import Result
from registry.results.queries import entries_of_versions
from registry.results.querysets import ResultQuerySet

RESULTS_PER_PAGE = 200
ENTRIES_PER_PAGE = 100


@require_safe
def system_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """A system with everything recorded about it, ended results included."""
    system = get_visible_system(pk)
    if system.merged_into_id:
        return redirect("results:system-detail", system.merged_into_id)
    return with_results(
        request,
        "results/system_detail.html",
        system.results.for_listing(),
        {"system": system, "may_edit": is_editor(request.user)},
    )


@require_safe
def paper_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """A paper with the results that it prints, ended results included."""
    paper = get_visible_paper(pk)
    if paper.merged_into_id:
        return redirect("results:paper-detail", paper.merged_into_id)
    return with_results(
        request,
        "results/paper_detail.html",
        paper.results.for_listing(),
        {"paper": paper, "may_edit": is_editor(request.user)},
    )


def with_results(request: HttpRequest, template: str, results: ResultQuerySet, context: dict[str, Any]) -> HttpResponse:
    """The template with one page of the results."""
    form = PageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    page = Paginator(results, RESULTS_PER_PAGE).get_page(form.number)
    return render(request, template, context | {"page": page})


@require_safe
def result_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """A result as printed, with its source and its history; what was superseded or withdrawn stays."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    result = get_visible_result(pk)
    versions = list(Result.objects.versions_of(result))
    context = {
        "result": result,
        "may_edit": may_correct(request.user, result),
        "may_withdraw": may_withdraw(request.user, result),
        "versions": versions,
        "entries": [log_entry(entry) for entry in entries_of_versions(versions)[:ENTRIES_PER_PAGE]],
    }
    return render(request, "results/result_detail.html", context)
