"""Seeing to it that what collections can resolve is found, by a worker, outside of any transaction."""

from collections.abc import Iterable
from typing import Any

import msgspec

from analysis.reliability import collection_resolution, compare_effort
from registry.catalog.models import Collection
from registry.core.services import enqueue_jobs
from registry.tools.found_once import Resolution
from registry.tools.resolution.efforts import SHARES, Rivals, read_comparisons, read_rivals
from registry.tools.resolution.queries import Source, collections_with_scores, read_findings, read_sources

STUDY_COLLECTION = "resolution.study_collection"
SEED = 2005


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    """Have the collections of these leaderboards studied, whose topic scores change."""
    collections = Collection.objects.filter(leaderboards__in=leaderboard_ids).distinct()
    enqueue_jobs(kind=STUDY_COLLECTION, args=[{"collection_id": one.pk} for one in collections])


def enqueue_missing(**_: Any) -> int:
    """Have every matrix studied that is not, after a load too; the number of jobs added."""
    collections = Collection.objects.filter(pk__in=collections_with_scores())
    wanted = [({"collection_id": one.pk}, _digests(one)) for one in collections]
    return Resolution.enqueue_missing(STUDY_COLLECTION, wanted)


def _digests(collection: Collection) -> set[str]:
    sources = read_sources(collection)
    return {one.digest for one in sources} | {one.digest for one in read_rivals(sources)}


def study_collection(collection_id: int) -> list[Resolution]:
    """A study, not saved yet, of every matrix of the collection that has none, and of measures by what they cost."""
    sources = read_sources(Collection.objects.get(pk=collection_id))
    rivals = read_rivals(sources)
    known, compared = read_findings(sources), read_comparisons(rivals)
    return [
        *(_study(one) for one in {one.digest: one for one in sources}.values() if one.digest not in known),
        *(_compare(one) for one in {one.digest: one for one in rivals}.values() if one.digest not in compared),
    ]


def _study(source: Source) -> Resolution:
    is_better = source.measure.higher_is_better
    return Resolution.of(source.digest, lambda: collection_resolution(source.read(), higher_is_better=is_better))


def _compare(rivals: Rivals) -> Resolution:
    """Effort is counted in topics judged to depth 100; a shallow topic costs the larger of the shares known."""
    found = compare_effort(*rivals.matrices, SEED, first_effort=1.0, second_effort=max(SHARES))
    return Resolution(digest=rivals.digest, content=msgspec.json.encode(found).decode())
