"""Pages of lineages, and answers on training."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.accounts.access import require_contributor
from registry.core.documents import DocumentPage, as_lists
from registry.core.forms import asked
from registry.core.limits import spend
from registry.curation.lineage.access import get_training_answer, get_visible_lineage
from registry.curation.lineage.documents import NamedLineage
from registry.curation.lineage.forms import LineageForm, TrainingAnswerForm
from registry.curation.lineage.services import answer_training, withdraw_training_answer
from registry.journal.queries import journal_version
from registry.results.access import get_visible_system
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.forms import Action, ReasonForm, action
from registry.results.queries import source_counts

SYSTEMS_PER_PAGE = 200


@require_safe
def lineage_detail(request: HttpRequest) -> HttpResponse:
    """Show a lineage: the systems that are of it, and what was decided about it."""
    form = asked(LineageForm(request.GET))
    key, ids = get_visible_lineage(form.cleaned_data["key"])
    lineage = NamedLineage(key)
    page = form.cut(lineage.systems(ids), SYSTEMS_PER_PAGE)
    context = {"lineage": lineage, "page": page, "query": {"key": key}}
    return render(request, "curation/lineage/lineage_detail.html", context)


@action("Say what it was trained on", "Your answer stands beside the others.")
def training_answer(request: HttpRequest, slug: str) -> Action:
    """Say what a system was trained on."""
    person, system = require_contributor(request.user), get_visible_system(slug)

    def act(**answer: Any) -> Any:
        spend("comment", person.pk)
        return answer_training(system=system, person=person, **answer)

    form = TrainingAnswerForm(request.POST or None, initial={"dataset": request.GET.get("dataset", "")})
    return Action(form, act, system, then=system)


@action("Take an answer back", "It is taken back.")
def training_answer_withdraw(request: HttpRequest, pk: int) -> Action:
    """Take an answer on training back, or remove it."""
    answer, person = get_training_answer(request.user, pk)
    act = partial(withdraw_training_answer, answer=answer, actor=person)
    return Action(ReasonForm(request.POST or None), act, answer.system, then=answer.system)


#: The number of sources, the largest first, that are shown at once.
MOST_SHOWN = 20

SOURCES = DocumentPage(
    template="curation/lineage/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: source_counts(),
    lay_out=lambda _, sources, form: {
        "sources": sources,
        "parts": [part for part in (sources[:MOST_SHOWN], sources[MOST_SHOWN:]) if part],
    },
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
