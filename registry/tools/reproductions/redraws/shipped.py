"""Collections of which runs ship, as what figures can be drawn of."""

from collections.abc import Callable, Sequence

from django.urls import reverse

from registry.catalog.models import Collection
from registry.core.judged_files import list_runs
from registry.core.live_examples import LiveExample
from registry.core.shipping import SHIPPED
from registry.tools.reproductions.figures import Panel
from registry.tools.reproductions.ranked import JudgedRanking, shipped_rankings
from registry.tools.reproductions.redrawing import Choice, Draw, Material, Sent, Undrawable

#: A worker resamples 7 a second of 1,000 documents each, 18 of 100.
_MOST_LISTS = 2000

PanelsOf = Callable[[Sequence[JudgedRanking], str], dict[str, Panel]]


def with_runs() -> Sequence[Choice]:
    """The collections, whatever the measure."""
    slugs = {one.collection for one in list_runs(SHIPPED)}
    found = Collection.objects.filter(slug__in=slugs).order_by("name").values_list("slug", "name")
    return [Choice(slug, name, "") for slug, name in found]


def material_of(choice: Choice, panels_of: PanelsOf) -> Material | None:
    """What ``panels_of`` finds in the runs of a collection; None where none ships."""
    digests = [one.sha256 for one in list_runs(SHIPPED) if one.collection == choice.collection]
    if not digests:
        return None

    def draw() -> dict[str, Panel]:
        name = Collection.objects.get(slug=choice.collection).name
        return panels_of(list(shipped_rankings(SHIPPED, choice.collection)), name)

    def page() -> LiveExample:
        return LiveExample("Its judgements, and the runs", reverse("runs:judgements-detail", args=[choice.collection]))

    return Material(" ".join(digests), draw, page)


def panels_of_sent(sent: Sent, panels_of: PanelsOf) -> Draw:
    """What ``panels_of`` finds in the runs that somebody sent."""
    if not sent.runs:
        raise Undrawable("it needs runs whose documents were kept, and judgements that are not sealed")
    if sum(len(run.grades) for run in sent.runs) > _MOST_LISTS:
        raise Undrawable(f"more than {_MOST_LISTS:,} ranked lists take too long to resample")
    return lambda: panels_of(sent.runs, sent.name)
