"""How figures of papers are drawn of other collections, by what these have: scores by topic, results, runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from analysis.figures import Panel
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
from registry.tools.resolution.queries import collections_with_scores, is_grid, read_sources
from registry.tools.resolution.reversals import DEEP_MEASURES, SHALLOW_MEASURES, plain_name, read_rivals


@dataclass(frozen=True, slots=True)
class Choice:
    """A collection under a measure: its name in addresses and on pages, and the measure's."""

    collection: str
    name: str
    measure: str


@dataclass(frozen=True, slots=True)
class Material:
    """What panels of a choice are drawn of.

    ``digest`` is of the scores and of the names that panels say; ``page`` says where the method is at work on the same
    collection: when asked, since a worker needs no addresses.
    """

    digest: str
    draw: Callable[[], dict[str, Panel]]
    page: Callable[[], LiveExample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redraw:
    """How some figures of a paper are drawn of another collection, as :class:`analysis.papers.paper.Drawing` says."""

    paper: str
    figures: frozenset[str]
    key: str
    choices: Callable[[], Sequence[Choice]]
    read: Callable[[Choice], Material | None]
    is_quick: bool = False
    collections: tuple[str, ...] = ("trec-2004-robust", "trec-8-adhoc")
    measures: tuple[str, ...] = ("AP",)

    def choose(self, choices: Sequence[Choice], collection: str, measure: str) -> Choice | None:
        """Return what is shown: what was asked for, as far as there is such, else what stands first."""
        of_collection = [choice for choice in choices if choice.collection == collection] or _first(
            choices, lambda choice: choice.collection, self.collections
        )
        of_both = [choice for choice in of_collection if choice.measure == measure]
        return next(iter(of_both or _first(of_collection, lambda choice: choice.measure, self.measures)), None)


def _first(choices: Sequence[Choice], name: Callable[[Choice], str], wanted: Sequence[str]) -> list[Choice]:
    """Return choices of the first name wanted that there is, else of the first of all."""
    names = [name(choice) for choice in choices]
    shown = next((want for want in wanted if want in names), names[0] if names else "")
    return [choice for choice in choices if name(choice) == shown]


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


def _page(title: str, address: str, *names: str) -> Callable[[Choice], LiveExample]:
    """Return what leads from a choice to its page; ``names`` are the fields that its address has."""
    return lambda choice: LiveExample.at(title.format(choice), address, *(getattr(choice, name) for name in names))


_PAGE_OF_RESOLUTION = _page("How much can {0.name} resolve?", "resolution:collection-resolution", "collection")
_PAGE_OF_JUDGEMENTS = _page("Its judgements, and the runs", "runs:judgements-detail", "collection")
_PAGE_OF_PAIRS = _page("Executions of one system: {0.name}, {0.measure}", "pairs:pairs", "collection", "measure")
_PAGE_OF_SCALE = _page("Standardized scores of {0.name}", "standardization:collection-standardized", "collection")
#: By what figures need: reads the names of what has that, and of one of these a digest and that, None where it is gone.
_NEEDED: dict[str, tuple[Callable[[], Sequence[Choice]], Callable[[Choice], Read]]] = {
    "scores": (_with_scores, _scores),
    "means": (with_results, _means),
    "two measures": (_with_two_measures, _two_measures),
    "runs": (_with_runs, _runs),
    "executions": (_with_executions, _executions),
}
#: Every way of drawing, in the order of the papers, with the page on which its method is at work on a collection.
_DRAWINGS = (
    *((drawing, _page_of_board) for drawing in carterette.DRAWINGS),
    *((drawing, _PAGE_OF_RESOLUTION) for drawing in sanderson_zobel.DRAWINGS),
    *((drawing, _PAGE_OF_JUDGEMENTS) for drawing in (*cormack_lynam.DRAWINGS, *jayasinghe.DRAWINGS)),
    *((drawing, _PAGE_OF_SCALE) for drawing in zobel.DRAWINGS),
)
DRAWINGS = tuple(drawing for drawing, _ in _DRAWINGS)


def _redraw(drawing: Drawing, page: Callable[[Choice], LiveExample]) -> Redraw:
    choices, read_needed = _NEEDED[drawing.needs]
    page = _PAGE_OF_PAIRS if drawing.needs == "executions" else page

    def read(choice: Choice) -> Material | None:
        found = read_needed(choice)
        if found is None:
            return None
        digest, give = found
        return Material(digest, lambda: drawing.draw(give()), lambda: page(choice))

    return Redraw(
        paper=drawing.paper, figures=drawing.figures, key=drawing.key, choices=choices, read=read,
        is_quick=drawing.is_quick, collections=drawing.collections, measures=drawing.measures,
    )  # fmt: skip


#: How figures are drawn of whatever a collection has.
REDRAWS_OF_SCORES = tuple(_redraw(drawing, page) for drawing, page in _DRAWINGS)
