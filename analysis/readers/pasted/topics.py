"""Scores of single topics in a table: their mean is the result, and they are told of."""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from analysis.readers.columns import TOPIC
from analysis.readers.grids import Aside
from analysis.readers.numbers import is_number
from analysis.readers.pasted.naming import TableResult
from analysis.readers.text import shorten

#: Words in the place of a topic that stand for all of them.
_ALL = frozenset({"all", "mean", "average", "avg", "avg.", "amean", "overall"})
_MAX_NAMED = 5
#: Digits behind the point of a mean.
_DECIMALS = 4


def mean_over_topics(results: Sequence[TableResult]) -> tuple[list[TableResult], list[Aside]]:
    """Return a result for the scores of each system, collection and measure, and what is said of the topics.

    The one that the table says is over all topics, else their mean; a score that is no number is left to be refused.
    """
    groups: dict[tuple[object, ...], list[tuple[str, TableResult]]] = {}
    merged: list[TableResult] = []
    for result in results:
        topic = result.cells.pop(TOPIC, "")
        if topic and (topic.casefold() in _ALL or is_number(result.cells["value"])):
            identity = tuple(sorted((name, text) for name, text in result.cells.items() if name != "value"))
            groups.setdefault((identity, result.column, result.facts), []).append((topic, result))
        else:
            merged.append(result)
    topics: list[str] = []
    for group in groups.values():
        singles = [(topic, result) for topic, result in group if topic.casefold() not in _ALL]
        topics += [topic for topic, _ in singles]
        over_all = [result for topic, result in group if topic.casefold() in _ALL]
        merged.append(over_all[0] if over_all else _mean([result for _, result in singles]))
        labels = {topic for topic, _ in singles}
        if len(labels) == len(singles) > 0:
            by_topic = {topic: float(result.cells["value"]) for topic, result in singles}
            merged[-1] = replace(merged[-1], topics=by_topic)
        if singles:
            merged[-1].cells.setdefault("n_topics", str(len(singles)))
    merged.sort(key=lambda result: result.line)
    return merged, [aside_of_topics(merged[0].line, topics)] if topics else []


def aside_of_topics(line: int, topics: Sequence[str]) -> Aside:
    """Return what is said of scores of single topics, by the topic of each."""
    names = list(dict.fromkeys(topics))
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    listed = ", ".join(shorten(topic, 30) for topic in names[:_MAX_NAMED])
    return Aside(line, 0, f"{listed}{more}: {len(topics):,} lines", "scores of single topics")


def _mean(singles: Sequence[TableResult]) -> TableResult:
    value = fsum(float(single.cells["value"]) for single in singles) / len(singles)
    note = f"mean of {len(singles)} scores of topics"
    return replace(singles[0], cells=singles[0].cells | {"value": f"{value:.{_DECIMALS}f}"}, notes=[note])
