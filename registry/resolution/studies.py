"""What a worker finds of a collection's matrices, outside of any transaction."""

from dataclasses import dataclass

import msgspec

from analysis.errors import ArgumentError
from analysis.reliability import collection_resolution, compare_effort
from registry.catalog.models import Collection
from registry.resolution.efforts import SHARES, Rivals, read_comparisons, read_rivals
from registry.resolution.queries import Source, read_findings, read_sources

SEED = 2005


@dataclass(frozen=True, slots=True)
class Study:
    """What was found of a matrix, or of two, as JSON, or why nothing can be."""

    digest: str
    content: str
    obstacle: str


def study_collection(collection_id: int) -> list[Study]:
    """A study of every matrix of the collection that has none, and of measures by what they cost."""
    sources = read_sources(Collection.objects.get(pk=collection_id))
    rivals = read_rivals(sources)
    known, compared = read_findings(sources), read_comparisons(rivals)
    return [
        *(_study(one) for one in {one.digest: one for one in sources}.values() if one.digest not in known),
        *(_compare(one) for one in {one.digest: one for one in rivals}.values() if one.digest not in compared),
    ]


def _study(source: Source) -> Study:
    try:
        found = collection_resolution(source.read(), higher_is_better=source.measure.higher_is_better)
    except ArgumentError as error:
        return Study(source.digest, "", f"the {error.argument} {error.reason}")
    return Study(source.digest, msgspec.json.encode(found).decode(), "")


def _compare(rivals: Rivals) -> Study:
    """Effort is counted in topics judged to depth 100; a shallow topic costs the larger of the shares known."""
    found = compare_effort(*rivals.matrices, SEED, first_effort=1.0, second_effort=max(SHARES))
    return Study(rivals.digest, msgspec.json.encode(found).decode(), "")
