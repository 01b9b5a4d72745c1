"""Whose residual variance a verdict rests on, and with how many degrees of freedom: the strongest that is known."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.boards._calibration_table import coverage_like
from analysis.boards._competitors import Competitors
from analysis.boards._families import family_of
from analysis.boards._findings import Evidence, Family
from analysis.boards._inputs import BoardInputs
from analysis.boards._prediction import predicted_for, stand_in
from analysis.reliability import family_weighted_variance, variance_cap
from analysis.reliability._measure_families import measure_family

FloatArray = NDArray[np.float64]

#: Fewer topics than this give no set from means.
MIN_TOPICS_FOR_MEANS = 25
#: With fewer topics, topic scores give no set either.
MIN_TOPICS = 10
#: An own matrix of fewer rows or makers is no better known than a transferred variance.
MIN_ROWS_OWN, MIN_MAKERS_OWN = 10, 3
#: At most, for an own matrix that does not cover every row, and at most of all.
MAX_DF_PARTIAL, MAX_DF = 18.0, 60.0
DF_TRANSFERRED = 10.0

#: Not a mean of topic scores, or of what no topic has by itself.
_NO_TOPIC_MEAN = re.compile(r"(?:GMAP|gm_|risk|geoRisk|zRisk|urisk|Micro|micro)", re.IGNORECASE)
#: Means over topics, but of sets: their variance is known from topic scores only.
_SET_MEASURE = re.compile(r"(?:Set(?:P|R|F|AP)|F(?:\(|@|$)|infAP|Judged)")


def is_mean_of_topics(measure: str) -> bool:
    """Whether a published value under this measure is a mean over topics, so that means have a standard error."""
    return _NO_TOPIC_MEAN.match(measure) is None


def choose_evidence(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> Evidence:
    """The strongest evidence on how scores vary between topics.

    In this order: topic scores of every row that competes; those of some of them, or a matrix of this collection and
    measure; what is typical of the measure elsewhere; what a model predicts; none.
    """
    found = _strongest(inputs, competitors, families)
    n_topics = inputs.n_topics or inputs.n_topics_at_least or 0
    measured, is_sparse = _measured_under(inputs, found)
    if not measured:
        return found
    coverage = coverage_like(found.kind, measured, len(competitors.rows), n_topics, is_sparse=is_sparse)
    return replace(found, coverage=coverage)


def _strongest(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> Evidence:
    means = np.array([row.value for row in competitors.rows])
    measured = _measured(competitors, families)
    if measured and measured.kind == "own-topics":
        return _capped(measured, inputs, means)
    if not is_mean_of_topics(inputs.measure.name):
        return Evidence(kind="none")
    known = [
        Evidence(
            kind=one.kind,
            residual_variance=one.value,
            degrees_of_freedom=one.degrees_of_freedom,
            sources=one.sources,
            n_systems=one.n_systems,
            n_topics=one.n_topics,
        )
        for one in inputs.variances
    ]
    own_variances = [one for one in (measured, *known) if one and one.kind == "own-variance"]
    if own_variances:
        best = max(own_variances, key=lambda one: (one.degrees_of_freedom or 0.0, one.n_systems or 0))
        return _capped(best, inputs, means)
    transferred = next((one for one in known if one.kind == "transferred"), None)
    if transferred:
        return _capped(transferred, inputs, means)
    predicted = predicted_for(inputs, competitors)
    if predicted is None:
        return Evidence(kind="none")
    return _capped(
        Evidence(
            kind="predicted",
            residual_variance=predicted.value,
            degrees_of_freedom=predicted.degrees_of_freedom,
            sources=predicted.sources,
        ),
        inputs,
        means,
    )


def _measured_under(inputs: BoardInputs, evidence: Evidence) -> tuple[str, bool]:
    """The measure of boards whose variance is known as this one's is, and whether their collections are sparse.

    Blank for no measure: with a variance that was seen under measures of another family, nothing was measured.
    """
    measure = inputs.measure.name
    if evidence.kind == "none":
        return "", False
    is_sparse = inputs.task == "known-item"
    if evidence.kind == "predicted":
        return measure, is_sparse or stand_in(measure, inputs.relevant_per_topic) != measure
    if evidence.kind == "transferred":
        known = next(one for one in inputs.variances if one.kind == "transferred")
        seen, own = measure_family(known.measure or measure), measure_family(measure)
        if seen is None or own is None:
            return "", False
        # Reciprocal rank stands in for other measures where few documents are right.
        is_sparse = is_sparse or (seen.name == "RR" and own.name != "RR")
        if seen.name != own.name and not is_sparse:
            return "", False
    return measure, is_sparse


def own_degrees_of_freedom(n_systems: int, n_topics: int, *, n_makers: int | None, covers_all: bool) -> float:
    """How surely a matrix of this collection tells the variance; ``n_makers`` is None where runs have no names."""
    df = min(float((n_topics - 1) * (n_systems - 1)), MAX_DF if covers_all else MAX_DF_PARTIAL)
    is_small = n_systems < MIN_ROWS_OWN or (n_makers is not None and n_makers < MIN_MAKERS_OWN)
    return min(df, DF_TRANSFERRED) if is_small else df


def _measured(competitors: Competitors, families: Sequence[Family]) -> Evidence | None:
    """What the topic scores of the board's own rows say; None without enough of them."""
    matrix, numbers = competitors.matrix, family_of(families)
    if matrix is None or matrix.n_topics < MIN_TOPICS:
        return None
    labels = [str(numbers[int(system)]) for system in matrix.systems]
    n_makers = len(set(labels))
    if n_makers < 2:
        labels = list(map(str, range(matrix.n_systems)))  # One maker's rows: their own pairs are all there is.
    value = family_weighted_variance(matrix, labels)
    if value <= 0.0:
        return None
    n, k = matrix.n_topics, matrix.n_systems
    df = own_degrees_of_freedom(k, n, n_makers=n_makers, covers_all=competitors.covers_all)
    whose = "every row that competes" if competitors.covers_all else f"{k} of the rows that compete"
    return Evidence(
        kind="own-topics" if competitors.covers_all else "own-variance",
        residual_variance=value,
        degrees_of_freedom=df,
        sources=(f"topic scores of {whose}: {k} systems, {n} topics",),
        n_systems=k,
        n_topics=n,
    )


def _capped(evidence: Evidence, inputs: BoardInputs, means: FloatArray) -> Evidence:
    """The same with a variance that scores with these means can have."""
    n_topics = inputs.n_topics or inputs.n_topics_at_least or 0
    limits = value_range(inputs)
    if evidence.residual_variance is None or n_topics < 2 or limits is None or not _are_within(means, limits):
        return evidence
    cap = variance_cap(means, n_topics=n_topics, value_range=limits)
    if cap is None or cap <= 0.0 or cap >= evidence.residual_variance:
        return evidence
    return replace(evidence, residual_variance=cap, is_capped=True)


def value_range(inputs: BoardInputs) -> tuple[float, float] | None:
    """The ends of the measure's range; None where it lacks one, or rows lie outside of it."""
    low, high = inputs.measure.low, inputs.measure.high
    if low is None or high is None:
        return None
    values = np.array([row.value for row in inputs.rows if row.is_comparable])
    return (low, high) if _are_within(values, (low, high)) else None


def _are_within(values: FloatArray, limits: tuple[float, float]) -> bool:
    return not values.size or bool(values.min() >= limits[0] and values.max() <= limits[1])
