"""What collections have that figures of papers can be drawn of: scores by topic, results, runs, executions."""

from collections.abc import Callable, Sequence

import numpy as np
from django.db.models import Count

from analysis.papers import carterette, cormack_lynam, jayasinghe, sanderson_zobel, zobel
from analysis.papers.paper import LEAST_SYSTEMS, LEAST_TOPICS, Drawing, Given
from analysis.papers.shipped import ShippedFolder, list_runs
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.pages import LiveExample
from registry.core.shipping import SHIPPED
from registry.leaderboards.models import Analysis
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.tools.pairs.queries import read_executions, results_of
from registry.tools.reproductions.redrawing import Choice, Redraw, Source, redraw_by
from registry.tools.resolution.queries import collections_with_scores, is_grid, read_sources
from registry.tools.resolution.reversals import DEEP_MEASURES, SHALLOW_MEASURES, plain_name, read_rivals

#: With fewer results a standard deviation of means says little.
_LEAST_RESULTS = 20
_NAMES = ("collection__slug", "collection__name", "measure__name")

Read = tuple[str, Callable[[], Given]] | None


def _with_scores() -> Sequence[Choice]:
    unnamed = UnnamedScores.objects.filter(n_runs__gte=LEAST_SYSTEMS, n_topics__gte=LEAST_TOPICS).values_list(*_NAMES)
    vectors = TopicScores.objects.standing().filter(result__replicate_of=None)
    by_board = vectors.values_list(*(f"result__leaderboard__{name}" for name in _NAMES)).annotate(n=Count("pk"))
    named = [row[:3] for row in by_board.filter(n__gte=LEAST_SYSTEMS).order_by()]
    return [Choice(*names) for names in sorted({*unnamed, *named}, key=lambda names: (names[1], names[2]))]


def _scores(choice: Choice) -> Read:
    """Return the matrix of the most systems; a grid only where there are no runs."""
    collection = Collection.objects.filter(slug=choice.collection).first()
    measure = Measure.objects.filter(name=choice.measure).first()
    sources = read_sources(collection, measure) if collection and measure else []
    source = max(sources, key=lambda found: (not is_grid(found.runs), found.n_systems), default=None)
    if collection is None or measure is None or source is None:
        return None
    name, is_higher = f"{collection}{f' ({source.note})' if source.note else ''}", measure.higher_is_better

    def give() -> Given:
        matrices = {choice.measure: source.read()}
        return Given(name=name, measure=choice.measure, higher_is_better=is_higher, matrices=matrices)

    return f"{source.digest} {name}", give


def with_results() -> Sequence[Choice]:
    """Return collections with topic scores, under the measures of which there are results enough."""
    boards = Analysis.objects.filter(
        n_counted__gte=_LEAST_RESULTS,
        leaderboard__collection__in=collections_with_scores(),
        leaderboard__collection__n_topics__gt=1,
        leaderboard__measure__higher_is_better=True,
    )
    names = [f"leaderboard__{name}" for name in _NAMES]
    return [Choice(*row) for row in boards.order_by(*names[1:]).values_list(*names)]


def _means(choice: Choice) -> Read:
    board = _board_of(choice)
    if board is None or not board.n_topics:
        return None
    results = Result.objects.for_leaderboard(board).standing().counted().order_by("pk")
    means, n_topics, name = list(results.values_list("value", flat=True)), board.n_topics, str(board)
    return f"{means} {n_topics}", lambda: Given(name=name, matrices={}, means=means, n_topics=n_topics)


def _board_of(choice: Choice) -> Leaderboard | None:
    boards = Leaderboard.objects.with_names()
    return boards.filter(collection__slug=choice.collection, measure__name=choice.measure).first()


def _with_two_measures() -> Sequence[Choice]:
    """Measures that need the first ten documents, where the same collection has scores that need all."""
    every = _with_scores()
    deep = {choice.collection for choice in every if plain_name(choice.measure) in DEEP_MEASURES}
    return [one for one in every if one.collection in deep and plain_name(one.measure) in SHALLOW_MEASURES]


def _two_measures(choice: Choice) -> Read:
    collection = Collection.objects.filter(slug=choice.collection).first()
    every = read_rivals(read_sources(collection)) if collection else []
    rivals = next((found for found in every if found.shallow.measure.name == choice.measure), None)
    if collection is None or rivals is None:
        return None
    names, name = (rivals.deep.measure.name, rivals.shallow.measure.name), str(collection)
    matrices = dict(zip(names, rivals.matrices, strict=True))
    digest = rivals.deep.digest + rivals.shallow.digest
    return f"{digest} {name}", lambda: Given(name=name, measure=names[0], matrices=matrices)


def _with_runs() -> Sequence[Choice]:
    """Return the collections of which runs ship, whatever the measure."""
    slugs = {run.collection for run in list_runs(SHIPPED)}
    found = Collection.objects.filter(slug__in=slugs).order_by("name").values_list("slug", "name")
    return [Choice(slug, name, "") for slug, name in found]


def _runs(choice: Choice) -> Read:
    digests = [run.sha256 for run in list_runs(SHIPPED) if run.collection == choice.collection]
    collection = Collection.objects.filter(slug=choice.collection).first()
    if collection is None or not digests:
        return None
    name = collection.name

    def give() -> Given:
        return Given(name=name, matrices={}, runs=list(ShippedFolder(SHIPPED).rankings(choice.collection)))

    return " ".join((*digests, name)), give


def _with_executions() -> Sequence[Choice]:
    """Return leaderboards with topic scores of several executions."""
    vectors = TopicScores.objects.standing().filter(result__replicate_of__isnull=False, result__ended_at=None)
    boards = vectors.values_list(*(f"result__leaderboard__{name}" for name in _NAMES)).order_by().distinct()
    return [Choice(*names) for names in sorted(boards, key=lambda names: (names[1], names[2]))]


def _executions(choice: Choice) -> Read:
    board = _board_of(choice)
    known = read_executions(board) if board else {}
    repeated = [label for label, matrix in known.items() if np.ptp(matrix.scores, axis=0).any()]
    if board is None or not repeated:
        return None
    executed = known[max(repeated, key=lambda label: known[label].n_systems)]
    rivals = {label: matrix for label, matrix in known.items() if matrix.n_systems == 1}
    names = {label: str(result.system) for label, result in results_of(executed, *rivals.values()).items()}
    data = f"{board}: {names[executed.systems[0]]}"
    labels = (*executed.systems, *(names[label] for label in rivals))
    rows = [*executed.scores.tolist(), *(matrix.scores[0].tolist() for matrix in rivals.values())]
    matrix = ScoreMatrix(labels, executed.topics, rows)
    given = Given(
        name=data, measure=choice.measure, matrices={choice.measure: matrix}, executions=list(executed.systems)
    )  # fmt: skip
    return f"{data} {labels} {rows}", lambda: given


def _page_of_board(choice: Choice) -> LiveExample:
    """Return the leaderboard, or where there is none all of the collection."""
    board = _board_of(choice)
    if board is None:
        collection = Collection.objects.get(slug=choice.collection)
        return LiveExample(f"All leaderboards of {collection.name}", collection.get_absolute_url())
    return LiveExample(f"What the best is worth: {board}", board.get_absolute_url())


def _page_of_resolution(choice: Choice) -> LiveExample:
    return LiveExample.at(f"How much can {choice.name} resolve?", "resolution:collection-resolution", choice.collection)


def _page_of_judgements(choice: Choice) -> LiveExample:
    return LiveExample.at("Its judgements, and the runs", "runs:judgements-detail", choice.collection)


def _page_of_pairs(choice: Choice) -> LiveExample:
    title = f"Executions of one system: {choice.name}, {choice.measure}"
    return LiveExample.at(title, "pairs:pairs", choice.collection, choice.measure)


def _page_of_scale(choice: Choice) -> LiveExample:
    title = f"Standardized scores of {choice.name}"
    return LiveExample.at(title, "standardization:collection-standardized", choice.collection)


_SOURCES = {
    "scores": (_with_scores, _scores),
    "means": (with_results, _means),
    "two measures": (_with_two_measures, _two_measures),
    "runs": (_with_runs, _runs),
    "executions": (_with_executions, _executions),
}
#: Every way of drawing, in the order of the papers, with the page on which its method is at work on a collection.
_DRAWINGS: tuple[tuple[tuple[Drawing, ...], Callable[[Choice], LiveExample]], ...] = (
    (carterette.DRAWINGS, _page_of_board),
    (sanderson_zobel.DRAWINGS, _page_of_resolution),
    (cormack_lynam.DRAWINGS, _page_of_judgements),
    (jayasinghe.DRAWINGS, _page_of_judgements),
    (zobel.DRAWINGS, _page_of_scale),
)
DRAWINGS = tuple(drawing for drawings, _ in _DRAWINGS for drawing in drawings)


def redraws_of_scores() -> list[Redraw]:
    """Return how figures are drawn of whatever a collection has."""
    return [
        redraw_by(drawing, Source(*_SOURCES[drawing.needs], _page_of_pairs if drawing.needs == "executions" else page))
        for drawings, page in _DRAWINGS
        for drawing in drawings
    ]
