"""Runs met with judgements, topic by topic, and the average precision of one ranked list, exactly.

Only the ranks of the relevant documents that were retrieved, and the number of relevant documents, enter average
precision. A :class:`RankedList` holds these; everything about the precision of AP starts from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, IntArray, as_array, check_choice, check_count, check_instance
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scores import Judgements, Run

Unanswered = Literal["zero", "skip"]


@dataclass(frozen=True, slots=True)
class JudgedTopics:
    """The topics on which runs can be measured, and why others are left out.

    ``relevant`` maps each topic to its relevant documents, ``answers`` to what each run returned, best first and at
    most ``depth`` documents.
    """

    depth: int
    relevant: dict[str, frozenset[str]]
    answers: dict[str, tuple[tuple[str, ...], ...]]
    undefined: tuple[str, ...]
    unanswered: tuple[str, ...]


def judged_topics(
    runs: Mapping[str, Run], judgements: Judgements, *, minimum_grade: int, depth: int, unanswered: Unanswered
) -> JudgedTopics:
    """Return the topics of runs, by the argument that each was given as; a topic without an answer of one is
    unanswered."""
    check_count(minimum_grade, "minimum_grade")
    check_count(depth, "depth")
    check_choice(unanswered, "unanswered", ("zero", "skip"))
    for argument, run in runs.items():
        check_instance(run, argument, Run)
    check_instance(judgements, "judgements", Judgements)
    depth = min(depth, max(len(documents) for run in runs.values() for documents in run.rankings.values()))
    relevant = {topic: judgements.relevant(topic, minimum_grade) for topic in judgements.topics}
    defined = [topic for topic in judgements.topics if relevant[topic]]
    answers = {topic: tuple(run.rankings.get(topic, ())[:depth] for run in runs.values()) for topic in defined}
    missing = tuple(topic for topic in defined if not all(answers[topic]))
    measured = [topic for topic in defined if unanswered == "zero" or topic not in missing]
    if not measured:
        tags = " and ".join(repr(run.tag) for run in runs.values())
        raise ArgumentError("judgements", judgements.topics[:3], f"must share a topic with {tags}")
    return JudgedTopics(
        depth,
        {topic: relevant[topic] for topic in measured},
        {topic: answers[topic] for topic in measured},
        tuple(topic for topic in judgements.topics if not relevant[topic]),
        missing,
    )


@dataclass(frozen=True, slots=True, eq=False)
class RankedList(Result):
    """The part of a list returned for a topic that average precision needs.

    Parameters
    ----------
    relevant_ranks : array_like of int, shape (n_retrieved_relevant,)
        Ranks of the relevant documents in the list, from 1, ascending. May be empty.
    n_relevant : int
        Number of relevant documents of the topic, R, retrieved or not; 1 or more.
    depth : int
        Length that the list could have, 1 or more; not below the last rank.

    Raises
    ------
    ArgumentError
        If ranks are not ascending whole numbers from 1 to ``depth``, there are more of them than ``n_relevant``, or
        ``n_relevant`` is 0, for which average precision is undefined.

    Examples
    --------
    >>> RankedList([1, 3], n_relevant=3, depth=1000).relevant_ranks.tolist()
    [1, 3]
    """

    relevant_ranks: IntArray
    n_relevant: int
    depth: int

    def __init__(self, relevant_ranks: ArrayLike, n_relevant: int, depth: int) -> None:
        check_count(depth, "depth")
        if n_relevant == 0:
            raise ArgumentError(
                "n_relevant", n_relevant, "must be 1 or more: AP is undefined without relevant documents"
            )
        check_count(n_relevant, "n_relevant")
        raw = as_array(relevant_ranks, "relevant_ranks", "must be whole numbers, one-dimensional")
        if raw.ndim != 1 or (raw.size and raw.dtype.kind not in "iu"):
            raise ArgumentError("relevant_ranks", relevant_ranks, "must be whole numbers, one-dimensional")
        ranks = raw.astype(np.int64)
        if ranks.size > n_relevant:
            raise ArgumentError("relevant_ranks", relevant_ranks, f"must not be more than n_relevant={n_relevant}")
        if ranks.size and (ranks[0] < 1 or ranks[-1] > depth or (np.diff(ranks) < 1).any()):
            raise ArgumentError("relevant_ranks", relevant_ranks, f"must ascend within 1 to depth={depth}")
        ranks.setflags(write=False)
        object.__setattr__(self, "relevant_ranks", ranks)
        object.__setattr__(self, "n_relevant", int(n_relevant))
        object.__setattr__(self, "depth", int(depth))


@dataclass(frozen=True, slots=True)
class JudgedRun(Result):
    """A run met with judgements: a ranked list for every topic on which its AP is defined."""

    system: Annotated[str, "Tag of the run."]
    topics: Annotated[tuple[str, ...], "Topics of the lists, in the order of the judgements."]
    lists: Annotated[tuple[RankedList, ...], "One for each topic."]
    undefined_topics: Annotated[tuple[str, ...], "Judged topics without a relevant document: AP is undefined."] = ()
    unanswered_topics: Annotated[tuple[str, ...], "Topics for which the run returned nothing."] = ()


def judge_run(
    run: Run, judgements: Judgements, *, minimum_grade: int = 1, depth: int = 1000, unanswered: Unanswered = "zero"
) -> JudgedRun:
    """Return the ranked lists of a run under judgements.

    Parameters
    ----------
    run : Run
        Documents in trec_eval's order.
    judgements : Judgements
        Documents without a judgement count as not relevant.
    minimum_grade : int, default 1
        Grade from which on a document is relevant, 1 or more (trec_eval's ``-l``).
    depth : int, default 1000
        Documents beyond this rank are not seen: ``depth=100`` gives AP@100 (trec_eval's ``map_cut_100``).
    unanswered : {"zero", "skip"}, default "zero"
        Whether a topic for which the run returned nothing is an empty list, of AP 0 (trec_eval's ``-c``), or left
        out. Means over different topics can't be compared.

    Returns
    -------
    JudgedRun
        The depth of each list is the length of the longest ranking of the run, at most ``depth``.

    Raises
    ------
    ArgumentError
        If no topic is left.

    Notes
    -----
    trec_eval averages a judged topic without relevant documents as 0; here it is reported and left out, because AP
    divides by the number of relevant documents.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> from analysis.scores import parse_judgements, parse_run
    >>> run = parse_run("301 Q0 a 1 9 mine\\n301 Q0 b 2 8 mine\\n301 Q0 c 3 7 mine\\n")
    >>> judged = judge_run(run, parse_judgements("301 0 a 1\\n301 0 c 1\\n301 0 d 1\\n302 0 a 0\\n"))
    >>> round(average_precision(judged.lists[0]), 4), judged.undefined_topics
    (0.5556, ('302',))
    """
    judged = judged_topics({"run": run}, judgements, minimum_grade=minimum_grade, depth=depth, unanswered=unanswered)
    lists = []
    for topic, relevant in judged.relevant.items():
        documents = judged.answers[topic][0]
        ranks = [rank for rank, document in enumerate(documents, start=1) if document in relevant]
        lists.append(RankedList(ranks, len(relevant), judged.depth))
    return JudgedRun(run.tag, tuple(judged.relevant), tuple(lists), judged.undefined, judged.unanswered)


def average_precision(ranked: RankedList) -> float:
    """Return the mean, over all relevant documents, of the precision at the rank of each; 0 for those not retrieved.

    Parameters
    ----------
    ranked : RankedList
        Ranks of the relevant documents.

    Returns
    -------
    float
        AP, 0 to 1.

    Raises
    ------
    ArgumentError
        If it is no ranked list.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR,
    pp. 533-540, doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> average_precision(RankedList([1, 2, 4], n_relevant=4, depth=10))
    0.6875
    """
    ranks = check_instance(ranked, "ranked", RankedList).relevant_ranks
    return float(np.sum(np.arange(1, ranks.size + 1) / ranks) / ranked.n_relevant)


def leave_one_out(ranked: RankedList) -> tuple[FloatArray, IntArray]:
    """Return AP with one document of the collection removed: the distinct values, and how many documents give each.

    First come, for each gap before a relevant document, one of the irrelevant documents in it; then each relevant
    document that was retrieved; then one that was not. All other documents leave AP as it is.

    >>> values, counts = leave_one_out(RankedList([1, 3], n_relevant=3, depth=1000))
    >>> values.round(4).tolist(), counts.tolist()
    ([0.5556, 0.6667, 0.25, 0.5, 0.8333], [0, 1, 1, 1, 1])
    """
    if check_instance(ranked, "ranked", RankedList).n_relevant < 2:
        raise ArgumentError("ranked", ranked.n_relevant, "must have at least two relevant documents to remove one")
    ranks, total = ranked.relevant_ranks, ranked.n_relevant
    order = np.arange(1, ranks.size + 1)
    before = np.concatenate([[0.0], np.cumsum(order / ranks)])
    # What the relevant documents from each on contribute once a document before them is gone: they move up by one
    # rank, and if that document was relevant each has one relevant document less up to its rank.
    above = np.maximum(ranks - 1, 1)
    after_irrelevant = _sums_from(order / above)[:-1]
    after_relevant = _sums_from((order - 1) / above)[1:]
    gaps = np.diff(ranks, prepend=0) - 1
    values = np.concatenate(
        [
            (before[:-1] + after_irrelevant) / total,
            (before[:-1] + after_relevant) / (total - 1),
            [before[-1] / (total - 1)],
        ]
    )
    # A gap of no documents has no value of its own; AP itself stands there, with count 0.
    values[: ranks.size][gaps == 0] = before[-1] / total
    counts = np.concatenate([gaps, np.ones(ranks.size, dtype=np.int64), [total - ranks.size]])
    return values, counts


def _sums_from(values: FloatArray) -> FloatArray:
    """Return sums of the values from each position to the end, and 0 after the last."""
    sums: FloatArray = np.concatenate([np.cumsum(values[::-1])[::-1], [0.0]])
    return sums
