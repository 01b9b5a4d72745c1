"""Collections with scores by topic, as what figures can be drawn of."""

from collections.abc import Callable, Sequence

from django.db.models import Count

from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Measure
from registry.core.live_examples import LiveExample
from registry.results.models import TopicScores, UnnamedScores
from registry.tools.reproductions.figures import Panel
from registry.tools.reproductions.redrawing import Choice, Material
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
    return Material(source.digest, lambda: panels_of(source, source.read(), data), page)
