"""What a worker finds of a collection's matrices, outside of any transaction."""

from dataclasses import dataclass

import msgspec

from analysis.errors import ArgumentError
from analysis.reliability import collection_resolution
from registry.catalog.models import Collection
from registry.resolution.queries import Source, read_findings, read_sources


@dataclass(frozen=True, slots=True)
class Study:
    """What was found of a matrix, as JSON, or why nothing can be."""

    digest: str
    content: str
    obstacle: str


def study_collection(collection_id: int) -> list[Study]:
    """A study of every matrix of the collection that has none."""
    sources = read_sources(Collection.objects.get(pk=collection_id))
    known = read_findings(sources)
    return [_study(source) for source in {one.digest: one for one in sources}.values() if source.digest not in known]


def _study(source: Source) -> Study:
    try:
        found = collection_resolution(source.read(), higher_is_better=source.measure.higher_is_better)
    except ArgumentError as error:
        return Study(source.digest, "", f"the {error.argument} {error.reason}")
    return Study(source.digest, msgspec.json.encode(found).decode(), "")
