"""Runs met with judgements, topic by topic: what a list, a pair of lists, and whatever compares more of them need."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from analysis._validation import check_choice, check_count, check_instance
from analysis.errors import ArgumentError
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
    kept = [topic for topic in defined if unanswered == "zero" or topic not in missing]
    if not kept:
        tags = " and ".join(repr(run.tag) for run in runs.values())
        raise ArgumentError("judgements", judgements.topics[:3], f"must share a topic with {tags}")
    return JudgedTopics(
        depth,
        {topic: relevant[topic] for topic in kept},
        {topic: answers[topic] for topic in kept},
        tuple(topic for topic in judgements.topics if not relevant[topic]),
        missing,
    )
