"""Means in a table: averages that it prints, held against its scores; and results that are means over topics."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum

from analysis.readers.columns import TOPIC
from analysis.readers.grids import Aside, split_score
from analysis.readers.numbers import is_number
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.left_out import AVERAGE, is_suite
from analysis.readers.pasted.naming import TableResult
from analysis.readers.text import shorten

#: How many an average is over, where its head says so; a cut-off is none.
_NUMBER = re.compile(r"(?<![\w@.])[0-9]+(?![\w.])")


@dataclass(frozen=True, slots=True)
class UnequalMean:
    """An average that is no mean of the scores beside it: as printed under its head, and that mean, of how many."""

    line: int
    system: str
    head: str
    printed: str
    mean: str
    n: int


def unequal_means(
    line: int, heads: Sequence[Head], texts: Sequence[str], scores: Sequence[TableResult]
) -> Iterator[UnequalMean]:
    """Yield the averages of a row without gaps that are no mean of its scores: of those on one side up to the next
    average, of all, of those under one measure. Over a suite, or another number, they may be of more than it shows."""
    places = [0, *(head.position for head in heads if head.left_out == AVERAGE), len(heads) + 1]
    values = {score.column: score.cells["value"].removesuffix("%") for score in scores}
    if len(values) < sum(head.field == "value" for head in heads) or not all(map(is_number, values.values())):
        return
    measures = [(score.cells.get("measure", ""), score.column) for score in scores]
    others = [[column for name, column in measures if name == measure] for measure, _ in measures]
    for before, place, after in zip(places, places[1:], places[2:], strict=False):
        left, right = [c for c in values if before < c < place], [c for c in values if place < c < after]
        beside, head = left if len(left) > 1 else right, heads[place - 1].text.rpartition(" / ")[2]
        printed = split_score(texts[place - 1])[0].removesuffix("%") if place <= len(texts) else ""
        is_of_more = is_suite(head) or any(int(n) != len(beside) for n in _NUMBER.findall(head))
        if len(beside) < 2 or is_of_more or not is_number(printed):
            continue
        candidates = (columns for columns in (beside, right, [*values], *others) if columns)
        means = [fsum(float(values[column]) for column in columns) / len(columns) for columns in candidates]
        # Rounded, and rounded or cut off once more.
        slack = 0.5 * max(map(_last_digit, values.values())) + _last_digit(printed)
        if all(abs(mean - float(printed)) > slack * (1 + 1e-9) for mean in means):
            mean = f"{means[0]:.{len(printed.partition('.')[2])}f}"
            yield UnequalMean(line, scores[0].cells.get("system", ""), head, printed, mean, len(beside))


def _last_digit(printed: str) -> float:
    return float(10.0 ** -len(printed.partition(".")[2]))


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
