"""What figures can be drawn of: collections with scores by topic, and those of which runs ship."""

from collections.abc import Callable, Sequence

from django.db.models import Count

from analysis.figures import Panel
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.judged_files import list_runs
from registry.core.live_examples import LiveExample
from registry.core.shipping import SHIPPED
from registry.results.models import TopicScores, UnnamedScores
from registry.tools.reproductions.ranked import JudgedRanking, shipped_rankings
from registry.tools.reproductions.redrawing import Choice, Draw, Material, Sent, Undrawable
from registry.tools.resolution.queries import Source, is_grid, read_sources

LEAST_SYSTEMS, LEAST_TOPICS = 5, 20


def with_scores() -> Sequence[Choice]:
    """Collections and measures with enough scores by topic."""
    names = ("collection__slug", "collection__name", "measure__name")
    unnamed = UnnamedScores.objects.filter(n_runs__gte=LEAST_SYSTEMS, n_topics__gte=LEAST_TOPICS).values_list(*names)
    vectors = TopicScores.objects.standing().filter(result__replicate_of=None)
    by_board = vectors.values_list(*(f"result__leaderboard__{name}" for name in names)).annotate(n=Count("pk"))
    named = [one[:3] for one in by_board.filter(n__gte=LEAST_SYSTEMS).order_by()]
    return [Choice(*one) for one in sorted({*unnamed, *named}, key=lambda one: (one[1], one[2]))]


def board_of(choice: Choice) -> Leaderboard | None:
    """The leaderboard of a collection under a measure, where there is one."""
    boards = Leaderboard.objects.with_names()
    return boards.filter(collection__slug=choice.collection, measure__name=choice.measure).first()


def material_of_scores(
    choice: Choice, panels_of: Callable[[Source, ScoreMatrix, str], dict[str, Panel]], page: Callable[[], LiveExample]
) -> Material | None:
    """What ``panels_of`` finds in the matrix of the most systems; in a grid only where there are no runs."""
    collection = Collection.objects.filter(slug=choice.collection).first()
    measure = Measure.objects.filter(name=choice.measure).first()
    sources = read_sources(collection, measure) if collection and measure else []
    source = max(sources, key=lambda one: (not is_grid(one.runs), one.n_systems), default=None)
    if collection is None or source is None:
        return None
    note = f" ({source.note})" if source.note else ""
    data = f"{collection}, {source.measure.name}: {source.n_systems} systems on {source.n_topics} topics{note}"
    return Material(f"{source.digest} {data}", lambda: panels_of(source, source.read(), data), page)


#: A worker resamples 7 a second of 1,000 documents each, 18 of 100.
_MOST_LISTS = 2000

PanelsOf = Callable[[Sequence[JudgedRanking], str], dict[str, Panel]]


def with_runs() -> Sequence[Choice]:
    """The collections, whatever the measure."""
    slugs = {one.collection for one in list_runs(SHIPPED)}
    found = Collection.objects.filter(slug__in=slugs).order_by("name").values_list("slug", "name")
    return [Choice(slug, name, "") for slug, name in found]


def material_of_runs(choice: Choice, panels_of: PanelsOf) -> Material | None:
    """What ``panels_of`` finds in the runs of a collection; None where none ships."""
    digests = [one.sha256 for one in list_runs(SHIPPED) if one.collection == choice.collection]
    collection = Collection.objects.filter(slug=choice.collection).first()
    if collection is None or not digests:
        return None
    return Material(
        " ".join((*digests, collection.name)),
        lambda: panels_of(list(shipped_rankings(SHIPPED, choice.collection)), collection.name),
        lambda: LiveExample.at("Its judgements, and the runs", "runs:judgements-detail", choice.collection),
    )


def panels_of_runs(sent: Sent, panels_of: PanelsOf) -> Draw:
    """What ``panels_of`` finds in the runs that somebody sent."""
    if not sent.runs:
        raise Undrawable("it needs runs whose documents were kept, and judgements that are not sealed")
    if sum(len(run.grades) for run in sent.runs) > _MOST_LISTS:
        raise Undrawable(f"more than {_MOST_LISTS:,} ranked lists take too long to resample")
    return lambda: panels_of(sent.runs, sent.name)
