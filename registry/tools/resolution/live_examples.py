"""A collection whose power of resolution is known, as an example of the methods that tell it."""

from django.db.models import Case, When
from django.urls import reverse

from registry.catalog.models import Collection
from registry.core.live_examples import LiveExample, register_live_example


def _resolved() -> LiveExample | None:
    scored = Collection.objects.filter(unnamed_scores__isnull=False)
    # Where precision stands beside average precision, the page compares what they cost.
    costs = Case(When(unnamed_scores__measure__name="P@10", then=0), default=1)
    found = scored.order_by(costs, "slug").first()
    if found is None:
        return None
    address = reverse("resolution:collection-resolution", args=[found.slug])
    return LiveExample(f"How much can {found.name} resolve?", address)


def register_examples() -> None:
    """Of which methods the page is an example."""
    register_live_example(_resolved, "test-reliability", "topic-set-size", "assessor-effort")
