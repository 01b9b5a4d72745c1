"""Two ranked lists for one topic, with the documents that they share: what a paired difference of AP needs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._validation import IntArray, check_count, check_labels
from analysis.documents._average_precision import RankedList, Unanswered, judged_topics
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scores import Judgements, Run


@dataclass(frozen=True, slots=True, eq=False)
class RankedPair(Result):
    """The lists of two systems for one topic. Made by :func:`pair_rankings`."""

    first: Annotated[RankedList, "The list of the first system."]
    second: Annotated[RankedList, "That of the second."]
    relevant: Annotated[
        IntArray, "ndarray of int, shape (n_relevant, 2). Positions among either list's relevant documents, or -1."
    ]
    irrelevant: Annotated[
        IntArray,
        "ndarray of int, shape (n_kinds, 3). Kinds of irrelevant documents: before which relevant document of the "
        "first and of the second list they stand, and how many there are. Documents that stand before none in "
        "either list are left out.",
    ]


@dataclass(frozen=True, slots=True)
class JudgedPair(Result):
    """Two runs met with judgements, topic by topic."""

    systems: Annotated[tuple[str, str], "Tags of the first and of the second run."]
    topics: Annotated[tuple[str, ...], "Topics of the pairs, in the order of the judgements."]
    pairs: Annotated[tuple[RankedPair, ...], "One for each topic."]
    undefined_topics: Annotated[tuple[str, ...], "Judged topics without a relevant document: AP is undefined."] = ()
    unanswered_topics: Annotated[tuple[str, ...], "Topics for which one run, or both, returned nothing."] = ()


def judge_pair(
    first: Run,
    second: Run,
    judgements: Judgements,
    *,
    minimum_grade: int = 1,
    depth: int = 1000,
    unanswered: Unanswered = "zero",
) -> JudgedPair:
    """Return the paired lists of two runs under judgements.

    Parameters
    ----------
    first, second : Run
        Documents in trec_eval's order.
    judgements : Judgements
        Documents without a judgement count as not relevant.
    minimum_grade : int, default 1
        Grade from which on a document is relevant, 1 or more.
    depth : int, default 1000
        Documents beyond this rank are not seen.
    unanswered : {"zero", "skip"}, default "zero"
        Whether a topic for which a run returned nothing is an empty list of that run, or left out for both.

    Returns
    -------
    JudgedPair
        Pairs in the order of the judgements.

    Raises
    ------
    ArgumentError
        If no topic is left.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> from analysis.scores import parse_judgements, parse_run
    >>> mine = parse_run("301 Q0 a 1 9 mine\\n301 Q0 b 2 8 mine\\n")
    >>> other = parse_run("301 Q0 b 1 9 other\\n301 Q0 a 2 8 other\\n")
    >>> judged = judge_pair(mine, other, parse_judgements("301 0 a 1\\n"))
    >>> judged.pairs[0].irrelevant.tolist()
    [[1, 0, 1]]
    """
    runs = {"first": first, "second": second}
    judged = judged_topics(runs, judgements, minimum_grade=minimum_grade, depth=depth, unanswered=unanswered)
    pairs = []
    for topic, relevant in judged.relevant.items():
        first_answer, second_answer = judged.answers[topic]
        pairs.append(pair_rankings(first_answer, second_answer, relevant, depth=judged.depth))
    return JudgedPair(
        (first.tag, second.tag), tuple(judged.relevant), tuple(pairs), judged.undefined, judged.unanswered
    )


def pair_rankings(
    first: Sequence[str], second: Sequence[str], relevant: Collection[str], *, depth: int = 1000
) -> RankedPair:
    """Return two rankings of documents as a pair.

    Parameters
    ----------
    first, second : sequence of str
        Documents, best first, each at most once. May be empty.
    relevant : collection of str
        The relevant documents, at least one.
    depth : int, default 1000
        Documents beyond this rank are not seen.

    Returns
    -------
    RankedPair
        The lists and what they share.

    Raises
    ------
    ArgumentError
        If a document occurs twice in a ranking or no document is relevant.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> pair = pair_rankings(["a", "x", "b"], ["x", "y", "b"], {"a", "b", "c"}, depth=10)
    >>> pair.first.relevant_ranks.tolist(), pair.second.relevant_ranks.tolist()
    ([1, 3], [3])
    >>> pair.relevant.tolist(), pair.irrelevant.tolist()
    ([[0, -1], [1, 0], [-1, -1]], [[1, 0, 1], [2, 0, 1]])
    """
    check_count(depth, "depth")
    wanted = frozenset(check_labels(relevant, "relevant"))
    if not wanted:
        raise ArgumentError("relevant", relevant, "must hold a document: AP is undefined without relevant documents")
    for name, documents in (("first", first), ("second", second)):
        check_labels(documents, name)
    lists: list[RankedList] = []
    places: list[dict[str, int]] = []
    passed: list[dict[str, int]] = []
    for name, documents in (("first", first[:depth]), ("second", second[:depth])):
        if len(set(documents)) != len(documents):
            raise ArgumentError(name, documents, "must not name a document twice")
        ranks: list[int] = []
        places.append({})
        passed.append({})
        for rank, document in enumerate(documents, start=1):
            (places if document in wanted else passed)[-1][document] = len(ranks)
            if document in wanted:
                ranks.append(rank)
        lists.append(RankedList(ranks, len(wanted), depth))
    positions = [[places[0].get(document, -1), places[1].get(document, -1)] for document in sorted(wanted)]
    return RankedPair(lists[0], lists[1], np.array(positions, dtype=np.int64), _kinds(lists, passed))


def _kinds(lists: Sequence[RankedList], passed: Sequence[dict[str, int]]) -> IntArray:
    """Return the distinct positions of irrelevant documents in both lists, with their numbers."""
    last = [ranked.relevant_ranks.size for ranked in lists]
    positions = np.array(
        [[passed[0].get(name, last[0]), passed[1].get(name, last[1])] for name in {**passed[0], **passed[1]}],
        dtype=np.int64,
    ).reshape(-1, 2)
    matters = (positions < last).any(axis=1)
    kinds, counts = np.unique(positions[matters], axis=0, return_counts=True)
    table: IntArray = np.column_stack([kinds, counts]).astype(np.int64)
    return table
