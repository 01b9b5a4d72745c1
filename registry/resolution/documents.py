"""What is said of how much a collection can resolve, as one object for the page, its JSON and the API."""

from dataclasses import dataclass
from typing import Literal

from django.urls import reverse

from analysis.reliability import CollectionResolution
from registry.catalog.models import Collection
from registry.resolution.queries import Source, read_findings, read_sources


@dataclass(frozen=True, slots=True)
class StudiedMatrix:
    """Scores of systems by topic under one measure, and what they say of the collection.

    Attributes
    ----------
    measure : str
        Name of the measure.
    decimals : int
        Decimals to show of its scores.
    kind : {"results", "unnamed"}
        Topic scores of results on record, or of runs without names, which stand behind no result.
    runs : str
        Whose scores they are.
    source, licence, note : str
        Where scores of runs without names are from, under which terms, and what to know of them; else blank.
    n_systems, n_topics : int
        Size of the matrix.
    digest : str
        SHA-256 of scores, direction of the measure and methods: the same digest has the same findings.
    state : {"studied", "waiting", "impossible"}
        Whether there are findings, a worker is still to find them, or there can be none.
    why : str
        Why there can be none; else blank.
    findings : CollectionResolution or None
        What was found.
    """

    measure: str
    decimals: int
    kind: Literal["results", "unnamed"]
    runs: str
    source: str
    licence: str
    note: str
    n_systems: int
    n_topics: int
    digest: str
    state: Literal["studied", "waiting", "impossible"]
    why: str
    findings: CollectionResolution | None


@dataclass(frozen=True, slots=True)
class ResolutionDocument:
    """How much a collection can resolve, by each matrix of topic scores that is on record.

    Attributes
    ----------
    collection : str
        Its slug.
    name : str
        Its name.
    url : str
        Address of the page.
    matrices : list of StudiedMatrix
        By measure; empty where no topic scores of the collection are on record.
    """

    collection: str
    name: str
    url: str
    matrices: tuple[StudiedMatrix, ...]


def resolution_document(collection: Collection) -> ResolutionDocument:
    """Every matrix of the collection with what was found of it."""
    sources = read_sources(collection)
    found = read_findings(sources)
    return ResolutionDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("resolution:collection-resolution", args=[collection.slug]),
        matrices=tuple(_matrix(source, found.get(source.digest)) for source in sources),
    )


def _matrix(source: Source, found: CollectionResolution | str | None) -> StudiedMatrix:
    is_studied = isinstance(found, CollectionResolution)
    return StudiedMatrix(
        measure=source.measure.name,
        decimals=source.measure.decimals,
        kind=source.kind,
        runs=source.runs,
        source=source.source,
        licence=source.licence,
        note=source.note,
        n_systems=source.n_systems,
        n_topics=source.n_topics,
        digest=source.digest,
        state="waiting" if found is None else "studied" if is_studied else "impossible",
        why=found if isinstance(found, str) else "",
        findings=found if isinstance(found, CollectionResolution) else None,
    )
