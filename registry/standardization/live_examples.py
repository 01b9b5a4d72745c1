"""Collections with scores on a fixed scale, as examples of standardization."""

from collections.abc import Callable

from django.urls import reverse

from registry.core.live_examples import LiveExample, register_live_example
from registry.leaderboards.models import ReferenceSet


def _standardized(basis: ReferenceSet.Basis) -> Callable[[], LiveExample | None]:
    def find() -> LiveExample | None:
        sets = ReferenceSet.objects.filter(basis=basis).select_related("leaderboard__collection")
        found = sets.order_by("leaderboard__collection__slug", "pk").first()
        if found is None:
            return None
        collection = found.leaderboard.collection
        address = reverse("standardization:collection-standardized", args=[collection.slug])
        return LiveExample(f"{collection.name} on a fixed scale", address)

    return find


def register_examples() -> None:
    """Of which methods the page is an example."""
    by_topic = _standardized(ReferenceSet.Basis.TOPIC_SCORES)
    register_live_example(by_topic, "standardization", "historical-standardization")
    register_live_example(_standardized(ReferenceSet.Basis.PUBLISHED_MEANS), "standing-among-reference-means")
