"""The matrices of topic scores of a collection, and what was found of them."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from django.db.models import Count, Max

from analysis.comparisons import PairedTest
from analysis.reliability import ClassRate, CollectionResolution
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.documents import document_of
from registry.leaderboards.queries.boards import read_topic_scores
from registry.leaderboards.versions import registry_version
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.results.queries import unpack_unnamed
from registry.tools.models import Resolution

#: Counted up whenever ``analysis.reliability.collection_resolution`` answers otherwise, to study everything again.
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
    """Return whether scores are of settings of a few systems, which are used only for want of others."""
    return "configurations" in runs


def read_sources(collection: Collection, measure: Measure | None = None) -> list[Source]:
    """Return the matrices of the collection, of all measures or one: of its results and of unnamed runs, by measure."""
    scored = TopicScores.objects.standing().filter(result__leaderboard__collection=collection)
    boards = Leaderboard.objects.filter(pk__in=scored.values("result__leaderboard"))
    boards = boards.select_related("collection", "measure")
    unnamed = UnnamedScores.objects.filter(collection=collection).select_related("measure").defer("content")
    if measure:
        boards, unnamed = boards.filter(measure=measure), unnamed.filter(measure=measure)
    sources = [source for board in boards if (source := _of_results(board))]
    sources += [_of_unnamed(row) for row in unnamed]
    return sorted(sources, key=lambda source: (source.measure.name, source.kind, source.runs))


def read_systems(board: Leaderboard) -> ScoreMatrix | None:
    """Return topic scores of the results that stand, by id, without further executions of the same system."""
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
    """Return by digest what was found, or why nothing can be; matrices not studied yet are absent."""
    return Resolution.read([source.digest for source in sources], CollectionResolution)


def scored_collections() -> list[int]:
    unnamed = UnnamedScores.objects.values_list("collection", flat=True)
    named = TopicScores.objects.standing().values_list("result__leaderboard__collection", flat=True)
    return sorted({*unnamed.distinct(), *named.distinct()})


def resolution_version(collection: Collection) -> str:
    """Return a text that changes whenever the collection's page does."""
    unnamed = UnnamedScores.objects.filter(collection=collection).aggregate(n=Count("pk"), last=Max("recorded_at"))
    return f"{collection.pk} {METHODS_VERSION} {registry_version()} {unnamed} {Resolution.version()}"


#: The level of significance.
LEVEL = 0.05
#: Rates of fewer comparisons are neither shown nor drawn.
LEAST_COMPARED = 100

_ByDesign = Annotated[
    ClassRate,
    "Pairs that were significant (p at most 0.05, t test) and differed by ``low`` or more on the first set, by "
    "how the second set was drawn: without a common topic, or with replacement.",
]


@dataclass(frozen=True, slots=True)
class Reversals:
    """How often such a difference was reversed on other topics of the collection."""

    runs: Annotated[str, "Whose scores say so."]
    n_systems: Annotated[int, "Systems whose pairs were counted, and topics on either set."]
    n_topics: Annotated[int, "Systems whose pairs were counted, and topics on either set."]
    disjoint: _ByDesign
    replacement: _ByDesign


def read_reversals(board: Leaderboard) -> tuple[Reversals, ...]:
    """Return the rates of the largest matrix studied, ascending by their least difference; empty without one."""
    sources = read_sources(board.collection, board.measure)
    findings = read_findings(sources)
    pairs = ((source.runs, findings.get(source.digest)) for source in sources)
    studied = [(runs, resolution) for runs, resolution in pairs if isinstance(resolution, CollectionResolution)]
    if not studied:
        return ()
    return tuple(_reversals(*max(studied, key=lambda pair: (not is_grid(pair[0]), pair[1].n_systems))))


def _reversals(runs: str, resolution: CollectionResolution) -> Iterator[Reversals]:
    disjoint, replacement = resolution.designs
    for rate, replaced in zip(disjoint.significant_from, replacement.significant_from, strict=True):
        if rate.n_compared and replaced.n_compared:
            yield Reversals(runs, resolution.n_compared_systems, disjoint.n_topics, rate, replaced)


def reversals_of(read: Callable[[], tuple[Reversals, ...]], test: PairedTest | None) -> Reversals | None:
    """Return the rates of the largest difference that the tested one reaches; None if none, or not significant."""
    if test is None or test.pvalue > LEVEL:
        return None
    reached = [
        reversals
        for reversals in read()
        if reversals.disjoint.low <= abs(test.mean_difference)
        and min(reversals.disjoint.n_compared, reversals.replacement.n_compared) >= LEAST_COMPARED
    ]
    return reached[-1] if reached else None


def is_deep(measure: str) -> bool:
    """Return whether the measure is average precision, which counts on every relevant document, from any grade on."""
    return _plain(measure) in ("AP", "AP@100", "AP@1000")


def is_shallow(measure: str) -> bool:
    """Return whether the measure looks at the first ten documents, with relevance from any grade on."""
    return _plain(measure) in ("P@10", "nDCG@10", "RR@10")


def _plain(measure: str) -> str:
    return measure.replace("(rel=2)", "")
