"""Jobs that study the resolution of collections, by a worker, outside of any transaction."""

from collections.abc import Iterable
from typing import Any

from analysis.reliability import collection_resolution
from registry.catalog.models import Collection
from registry.core.services import enqueue_jobs
from registry.tools.models import Resolution
from registry.tools.resolution.queries import Source, read_findings, read_sources, scored_collections

STUDY_COLLECTION = "resolution.study_collection"


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    collections = Collection.objects.filter(leaderboards__in=leaderboard_ids).distinct()
    enqueue_jobs(kind=STUDY_COLLECTION, args=[{"collection_id": collection.pk} for collection in collections])


def enqueue_missing(**_: Any) -> int:
    """Have every matrix studied that is not yet; return the number of jobs added."""
    collections = Collection.objects.filter(pk__in=scored_collections())
    wanted = [
        ({"collection_id": collection.pk}, {source.digest for source in read_sources(collection)})
        for collection in collections
    ]
    return Resolution.enqueue_missing(STUDY_COLLECTION, wanted)


def study_collection(collection_id: int) -> list[Resolution]:
    """Return a study, not saved yet, of every matrix of the collection that has none."""
    sources = read_sources(Collection.objects.get(pk=collection_id))
    known = read_findings(sources)
    missing = {source.digest: source for source in sources if source.digest not in known}
    return [_study(source) for source in missing.values()]


def _study(source: Source) -> Resolution:
    is_better = source.measure.higher_is_better
    return Resolution.of(source.digest, lambda: collection_resolution(source.read(), higher_is_better=is_better))
