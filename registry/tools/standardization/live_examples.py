"""Collections and years with scores on a fixed scale, as examples of standardization."""

from django.urls import reverse

from registry.core.live_examples import LiveExample, register_live_example
from registry.leaderboards.models import ReferenceSet
from registry.results.models import Result, UnnamedScores


def _by_topic() -> LiveExample | None:
    found = UnnamedScores.objects.select_related("collection").order_by("collection__slug", "pk").first()
    if found is None:
        return None
    address = reverse("standardization:collection-standardized", args=[found.collection.slug])
    return LiveExample(f"{found.collection.name} on a fixed scale", address)


def _by_means() -> LiveExample | None:
    sets = ReferenceSet.objects.filter(basis=ReferenceSet.Basis.PUBLISHED_MEANS)
    runs = Result.objects.standing().filter(role=Result.Role.TREC_RUN, year__isnull=False)
    found = runs.filter(leaderboard__in=sets.values("leaderboard")).order_by("pk").first()
    if found is None:
        return None
    address = reverse("standardization:year-detail", args=[found.year])
    return LiveExample(f"{found.year} across collections", address)


def register_examples() -> None:
    """Of which methods the pages are examples."""
    register_live_example(_by_topic, "standardization", "historical-standardization")
    register_live_example(_by_means, "standing-among-reference-means")
