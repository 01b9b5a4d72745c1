"""Seeing to it that what collections can resolve is found."""

from collections.abc import Iterable
from typing import Any

from registry.catalog.models import Collection
from registry.core.services import enqueue_jobs
from registry.results.models import TopicScores
from registry.tools.resolution.efforts import read_rivals
from registry.tools.resolution.models import Resolution
from registry.tools.resolution.queries import collections_with_scores, read_sources

STUDY_COLLECTION = "resolution.study_collection"


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    """Have the collections of these leaderboards studied, where they have topic scores."""
    scored = TopicScores.objects.standing().filter(result__leaderboard__in=list(leaderboard_ids))
    collections = scored.values_list("result__leaderboard__collection", flat=True).distinct()
    enqueue_jobs(kind=STUDY_COLLECTION, args=[{"collection_id": pk} for pk in collections])


def enqueue_missing(**_: Any) -> int:
    """Have every matrix studied that is not, after a load too; the number of jobs added."""
    collections = Collection.objects.filter(pk__in=collections_with_scores())
    wanted = [({"collection_id": one.pk}, _digests(one)) for one in collections]
    return Resolution.enqueue_missing(STUDY_COLLECTION, wanted)


def _digests(collection: Collection) -> set[str]:
    sources = read_sources(collection)
    return {one.digest for one in sources} | {one.digest for one in read_rivals(sources)}
