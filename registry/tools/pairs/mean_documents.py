"""What the topic scores behind one result say of its mean."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from analysis.comparisons import mean_interval
from analysis.scores import measure_kind
from registry.catalog.models import Collection, Leaderboard
from registry.results.models import Result, TopicScores
from registry.tools.pairs.queries import measure_of

#: On fewer, the interval was not shown to hold.
_MIN_TOPICS = 25

_End = Annotated[
    float | None,
    "Ends of the 95 % t interval for the mean over all topics like these, within the range of the measure. It "
    "holds for a system that was not picked for its score. None where it can't be given.",
]


@dataclass(frozen=True, slots=True)
class TopicMean:
    """The mean of a result's topic scores."""

    n_topics: Annotated[int, "Topics with a score on record."]
    mean: Annotated[float, "Their mean, which may differ from the printed score."]
    low: _End
    high: _End
    why_no_interval: Annotated[str, "Why; else blank."]


class WithTopicMean(TypedDict):
    """What is found of one result."""

    topic_mean: Annotated[TopicMean | None, "The mean of its topic scores; None without any."]


def topic_mean(result: Result, moment: datetime | None = None) -> TopicMean | None:
    """The mean of the result's topic scores with its interval, as known at a moment or today; None without scores."""
    known = TopicScores.objects.known_at(moment)
    scores = [score for score in known.vectors([result.pk]).get(result.pk, ()) if score is not None]
    if not scores:
        return None
    board = result.leaderboard
    why = _why_no_interval(scores, board)
    if why:
        return TopicMean(len(scores), sum(scores) / len(scores), None, None, why)
    found = mean_interval(scores)
    assert found.interval is not None
    low, high = (_within(board, end) for end in (found.interval.low, found.interval.high))
    return TopicMean(len(scores), found.estimate, low, high, "")


def _why_no_interval(scores: list[float], board: Leaderboard) -> str:
    is_known_item = board.collection.task == Collection.Task.KNOWN_ITEM
    if len(scores) < _MIN_TOPICS:
        return f"fewer than {_MIN_TOPICS} topics"
    if measure_kind(measure_of(board), task="known-item" if is_known_item else None).is_coarse:
        return f"{board.measure.name} has few distinct values here"
    return "all of them are equal" if min(scores) == max(scores) else ""


def _within(board: Leaderboard, value: float) -> float:
    low, high = board.measure.low, board.measure.high
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)
