"""Are the intervals right?  Split the collection in two and see how often one half's interval holds the other's AP.

This is how Cormack & Lynam (2006) validate their intervals: the truth is never known, but the other half is a second
collection from the same source, and an honest 95 % interval holds *its* AP in 83.4 % of the cases.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from analysis._resampling import TIE_TOLERANCE, Progress, RandomSource, as_generator
from analysis._validation import check_choice, check_count, check_instance, check_instances, check_probability
from analysis.documents._average_precision import JudgedRun, RankedList, average_precision, judge_run
from analysis.documents._precision_of_ap import DEFAULT_EPSILON, Method, average_precision_intervals
from analysis.documents._precision_of_map import MapInterval, MeanMethod, logit_map_interval, map_interval
from analysis.errors import ArgumentError
from analysis.results import Interval, Result
from analysis.scores import Judgements, Run


@dataclass(frozen=True, slots=True)
class SplitRun(Result):
    """A run met with judgements in each half of the collection, on the topics that both halves can measure."""

    system: Annotated[str, "Tag of the run."]
    topics: Annotated[tuple[str, ...], "Topics of the lists."]
    first: Annotated[tuple[RankedList, ...], "The lists of one half, one for each topic."]
    second: Annotated[tuple[RankedList, ...], "Those of the other."]
    dropped_topics: Annotated[tuple[str, ...], "Judged topics on which a half can't measure the run."]


@dataclass(frozen=True, slots=True)
class HalfAgreement(Result):
    """The values of the other half against the intervals of one half."""

    n_compared: Annotated[int, "Number of comparisons."]
    below: Annotated[float, "Share of values below their interval."]
    within: Annotated[float, "Share within it."]
    above: Annotated[float, "Share above it."]
    n_without_interval: Annotated[int, "Cases left out because there was no interval."]


@dataclass(frozen=True, slots=True)
class Agreement(Result):
    """The shares in which the interval of one half holds the value of the other."""

    expected: Annotated[float, "Share within that a normal interval should have, half of the rest on each side."]
    first: Annotated[HalfAgreement, "Intervals from the first half against values of the second."]
    second: Annotated[HalfAgreement, "The reverse."]


def agreement_probability(confidence_level: float = 0.95) -> float:
    """Return probability that a normal interval holds the estimate of a second sample of the same size.

    Parameters
    ----------
    confidence_level : float, default 0.95
        Level at which the interval holds the true value.

    Returns
    -------
    float
        2 Phi(z / sqrt 2) - 1: both estimates vary, so their difference has sqrt 2 times the standard error.

    Raises
    ------
    ArgumentError
        If the level is not strictly between 0 and 1.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262: 83.5 %, where the exact value is 83.42 %.

    Examples
    --------
    >>> round(agreement_probability(), 4)
    0.8342
    """
    check_probability(confidence_level, "confidence_level")
    z = ndtri((1.0 + confidence_level) / 2.0)
    return float(2.0 * ndtr(z / np.sqrt(2.0)) - 1.0)


def collection_half(document: str, salt: str = "") -> Literal[0, 1]:
    """Return the half of the collection to which a document belongs: the lowest bit of the first byte of an MD5 digest.

    Of its name after ``salt``, each of which splits the collection otherwise.

    >>> [collection_half(f"FBIS3-{number}") for number in range(8)]
    [1, 0, 1, 0, 1, 0, 0, 0]
    """
    if not isinstance(document, str):
        raise ArgumentError("document", document, "must be text")
    digest = hashlib.md5(f"{salt}{document}".encode(), usedforsecurity=False).digest()
    return 1 if digest[0] & 1 else 0


def split_run(
    run: Run, judgements: Judgements, *, minimum_grade: int = 1, depth: int = 1000, salt: str = ""
) -> SplitRun:
    """Return the ranked lists of a run in each half of the collection.

    Parameters
    ----------
    run : Run
        Documents in trec_eval's order.
    judgements : Judgements
        Documents without a judgement count as not relevant.
    minimum_grade : int, default 1
        Grade from which on a document is relevant.
    depth : int, default 1000
        Documents beyond this rank of the whole list are not seen.
    salt : str, default ""
        Written before the names of documents where they are hashed, so that each salt splits otherwise; without one
        as in the paper.

    Returns
    -------
    SplitRun
        With lists for the topics on which both halves have a relevant document and a list that is not empty.

    Raises
    ------
    ArgumentError
        If there is no such topic, or the salt is no text.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.
    """
    check_instance(run, "run", Run)
    check_instance(judgements, "judgements", Judgements)
    check_count(depth, "depth")
    if not isinstance(salt, str):
        raise ArgumentError("salt", salt, "must be text")
    halves = [_judge_half(run, judgements, side, minimum_grade, depth, salt) for side in (0, 1)]
    by_topic = [dict(zip(half.topics, half.lists, strict=True)) for half in halves]
    topics = tuple(topic for topic in judgements.topics if all(topic in lists for lists in by_topic))
    if not topics:
        raise ArgumentError("run", run.tag, "must have a topic that both halves of the collection can measure")
    first, second = (tuple(lists[topic] for topic in topics) for lists in by_topic)
    dropped = tuple(topic for topic in judgements.topics if topic not in topics)
    return SplitRun(run.tag, topics, first, second, dropped)


def list_agreement(
    first: Sequence[RankedList],
    second: Sequence[RankedList],
    rng: RandomSource,
    *,
    method: Method = "logit",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    small_sample_correction: bool = True,
    progress: Progress | None = None,
) -> Agreement:
    """Return how often the interval of a list's AP in one half of the collection holds its AP in the other half.

    Parameters
    ----------
    first, second : sequence of RankedList
        The same lists in the two halves, in the same order: of one run, or of several one after the other.
    rng, method, confidence_level, n_resamples, epsilon, small_sample_correction
        As for :func:`analysis.documents.average_precision_intervals`.
    progress : callable, optional
        Called with (lists done, lists in all), for each half from the start.

    Returns
    -------
    Agreement
        Shares below, within and above. They are counts of dependent cases: all runs see the same documents.

    Raises
    ------
    ArgumentError
        If the two differ in length, hold anything but ranked lists or nothing, no list has an interval, or an option is
        out of its range.

    Notes
    -----
    BCa limits are percentiles, for which the expected share is only a yardstick.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.
    """
    if len(check_instances(first, "first", RankedList)) != len(check_instances(second, "second", RankedList)):
        raise ArgumentError("second", len(second), f"must hold as many lists as first, {len(first)}")
    generator = as_generator(rng)

    def one_way(own: Sequence[RankedList], others: Sequence[RankedList]) -> HalfAgreement:
        intervals = average_precision_intervals(
            own,
            generator,
            method=method,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            epsilon=epsilon,
            small_sample_correction=small_sample_correction,
            progress=progress,
        )
        return _shares([own.interval for own in intervals], [average_precision(ranked) for ranked in others])

    return Agreement(agreement_probability(confidence_level), one_way(first, second), one_way(second, first))


def mean_agreement(
    runs: Sequence[SplitRun],
    rng: RandomSource,
    *,
    measure: Literal["MAP", "L-MAP"] = "MAP",
    method: MeanMethod = "bootstrap",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
) -> Agreement:
    """Return how often the interval of a run's MAP (or L-MAP) in one half of the collection holds its value in the
    other.

    Parameters
    ----------
    runs : sequence of SplitRun
        At least one.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    measure : {"MAP", "L-MAP"}, default "MAP"
        What is compared.
    method : {"bootstrap", "parametric"}, default "bootstrap"
        As for :func:`analysis.documents.map_interval`.
    confidence_level, n_resamples, epsilon
        As for :func:`analysis.documents.map_interval`.

    Returns
    -------
    Agreement
        One case for each run.

    Raises
    ------
    ArgumentError
        If there is no run, something else is among them, or an option is out of its range.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> lists = (RankedList([2, 9], 4, 100), RankedList([1, 8], 3, 100))
    >>> run = SplitRun("mine", ("1", "2"), lists, lists, ())
    >>> mean_agreement([run], 1, n_resamples=200).second.within
    1.0
    """
    check_choice(measure, "measure", ("MAP", "L-MAP"))
    check_instances(runs, "runs", SplitRun)
    generator = as_generator(rng)
    function = map_interval if measure == "MAP" else logit_map_interval

    def interval(lists: Sequence[RankedList]) -> MapInterval:
        return function(
            lists, generator, method=method, confidence_level=confidence_level, n_resamples=n_resamples, epsilon=epsilon
        )

    first, second = [interval(run.first) for run in runs], [interval(run.second) for run in runs]
    return Agreement(
        agreement_probability(confidence_level),
        _shares([of_run.interval for of_run in first], [of_run.estimate for of_run in second]),
        _shares([of_run.interval for of_run in second], [of_run.estimate for of_run in first]),
    )


def _judge_half(run: Run, judgements: Judgements, side: int, minimum_grade: int, depth: int, salt: str) -> JudgedRun:
    rankings = {
        topic: tuple(document for document in documents[:depth] if collection_half(document, salt) == side)
        for topic, documents in run.rankings.items()
    }
    answered = MappingProxyType({topic: documents for topic, documents in rankings.items() if documents})
    if not answered:
        raise ArgumentError("run", run.tag, "must have documents of both halves of the collection")
    grades = {
        topic: {document: grade for document, grade in judged.items() if collection_half(document, salt) == side}
        for topic, judged in judgements.grades.items()
    }
    half = Run(run.tag, answered, MappingProxyType({}))
    return judge_run(half, Judgements(grades), minimum_grade=minimum_grade, depth=depth, unanswered="skip")


def _shares(intervals: Sequence[Interval | None], values: ArrayLike) -> HalfAgreement:
    """Return shares of values below, within and above their intervals."""
    known = np.array([interval is not None for interval in intervals])
    limits = np.array([(interval.low, interval.high) for interval in intervals if interval is not None])
    if not limits.size:
        raise ArgumentError("lists", len(intervals), "must have at least one interval")
    compared = np.asarray(values, dtype=np.float64)[known]
    below = compared < limits[:, 0] - TIE_TOLERANCE
    above = compared > limits[:, 1] + TIE_TOLERANCE
    within = float(np.mean(~below & ~above))
    return HalfAgreement(int(known.sum()), float(below.mean()), within, float(above.mean()), int((~known).sum()))
