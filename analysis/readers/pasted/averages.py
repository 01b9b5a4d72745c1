"""Averages that a table prints, held against the means of the scores that they may be of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum

from analysis.readers.grids import split_score
from analysis.readers.numbers import is_number
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.left_out import AVERAGE, is_suite
from analysis.readers.pasted.naming import TableResult

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
