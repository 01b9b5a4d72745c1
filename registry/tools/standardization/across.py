"""A system, or a year, on the scales of many collections: as objects for pages, their JSON and the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from django.db.models import Count, Max
from django.urls import reverse

from analysis.comparisons import mean_interval
from analysis.readers.scores import PrintedScore
from registry.core.documents import document_of
from registry.core.grouping import grouped
from registry.leaderboards.models import ReferenceSet
from registry.leaderboards.versions import registry_version
from registry.results.models import Result, System, TopicScores
from registry.tools.standardization.queries import METHODS_VERSION
from registry.tools.standardization.scales import Scale, read_scales, read_topic_z

#: Of fewer collections no mean is formed.
MIN_COLLECTIONS = 3
#: What somebody handed in or published, in the order of pages; regression runs of toolkits are no work of a year.
ROLES = {
    Result.Role.TREC_RUN: "Original shared-task runs",
    Result.Role.LEADERBOARD: "Leaderboard entries",
    Result.Role.PROPOSED: "Proposed systems of papers",
    Result.Role.BASELINE: "Baselines of papers",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOverCollections:
    """The mean of z over collections, each counting once."""

    z: float
    low: Annotated[float, "Of its 95 % interval (Student's t), for collections as independent samples."]
    high: Annotated[float, "The other end."]
    sd: Annotated[float, "Standard deviation between collections."]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnScale:
    """A leaderboard and its scale."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection."]
    board: Annotated[str, "Address of the leaderboard."]
    collection_year: Annotated[int | None, "Of the collection."]
    reference: Annotated[str, "Name of the reference set."]
    frozen: Annotated[str, "Day on which it was frozen, as YYYY-MM-DD."]
    n_reference: Annotated[int, "How many systems it has."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOnScale(OnScale):
    """A result of the system on the scale of its leaderboard."""

    result: int
    url: str
    year: Annotated[int | None, "Of the result."]
    printed: Annotated[str, "As its source gives it."]
    unit: Annotated[str, "As its source gives it."]
    z: Annotated[float, "Among the means of the reference set."]
    percentile: Annotated[float, "Among the means of the reference set."]
    topic_z: Annotated[float | None, "Mean of its z by topic, where scores by topic and their scale are on record."]
    is_reference: Annotated[bool, "Whether it is a reference system itself."]

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemUnderMeasure:
    """Results of the system under one measure, against sets of one sort of reference systems."""

    measure: str
    decimals: int
    references: Annotated[str, "The sort: original shared-task runs, reference implementations, or what was recorded."]
    n_collections: int
    mean: Annotated[
        MeanOverCollections | None,
        "A collection counts with the mean of the system's results there; None of fewer than three collections, or "
        "where all have one z.",
    ]
    results: Annotated[tuple[ResultOnScale, ...], "By z, the best first."]

    @property
    def has_topics(self) -> bool:
        """Whether z by topic is known of any of them."""
        return any(one.topic_z is not None for one in self.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAcross:
    """A system on the scales of all collections on which it has a comparable result."""

    system: int
    name: str
    team: str
    url: str
    n_results: Annotated[int, "Its comparable results."]
    n_without: Annotated[int, "Those of them on leaderboards without a reference set of five systems or more."]
    groups: Annotated[tuple[SystemUnderMeasure, ...], "Those over most collections first."]

    @property
    def has_topics(self) -> bool:
        """Whether z by topic is known anywhere."""
        return any(one.has_topics for one in self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearOnScale(OnScale):
    """Results of the year on one leaderboard, on its scale."""

    n_results: Annotated[int, "How many results these are."]
    n_reference_results: Annotated[int, "How many of them are in the reference set themselves."]
    lower_quartile: Annotated[float, "Of their z."]
    median: Annotated[float, "Of their z."]
    upper_quartile: Annotated[float, "Of their z."]
    best: Annotated[float, "Of their z."]

    @property
    def is_own_scale(self) -> bool:
        """Whether the results are at least half of the reference systems."""
        return 2 * self.n_reference_results >= self.n_reference


@dataclass(frozen=True, slots=True, kw_only=True)
class YearUnderMeasure:
    """Results of the year in one role, under one measure, against sets of one sort of reference systems."""

    role: str
    measure: str
    references: str
    n_results: int
    n_own_scale: Annotated[
        int, "Collections on which the results are at least half of the reference systems, so that the scale is theirs."
    ]
    mean: Annotated[
        MeanOverCollections | None, "Of the medians on the other collections; None of fewer than three of them."
    ]
    collections: Annotated[tuple[YearOnScale, ...], "By median, the best first."]

    @property
    def said(self) -> str:
        """The role in words."""
        return ROLES[Result.Role(self.role)]


@dataclass(frozen=True, slots=True, kw_only=True)
class YearAcross:
    """A year on the scales of all collections with comparable results of it."""

    year: int
    url: str
    n_results: Annotated[int, "Its comparable results but repeated executions and regression runs of toolkits."]
    n_without: Annotated[int, "Those on leaderboards without a reference set of five systems or more."]
    groups: Annotated[
        tuple[YearUnderMeasure, ...],
        "Original runs first, then leaderboard entries, proposed systems, baselines; then those over most collections.",
    ]


def across_version() -> str:
    """A text that changes whenever what these pages show does."""
    counts = [model.objects.aggregate(n=Count("pk"), last=Max("pk")) for model in (ReferenceSet, TopicScores)]
    return f"{METHODS_VERSION} {registry_version()} {counts}"


def system_across(system: System) -> SystemAcross:
    """All comparable results of a system, each on the scale of its leaderboard."""
    found = Result.objects.comparable().filter(system=system)
    results = list(found.select_related("leaderboard__collection", "leaderboard__measure").order_by("pk"))
    scales = read_scales(found)
    on_scale = [one for one in results if one.leaderboard_id in scales]
    topic_z = read_topic_z(on_scale)
    rows = [(scales[one.leaderboard_id], _on_scale(one, scales[one.leaderboard_id], topic_z)) for one in on_scale]
    groups = [
        _system_group(measure, decimals, sort, [row for _, row in some])
        for (measure, decimals, sort), some in grouped(
            rows, lambda row: (row[0].board.measure.name, row[0].board.measure.decimals, row[0].sort)
        ).items()
    ]
    return SystemAcross(
        system=system.pk,
        name=system.name,
        team=system.team,
        url=f"{system.get_absolute_url()}#across",
        n_results=len(results),
        n_without=len(results) - len(on_scale),
        groups=tuple(sorted(groups, key=lambda one: (-one.n_collections, one.measure, one.references))),
    )


def _on_scale(result: Result, scale: Scale, topic_z: dict[int, float]) -> ResultOnScale:
    (z,), (percentile,) = scale.read([result.value])
    return document_of(
        ResultOnScale,
        result,
        **_scale(scale),
        result=result.pk,
        url=result.get_absolute_url(),
        z=z,
        percentile=percentile,
        topic_z=topic_z.get(result.pk),
        is_reference=result.pk in scale.members,
    )


def _scale(scale: Scale) -> dict[str, Any]:
    """The fields of ``OnScale``."""
    collection = scale.board.collection
    return {
        "collection": collection.slug,
        "name": collection.name,
        "board": scale.board.get_absolute_url(),
        "collection_year": collection.year,
        "reference": scale.name,
        "frozen": scale.frozen.isoformat(),
        "n_reference": len(scale.means),
    }


def _system_group(measure: str, decimals: int, sort: str, rows: Sequence[ResultOnScale]) -> SystemUnderMeasure:
    by_collection = grouped(rows, lambda row: row.collection)
    return SystemUnderMeasure(
        measure=measure,
        decimals=decimals,
        references=sort,
        n_collections=len(by_collection),
        mean=_mean([float(np.mean([row.z for row in some])) for some in by_collection.values()]),
        results=tuple(sorted(rows, key=lambda row: (-row.z, row.collection, row.result))),
    )


#: Of the list of years, as files name them.
YEAR_COLUMNS = ("year", "url", "n_results", "n_collections")


def years_on_record() -> list[tuple[int, str, int, int]]:
    """The years with comparable results, the latest first: address, how many, on how many collections."""
    counted = (
        _of_years()
        .order_by("-year")
        .values_list("year")
        .annotate(n_results=Count("pk"), n_collections=Count("leaderboard__collection", distinct=True))
    )
    return [(year, reverse("standardization:year-detail", args=[year]), *counts) for year, *counts in counted]


def year_across(year: int) -> YearAcross:
    """All comparable results of a year, on the scales of their leaderboards."""
    found = _of_years().filter(year=year)
    scales = read_scales(found)
    values: dict[tuple[str, int], list[tuple[int, float]]] = {}
    n_results = n_without = 0
    for pk, board, role, value in found.values_list("pk", "leaderboard", "role", "value"):
        n_results += 1
        if board in scales:
            values.setdefault((role, board), []).append((pk, value))
        else:
            n_without += 1
    rows = [(role, scales[board], _year_on_scale(scales[board], some)) for (role, board), some in values.items()]
    groups = [
        _year_group(role, measure, sort, [row for _, _, row in some])
        for (role, measure, sort), some in grouped(
            rows, lambda row: (row[0], row[1].board.measure.name, row[1].sort)
        ).items()
    ]
    order = list(ROLES)
    groups.sort(
        key=lambda one: (order.index(Result.Role(one.role)), -len(one.collections), one.measure, one.references)
    )
    return YearAcross(
        year=year,
        url=reverse("standardization:year-detail", args=[year]),
        n_results=n_results,
        n_without=n_without,
        groups=tuple(groups),
    )


def _of_years() -> Any:
    return Result.objects.comparable().filter(year__isnull=False, replicate_of=None, role__in=ROLES)


def _year_on_scale(scale: Scale, results: Sequence[tuple[int, float]]) -> YearOnScale:
    zs, _ = scale.read([value for _, value in results])
    lower, median, upper, best = np.quantile(zs, [0.25, 0.5, 0.75, 1.0]).tolist()
    return YearOnScale(
        **_scale(scale),
        n_results=len(results),
        n_reference_results=sum(pk in scale.members for pk, _ in results),
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        best=best,
    )


def _year_group(role: str, measure: str, sort: str, rows: Sequence[YearOnScale]) -> YearUnderMeasure:
    others = [row.median for row in rows if not row.is_own_scale]
    return YearUnderMeasure(
        role=role,
        measure=measure,
        references=sort,
        n_results=sum(row.n_results for row in rows),
        n_own_scale=len(rows) - len(others),
        mean=_mean(others),
        collections=tuple(sorted(rows, key=lambda row: (-row.median, row.collection))),
    )


def _mean(zs: Sequence[float]) -> MeanOverCollections | None:
    if len(zs) < MIN_COLLECTIONS or np.ptp(zs) == 0:
        return None
    found = mean_interval(zs)
    assert found.interval is not None
    return MeanOverCollections(
        z=found.estimate, low=found.interval.low, high=found.interval.high, sd=float(np.std(zs, ddof=1))
    )
