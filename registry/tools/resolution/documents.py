"""What is said of how much a collection can resolve, as one object for the page, its JSON and the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from django.urls import reverse

from analysis.boards import METHODS
from analysis.reliability import CollectionResolution, smallest_resolvable_difference
from registry.catalog.models import Collection, Leaderboard
from registry.core.documents import document_of
from registry.leaderboards.stored import StoredBoard, read_stored
from registry.tools.resolution.queries import Source, read_findings, read_sources

_WhereFrom = Annotated[
    str, "Where scores of runs without names are from, under which terms, and what to know of them; else blank."
]


@dataclass(frozen=True, slots=True)
class StudiedMatrix:
    """Scores of systems by topic under one measure, and what they say of the collection."""

    measure: Annotated[str, "Name of the measure."]
    decimals: Annotated[int, "Decimals to show of its scores."]
    kind: Annotated[
        Literal["results", "unnamed"],
        "Topic scores of results on record, or of runs without names, which stand behind no result.",
    ]
    runs: Annotated[str, "Whose scores they are."]
    source: _WhereFrom
    licence: _WhereFrom
    note: _WhereFrom
    n_systems: Annotated[int, "Size of the matrix."]
    n_topics: Annotated[int, "Size of the matrix."]
    digest: Annotated[
        str, "SHA-256 of scores, direction of the measure and methods: the same digest has the same findings."
    ]
    state: Annotated[
        Literal["studied", "waiting", "impossible"],
        "Whether there are findings, a worker is still to find them, or there can be none.",
    ]
    why: Annotated[str, "Why there can be none; else blank."]
    findings: Annotated[CollectionResolution | None, "What was found."]
    detectable: Annotated[
        "Detectable | None",
        "What the leaderboard under this measure tells apart and finds; None where it can't be said.",
    ]


@dataclass(frozen=True, slots=True)
class Detectable:
    """The differences of an average pair that one planned comparison tells apart, and finds four times in five."""

    significant: Annotated[
        float,
        "The observed difference that one planned test of two means tells apart on all topics of the leaderboard: "
        "what lists of collections say that it resolves.",
    ]
    difference: Annotated[
        float,
        "The true difference that is found four times in five, by the variance that the verdict of the leaderboard "
        "takes, over its topics.",
    ]
    low: Annotated[float | None, "Where it lies in 9 of 10 cases, by how surely that variance is known."]
    high: Annotated[float | None, "Where it lies in 9 of 10 cases, by how surely that variance is known."]
    n_topics: Annotated[int, "Topics of the leaderboard; the matrix may have fewer."]


@dataclass(frozen=True, slots=True)
class ResolutionDocument:
    """How much a collection can resolve, by each matrix of topic scores that is on record."""

    collection: Annotated[str, "Its slug."]
    name: Annotated[str, "Its name."]
    url: Annotated[str, "Address of the page."]
    matrices: Annotated[
        tuple[StudiedMatrix, ...], "By measure; empty where no topic scores of the collection are on record."
    ]


def resolution_document(collection: Collection) -> ResolutionDocument:
    """Every matrix of the collection with what was found of it."""
    sources = read_sources(collection)
    detectable, found = _read_detectable(collection, sources), read_findings(sources)
    return ResolutionDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("resolution:collection-resolution", args=[collection.slug]),
        matrices=tuple(
            _matrix(source, found.get(source.digest), detectable.get(source.measure.pk)) for source in sources
        ),
    )


def _read_detectable(collection: Collection, sources: Sequence[Source]) -> dict[int, Detectable]:
    """By measure: the number that checking a score on the leaderboard gives, too."""
    boards = dict(
        Leaderboard.objects.filter(collection=collection, measure__in={source.measure.pk for source in sources})
        .order_by()
        .values_list("pk", "measure")
    )
    return {boards[pk]: told for pk, stored in read_stored(boards).items() if (told := _detectable(stored))}


def _detectable(stored: StoredBoard) -> Detectable | None:
    evidence = stored.findings.verdict.evidence
    n_topics = stored.inputs.n_topics or stored.inputs.n_topics_at_least or 0
    if not evidence.residual_variance or n_topics < 2 or stored.pair_error is None:
        return None
    variance, df = evidence.residual_variance * evidence.of_groups, evidence.degrees_of_freedom
    found = smallest_resolvable_difference(variance, n_topics, 2, variance_degrees_of_freedom=df)
    low, high = found.detectable_range or (None, None)
    return Detectable(
        significant=stored.pair_error.margin(1 - METHODS.confidence_level),
        difference=found.detectable,
        low=low,
        high=high,
        n_topics=found.n_topics,
    )


def _matrix(source: Source, found: CollectionResolution | str | None, detectable: Detectable | None) -> StudiedMatrix:
    is_studied = isinstance(found, CollectionResolution)
    return document_of(
        StudiedMatrix,
        source,
        measure=source.measure.name,
        decimals=source.measure.decimals,
        state="waiting" if found is None else "studied" if is_studied else "impossible",
        why=found if isinstance(found, str) else "",
        findings=found if isinstance(found, CollectionResolution) else None,
        detectable=detectable,
    )
