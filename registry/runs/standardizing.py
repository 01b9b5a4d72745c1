"""A run on the scale of fixed systems, by topic (Webber, Moffat & Zobel 2008): those of its year, and toolkits."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.special import stdtr

from analysis.comparisons import adjust_pvalues
from analysis.scales import standardize, standardized_mean_uncertainty
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection
from registry.results.models import UnnamedScores
from registry.results.queries import unpack_unnamed
from registry.tools.pairs.documents import LEVEL
from registry.tools.standardization.queries import MIN_REFERENCES, read_yardsticks

_N_RESAMPLES, _SEED = 499, 1
#: Systems whose means lie so close, for the most part, are no scale.
_CLOSE = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardizedRun:
    """Where a run lies on the scale of fixed systems under one measure."""

    measure: str
    reference: Annotated[str, "Which systems these are."]
    n_systems: int
    z: Annotated[float, "Mean over topics of the standard deviations that it is above the mean of these systems."]
    low: Annotated[float, "Limits of the 95% interval of z, for other topics and other systems like these."]
    high: Annotated[float, "Limits of the 95% interval of z, for other topics and other systems like these."]
    normal: Annotated[float, "Mean over topics of the normal distribution function of z, 0 to 1."]
    n_better: Annotated[int, "How many of these systems have a better mean."]
    told_apart: Annotated[tuple[int, int] | None, "How many it is better, and worse, than by topic (t, Holm)."] = None
    topics: Annotated[dict[str, float], "z by topic, the best first."]


def standardized_runs(
    collection: Collection, topics: Sequence[str], scores: Mapping[str, Sequence[float]]
) -> Iterator[StandardizedRun]:
    """Yield the run against each set of fixed systems of the collection that has scores on the same topics."""
    for measure, reference, name, higher_is_better in _references(collection, topics):
        means = reference.scores.mean(axis=1)
        is_degenerate = np.mean(np.abs(means - np.median(means)) <= _CLOSE) > 0.5
        if measure in scores and not is_degenerate:
            yield _standardized(measure, reference, name, topics, scores[measure], higher_is_better)


def field_of(collection: Collection, topics: Sequence[str], measure: str) -> tuple[ScoreMatrix, str] | None:
    """The first set of fixed systems with scores on the same topics under a measure, and which systems these are."""
    found = _references(collection, topics)
    return next(((matrix, name) for one, matrix, name, _ in found if one == measure), None)


def _references(collection: Collection, topics: Sequence[str]) -> Iterator[tuple[str, ScoreMatrix, str, bool]]:
    rows = UnnamedScores.objects.filter(collection=collection, n_topics=len(topics), n_runs__gte=MIN_REFERENCES)
    for row in rows.select_related("measure").order_by("measure__name", "label"):
        matrix = _on_topics(unpack_unnamed(row).matrix, topics)
        if matrix is not None:
            yield row.measure.name, matrix, row.runs, row.measure.higher_is_better
    for one in read_yardsticks(collection):
        if one.reference is not None and set(one.reference.topics) == set(topics):
            yield one.measure.name, one.reference, one.name, one.measure.higher_is_better


def _on_topics(matrix: ScoreMatrix, topics: Sequence[str]) -> ScoreMatrix | None:
    """Scores by the topics of judgements, called alike or in the order of their numbers; None where neither holds."""
    if set(matrix.topics) == set(topics):
        return matrix
    if not all(map(re.compile(r"topic\d+").fullmatch, matrix.topics)) or not all(map(str.isdigit, topics)):
        return None
    places = sorted(range(len(topics)), key=lambda place: int(matrix.topics[place].removeprefix("topic")))
    return ScoreMatrix(matrix.systems, sorted(topics, key=int), matrix.scores[:, places])


def _standardized(
    measure: str, reference: ScoreMatrix, name: str, topics: Sequence[str], scores: Sequence[float], better: bool
) -> StandardizedRun:
    sign = 1.0 if better else -1.0
    run = ScoreMatrix(["run"], topics, [[sign * score for score in scores]])
    field = ScoreMatrix(reference.systems, reference.topics, sign * reference.scores)
    z, normal = (standardize(run, field, transform=scale) for scale in ("z", "normal"))
    (interval,) = standardized_mean_uncertainty(
        run, field, _SEED, resample_topics=True, n_resamples=_N_RESAMPLES
    ).intervals
    gaps = run.scores - field.scores[:, [field.topics.index(topic) for topic in run.topics]]
    means, errors = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / np.sqrt(run.n_topics)
    t = np.divide(means, errors, out=np.zeros_like(means), where=errors > 1e-12)
    told = np.sign(t)[adjust_pvalues(2 * stdtr(run.n_topics - 1, -np.abs(t))) <= LEVEL]
    by_topic = zip(z.matrix.topics, z.matrix.scores[0].tolist(), strict=True)
    return StandardizedRun(
        measure=measure,
        reference=name,
        n_systems=reference.n_systems,
        z=float(z.means[0]),
        low=interval.low,
        high=interval.high,
        normal=float(normal.means[0]),
        n_better=int(np.sum(field.means > run.means[0])),
        told_apart=(int(np.sum(told > 0)), int(np.sum(told < 0))),
        topics=dict(sorted(by_topic, key=lambda one: -one[1])),
    )
