"""Measures by how reliable they are for the work that their judgements cost.

A deep pool makes a measure more reliable on the same topics; the same work spent on more topics, each judged less
deeply, may make another measure more reliable still.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._resampling import RandomSource
from analysis._validation import check_count, check_counts, check_labels, check_positive, warn_if_all_agree
from analysis.errors import ArgumentError
from analysis.reliability._swap_rates import Design, SwapTest, count_swaps, top_rows, topic_sets
from analysis.reliability._swap_results import ErrorRate, project_error_rate
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class EffortPoint(Result):
    """An error rate, with what the topic set that it belongs to costs to judge."""

    n_topics: Annotated[int, "Size of the topic set."]
    effort: Annotated[float, "n_topics times the effort per topic."]
    error_rate: Annotated[float | None, "None if nothing was compared."]


@dataclass(frozen=True, slots=True)
class EqualError(Result):
    """The effort of two measures for the same error rate, from exponential trends through their rates."""

    error_rate: Annotated[float, "A rate that the first measure had at a size, and the second has within its range."]
    first_effort: Annotated[float, "Topics times effort per topic."]
    second_effort: Annotated[float, "Topics times effort per topic."]
    effort_ratio: Annotated[float, "first_effort / second_effort: above 1, the second measure is the cheaper one."]


@dataclass(frozen=True, slots=True)
class EffortComparison(Result):
    """Error rates of two measures of the same systems and topics, against topics and against effort."""

    n_systems: Annotated[int, "Systems whose pairs were compared, the same under both."]
    first_points: Annotated[tuple[EffortPoint, ...], "Error rates by size, with their effort."]
    second_points: Annotated[tuple[EffortPoint, ...], "Error rates by size, with their effort."]
    equal_error: Annotated[tuple[EqualError, ...], "Effort for the same error rate; empty if none can be fitted."]


@dataclass(frozen=True, slots=True)
class PoolSizes(Result):
    """Documents to judge per topic if the tops of some rankings are pooled."""

    depths: Annotated[tuple[int, ...], "Pool depths, ascending."]
    means: Annotated[tuple[float, ...], "Mean number of different documents per topic in the pool of each depth."]
    shares: Annotated[tuple[float, ...], "Each mean over that of the greatest depth."]
    n_topics: Annotated[int, "Topics averaged over."]


def compare_effort(
    first: ScoreMatrix,
    second: ScoreMatrix,
    rng: RandomSource,
    *,
    first_effort: float,
    second_effort: float,
    test: SwapTest | None = "t",
    pvalues: tuple[float, float] = (0.0, 1.0),
    difference: tuple[float, float] | None = None,
    design: Design = "disjoint",
    sizes: Sequence[int] | None = None,
    n_splits: int = 50,
    top_fraction: float = 0.75,
) -> EffortComparison:
    """Return error rates of two measures on the same topic sets, against the number of topics and assessor effort.

    Parameters
    ----------
    first, second : ScoreMatrix
        Scores of the same systems on the same topics, in the same order, under two measures where higher is better.
    first_effort, second_effort : float, above 0
        Effort to judge one topic for each measure, in any common unit: mean pool sizes (:func:`pool_sizes`), or pool
        depths. For TREC-2 to TREC-10 a pool of depth 10 is .11 to .14 of one of depth 100.
    test : {"t", "wilcoxon", "sign"} or None, default "t"
        Test on the first topic set.
    pvalues : tuple of float, default (0, 1)
        Band of p-values that pairs are taken from, among 0, .001, .01, .04, .05, 1.
    difference : tuple of float, optional
        Class of relative differences that pairs are taken from, in steps of .05.
    design, sizes, n_splits, top_fraction, rng
        As for :func:`swap_rates`. The systems that are kept are the best under the first measure.

    Returns
    -------
    EffortComparison

    Raises
    ------
    ArgumentError
        If the matrices differ in systems or topics, or an argument is out of range.

    Warns
    -----
    DegenerateWarning
        If all systems have the same score on every topic.

    Notes
    -----
    Effort counts judgements as if all cost the same. Reading into a topic costs once per topic, which favours deep
    pools; relevant documents are denser at the top, which favours shallow ones. What shallow pools do to the scores of
    systems that did not contribute is not in these numbers.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, section 4 and figure 7.
    """
    check_matrix(first, "first")
    check_matrix(second, "second")
    if first.systems != second.systems or first.topics != second.topics:
        raise ArgumentError("second", second.systems, "must have the systems and topics of first, in the same order")
    efforts = check_positive(first_effort, "first_effort"), check_positive(second_effort, "second_effort")
    sets = topic_sets(first.n_topics, rng, test, design, sizes, n_splits)
    rows = top_rows(first.scores, top_fraction, higher_is_better=True)
    for matrix in (first, second):
        warn_if_all_agree(matrix.scores[rows])
    rates = [count_swaps(matrix.scores[rows], sets, test, design, higher_is_better=True) for matrix in (first, second)]
    curves = [measure.curve(pvalues=pvalues, difference=difference) for measure in rates]
    points = [
        tuple(EffortPoint(point.n_topics, point.n_topics * effort, point.estimate) for point in curve)
        for curve, effort in zip(curves, efforts, strict=True)
    ]
    return EffortComparison(rates[0].n_systems, points[0], points[1], _equal_errors(curves[0], curves[1], efforts))


def equal_effort_topics(n_topics: int, effort_share: float) -> int:
    """Return how many topics the effort of ``n_topics`` pays for if each costs only a share of it.

    Parameters
    ----------
    n_topics : int, 1 or more
        Topics judged now.
    effort_share : float, above 0
        Effort per topic then over effort per topic now.

    Returns
    -------
    int
        Whole topics.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, section 4: 357 to 454 topics of pool depth 10 for what 50 of
    depth 100 cost.
    """
    count, share = check_count(n_topics, "n_topics"), check_positive(effort_share, "effort_share")
    return int(count / share + 1e-9)


def pool_sizes(rankings: Sequence[Mapping[str, Sequence[str]]], depths: Sequence[int]) -> PoolSizes:
    """Return how many different documents per topic the tops of some rankings hold.

    Parameters
    ----------
    rankings : sequence of mapping of str to sequence of str
        For each run, by topic, its documents, best first. Topics that a run lacks add nothing to the pool.
    depths : sequence of int, 1 or more
        Pool depths.

    Returns
    -------
    PoolSizes

    Raises
    ------
    ArgumentError
        If there is no run, topic or depth.

    References
    ----------
    Sanderson & Zobel (2005), "Information retrieval system evaluation: effort, sensitivity, and reliability", SIGIR
    2005, doi:10.1145/1076034.1076064.

    Examples
    --------
    >>> pool_sizes([{"301": ["a", "b", "c"]}, {"301": ["a", "c", "d"]}], [1, 3]).means
    (1.0, 4.0)
    """
    if not isinstance(rankings, Sequence):
        raise ArgumentError("rankings", rankings, "must be a sequence of mappings from topic to documents")
    for run in rankings:
        if not isinstance(run, Mapping):
            raise ArgumentError("rankings", run, "must be a mapping from topic to documents")
        for documents in run.values():
            check_labels(documents, "rankings")
    topics = sorted({topic for run in rankings for topic in run})
    if not topics:
        raise ArgumentError("rankings", rankings, "must hold at least one run with at least one topic")
    checked = sorted(set(check_counts(depths, "depths")))
    means = [
        sum(len({document for run in rankings for document in run.get(topic, ())[:depth]}) for topic in topics)
        / len(topics)
        for depth in checked
    ]
    if means[-1] == 0:
        raise ArgumentError("rankings", rankings, "must hold at least one document")
    return PoolSizes(tuple(checked), tuple(means), tuple(mean / means[-1] for mean in means), len(topics))


def _equal_errors(
    first: Sequence[ErrorRate], second: Sequence[ErrorRate], efforts: tuple[float, float]
) -> tuple[EqualError, ...]:
    """Return topics and effort for the rates that both measures reach within their measured ranges."""
    trends = []
    for curve in (first, second):
        usable = [(point.n_topics, point.estimate) for point in curve if point.estimate]
        if len(usable) < 3:
            return ()
        trend = project_error_rate([size for size, _ in usable], [rate for _, rate in usable], usable[-1][0])
        if trend.slope >= 0:
            return ()
        trends.append(trend)
    trend, other = trends
    equal = []
    for rate in trend.rates:
        if min(other.rates) <= rate <= max(other.rates):
            topics = [float(np.log(rate / trend.level) / trend.slope) for trend in trends]
            spent = [n * effort for n, effort in zip(topics, efforts, strict=True)]
            if min(topics) > 0:
                equal.append(EqualError(rate, spent[0], spent[1], spent[0] / spent[1]))
    return tuple(equal)
