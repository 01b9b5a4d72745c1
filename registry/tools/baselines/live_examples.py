"""The collection on which most baselines are on record, as an example of what is asked of them."""

from django.db.models import Count
from django.urls import reverse

from registry.core.live_examples import LiveExample, register_live_example
from registry.results.models import Result


def _compared_with() -> LiveExample | None:
    baselines = Result.objects.standing().filter(role=Result.Role.BASELINE).order_by()
    by_collection = baselines.values_list("leaderboard__collection__slug", "leaderboard__collection__name")
    found = by_collection.annotate(n=Count("paper", distinct=True)).order_by("-n", "leaderboard__collection__slug")
    if not found:
        return None
    slug, name, _ = found[0]
    return LiveExample(
        f"What did papers on {name} compare with?", reverse("baselines:collection-baselines", args=[slug])
    )


def register_examples() -> None:
    """Of which methods the page is an example."""
    register_live_example(_compared_with, "baselines", "trends", "records")
