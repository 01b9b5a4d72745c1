"""Reading a table of per-topic scores: a row is a topic, a column a system."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from analysis.readers.numbers import PrintedScore, parse_number
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import read_records
from analysis.readers.text import clean_name, comparison_key, shorten
from registry.catalog.models import Measure
from registry.results.pipeline.rows import MAX_NAME_LENGTH

_MAX_LABEL_LENGTH = 100


@dataclass
class ScoreColumn:
    """The scores of one system: None where it has none for a topic; ``decimals`` is the most that a cell prints."""

    system: str
    scores: list[float | None] = field(default_factory=list)
    decimals: int = 0

    @property
    def key(self) -> str:
        return comparison_key(self.system)

    @property
    def n_topics(self) -> int:
        """The number of topics with a score."""
        return sum(score is not None for score in self.scores)

    def means(self) -> list[float]:
        """Return the mean over the topics with a score and, if different, the mean with 0 for the others."""
        total = math.fsum(score for score in self.scores if score is not None)
        return list(dict.fromkeys([total / self.n_topics, total / len(self.scores)]))

    def agrees_with(self, score: PrintedScore) -> bool:
        """Return whether one of the means can be the printed score, as both it and the scores were rounded."""
        tolerance = 0.5 * 10**-score.decimals + 0.5 * 10**-self.decimals + 1e-9
        return any(abs(mean - score.value) <= tolerance for mean in self.means())


@dataclass
class TopicTable:
    """Topics by label, systems with their scores in the order of the labels."""

    labels: list[str] = field(default_factory=list)
    columns: list[ScoreColumn] = field(default_factory=list)


def read_topic_table(stream: BinaryIO, measure: Measure) -> TopicTable | list[Rejection]:
    """Return the table, or everything that is wrong with it."""
    table = TopicTable()
    records = read_records(stream)
    header = next(records, None)
    if header is None or isinstance(header, Rejection):
        return [header or Rejection("empty", "the file is empty", fatal=True)]
    rejections = list(_read_header(header[0], header[1], table))
    if rejections:
        return rejections
    lines: dict[str, int] = {}
    for record in records:
        rejections += [record] if isinstance(record, Rejection) else _read_topic(*record, table, lines, measure)
    if not rejections and not table.labels:
        rejections.append(Rejection("empty", "has a header and no topics", fatal=True))
    if not rejections:
        for column in table.columns:
            if not column.n_topics:
                rejections.append(Rejection("blank", "has no score for any topic", header[0], column.system))
    return rejections or table


def _read_header(line: int, cells: list[str], table: TopicTable) -> Iterator[Rejection]:
    if comparison_key(cells[0]) != "topic":
        message = f"the first column is {shorten(cells[0])!r}; it must be topic, and every further column a system"
        yield Rejection("first_column", message, line, fatal=True)
    if len(cells) < 2:
        yield Rejection("missing_column", "has no column of scores", line, fatal=True)
    seen: dict[str, str] = {}
    for number, cell in enumerate(cells[1:], 2):
        try:
            name = clean_name(cell, max_length=MAX_NAME_LENGTH)
            if not name:
                raise Refused("blank", f"column {number} names no system")
        except Refused as refused:
            yield refused.at(line, shorten(cell), fatal=True)
            continue
        first = seen.setdefault(comparison_key(name), name)
        if len(seen) <= len(table.columns):
            spelling = "" if first == name else f" (as {first!r})"
            yield Rejection("duplicate_column", f"this system has a column already{spelling}", line, name, fatal=True)
        else:
            table.columns.append(ScoreColumn(name))


def _read_topic(
    line: int, cells: list[str], table: TopicTable, lines: dict[str, int], measure: Measure
) -> Iterator[Rejection]:
    if len(cells) != len(table.columns) + 1:
        message = f"the row has {len(cells)} cells, the header has {len(table.columns) + 1}"
        yield Rejection("ragged", message, line)
        return
    try:
        label = clean_name(cells[0], max_length=_MAX_LABEL_LENGTH)
        if not label:
            raise Refused("blank", "names no topic")
        if lines.setdefault(label, line) != line:
            raise Refused("duplicate", f"{label!r} is there already, in line {lines[label]}")
    except Refused as refused:
        yield refused.at(line, "topic")
        return
    table.labels.append(label)
    for column, cell in zip(table.columns, cells[1:], strict=True):
        text = cell.strip()
        try:
            column.scores.append(
                parse_number(text, low=measure.low, high=measure.high, name=measure.name) if text else None
            )
        except Refused as refused:
            hint = "; leave the cell blank for a missing score" if refused.code in {"no_value", "not_finite"} else ""
            yield Rejection(
                refused.code, refused.message.partition(";")[0] + hint if hint else refused.message, line, column.system
            )
        column.decimals = max(column.decimals, len(text.partition(".")[2].lower().partition("e")[0]))
