"""What is said of how much a collection can resolve, as one object for the page, its JSON and the API."""

from dataclasses import dataclass
from typing import Literal

from django.urls import reverse

from analysis.reliability import CollectionResolution, EffortComparison, equal_effort_topics
from registry.catalog.models import Collection
from registry.resolution.efforts import SHARES, Rivals, read_comparisons, read_rivals
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
class RatesAtSize:
    """Shares of orders that other topics reverse, under two measures.

    Attributes
    ----------
    n_topics : int
        Topics in either set.
    deep, shallow : float or None
        Under each measure; None where nothing was compared.
    """

    n_topics: int
    deep: float | None
    shallow: float | None


@dataclass(frozen=True, slots=True)
class PriceOfARate:
    """What two measures need for the same share of reversed orders.

    Attributes
    ----------
    rate : float
        The share.
    deep_topics, shallow_topics : float
        Topics that each needs, by an exponential trend through its shares.
    ratio_low, ratio_high : float
        Judgements for the deep measure over those for the shallow one, at the two ends of what is assumed.
    """

    rate: float
    deep_topics: float
    shallow_topics: float
    ratio_low: float
    ratio_high: float


@dataclass(frozen=True, slots=True)
class ComparedMeasures:
    """Two measures of the same systems, by what their judgements cost.

    Attributes
    ----------
    deep, shallow : str
        The measure that needs all relevant documents, and the one that needs ten documents of each run.
    kind : {"results", "unnamed"}
    runs : str
        Whose scores they are.
    n_systems, n_topics : int
        Systems with scores under both, and topics.
    state : {"studied", "waiting"}
    n_compared_systems : int or None
        Systems whose pairs the rates are of: the best 75 % by the mean under the deep measure.
    share_low, share_high : float
        Assumed: what judging a topic to depth 10 costs of judging it to depth 100.
    topics_low, topics_high : int
        Topics judged to depth 10 that all topics judged to depth 100 would pay for.
    rates : list of RatesAtSize
        On the same disjoint sets of topics.
    prices : list of PriceOfARate
        Empty where no share was measured under both, or a trend could not be fitted.
    """

    deep: str
    shallow: str
    kind: Literal["results", "unnamed"]
    runs: str
    n_systems: int
    n_topics: int
    state: Literal["studied", "waiting"]
    n_compared_systems: int | None
    share_low: float
    share_high: float
    topics_low: int
    topics_high: int
    rates: tuple[RatesAtSize, ...]
    prices: tuple[PriceOfARate, ...]


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
    efforts : list of ComparedMeasures
        Average precision beside measures of the first ten documents, where the same systems have scores under both.
    """

    collection: str
    name: str
    url: str
    matrices: tuple[StudiedMatrix, ...]
    efforts: tuple[ComparedMeasures, ...]


def resolution_document(collection: Collection) -> ResolutionDocument:
    """Every matrix of the collection with what was found of it."""
    sources = read_sources(collection)
    rivals = read_rivals(sources)
    found, compared = read_findings(sources), read_comparisons(rivals)
    return ResolutionDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("resolution:collection-resolution", args=[collection.slug]),
        matrices=tuple(_matrix(source, found.get(source.digest)) for source in sources),
        efforts=tuple(_effort(one, compared.get(one.digest)) for one in rivals),
    )


def _effort(rivals: Rivals, found: EffortComparison | None) -> ComparedMeasures:
    matrix = rivals.matrices[0]
    low, high = SHARES
    points = zip(found.first_points, found.second_points, strict=True) if found else ()
    return ComparedMeasures(
        deep=rivals.deep.measure.name,
        shallow=rivals.shallow.measure.name,
        kind=rivals.deep.kind,
        runs=rivals.deep.runs,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
        state="studied" if found else "waiting",
        n_compared_systems=found.n_systems if found else None,
        share_low=low,
        share_high=high,
        topics_low=equal_effort_topics(matrix.n_topics, high),
        topics_high=equal_effort_topics(matrix.n_topics, low),
        rates=tuple(RatesAtSize(one.n_topics, one.error_rate, other.error_rate) for one, other in points),
        prices=tuple(
            # Found with the larger share; with the smaller one the shallow measure is cheaper still.
            PriceOfARate(
                one.error_rate,
                one.first_n_topics,
                one.second_n_topics,
                one.effort_ratio,
                one.effort_ratio * high / low,
            )
            for one in (found.equal_error if found else ())
        ),
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
