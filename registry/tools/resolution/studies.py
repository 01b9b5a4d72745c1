"""What a worker finds of a collection's matrices, outside of any transaction."""

import msgspec

from analysis.reliability import collection_resolution, compare_effort
from registry.catalog.models import Collection
from registry.tools.resolution.efforts import SHARES, Rivals, read_comparisons, read_rivals
from registry.tools.resolution.models import Resolution
from registry.tools.resolution.queries import Source, read_findings, read_sources

SEED = 2005


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
