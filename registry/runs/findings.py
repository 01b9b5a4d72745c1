"""What studies of documents found, as pages lay it out."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from analysis.figures import Axis, Panel, series
from registry.core.charts import Chart, draw
from registry.runs.models import Study
from registry.runs.pipeline.precision import DocumentStudy, TopicPrecision


@dataclass(frozen=True, slots=True)
class PairedTopic:
    """The difference of logit AP on one topic, with its standard error."""

    topic: str
    difference: float
    standard_error: float


def read_study(study: Study) -> DocumentStudy:
    """Return what was found, of a study that found something."""
    return msgspec.json.decode(study.content, type=DocumentStudy)


def draw_topics(topics: Sequence[TopicPrecision]) -> Chart:
    """Return intervals and estimates of AP by topic, in the order given."""
    xs = range(1, len(topics) + 1)
    labels = [f"{topic.topic}: {topic.estimate:.3f}" for topic in topics]
    estimates = [topic.estimate for topic in topics]
    ends = [(topic.logit.low, topic.logit.high) if topic.logit else (None, None) for topic in topics]
    low, high = ([end[place] for end in ends] for place in (0, 1))
    panel = Panel(
        data=f"{len(topics)} topics",
        series=(
            series("95 % interval", xs, estimates, low=low, high=high, labels=labels, mark="columns"),
            series("AP", xs, estimates, labels=labels, mark="points", is_highlighted=True),
        ),
    )
    x, y = Axis(label="topics, by AP", low=0.5, high=len(topics) + 0.5), Axis(label="AP", low=0, high=1)
    return draw(panel, x, y, name="topics", text="AP of each topic with its interval")


def documents_context(found: DocumentStudy) -> dict[str, object]:
    """Return what the template shows of a study."""
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
        "chart": draw_topics(topics),
        "n_few": sum(topic.n_relevant < FEW for topic in topics),
        "few": FEW,
        "differences": differences,
    }


#: With fewer relevant documents the intervals are known to be too short (docs/methods/precision-of-ap.md).
FEW = 10
