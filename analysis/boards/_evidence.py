"""Evidence for a verdict: a residual variance with its degrees of freedom, the strongest that is known."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analysis._validation import FloatArray
from analysis.boards._calibration_table import coverage_like
from analysis.boards._competitors import Competitors, family_of
from analysis.boards._findings import Evidence, EvidenceKind, Family
from analysis.boards._inputs import BoardInputs, KnownVariance, SuiteMember
from analysis.boards._prediction import audited, predicted_for
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance, near_copies, variance_cap
from analysis.reliability._variance_model import degrees_of_freedom_of
from analysis.scores import MeasureKind
from analysis.scores._matrix import independent_scores

#: Fewer topics than this give no set from means.
MIN_TOPICS_FOR_MEANS = 25
#: With fewer topics, topic scores give no set either.
MIN_TOPICS = 10
#: An own matrix of fewer rows that are no near-copies, or of fewer makers, is taken together with a prediction.
MIN_ROWS_OWN, MIN_MAKERS_OWN = 10, 3
#: At most, for an own matrix that does not cover every row or is small, and at most of all.
MAX_DF_PARTIAL, MAX_DF = 18.0, 60.0
#: At most, for topic scores of every row where these are few or of few makers.
DF_SMALL = 10.0
#: At most, of a mean of several collections' variances.
MAX_DF_MEMBERS = 16.0
#: The variance of the logarithm of what a small matrix tells: for each system, for each topic, and for its choice.
_SMALL = (0.22, 1.5, 0.10)


def choose_evidence(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> Evidence:
    """Return the strongest evidence on how scores vary between topics.

    In this order: topic scores of every row that competes; those of some of them, or a matrix of this collection and
    measure; a small one of these together with what a model predicts; the prediction; none. Of a mean over collections
    it is that of its members.
    """
    evidence = _strongest(inputs, competitors, families)
    n_topics = n_averaged(inputs) or 0
    coverage = coverage_like(evidence, inputs.measure.nature.family, len(competitors.rows), n_topics)
    return replace(evidence, coverage=coverage if evidence.group_effect is None else None)  # No simulation had groups.


def _strongest(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> Evidence:
    means = np.array([row.value for row in competitors.rows])
    measured = _measured(inputs, competitors, families)
    if measured and measured.kind == "own-topics":
        return _capped(measured, inputs, means)
    if inputs.members is not None:
        return evidence_of_members(inputs.members)[0]
    if inputs.measure.nature.kind is MeasureKind.NOT_A_MEAN:
        return Evidence(kind="none")
    own = list(filter(None, [measured, *(_known(variance, inputs) for variance in inputs.variances)]))
    best = max(own, key=lambda evidence: (evidence.degrees_of_freedom or 0.0, evidence.n_systems or 0), default=None)
    if best is None or best.log_sd is not None:
        predicted = predicted_for(inputs, competitors)
        if predicted:  # With how far such predictions are off on this collection, where matrices of others tell it.
            predicted = replace(predicted, audited=audited(inputs.collection, inputs.measure.nature.family))
        by_turns = inputs.topic_groups.widening if inputs.topic_groups else 1.0
        best = _together(best, predicted, by_turns) if best and predicted else best or predicted
    return _by_turns(_capped(best, inputs, means), inputs) if best else Evidence(kind="none")


def _by_turns(evidence: Evidence, inputs: BoardInputs) -> Evidence:
    """Return the same of means over topics in groups: set and ± take more, where nobody saw the groups."""
    groups = inputs.topic_groups
    is_seen = evidence.group_effect is not None
    return evidence if groups is None or is_seen else replace(evidence, of_groups=groups.widening)


def _known(variance: KnownVariance, inputs: BoardInputs) -> Evidence:
    """Return what a matrix of this collection that is not on the board tells."""
    if variance.kind != "own-variance":
        raise ArgumentError("variances", variance.kind, 'must be "own-variance": others are predicted')
    evidence = Evidence(
        kind="own-variance",
        residual_variance=variance.value,
        degrees_of_freedom=variance.degrees_of_freedom,
        sources=variance.sources,
        n_systems=variance.n_systems,
        n_topics=variance.n_topics,
    )
    covers_all = (variance.n_systems or MIN_ROWS_OWN) >= len(inputs.rows)
    return evidence if covers_all else _if_small(evidence, variance.n_makers)


def _if_small(
    evidence: Evidence, n_makers: int | None, n_distinct: int | None = None, n_independent: float | None = None
) -> Evidence:
    """Return the evidence, where the matrix leaves out rows and has few systems or makers with how far it is off.

    Near-copies count once, where the matrix is at hand: thirty runs that are seven and their settings tell as seven do.
    """
    n_distinct = n_distinct or evidence.n_systems
    is_small = (n_distinct or MIN_ROWS_OWN) < MIN_ROWS_OWN or (n_makers is not None and n_makers < MIN_MAKERS_OWN)
    if not is_small or not n_distinct or not evidence.n_topics:
        return evidence
    log_variance = log_variance_of_small(n_distinct, n_independent or evidence.n_topics)
    df = min(degrees_of_freedom_of(log_variance), MAX_DF_PARTIAL)
    return replace(evidence, log_sd=math.sqrt(log_variance), degrees_of_freedom=df)


def log_variance_of_small(n_distinct: int, n_topics: float) -> float:
    """Return how far off the logarithm is of what a matrix of so many rows that are no near-copies tells: its
    variance."""
    of_systems, of_topics, of_choice = _SMALL
    return of_systems / n_distinct + of_topics / n_topics + of_choice


class Together(NamedTuple):
    """A variance by a small matrix and a prediction together."""

    value: float
    degrees_of_freedom: float
    log_variance: float


def together(own: float, own_log_variance: float, predicted: float, log_variance: float) -> Together:
    """Return a variance from two, each weighing as surely as its logarithm is known."""
    pooled = 1.0 / (1.0 / own_log_variance + 1.0 / log_variance)
    value = math.exp(pooled * (math.log(own) / own_log_variance + math.log(predicted) / log_variance))
    return Together(value, min(degrees_of_freedom_of(pooled), MAX_DF_PARTIAL), pooled)


def _together(own: Evidence, predicted: Evidence, by_turns: float) -> Evidence:
    """Return both, widened for the set as the prediction is alone; of topics in groups, which an own variance allows
    for, the prediction takes ``by_turns`` times as much."""
    assert own.residual_variance
    assert own.log_sd
    assert predicted.residual_variance
    assert predicted.log_sd
    value = predicted.residual_variance * (1.0 if own.group_effect is None else by_turns)
    pooled = together(own.residual_variance, own.log_sd**2, value, predicted.log_sd**2)
    return replace(
        predicted,
        kind="own-and-predicted",
        residual_variance=pooled.value,
        degrees_of_freedom=pooled.degrees_of_freedom,
        log_sd=math.sqrt(pooled.log_variance),
        sources=(*own.sources, *predicted.sources),
        n_systems=own.n_systems,
        n_topics=own.n_topics,
        group_effect=own.group_effect,
    )


#: Kinds of evidence, weakest first.
_STRENGTH: tuple[EvidenceKind, ...] = (
    "none",
    "predicted-without-density",
    "predicted-from-siblings",
    "predicted",
    "own-and-predicted",
    "own-variance",
    "own-topics",
)


def evidence_of_members(members: Sequence[SuiteMember]) -> tuple[Evidence, str]:
    """Return how a mean over collections varies with their topics, and why that can't be known; blank where it can.

    Its ``residual_variance`` is that of one collection: divided by their number, the error variance of the mean.
    """
    variances = [
        (
            member.evidence.residual_variance / member.n_topics,
            member.evidence.widening * member.evidence.of_groups,
            member.evidence.degrees_of_freedom,
        )
        for member in members
        if member.n_topics and member.evidence.residual_variance and member.evidence.degrees_of_freedom
    ]
    if not members or len(variances) < len(members):
        unknown = [member.name for member in members if not (member.n_topics and member.evidence.residual_variance)]
        where = f"{len(unknown)} of the {len(members)} collections" if len(unknown) > 1 else "".join(unknown)
        if not members:
            return Evidence(kind="none"), "nothing is known of the collections that it is a mean of"
        return Evidence(kind="none"), f"for {where} the number of topics, or how scores vary between them, is not known"
    kinds = Counter(member.evidence.kind for member in members)
    weakest = min(kinds, key=_STRENGTH.index)
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
    value = float(np.mean([variance for variance, _, _ in variances]))
    evidence = Evidence(
        kind="own-variance" if weakest == "own-topics" else weakest,
        residual_variance=value,
        widening=float(np.mean([variance * widening for variance, widening, _ in variances])) / value,
        degrees_of_freedom=min(MAX_DF_MEMBERS, *(df for _, _, df in variances)),
        sources=(f"the variances behind the members’ own verdicts ({counts})",),
        n_topics=len(members),
    )
    return evidence, ""


def n_averaged(inputs: BoardInputs) -> int | None:
    """Return over how many topics a mean is taken, or a proven bound; of a mean over collections, how many these
    are."""
    if inputs.members is not None:
        return len(inputs.members) or None
    if inputs.topic_groups and inputs.topic_groups.kind == "need":
        return inputs.topic_groups.n_groups
    return inputs.n_topics or inputs.n_topics_at_least


def why_no_set_from_means(inputs: BoardInputs, evidence: Evidence) -> str:
    """Return why means give no set; blank where they do."""
    if evidence.residual_variance is None and inputs.members is not None:
        return evidence_of_members(inputs.members)[1]
    if evidence.residual_variance is None:
        return "no topic scores are known that would tell how much scores vary"
    n_topics = n_averaged(inputs)
    if n_topics is None:
        return "the number of topics behind these means is not known"
    if inputs.members is None and n_topics < MIN_TOPICS_FOR_MEANS:
        return f"means over fewer than {MIN_TOPICS_FOR_MEANS} topics say too little"
    return ""


def own_degrees_of_freedom(n_systems: int, n_topics: float, *, covers_all: bool) -> float:
    """Return how surely a matrix of this collection tells the variance."""
    return min(float((n_topics - 1) * (n_systems - 1)), MAX_DF if covers_all else MAX_DF_PARTIAL)


def _measured(inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]) -> Evidence | None:
    """Return what the topic scores of the board's own rows say; None without enough of them."""
    matrix, numbers = competitors.matrix, family_of(families)
    if matrix is None:
        return None
    columns, n_independent = independent_scores(matrix, competitors.topic_groups)
    if n_independent < MIN_TOPICS:
        return None
    labels = [str(numbers[int(system)]) for system in matrix.systems]
    n_makers = len(set(labels))
    if n_makers < 2:
        labels = list(map(str, range(matrix.n_systems)))  # One maker's rows: their own pairs are all there is.
    n, k = matrix.n_topics, matrix.n_systems
    # Of wordings of a need the needs are counted.
    n_counted = (inputs.topic_groups and inputs.topic_groups.kind == "need" and n_averaged(inputs)) or n
    value = family_weighted_variance(columns, labels) * n_counted / columns.n_topics
    if value <= 0.0:
        return None
    covers_all, n_distinct = competitors.covers_all, near_copies(matrix).n_families
    df = own_degrees_of_freedom(k, n_independent, covers_all=covers_all)
    if covers_all and (n_distinct < MIN_ROWS_OWN or n_makers < MIN_MAKERS_OWN):
        df = min(df, DF_SMALL)
    whose = "every row that competes" if covers_all else f"{k} of the rows that compete"
    is_grouped = competitors.topic_groups is not None
    in_groups = f" in {columns.n_topics} groups" if is_grouped else ""
    evidence = Evidence(
        kind="own-topics" if covers_all else "own-variance",
        residual_variance=value,
        degrees_of_freedom=df,
        sources=(f"topic scores of {whose}: {k} systems, {n} topics{in_groups}",),
        n_systems=k,
        n_topics=n,
        group_effect=value / n_counted * n / family_weighted_variance(matrix, labels) if is_grouped else None,
    )
    return evidence if covers_all else _if_small(evidence, n_makers, n_distinct, n_independent)


def _capped(evidence: Evidence, inputs: BoardInputs, means: FloatArray) -> Evidence:
    """Return the evidence with no larger a variance than scores with these means can have."""
    cap = cap_of_variance(inputs, means.tolist(), value_range(inputs))
    # Groups of topics that go the same way make means vary more than that.
    is_grouped = evidence.group_effect is not None
    if evidence.residual_variance is None or cap is None or is_grouped or cap >= (evidence.variance_of_set or 0.0):
        return evidence
    value = min(evidence.residual_variance, cap)
    return replace(evidence, residual_variance=value, widening=cap / value, is_capped=True)


def cap_of_variance(inputs: BoardInputs, means: Sequence[float], limits: tuple[float, float] | None) -> float | None:
    """Return the largest residual variance that scores within these limits, with these means, can have; None
    without."""
    n_topics = inputs.n_topics or inputs.n_topics_at_least or 0
    if n_topics < 2 or limits is None or not _are_within(np.array(means), limits):
        return None
    return variance_cap(means, n_topics=n_topics, value_range=limits) or None


def value_range(inputs: BoardInputs) -> tuple[float, float] | None:
    """Return the ends of the measure's range; None where it lacks one, or rows lie outside of it."""
    low, high = inputs.measure.low, inputs.measure.high
    if low is None or high is None:
        return None
    values = np.array([row.value for row in inputs.rows if row.is_comparable])
    return (low, high) if _are_within(values, (low, high)) else None


def _are_within(values: FloatArray, limits: tuple[float, float]) -> bool:
    return not values.size or bool(values.min() >= limits[0] and values.max() <= limits[1])
