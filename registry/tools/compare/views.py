"""The page that compares systems."""

from collections import Counter

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.text import Truncator
from django.views.decorators.http import require_safe

from registry.core.documents import DocumentPage
from registry.core.forms import asked, field_errors
from registry.core.http import error_response, must_exist, negotiated, site_address
from registry.core.kept import kept_response
from registry.core.messages import say
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.access import get_visible_leaderboard
from registry.leaderboards.queries.boards import read_rows
from registry.leaderboards.traits import SIZES, facts_of, leader_and_best_open
from registry.leaderboards.versions import registry_version
from registry.results.models import Model, Result
from registry.results.querysets import ResultQuerySet
from registry.tools.compare.documents import compare_document
from registry.tools.compare.forms import MAX_SYSTEMS, BesideForm, CompareForm
from registry.tools.compare.shapes import CompareDocument, TrainingDuels
from registry.tools.examples import example_of_compare

#: Nothing is kept: the address is the answer.
COMPARE = DocumentPage(
    meaning="Systems or models on every leaderboard that two or more share, and which differences can be told apart.",
    document=CompareDocument,
    form=CompareForm,
    find=lambda: None,
    version=None,
    describe=lambda _, form: compare_document(form.compared),
)


@require_safe
@negotiated("json")
def compare(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Show systems and models on every leaderboard that they share, or why they can't be compared."""
    if suffix or request.GET:
        return _compare(request, request.GET, suffix)
    return kept_response(
        request,
        key=f"compare example {registry_version()}",
        build=lambda: _compare(request, example_of_compare(), "", is_example=True),
    )


def _compare(request: HttpRequest, query: QueryDict, suffix: str, *, is_example: bool = False) -> HttpResponse:
    form = CompareForm(query)
    filled_in = [(name, text) for name in ("model", "system") for text in query.getlist(name) if text.strip()]
    context: dict[str, object] = {"form": form, "given": filled_in, "blank": range(MAX_SYSTEMS - len(filled_in))}
    is_valid = form.is_valid()
    if suffix and not is_valid:
        return error_response(400, say("compare-refused"), field_errors(form))
    if suffix:
        return COMPARE.answer(request, {}, suffix)
    if is_valid:
        context |= _shown(compare_document(form.compared)) | {"is_example": is_example}
    is_refused = any(error.code != "too_few" for errors in form.errors.as_data().values() for error in errors)
    # Whoever has named one system is about to name another.
    context["errors"] = form.errors.values() if is_refused or (len(filled_in) > 1 and not is_valid) else []
    context["choices"] = [(text, candidate, _with(query, text, candidate.value)) for text, candidate in form.choices]
    status = 400 if context["errors"] else 200
    response = render(request, "tools/compare/compare.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


def _with(query: QueryDict, text: str, value: str) -> str:
    """Return the same query with a system or model in place of a text."""
    changed = query.copy()
    for name in ("model", "system"):
        changed.setlist(name, [value if old.strip() == text else old for old in query.getlist(name)])
    return f"?{changed.urlencode()}"


def _shown(document: CompareDocument) -> dict[str, object]:
    names = document.short_names
    query = "&".join(f"model={it.model}" if it.model else f"system={it.id}" for it in document.systems)
    return {
        "document": document,
        "query": query,
        "card": site_address(f"{reverse('compare:compare')}card.png?{query}"),
        "short_names": names,
        "pairs": [(names[pair.first], names[pair.second]) for pair in document.pairs],
        "trained": [(training_in_words(duels, names), duels) for duels in document.by_training],
        "suites": document.zero_shot_suites if document.n_zero_shot else document.suites,
        "rows": _rendered(document),
        "most_apart": [
            (board, difference, *(names[system] for system in pair), [board.by_system[system] for system in pair])
            for board, difference in document.most_apart
            for pair in [(difference.better, difference.other)]
        ],
    }


def training_in_words(duels: TrainingDuels, names: dict[int, str]) -> str:
    """Return on which leaderboards these duels are."""
    who = ", ".join(names[system] for system in duels.trained)
    everybody = "both" if len(names) == 2 else "all"
    kind = "all-trained" if len(duels.trained) == len(names) else duels.training
    return say("compare-training", kind=kind, who=who, everybody=everybody)


@require_safe
def compare_beside(request: HttpRequest) -> HttpResponse:
    """Redirect to a model, or the leader of a leaderboard, beside the best open model of at most 1B parameters."""
    query = asked(BesideForm(request.GET)).cleaned_data
    if query["model"]:
        model = must_exist(
            Model.objects.filter(slug=query["model"]).first(), say("compare-no-model", name=query["model"])
        )
        other = must_exist(best_open_beside(model), say("compare-no-open", beside=model.name))
        return redirect(f"{reverse('compare:compare')}?model={model.slug}&model={other.slug}")
    board = get_visible_leaderboard(query["collection"], query["measure"])
    facts = facts_of(Result.objects.for_leaderboard(board))
    pair = must_exist(leader_and_best_open(read_rows(board), facts), say("compare-no-open", beside=str(board)))
    return redirect(f"{reverse('compare:compare')}?system={pair[0]}&system={pair[1]}")


def _rendered(document: CompareDocument) -> str:
    """Render the rows of leaderboards, of which there are hundreds."""
    ids = [system.id for system in document.systems]
    beside = {
        "rows": [(board, [*map(board.by_system.get, ids)]) for board in document.boards],
        "systems": document.systems,
        "names": {system.id: Truncator(system.name).chars(40) for system in document.systems},
        "known": {system.name for system in document.systems},
        "reversed_at": lambda slug: reverse("resolution:collection-resolution", args=[slug]),
    }
    return mark_safe(render_to_string("tools/compare/_rows.jinja", beside, using="jinja2"))  # Jinja escapes


def small_open_beside(model: Model) -> ResultQuerySet:
    """Return comparable results of other small open models on leaderboards of this one."""
    facts = SystemFacts.objects.standing().filter(has_open_weights=True, n_parameters__lte=SIZES["1B"])
    comparable = Result.objects.comparable()
    boards = comparable.filter(system__model=model).values("leaderboard")
    others = comparable.filter(leaderboard__in=boards).exclude(system__model=model)
    return others.filter(system__model__in=facts.filter(system__model__isnull=False).values("system__model"))


def best_open_beside(model: Model) -> Model | None:
    """Return the small open model that leads all such on the most leaderboards of this one; None without one."""
    best: dict[int, tuple[float, int]] = {}
    rows = small_open_beside(model).filter(replicate_of=None)
    for board, other, value, higher in rows.values_list(
        "leaderboard", "system__model", "value", "leaderboard__measure__higher_is_better"
    ):
        best[board] = max(best.get(board, (float("-inf"), 0)), (value if higher else -value, other))
    leaders = Counter(other for _, other in best.values()).most_common(1)
    return Model.objects.get(pk=leaders[0][0]) if leaders else None
