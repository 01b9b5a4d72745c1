"""Writing what was found of collections, and seeing to it that it is found."""

from collections.abc import Iterable
from typing import Any

from registry.catalog.models import Collection
from registry.core.services import enqueue_jobs, enqueue_overdue_jobs
from registry.results.models import TopicScores
from registry.tools.resolution.efforts import read_rivals
from registry.tools.resolution.models import Resolution
from registry.tools.resolution.queries import collections_with_scores, read_sources

STUDY_COLLECTION = "resolution.study_collection"


def save_studies(studies: list[Resolution]) -> None:
    """Keep what was found; what another worker kept in the meantime is the same."""
    Resolution.objects.bulk_create(studies, ignore_conflicts=True)


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    """Have the collections of these leaderboards studied, where they have topic scores."""
    scored = TopicScores.objects.standing().filter(result__leaderboard__in=list(leaderboard_ids))
    collections = scored.values_list("result__leaderboard__collection", flat=True).distinct()
    enqueue_jobs(kind=STUDY_COLLECTION, args=[{"collection_id": pk} for pk in collections])


def enqueue_missing() -> int:
    """Have every matrix studied that is not; the number of jobs added."""
    missing = []
    for collection in Collection.objects.filter(pk__in=collections_with_scores()):
        sources = read_sources(collection)
        digests = {source.digest for source in sources} | {rivals.digest for rivals in read_rivals(sources)}
        if Resolution.objects.filter(pk__in=digests).count() < len(digests):
            missing.append({"collection_id": collection.pk})
    return enqueue_overdue_jobs(kind=STUDY_COLLECTION, args=missing)


def enqueue_after_loading(**_: Any) -> None:
    """The same, at the end of a load."""
    enqueue_missing()
