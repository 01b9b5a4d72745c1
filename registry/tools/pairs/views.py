"""Pages that compare systems topic by topic."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from registry.catalog.models import Leaderboard
from registry.core.document_pages import DocumentPage
from registry.core.http import must_exist
from registry.leaderboards.access import get_visible_leaderboard
from registry.tools.pairs.documents import PairsDocument, TopicsDocument, pairs_document, topics_document
from registry.tools.pairs.forms import FamilyForm, PairForm, VectorsForm
from registry.tools.pairs.pair_documents import PairDocument, pair_document
from registry.tools.pairs.paired_tests import vectors_document
from registry.tools.pairs.presentation import pair_context, pairs_context, topics_context
from registry.tools.pairs.queries import comparisons_version, read_two
from registry.tools.pairs.services import awaited_study

_board_page = partial(
    DocumentPage,
    names=("collection", "measure"),
    find=get_visible_leaderboard,
    canonical=lambda board, form: board.names,
    version=comparisons_version,
)


def _pair(board: Leaderboard, form: PairForm, *, first: int, second: int) -> PairDocument:
    matrix = must_exist(
        read_two(board, first, second) if first != second else None,
        f"Results {first} and {second} are not two of {board} with scores on every topic.",
    )
    return pair_document(board, matrix, form.cleaned_data["margin"])


PAIRS = _board_page(
    template="tools/pairs/pairs.html",
    meaning="All pairs of systems of a leaderboard, judged together by a test and a correction.",
    document=PairsDocument,
    form=FamilyForm,
    describe=lambda board, form: pairs_document(board, form.chosen_test, form.chosen_correction),
    awaits=lambda board, document: awaited_study(board) if document.state == "waiting" else (),
    lay_out=lambda board, document, form: {"board": board} | pairs_context(document, form),
)
PAIR = _board_page(
    template="tools/pairs/pair.html",
    meaning=(
        "Two results of a leaderboard by five tests, by topic, and, of a system that was executed several times, "
        "by its executions; `first` and `second` are their ids."
    ),
    document=PairDocument,
    form=PairForm,
    describe=_pair,
    lay_out=lambda board, document, form: {"board": board} | pair_context(document),
)
TOPICS = _board_page(
    template="tools/pairs/topics.html",
    meaning="The topics of a leaderboard: which are hard, which split the systems, what scores vary with.",
    document=TopicsDocument,
    describe=lambda board, form: topics_document(board),
    lay_out=lambda board, document, form: {"board": board} | topics_context(document),
)


@csrf_exempt  # What is pasted is answered and forgotten.
def pair(request: HttpRequest, collection: str, measure: str, first: int, second: int) -> HttpResponse:
    """Return the page of two results; to two vectors of scores that are pasted there, what these say."""
    if request.method != "POST":
        return PAIR.view(request, collection=collection, measure=measure, first=first, second=second)
    form = VectorsForm(request.POST)
    context = {"form": form, "board": get_visible_leaderboard(collection, measure)}
    if not form.is_valid():
        return render(request, "tools/pairs/pasted.html", context, status=400)
    document = vectors_document(form.cleaned_data["scores"], form.cleaned_data["margin"])
    response = render(request, "tools/pairs/pasted.html", context | {"document": document})
    response["Cache-Control"] = "no-store"
    return response
