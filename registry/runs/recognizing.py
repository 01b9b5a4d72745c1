"""Which collection a run is on, by its topics and documents: among the judgements that anybody may see."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from registry.catalog.models import Collection
from registry.runs.models import Judgements
from registry.runs.pipeline.spawning import Order, do_in_child
from registry.runs.queries import lines_of

#: Of the run's topics, and of its first documents on them, the shares that must be judged.
TOPICS_JUDGED, DOCUMENTS_JUDGED = 0.5, 0.1
#: A collection with this share of the best one's fit is asked about, and so many at most.
ALIKE, MOST_ASKED = 0.8, 4
#: Documents that are looked for; and collections that are looked through for them, those of the nearest topics first.
_N_DOCUMENTS, _N_LOOKED_THROUGH = 200, 12


@dataclass(frozen=True, slots=True)
class Fit:
    """A collection that a run may be on; ``fit`` is what its topics and the run's share, of all of both, times the
    share of the run's first documents that are judged."""

    collection: Collection
    n_topics: int
    n_shared: int
    fit: float


def recognize(content: bytes) -> tuple[list[Fit], float]:
    """Return the collections on which a run may be, and how long it took to read; ``Unreadable`` if it is no run.

    The best fit is first, and only those nearly as good are there.
    """
    found = do_in_child(Order("topics", content, {}))
    topics: dict[str, list[str]] = found["topics"]
    fits = sorted(_fits(topics), key=lambda one: (-one.fit, one.collection.slug))
    return [fit for fit in fits if fit.fit >= ALIKE * fits[0].fit][:MOST_ASKED], found["seconds"]


def _fits(topics: Mapping[str, Sequence[str]]) -> Iterator[Fit]:
    standing = Judgements.objects.filter(ended_at=None, is_sealed=False, collection__isnull=False)
    near = []
    for judgements in standing.select_related("collection").defer("content"):
        judged = _topics_of(judgements.pk, judgements.sha256)
        shared = judged & topics.keys()
        if len(shared) >= TOPICS_JUDGED * len(topics):
            near.append((len(shared) / len(judged | topics.keys()), judgements, shared, len(judged)))
    near.sort(key=lambda one: -one[0])
    for fit, judgements, shared, n_judged in near[:_N_LOOKED_THROUGH]:
        share = _share_judged(judgements, {topic: topics[topic] for topic in shared})
        if share >= DOCUMENTS_JUDGED:
            assert judgements.collection is not None
            yield Fit(judgements.collection, n_judged, len(shared), fit * share)


@lru_cache(maxsize=2000)
def _topics_of(pk: int, sha256: str) -> frozenset[str]:
    """The topics of public judgements; they never change, and are read once a process."""
    return frozenset(line.split(None, 1)[0].decode() for line in lines_of(Judgements.objects.get(pk=pk)).splitlines())


def _share_judged(judgements: Judgements, documents: Mapping[str, Sequence[str]]) -> float:
    """Return which share of the documents that a run has first on these topics is judged for them."""
    pairs = [(topic, one) for rank in range(10) for topic, found in documents.items() for one in found[rank : rank + 1]]
    wanted = set(pairs[:_N_DOCUMENTS])
    lines = lines_of(judgements).decode().splitlines()
    return sum((topic, document) in wanted for topic, _, document, _ in map(str.split, lines)) / len(wanted)
