"""Pages of lineages, and the decisions of editors on them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from registry.accounts.access import is_editor, require_editor
from registry.accounts.keeping import sign_in_first
from registry.core.columns import list_file
from registry.core.forms import QueryForm
from registry.core.http import kept_response, negotiated
from registry.core.views import bad_request
from registry.journal.queries import last_entry_id
from registry.lineage.access import get_decidable, get_visible_lineage
from registry.lineage.documents import NamedLineage
from registry.lineage.forms import LineageDecisionForm, LineageForm, SystemLineageForm, TakeBackForm
from registry.lineage.join_rates import RATE_COLUMNS, join_rates
from registry.lineage.services.deciding import (
    dissolve_lineage,
    join_lineage,
    leave_lineage,
    merge_lineage,
    take_back,
)
from registry.results.access import get_visible_system
from registry.results.forms import WithRefusals

SYSTEMS_PER_PAGE = 200
#: Every paper that people hand results in from is a source; the file has them all.
MOST_SOURCES = 50

may_post = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@negotiated("csv", "json")
def join_rate_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """How far results lead to papers, places, families and training data, by source."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        rates = join_rates()
        if suffix:
            return list_file("joins", RATE_COLUMNS, (one.cells() for one in rates), suffix)
        return render(request, "lineage/join_rates.html", {"rates": rates[:MOST_SOURCES], "n_sources": len(rates)})

    return kept_response(request, key=f"joins {suffix} {last_entry_id()}", build=build)


@require_safe
def lineage_detail(request: HttpRequest) -> HttpResponse:
    """What is of one lineage, and what was decided about it."""
    form = LineageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    key, ids = get_visible_lineage(form.cleaned_data["key"])
    lineage = NamedLineage(key)
    page = Paginator(lineage.systems(ids), SYSTEMS_PER_PAGE).get_page(form.number)
    context = {"lineage": lineage, "page": page, "query": {"key": key}, "may_edit": is_editor(request.user)}
    return render(request, "lineage/lineage_detail.html", context)


@sign_in_first
@may_post
def lineage_decide(request: HttpRequest) -> HttpResponse:
    """Deciding on a lineage as a whole."""
    editor = require_editor(request.user)
    asked = LineageForm(request.GET)
    if not asked.is_valid():
        return bad_request(request, asked)
    key, _ = get_visible_lineage(asked.cleaned_data["key"])

    def act(given: dict[str, Any]) -> Any:
        if given["decision"] == "dissolve":
            dissolve_lineage(key=key, actor=editor, reason=given["reason"])
            return NamedLineage(key)
        decision = merge_lineage(key=key, into=given["into"], actor=editor, reason=given["reason"])
        return NamedLineage(decision.into)

    form = LineageDecisionForm(request.POST or None, initial={"decision": "merge"})
    return _action(request, form, act, "Decide on this lineage", NamedLineage(key))


@sign_in_first
@may_post
def system_lineage(request: HttpRequest, pk: int) -> HttpResponse:
    """Deciding whether a system is of a lineage."""
    editor, system = require_editor(request.user), get_visible_system(pk)

    def act(given: dict[str, Any]) -> Any:
        decide = join_lineage if given["decision"] == "join" else leave_lineage
        decide(system=system, key=given["key"], actor=editor, reason=given["reason"])
        return system

    initial = {"decision": request.GET.get("decision", "join"), "key": request.GET.get("key", "")}
    form = SystemLineageForm(request.POST or None, initial=initial)
    return _action(request, form, act, "Decide on a lineage", system)


@sign_in_first
@may_post
def decision_take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking a decision on a lineage back."""
    decision, editor = get_decidable(request.user, pk)
    subject = decision.system or NamedLineage(decision.key)

    def act(given: dict[str, Any]) -> Any:
        take_back(decision=decision, actor=editor, reason=given["reason"])
        return subject

    return _action(request, TakeBackForm(request.POST or None), act, "Take a decision back", subject)


def _action(
    request: HttpRequest, form: WithRefusals, act: Callable[[dict[str, Any]], Any], title: str, subject: Any
) -> HttpResponse:
    """The page of a form about ``subject``; once it is filled in well, the page of what it led to."""
    if request.method == "POST" and form.is_valid():
        try:
            led_to = act(dict(form.cleaned_data))
        except ValidationError as error:
            form.add_refusal(error)
        else:
            messages.success(request, "It is decided. The leaderboards concerned are analysed again.")
            return redirect(led_to)
    context = {"has_form": True, "form": form, "title": title, "subject": subject}
    return render(request, "results/action.html", context)
