"""A study of documents as its page lays it out: sentences, a figure, rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from registry.leaderboards.drawings import HEIGHT, TOP, WIDTH, Box, Tick, round_numbers
from registry.runs.models import Study
from registry.runs.pipeline.precision import DocumentStudy, TopicPrecision

_MARK = 3.0


@dataclass(frozen=True, slots=True)
class TopicMark:
    """A topic in the figure: its interval, if it has one, and its AP."""

    topic: TopicPrecision
    span: Box | None
    estimate: Box


@dataclass(frozen=True, slots=True)
class TopicsDrawing:
    """AP by topic, the highest first."""

    marks: tuple[TopicMark, ...]
    y_ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class PairedTopic:
    """The difference of logit AP on one topic, with its standard error."""

    topic: str
    difference: float
    standard_error: float


def read_study(study: Study) -> DocumentStudy:
    """What was found, of a study that found something."""
    return msgspec.json.decode(study.content, type=DocumentStudy)


def draw_topics(topics: Sequence[TopicPrecision]) -> TopicsDrawing:
    """Intervals and estimates, in the order given."""
    width = WIDTH / len(topics)

    def down(value: float) -> float:
        return round(HEIGHT * (1.0 - value), 1)

    def mark(place: int, one: TopicPrecision) -> TopicMark:
        x, wide = round(place * width + 0.07 * width, 2), round(0.86 * width, 2)
        limits = one.logit
        span = Box(x, down(limits.high), wide, round(HEIGHT * (limits.high - limits.low), 1)) if limits else None
        return TopicMark(one, span, Box(x, round(down(one.estimate) - _MARK / 2, 1), wide, _MARK))

    return TopicsDrawing(
        tuple(mark(place, one) for place, one in enumerate(topics)),
        tuple(Tick(TOP + down(value), f"{value:g}") for value in round_numbers(0.0, 1.0, 5)),
    )


def documents_context(found: DocumentStudy) -> dict[str, object]:
    """What the template shows of a study."""
    topics = sorted(found.topics, key=lambda one: -one.estimate)
    pair = found.pair
    differences = []
    if pair:
        rows = zip(pair.topics, pair.logit.topic_differences, pair.logit.topic_standard_errors, strict=True)
        differences = sorted((PairedTopic(*row) for row in rows), key=lambda one: -one.difference)
    return {
        "found": found,
        "mean": found.means[0],
        "topics": topics,
        "drawing": draw_topics(topics),
        "n_few": sum(one.n_relevant < FEW for one in topics),
        "few": FEW,
        "differences": differences,
    }


#: With fewer relevant documents the intervals are known to be too short (docs/methods/precision-of-ap.md).
FEW = 10
