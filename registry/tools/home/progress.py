"""Where gains can be followed best: did those that papers claim add up?"""

from django.db.models import Count

from registry.catalog.models import Collection
from registry.results.models import Result
from registry.tools.baselines.documents import BoardBaselines, baselines_document

#: Fewer papers show nothing about a field.
MIN_PAPERS = 10


def most_followed() -> tuple[Collection, BoardBaselines] | None:
    """The collection on which most papers print scores of their own, and their gains; None without ten papers."""
    own = Result.objects.comparable().filter(role=Result.Role.PROPOSED, paper__isnull=False, year__isnull=False)
    by_collection = own.values("leaderboard__collection").annotate(n=Count("paper", distinct=True))
    first = by_collection.order_by("-n", "leaderboard__collection__slug").first()
    if first is None or first["n"] < MIN_PAPERS:
        return None
    collection = Collection.objects.get(pk=first["leaderboard__collection"])
    boards = [one for one in baselines_document(collection).boards if len(one.papers) >= MIN_PAPERS]
    return (collection, boards[0]) if boards else None
