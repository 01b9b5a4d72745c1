"""Which matrices of topic scores a collection has, and what was found of them."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Max

from analysis.reliability import CollectionResolution
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.documents import document_of
from registry.leaderboards.queries.boards import read_topic_scores
from registry.leaderboards.versions import registry_version
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.results.queries import unpack_unnamed
from registry.tools.found_once import Resolution

#: Counted up whenever ``analysis.reliability.collection_resolution`` answers otherwise, so that all is found anew.
METHODS_VERSION = "5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A matrix of topic scores on a collection; ``read`` gives the scores."""

    measure: Measure
    kind: Literal["results", "unnamed"]
    runs: str
    source: str = ""
    licence: str = ""
    note: str = ""
    n_systems: int
    n_topics: int
    digest: str
    read: Callable[[], ScoreMatrix]


def is_grid(runs: str) -> bool:
    """Return whether scores are of settings of a few systems, which stand for the collection for want of others."""
    return "configurations" in runs


def read_sources(collection: Collection, measure: Measure | None = None) -> list[Source]:
    """Every matrix of the collection, or under one measure: of its results, and of unnamed runs; by measure."""
    scored = TopicScores.objects.standing().filter(result__leaderboard__collection=collection)
    boards = Leaderboard.objects.filter(pk__in=scored.values("result__leaderboard"))
    boards = boards.select_related("collection", "measure")
    unnamed = UnnamedScores.objects.filter(collection=collection).select_related("measure").defer("content")
    if measure:
        boards, unnamed = boards.filter(measure=measure), unnamed.filter(measure=measure)
    found = [source for board in boards if (source := _of_results(board))]
    found += [_of_unnamed(row) for row in unnamed]
    return sorted(found, key=lambda source: (source.measure.name, source.kind, source.runs))


def read_systems(board: Leaderboard) -> ScoreMatrix | None:
    """Topic scores of the results that stand, each system once, by id: executions of one are no other systems."""
    results = Result.objects.for_leaderboard(board).comparable().filter(replicate_of=None)
    return read_topic_scores(board, list(results.order_by("pk").values_list("pk", flat=True)))


def _of_results(board: Leaderboard) -> Source | None:
    matrix = read_systems(board)
    if matrix is None:
        return None
    return Source(
        measure=board.measure,
        kind="results",
        runs="results on record",
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
        digest=_digest(board.measure, json.dumps([matrix.topics, matrix.scores.tolist()])),
        read=lambda: matrix,
    )


def _of_unnamed(row: UnnamedScores) -> Source:
    return document_of(
        Source,
        row,
        kind="unnamed",
        n_systems=row.n_runs,
        digest=_digest(row.measure, row.sha256),
        read=lambda: unpack_unnamed(row).matrix,
    )


def _digest(measure: Measure, scores: str) -> str:
    text = f"{METHODS_VERSION} {measure.higher_is_better} {scores}"
    return hashlib.sha256(text.encode()).hexdigest()


def read_findings(sources: list[Source]) -> dict[str, CollectionResolution | str]:
    """Return by digest what was found, or why nothing can be; what is still to be studied is absent."""
    return Resolution.read([source.digest for source in sources], CollectionResolution)


def collections_with_scores() -> list[int]:
    unnamed = UnnamedScores.objects.values_list("collection", flat=True)
    named = TopicScores.objects.standing().values_list("result__leaderboard__collection", flat=True)
    return sorted({*unnamed.distinct(), *named.distinct()})


def resolution_version(collection: Collection) -> str:
    """A text that changes whenever what the collection's page shows does."""
    unnamed = UnnamedScores.objects.filter(collection=collection).aggregate(n=Count("pk"), last=Max("recorded_at"))
    return f"{collection.pk} {METHODS_VERSION} {registry_version()} {unnamed} {Resolution.version()}"
