"""Pages that compare systems topic by topic."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from analysis.figures import Axis, Panel, Rule, Style, series
from registry.catalog.models import Leaderboard
from registry.core.charts import Chart, draw
from registry.core.documents import DocumentPage
from registry.core.http import must_exist
from registry.core.messages import say
from registry.leaderboards.access import get_visible_leaderboard
from registry.leaderboards.pages import Choices
from registry.tools.pairs.documents import (
    LEVEL,
    ComparedPair,
    PairsDocument,
    ScoredSystem,
    TopicsDocument,
    pairs_document,
    topics_document,
)
from registry.tools.pairs.execution_documents import show_executions
from registry.tools.pairs.forms import FamilyForm, PairForm, VectorsForm
from registry.tools.pairs.pair_documents import PairDocument, TopicDifference, pair_document, vectors_document
from registry.tools.pairs.pipeline import CORRECTIONS, JOINT, TESTS
from registry.tools.pairs.queries import comparisons_version, read_two
from registry.tools.pairs.services import STUDY_LEADERBOARD

TEST_NAMES = {
    "randomization": "Randomization test", "t": "t test", "bootstrap-shift": "Bootstrap test",
    "wilcoxon": "Wilcoxon’s signed-rank test", "sign": "Sign test", "max-t": "Step-down max-t",
    "tukey": "Tukey’s HSD", "randomized-tukey": "Randomized Tukey HSD",
}  # fmt: skip
CORRECTION_NAMES = {"holm": "Holm", "benjamini-hochberg": "Benjamini & Hochberg", "none": "none"}
#: The questions of tests, for the table of a pair; all others ask for the mean.
_QUESTIONS = {"wilcoxon": "pair-asks-wilcoxon", "sign": "pair-asks-sign"}
ESTIMANDS = {"mean difference": "mean", "pseudo-median difference": "pseudo-median", "share of wins": "share of wins"}


def pairs_context(document: PairsDocument, form: FamilyForm) -> dict[str, Any]:
    return {
        "grid": grid_of(document),
        "most_drawn": MOST_DRAWN,
        "ranked": [(*row, row[1].may_be_best > LEVEL) for row in zip(document.systems, document.ranked, strict=False)],
        "choices": _choices(form),
        "test_name": TEST_NAMES[form.chosen_test],
        "about": say("pairs-about", correction=form.chosen_correction or "procedure"),
        "query": {name: form.data[name] for name in form.fields if form.data.get(name)},
    }


def _choices(form: FamilyForm) -> list[Choices]:
    # A procedure of all pairs takes no correction, so that choosing it leaves none in the address.
    test, correction = form.chosen_test, form.chosen_correction
    each = Choices.of("test", "Each pair", {name: TEST_NAMES[name] for name in TESTS}, test, default=TESTS[0])
    joint = Choices.of("test", "All at once", {name: TEST_NAMES[name] for name in JOINT}, test)
    if not correction:
        return [each, joint]
    choices = [each, Choices.of("correction", "Correction", CORRECTION_NAMES, correction, default=CORRECTIONS[0])]
    return choices if correction != CORRECTIONS[0] else [*choices, joint]


def pair_context(document: PairDocument, board: Leaderboard) -> dict[str, Any]:
    means = {
        system.executions[0].system: [execution.mean for execution in system.executions] for system in document.executed
    }
    by, name = document.by_executions, f"{board.collection.name} ({board.measure.name})"
    return {
        "executions": show_executions(means, [by.pair], document.margin, name) if by else None,
        "drawing": draw_differences(document.topics, document.measure),
        "paste": VectorsForm(),
        "tests": [
            (
                test,
                TEST_NAMES[test.test],
                say(_QUESTIONS.get(test.test, "pair-asks-mean")),
                ESTIMANDS[test.found.estimand] if test.found else "",
            )
            for test in document.tests
        ],
    }


def topics_context(document: TopicsDocument) -> dict[str, Any]:
    components = document.components
    shares = []
    if components:
        parts = (
            ("systems", components.system_variance, components.system_variance_error),
            ("topics", components.topic_variance, components.topic_variance_error),
            (say("topics-neither"), components.residual_variance, components.residual_variance_error),
        )
        total = sum(variance for _, variance, _ in parts)
        shares = [(name, variance, error, variance / total) for name, variance, error in parts]
    names = {system.result: system.system for system in document.systems}
    topics = [(topic, [(pk, names[pk]) for pk in topic.best]) for topic in document.topics]
    return {"shares": shares, "topics": topics}


#: More systems than this make a grid that nobody can read.
MOST_DRAWN = 40

#: The shades of cells by the largest adjusted p-value that has each.
_SHADES = ((0.01, "strong"), (0.05, "slight"))


def draw_differences(topics: Sequence[TopicDifference], measure: str) -> Chart | None:
    """Draw a bar for each topic, in the order given; None where no topic differs."""
    if not any(topic.difference for topic in topics):
        return None
    numbered = list(enumerate(topics, start=1))
    sides: tuple[tuple[str, Style, bool], ...] = (("first higher", "measured", True), ("second higher", "other", False))
    halves = [
        series(
            name, [place for place, _ in half], [topic.difference for _, topic in half], mark="columns", style=style,
            labels=[f"{topic.topic}: {topic.difference:+.3f}" for _, topic in half], is_highlighted=is_first,
        )
        for name, style, is_first in sides
        if (half := [(place, topic) for place, topic in numbered if (topic.difference > 0) == is_first])
    ]  # fmt: skip
    panel = Panel(data="", series=tuple(halves), rules=(Rule(name="", at=0.0, style="ink", is_dashed=False),))
    x = Axis(label="topics, by the difference", low=0.5, high=len(topics) + 0.5)
    y = Axis(label=f"difference in {measure}")
    return draw(panel, x, y, name="differences", text="The difference on each topic")


#: A pair in the grid: it, the better system, and its shade, blank where it is not significant.
Cell = tuple[ComparedPair, ScoredSystem, str]


def grid_of(document: PairsDocument) -> list[tuple[ScoredSystem, list[Cell]]]:
    """Return the best systems of the family, each with its comparisons to all that are better."""
    systems = document.systems[:MOST_DRAWN]
    pairs = {(pair.first, pair.second): pair for pair in document.pairs}
    rows = []
    for number, system in enumerate(systems):
        met = [(pairs.get((better.result, system.result)), better) for better in systems[:number]]
        rows.append((system, [(pair, better, _shade(pair)) for pair, better in met if pair]))
    return rows


def _shade(pair: ComparedPair) -> str:
    return next((shade for limit, shade in _SHADES if pair.pvalue <= limit), "")


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
    awaits=lambda board, document: (
        [(STUDY_LEADERBOARD, {"leaderboard_id": board.pk})] if document.state == "waiting" else ()
    ),
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
    lay_out=lambda board, document, form: {"board": board} | pair_context(document, board),
)
TOPICS = _board_page(
    template="tools/pairs/topics.html",
    meaning="The topics of a leaderboard: which are hard, which split the systems, what scores vary with.",
    document=TopicsDocument,
    describe=lambda board, form: topics_document(board),
    lay_out=lambda board, document, form: {"board": board} | topics_context(document),
)


@csrf_exempt  # Pasted scores are answered and forgotten.
def pair(request: HttpRequest, collection: str, measure: str, first: int, second: int) -> HttpResponse:
    """Show the page of two results; or the comparison of two vectors of scores that are pasted there."""
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
