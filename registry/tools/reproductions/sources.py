"""Material to draw figures of papers for other collections: scores by topic, results, papers, runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from django.db.models import Count, Q

from analysis.papers import carterette, cormack_lynam, jayasinghe, sanderson_zobel, zobel
from analysis.papers.paper import LEAST_SYSTEMS, LEAST_TOPICS, Drawing, Given
from analysis.papers.shipped import ShippedFolder, list_runs
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.listing import grouped
from registry.core.loading import SHIPPED
from registry.core.pages import LiveExample
from registry.leaderboards.models import Analysis
from registry.results.models import Paper, Result, TopicScores, UnnamedScores
from registry.tools.baselines.documents import own_scores
from registry.tools.pairs.queries import read_executions, results_of
from registry.tools.resolution.queries import Source, is_deep, is_grid, is_shallow, read_sources, scored_collections


@dataclass(frozen=True, slots=True)
class Choice:
    """A collection under a measure: its name in addresses and on pages, and the measure's."""

    collection: str
    name: str
    measure: str


@dataclass(frozen=True, slots=True)
class Material:
    """The data that panels of a choice are drawn from; ``digest`` covers scores and the names in panels."""

    digest: str
    give: Callable[[], Given]


#: Every way of drawing, in the order of the papers.
DRAWINGS: tuple[Drawing, ...] = (
    *carterette.DRAWINGS, *sanderson_zobel.DRAWINGS, *cormack_lynam.DRAWINGS, *jayasinghe.DRAWINGS, *zobel.DRAWINGS,
)  # fmt: skip


def drawing_of(paper: str, figure: str) -> Drawing | None:
    """Return the way of drawing this figure for another collection; None where that makes no sense."""
    return next((drawing for drawing in DRAWINGS if drawing.paper == paper and figure in drawing.figures), None)


def choices_for(drawing: Drawing) -> Sequence[Choice]:
    """Return the collections that have what the figures need."""
    return _NEEDED[drawing.needs][0]()


def material_of(drawing: Drawing, choice: Choice) -> Material | None:
    """Return the material for the figures of a choice; None where it is gone."""
    return _NEEDED[drawing.needs][1](choice)


def choose(drawing: Drawing, choices: Sequence[Choice], collection: str, measure: str) -> Choice | None:
    """Return the choice to show: the one that was asked for, as far as it exists, else the first."""
    of_collection = [choice for choice in choices if choice.collection == collection] or _first(
        choices, lambda choice: choice.collection, drawing.collections
    )
    of_both = [choice for choice in of_collection if choice.measure == measure]
    return next(iter(of_both or _first(of_collection, lambda choice: choice.measure, drawing.measures)), None)


def _first(choices: Sequence[Choice], name: Callable[[Choice], str], wanted: Sequence[str]) -> list[Choice]:
    """Return the choices of the first wanted name that exists, else of the first of all."""
    names = [name(choice) for choice in choices]
    shown = next((want for want in wanted if want in names), names[0] if names else "")
    return [choice for choice in choices if name(choice) == shown]


#: With fewer results a standard deviation of means says little.
_LEAST_RESULTS = 20
#: The kinds that count as papers, and the fewest that make a survey.
_PAPERS = (Paper.Kind.UNKNOWN, Paper.Kind.ARTICLE, Paper.Kind.INPROCEEDINGS, Paper.Kind.MISC)
_LEAST_PAPERS = 5
_NAMES = ("collection__slug", "collection__name", "measure__name")
_OF_BOARD = tuple(f"leaderboard__{name}" for name in _NAMES)


def _collection_of(choice: Choice) -> Collection | None:
    return Collection.objects.filter(slug=choice.collection).first()


def _board_of(choice: Choice) -> Leaderboard | None:
    boards = Leaderboard.objects.with_names()
    return boards.filter(collection__slug=choice.collection, measure__name=choice.measure).first()


def _material(data: Given, digest: str = "") -> Material:
    return Material(digest or str(data), lambda: data)


def _with_scores() -> Sequence[Choice]:
    unnamed = UnnamedScores.objects.filter(n_runs__gte=LEAST_SYSTEMS, n_topics__gte=LEAST_TOPICS).values_list(*_NAMES)
    vectors = TopicScores.objects.standing().filter(result__replicate_of=None)
    by_board = vectors.values_list(*(f"result__{name}" for name in _OF_BOARD)).annotate(n=Count("pk"))
    named = [row[:3] for row in by_board.filter(n__gte=LEAST_SYSTEMS).order_by()]
    return [Choice(*names) for names in sorted({*unnamed, *named}, key=lambda names: (names[1], names[2]))]


def _scores(choice: Choice) -> Material | None:
    """Return the matrix of the most systems; a grid only where there are no runs."""
    collection, measure = _collection_of(choice), Measure.objects.filter(name=choice.measure).first()
    sources = read_sources(collection, measure) if collection and measure else []
    source = max(sources, key=lambda source: (not is_grid(source.runs), source.n_systems), default=None)
    if collection is None or measure is None or source is None:
        return None
    name, is_higher = f"{collection}{f' ({source.note})' if source.note else ''}", measure.higher_is_better

    def give() -> Given:
        matrices = {choice.measure: source.read()}
        return Given(name=name, measure=choice.measure, higher_is_better=is_higher, matrices=matrices)

    return Material(f"{source.digest} {name}", give)


def _with_results() -> Sequence[Choice]:
    """Return collections with topic scores, under the measures that have enough results."""
    boards = Analysis.objects.filter(
        n_counted__gte=_LEAST_RESULTS,
        leaderboard__collection__in=scored_collections(),
        leaderboard__collection__n_topics__gt=1,
        leaderboard__measure__higher_is_better=True,
    )
    return [Choice(*row) for row in boards.order_by(*_OF_BOARD[1:]).values_list(*_OF_BOARD)]


def _means(choice: Choice) -> Material | None:
    board = _board_of(choice)
    if board is None or not board.n_topics:
        return None
    results = Result.objects.for_leaderboard(board).standing().counted().order_by("pk")
    means, n_topics, name = list(results.values_list("value", flat=True)), board.n_topics, str(board)
    return _material(Given(name=name, matrices={}, means=means, n_topics=n_topics), f"{means} {n_topics}")


def _with_two_measures() -> Sequence[Choice]:
    """Return measures that need the first ten documents, where the same collection has scores that need all."""
    every = _with_scores()
    deep = {choice.collection for choice in every if is_deep(choice.measure)}
    return [choice for choice in every if choice.collection in deep and is_shallow(choice.measure)]


def _two_measures(choice: Choice) -> Material | None:
    """Return matrices of the same systems and topics under two measures."""
    collection = _collection_of(choice)
    sources = read_sources(collection) if collection else []
    deep = [source for source in sources if is_deep(source.measure.name)]
    shallow = [source for source in sources if source.measure.name == choice.measure]
    for first, second in product(deep, shallow):
        if (first.kind, first.n_topics) != (second.kind, second.n_topics):
            continue
        deeper, other = _by_system(first), _by_system(second)
        shared = [system for system in deeper.systems if system in other.systems]
        is_whole = first.kind == "results" or deeper.systems == other.systems
        is_enough = len(shared) >= LEAST_SYSTEMS and deeper.n_topics >= LEAST_TOPICS
        if is_whole and is_enough and deeper.topics == other.topics:
            matrices = {first.measure.name: deeper.select(shared), second.measure.name: other.select(shared)}
            data = Given(name=str(collection), measure=first.measure.name, matrices=matrices)
            return _material(data, f"{first.digest}{second.digest} {data.name}")
    return None


def _by_system(source: Source) -> ScoreMatrix:
    """Return the scores, labelled so that the same system has the same label under both measures."""
    matrix = source.read()
    if source.kind == "unnamed":
        return matrix
    systems = dict(Result.objects.filter(pk__in=map(int, matrix.systems)).values_list("pk", "system"))
    labels = {label: str(systems[int(label)]) for label in matrix.systems}
    # For a system with two results nobody knows which of them is the one under the other measure.
    once = [label for label, system in labels.items() if list(labels.values()).count(system) == 1]
    unique = matrix.select(once)
    return ScoreMatrix([labels[label] for label in once], unique.topics, unique.scores)


def _with_runs() -> Sequence[Choice]:
    """Return the collections whose runs ship, whatever the measure."""
    slugs = {run.collection for run in list_runs(SHIPPED)}
    collections = Collection.objects.filter(slug__in=slugs).order_by("name").values_list("slug", "name")
    return [Choice(slug, name, "") for slug, name in collections]


def _runs(choice: Choice) -> Material | None:
    digests = [run.sha256 for run in list_runs(SHIPPED) if run.collection == choice.collection]
    collection = _collection_of(choice)
    if collection is None or not digests:
        return None
    name = collection.name

    def give() -> Given:
        return Given(name=name, matrices={}, runs=list(ShippedFolder(SHIPPED).rankings(choice.collection)))

    return Material(" ".join((*digests, name)), give)


def _with_executions() -> Sequence[Choice]:
    """Return leaderboards with topic scores of several executions."""
    vectors = TopicScores.objects.standing().filter(result__replicate_of__isnull=False, result__ended_at=None)
    boards = vectors.values_list(*(f"result__{name}" for name in _OF_BOARD)).order_by().distinct()
    return [Choice(*names) for names in sorted(boards, key=lambda names: (names[1], names[2]))]


def _executions(choice: Choice) -> Material | None:
    board = _board_of(choice)
    known = read_executions(board) if board else {}
    repeated = [label for label, matrix in known.items() if np.ptp(matrix.scores, axis=0).any()]
    if board is None or not repeated:
        return None
    executed = known[max(repeated, key=lambda label: known[label].n_systems)]
    rivals = {label: matrix for label, matrix in known.items() if matrix.n_systems == 1}
    names = {label: str(result.system) for label, result in results_of(executed, *rivals.values()).items()}
    name = f"{board}: {names[executed.systems[0]]}"
    labels = (*executed.systems, *(names[label] for label in rivals))
    rows = [*executed.scores.tolist(), *(matrix.scores[0].tolist() for matrix in rivals.values())]
    matrix = ScoreMatrix(labels, executed.topics, rows)
    matrices = {choice.measure: matrix}
    data = Given(name=name, measure=choice.measure, matrices=matrices, executions=list(executed.systems))
    return _material(data, f"{name} {labels} {rows}")


def _tried() -> Sequence[Choice]:
    """Return the collections with enough results, whatever the measure."""
    return list({choice.collection: Choice(choice.collection, choice.name, "") for choice in _with_results()}.values())


def _counted(choice: Choice, counts: Sequence[tuple[object, ...]]) -> Material | None:
    collection = _collection_of(choice)
    return _material(Given(name=collection.name, matrices={}, counts=counts)) if collection else None


def _tries(choice: Choice) -> Material | None:
    results = Result.objects.standing().filter(leaderboard__collection__slug=choice.collection)
    by_measure = results.values_list("leaderboard__measure__name").annotate(
        n=Count("pk"), m=Count("system", distinct=True)
    )
    return _counted(choice, list(by_measure.order_by("-n", "leaderboard__measure__name")))


def _with_papers() -> Sequence[Choice]:
    """Return collections on which papers have results, whatever the measure."""
    results = Result.objects.standing().filter(paper__kind__in=_PAPERS).order_by(_OF_BOARD[1])
    by_collection = results.values_list(*_OF_BOARD[:2]).annotate(n=Count("paper", distinct=True))
    return [Choice(slug, name, "") for slug, name, n in by_collection if n >= _LEAST_PAPERS]


def _tests(choice: Choice) -> Material | None:
    results = Result.objects.standing().filter(leaderboard__collection__slug=choice.collection)
    papers = Paper.objects.filter(pk__in=results.filter(paper__kind__in=_PAPERS).values("paper"))
    by_year = papers.order_by("year").values_list("year").annotate(
        n=Count("pk"),
        n_read=Count("pk", filter=Q(reports_significance__isnull=False)),
        n_tested=Count("pk", filter=Q(reports_significance=True)),
    )  # fmt: skip
    return _counted(choice, [(str(year or "not known"), *counts) for year, *counts in by_year])


def _surveyed() -> Sequence[Choice]:
    """Return leaderboards on which five papers or more print a baseline and a score of their own."""
    own = own_scores().filter(leaderboard__measure__higher_is_better=True)
    counted = own.order_by().values_list(*_OF_BOARD).annotate(n=Count("paper", distinct=True))
    return [Choice(*row[:3]) for row in counted.filter(n__gte=_LEAST_PAPERS).order_by(*_OF_BOARD[1:])]


def _papers(choice: Choice) -> Material | None:
    board = _board_of(choice)
    if board is None or not board.measure.higher_is_better:
        return None
    results, roles = Result.objects.for_leaderboard(board).comparable(), (Result.Role.BASELINE, Result.Role.PROPOSED)
    of_papers = results.filter(role__in=roles, paper__isnull=False, year__isnull=False).order_by("pk")
    papers = []
    for paper, rows in grouped(of_papers.values_list("paper", "role", "year", "value"), lambda row: row[0]).items():
        baselines, own = ([value for _, played, _, value in rows if played == role] for role in roles)
        if baselines and own:
            # The year of what it proposes: a baseline taken from elsewhere may be of an earlier one.
            year = min(year for _, played, year, _ in rows if year and played == Result.Role.PROPOSED)
            papers.append((year, paper, max(baselines), max(own)))
    if len(papers) < _LEAST_PAPERS:
        return None
    counts = [(year, baseline, own) for year, _, baseline, own in sorted(papers)]
    original = results.filter(role=Result.Role.TREC_RUN, replicate_of=None).order_by("pk")
    runs = list(original.values_list("value", flat=True))
    name = f"{choice.name}, {choice.measure}: {len(papers)} papers, {len(runs)} original runs"
    return _material(Given(name=name, matrices={}, counts=counts, means=runs))


#: By what figures need: the choices that have it, and the material of a choice.
_NEEDED: dict[str, tuple[Callable[[], Sequence[Choice]], Callable[[Choice], Material | None]]] = {
    "scores": (_with_scores, _scores),
    "means": (_with_results, _means),
    "two measures": (_with_two_measures, _two_measures),
    "runs": (_with_runs, _runs),
    "executions": (_with_executions, _executions),
    "tries": (_tried, _tries),
    "tests": (_with_papers, _tests),
    "papers": (_surveyed, _papers),
}

_COMPARED = ("What did papers on {0.name} compare with?", "baselines:collection-baselines", ("collection",))
#: Title, view and arguments of the page on which a method is at work: by what it needs, or else by paper.
_PAGES = {
    "executions": ("Executions of one system: {0.name}, {0.measure}", "pairs:pairs", ("collection", "measure")),
    "tries": ("All leaderboards of {0.name}", "leaderboards:collection-detail", ("collection",)),
    "tests": _COMPARED,
    "papers": _COMPARED,
    sanderson_zobel.PAPER: ("How much can {0.name} resolve?", "resolution:collection-resolution", ("collection",)),
    cormack_lynam.PAPER: ("Its judgements, and the runs", "runs:judgements-detail", ("collection",)),
    jayasinghe.PAPER: ("Its judgements, and the runs", "runs:judgements-detail", ("collection",)),
    zobel.PAPER: ("Standardized scores of {0.name}", "standardization:collection-standardized", ("collection",)),
}


def page_of(drawing: Drawing, choice: Choice) -> LiveExample:
    """Return the page on which the method is at work on the same collection, which may be its leaderboard."""
    page = _PAGES.get(drawing.needs) or _PAGES.get(drawing.paper)
    board = None if page else _board_of(choice)
    if board:
        return LiveExample(f"What the best is worth: {board}", board.get_absolute_url())
    title, view, names = page or _PAGES["tries"]
    return LiveExample.at(title.format(choice), view, *(getattr(choice, name) for name in names))
