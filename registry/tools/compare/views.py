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
from registry.core.http import error_response, must_exist, negotiated
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
from registry.tools.compare.records import TrainingDuels
from registry.tools.compare.shapes import ComparedBoard, CompareDocument, ComparedScore, Difference
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
    """Systems and models on every leaderboard that they share, with what is wrong where they can't be compared."""
    if suffix or request.GET:
        return _compare(request, request.GET, suffix)
    return kept_response(
        request,
        key=f"compare example {registry_version()}",
        build=lambda: _compare(request, example_of_compare(), "", is_example=True),
    )


def _compare(request: HttpRequest, query: QueryDict, suffix: str, *, is_example: bool = False) -> HttpResponse:
    form = CompareForm(query)
    given = [(name, text) for name in ("model", "system") for text in query.getlist(name) if text.strip()]
    context: dict[str, object] = {"form": form, "given": given, "blank": range(MAX_SYSTEMS - len(given))}
    is_valid = form.is_valid()
    if suffix and not is_valid:
        return error_response(400, say("compare-refused"), field_errors(form))
    if suffix:
        return COMPARE.answer(request, {}, suffix)
    if is_valid:
        context |= _shown(compare_document(form.compared)) | {"is_example": is_example}
    is_refused = any(error.code != "too_few" for errors in form.errors.as_data().values() for error in errors)
    # Whoever has named one system is about to name another.
    context["errors"] = form.errors.values() if is_refused or (len(given) > 1 and not is_valid) else []
    context["choices"] = [(text, one, _with(query, text, one.value)) for text, one in form.choices]
    status = 400 if context["errors"] else 200
    response = render(request, "tools/compare/compare.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


def _with(query: QueryDict, text: str, value: str) -> str:
    """Return the same question with a system or model in place of a text, as a query."""
    changed = query.copy()
    for name in ("model", "system"):
        changed.setlist(name, [value if one.strip() == text else one for one in query.getlist(name)])
    return f"?{changed.urlencode()}"


def _shown(document: CompareDocument) -> dict[str, object]:
    names = document.short_names
    return {
        "document": document,
        "short_names": names,
        "pairs": [(names[pair.first], names[pair.second]) for pair in document.pairs],
        "trained": [(_trained(one, names), one) for one in document.by_training],
        "suites": document.zero_shot_suites if document.n_zero_shot else document.suites,
        "rows": _rendered(document),
        "most_apart": [
            (board, one, names[one.better], names[one.other], _scores(board, one)) for board, one in document.most_apart
        ],
    }


def _trained(one: TrainingDuels, names: dict[int, str]) -> str:
    who = ", ".join(names[each] for each in one.trained)
    everybody = "both" if len(names) == 2 else "all"
    kind = "all-trained" if len(one.trained) == len(names) else one.training
    return say("compare-training", kind=kind, who=who, everybody=everybody)


@require_safe
def compare_beside(request: HttpRequest) -> HttpResponse:
    """Leads to a model, or the leader of a leaderboard, beside the best open model of at most 1B parameters."""
    given = asked(BesideForm(request.GET)).cleaned_data
    if given["model"]:
        model = must_exist(
            Model.objects.filter(slug=given["model"]).first(), say("compare-no-model", name=given["model"])
        )
        other = must_exist(best_open_beside(model), say("compare-no-open", beside=model.name))
        return redirect(f"{reverse('compare:compare')}?model={model.slug}&model={other.slug}")
    board = get_visible_leaderboard(given["collection"], given["measure"])
    facts = facts_of(Result.objects.for_leaderboard(board))
    pair = must_exist(leader_and_best_open(read_rows(board), facts), say("compare-no-open", beside=str(board)))
    return redirect(f"{reverse('compare:compare')}?system={pair[0]}&system={pair[1]}")


def _scores(board: ComparedBoard, one: Difference) -> list[ComparedScore]:
    """The scores of the better and of the other."""
    scores = {score.system: score for score in board.scores}
    return [scores[one.better], scores[one.other]]


def _rendered(document: CompareDocument) -> str:
    """A row for each leaderboard, of which there are hundreds."""
    beside = {
        "rows": [_row(board, document) for board in document.boards],
        "systems": document.systems,
        "names": {system.id: Truncator(system.name).chars(40) for system in document.systems},
        "known": {system.name for system in document.systems},
        "reversed_at": lambda slug: reverse("resolution:collection-resolution", args=[slug]),
    }
    return mark_safe(render_to_string("tools/compare/_rows.jinja", beside, using="jinja2"))  # Jinja escapes


def _row(board: ComparedBoard, document: CompareDocument) -> tuple[ComparedBoard, list[ComparedScore | None]]:
    """A leaderboard with a cell for every system."""
    scores = {score.system: score for score in board.scores}
    return board, [scores.get(system.id) for system in document.systems]


def small_open_beside(model: Model) -> ResultQuerySet:
    """Comparable results of other small open models on leaderboards of this one."""
    facts = SystemFacts.objects.standing().filter(has_open_weights=True, n_parameters__lte=SIZES["1B"])
    comparable = Result.objects.comparable()
    boards = comparable.filter(system__model=model).values("leaderboard")
    others = comparable.filter(leaderboard__in=boards).exclude(system__model=model)
    return others.filter(system__model__in=facts.filter(system__model__isnull=False).values("system__model"))


def best_open_beside(model: Model) -> Model | None:
    """The small open model that leads all such on the most leaderboards of this one; None where there is none."""
    best: dict[int, tuple[float, int]] = {}
    rows = small_open_beside(model).filter(replicate_of=None)
    for board, other, value, higher in rows.values_list(
        "leaderboard", "system__model", "value", "leaderboard__measure__higher_is_better"
    ):
        best[board] = max(best.get(board, (float("-inf"), 0)), (value if higher else -value, other))
    leaders = Counter(other for _, other in best.values()).most_common(1)
    return Model.objects.get(pk=leaders[0][0]) if leaders else None
