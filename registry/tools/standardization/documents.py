"""Standardized scores of a collection, as one object for the page, its JSON and the API."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from django.urls import reverse

from analysis.scales import (
    factor_uncertainty,
    reference_factors,
    standardize,
    standardize_means,
    standardized_mean_uncertainty,
)
from analysis.scores import ScoreMatrix
from registry.catalog.documents import collection_page
from registry.catalog.models import Collection
from registry.core.documents import document_of
from registry.results.models import Result
from registry.tools.standardization.queries import (
    MIN_REFERENCES,
    OpenSystems,
    Yardstick,
    read_open_systems,
    read_original_runs,
    read_yardsticks,
    standardization_version,
)

#: Few, as they are drawn while a reader waits.
_N_RESAMPLES = 499
_SEED = 1
#: With fewer reference systems a mean of z hangs on topics on which these hardly differ.
_MIN_FOR_Z = 60
#: The page shows the best of more systems; the JSON has all.
MOST_SHOWN = 30

_End = Annotated[
    float | None,
    "95 % interval of ``normal`` over the choice of reference systems. These and ``empirical`` are None where "
    "the scores behind the frozen factors are no longer on record.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardizedSystem:
    """A system's mean scores on the scale of the reference systems; more is better whatever the direction."""

    result: int
    system: str
    url: str
    year: int | None
    mean: Annotated[float, "Mean score, in the unit of the measure."]
    z: Annotated[float, "Mean over topics of the reference standard deviations that it is above their mean."]
    normal: Annotated[float, "The normal distribution function of z, from 0 to 1."]
    linear: Annotated[float, ".15 z + .5, cut off at 0 and 1."]
    empirical: Annotated[float | None, "Share of reference systems that scored no better, by topic; 0 to 1."]
    low: _End
    high: _End


_ErrorOfScale = Annotated[
    float | None,
    "Median over topics of the standard errors of a topic's mean and standard deviation, as a share of that "
    "standard deviation: how far another sample of reference systems would move the scale.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardizedMatrix:
    """Systems under one measure, against one set of reference systems."""

    measure: str
    decimals: int
    url: Annotated[str, "Address of the leaderboard."]
    reference: Annotated[str, "Name of the reference set."]
    frozen: Annotated[str, "Day on which it was frozen, as YYYY-MM-DD."]
    n_reference: int
    n_topics: int
    constant_topics: Annotated[tuple[str, ...], "Topics on which all reference systems scored alike: 0 in z."]
    mean_error: _ErrorOfScale
    sd_error: _ErrorOfScale
    clipped: Annotated[float, "Share of the scores that the linear mapping cut off."]
    ordered_by: Annotated[Literal["z", "normal"], "z against 60 reference systems or more; N against fewer."]
    systems: Annotated[tuple[StandardizedSystem, ...], "The best first, by that."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRun:
    """An original run among systems of today, by its printed mean."""

    result: int
    system: str
    url: str
    mean: Annotated[float, "As its source gives it."]
    z: Annotated[float, "Standard deviations between reference means above their mean."]
    percentile: Annotated[float, "Percentage of the reference systems that are worse, ties counting half."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTopic:
    """Runs whose names are withheld on the scale of the same systems, topic by topic; topics of both are taken in the
    order of their numbers."""

    n_runs: int
    n_topics: int
    source: str
    licence: str
    lower_quartile: Annotated[float, "Of their means of N, from 0 to 1: 0.5 is the mean of the systems."]
    median: Annotated[float, "Of their means of N."]
    upper_quartile: Annotated[float, "Of their means of N."]
    best: Annotated[float, "Of their means of N."]


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginalRuns:
    """The original runs of a collection among systems of today, by their means over all topics."""

    collection: str
    name: str
    url: str
    year: int | None
    n_runs: int
    median: Annotated[float, "z of the median run: standard deviations between reference means above their mean."]
    best: Annotated[float, "z of the best run."]
    median_percentile: Annotated[float, "Percentage of the reference systems that are worse, ties counting half."]
    best_percentile: Annotated[float, "Percentage of the reference systems that are worse, ties counting half."]
    n_above_best: Annotated[int, "Runs that are better than every reference system."]
    runs: Annotated[tuple[PlacedRun, ...], "The best first."]
    by_topic: Annotated[ByTopic | None, "None where no runs have scores by topic on the topics of the systems."]

    @property
    def shown(self) -> tuple[PlacedRun, ...]:
        return self.runs[:MOST_SHOWN]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongOpenSystems:
    """Original runs of several collections, against the same systems on each."""

    measure: str
    decimals: int
    reference: str
    source: Annotated[str, "Where the scores of the reference systems are from."]
    licence: Annotated[str, "Where the scores of the reference systems are from."]
    note: Annotated[str, "Where the scores of the reference systems are from."]
    n_reference: int
    recorded: Annotated[str, "Day on which their scores here were recorded, as YYYY-MM-DD."]
    collections: Annotated[tuple[OriginalRuns, ...], "By year."]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardizedDocument:
    """Standardized scores of a collection."""

    collection: str
    name: str
    url: str
    matrices: Annotated[tuple[StandardizedMatrix, ...], "By measure; empty without five reference systems and others."]
    originals: Annotated[tuple[AmongOpenSystems, ...], "By measure; empty without named systems or original runs."]


def standardized_document(collection: Collection) -> StandardizedDocument:
    groups = read_open_systems(collection)
    printed = read_original_runs(groups)
    return StandardizedDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("standardization:collection-standardized", args=[collection.slug]),
        matrices=tuple(_matrix(collection, yardstick) for yardstick in read_yardsticks(collection)),
        originals=tuple(among for group in groups if (among := _among(collection, group, printed)).collections),
    )


def _matrix(collection: Collection, yardstick: Yardstick) -> StandardizedMatrix:
    measure, factors, better = yardstick.measure, yardstick.factors, yardstick.measure.higher_is_better
    scales = {
        name: standardize(yardstick.measured, factors, transform=name, higher_is_better=better)
        for name in ("z", "normal", "linear")
    }
    spread = factors.sds > 0
    columns = {"mean": yardstick.measured.scores.mean(axis=1)} | {name: scale.means for name, scale in scales.items()}
    mean_error = sd_error = None
    if yardstick.reference is not None:
        turned = (yardstick.measured, yardstick.reference)
        columns["empirical"] = standardize(*turned, transform="empirical", higher_is_better=better).means
        measured, reference = (replace(matrix, scores=matrix.scores if better else -matrix.scores) for matrix in turned)
        intervals = standardized_mean_uncertainty(
            measured, reference, _SEED, transform="normal", n_resamples=_N_RESAMPLES
        ).intervals
        columns["low"] = np.maximum(0.0, [interval.low for interval in intervals])
        columns["high"] = np.minimum(1.0, [interval.high for interval in intervals])
        errors = factor_uncertainty(reference, _SEED, n_resamples=_N_RESAMPLES)
        if spread.any():
            mean_error = float(np.median(errors.mean_standard_errors[spread] / factors.sds[spread]))
            sd_error = float(np.median(errors.sd_standard_errors[spread] / factors.sds[spread]))
    systems, absent = [], dict.fromkeys({"empirical", "low", "high"} - columns.keys())
    for place, label in enumerate(yardstick.measured.systems):
        result = yardstick.results[label]
        values = {name: float(column[place]) for name, column in columns.items()}
        named = {"result": result.pk, "system": result.system.name, "url": result.get_absolute_url()}
        systems.append(document_of(StandardizedSystem, result, **named, **absent, **values))
    ordered_by: Literal["z", "normal"] = "z" if factors.n_systems >= _MIN_FOR_Z else "normal"
    return StandardizedMatrix(
        measure=measure.name, decimals=measure.decimals,
        url=reverse("leaderboards:leaderboard-detail", args=[collection.slug, measure.name]), reference=yardstick.name,
        frozen=yardstick.frozen.isoformat(), n_reference=factors.n_systems, n_topics=yardstick.measured.n_topics,
        constant_topics=factors.constant_topics, mean_error=mean_error, sd_error=sd_error,
        clipped=scales["linear"].clipped_fraction, ordered_by=ordered_by,
        systems=tuple(sorted(systems, key=lambda system: (-getattr(system, ordered_by), -system.z))),
    )  # fmt: skip


def _among(
    collection: Collection, group: Sequence[OpenSystems], printed: dict[tuple[int, int], list[Result]]
) -> AmongOpenSystems:
    here = next(member.row for member in group if member.row.collection_id == collection.pk)
    runs_of = [(member, printed.get((member.row.collection_id, member.row.measure_id), [])) for member in group]
    return document_of(
        AmongOpenSystems,
        here,
        measure=here.measure.name,
        decimals=here.measure.decimals,
        reference=here.runs,
        n_reference=here.n_runs,
        recorded=here.recorded_at.date().isoformat(),
        collections=tuple(_originals(member, runs) for member, runs in runs_of if len(runs) >= MIN_REFERENCES),
    )


def _originals(open_systems: OpenSystems, runs: Sequence[Result]) -> OriginalRuns:
    measure, collection = open_systems.row.measure, open_systems.row.collection
    sign = 1.0 if measure.higher_is_better else -1.0
    ranked = sorted(runs, key=lambda run: -sign * run.value)
    values = sign * np.array([run.value for run in ranked])
    reference = [sign * mean for mean in open_systems.means]
    standing = standardize_means([float(np.median(values)), *values.tolist()], reference)
    placed = zip(ranked, standing.z[1:].tolist(), standing.percentile[1:].tolist(), strict=True)
    return OriginalRuns(
        collection=collection.slug,
        name=collection.name,
        url=reverse("standardization:collection-standardized", args=[collection.slug]),
        year=collection.year,
        n_runs=len(runs),
        median=float(standing.z[0]),
        best=float(standing.z[1]),
        median_percentile=float(standing.percentile[0]),
        best_percentile=float(standing.percentile[1]),
        n_above_best=int(np.sum(values > max(reference))),
        runs=tuple(
            PlacedRun(
                result=run.pk, system=run.system.name, url=run.get_absolute_url(), mean=run.value, z=z,
                percentile=percentile,
            )
            for run, z, percentile in placed
        ),
        by_topic=_by_topic(open_systems),
    )  # fmt: skip


def _by_topic(open_systems: OpenSystems) -> ByTopic | None:
    if open_systems.others is None or open_systems.withheld is None:
        return None
    runs = ScoreMatrix(open_systems.others.systems, open_systems.matrix.topics, open_systems.others.scores)
    higher = open_systems.row.measure.higher_is_better
    means = standardize(runs, reference_factors(open_systems.matrix), transform="normal", higher_is_better=higher).means
    low, middle, high, best = (float(np.quantile(means, share)) for share in (0.25, 0.5, 0.75, 1.0))
    return ByTopic(
        n_runs=runs.n_systems, n_topics=runs.n_topics, source=open_systems.withheld.source,
        licence=open_systems.withheld.licence, lower_quartile=low, median=middle, upper_quartile=high, best=best,
    )  # fmt: skip


STANDARDIZED = collection_page(
    template="tools/standardization/collection_standardized.html",
    meaning=(
        "Scores on the scale of fixed reference systems, and original runs among systems of today; by slug or alias."
    ),
    document=StandardizedDocument,
    version=standardization_version,
    describe=lambda collection, form: standardized_document(collection),
    lay_out=lambda collection, document, form: {"collection": collection},
)
