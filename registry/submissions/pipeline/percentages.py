"""Whether the scores of a table are in percent: asked once, where they look like it and nobody says so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis.readers.numbers import is_number, parse_number
from analysis.readers.questions import Question
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.scores import FRACTION, PERCENT, PrintedScore, parse_unit
from analysis.readers.tables import Record
from analysis.readers.text import shorten
from registry.catalog.queries import CatalogNames
from registry.core.templatetags.formatting import plural

_MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class UnitQuestion:
    """A question about the unit of the scores on these lines; its answer is a unit."""

    question: Question
    lines: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Scores:
    """The numbers that stand under one measure, with what is said of their unit."""

    measure: str
    unit: str
    lines: list[int]
    printed: list[str]

    @property
    def n_above(self) -> int:
        """How many are beyond the end of the measure, and would not be as percentages."""
        return sum(1 < parse_number(text) <= 100 for text in self.printed)

    @property
    def look_like_percent(self) -> bool:
        """Whether most of them are percentages or wrong: a low one among them may be below 1."""
        return not self.unit and 2 * self.n_above > len(self.printed)

    @property
    def do_not_look_like_it(self) -> bool:
        """Whether they are said to be in percent, and all of them are small enough to be none."""
        return self.unit == PERCENT and not any(parse_number(text) > 1 for text in self.printed)


def ask_units(
    records: Iterable[Record | Rejection], names: CatalogNames, answers: Mapping[str, str]
) -> list[UnitQuestion]:
    """What has to be asked about percentages: at most one question where none are told, one where they are doubtful.

    Only of measures that end at 1; of scores with the sign for percent there is nothing to ask.
    """
    scores = _by_measure(records, names)
    asked = []
    if likely := [one for one in scores if one.look_like_percent]:
        n, n_above = (sum(counts) for counts in zip(*((len(one.printed), one.n_above) for one in likely), strict=True))
        how_many = f"All {n:,} scores" if n == n_above else f"{n_above:,} of {n:,} scores"
        end = "the measure ends" if len(likely) == 1 else "the measures end"
        text = f"{how_many} of {_listed(likely)} are above 1, where {end}. Are they in percent?"
        if n == 1:
            text = f"The score of {_listed(likely)} is above 1, where the measure ends. Is it in percent?"
        no = "no; those above 1 will be refused"
        asked.append(_question(text, likely, answers, no))
    if doubtful := [one for one in scores if one.do_not_look_like_it]:
        text = f"The table says percent of {_listed(doubtful)}, and none of its scores is above 1. Is that so?"
        no = f"no: {_example(doubtful)} stands for itself"
        asked.append(_question(text, doubtful, answers, no))
    return asked


def with_units(records: Iterable[Record | Rejection], asked: Sequence[UnitQuestion]) -> list[Record | Rejection]:
    """The records with the units that were answered."""
    units = {line: one.question.answer for one in asked if one.question.answer for line in one.lines}
    return [
        Record(record.line, record.cells | {"unit": units[record.line]})
        if isinstance(record, Record) and record.line in units
        else record
        for record in records
    ]


def _by_measure(records: Iterable[Record | Rejection], names: CatalogNames) -> list[_Scores]:
    found: dict[tuple[str, str], _Scores] = {}
    ends_at_1: dict[str, bool] = {}
    for record in records:
        if isinstance(record, Rejection):
            continue
        measure, value, unit = record.cells["measure"], record.cells["value"], _unit(record.cells["unit"])
        if measure not in ends_at_1:
            candidates = names.measures(measure)
            ends_at_1[measure] = bool(candidates) and all(one.high == 1 for one in candidates)
        if ends_at_1[measure] and is_number(value):
            scores = found.setdefault((measure, unit), _Scores(measure, unit, [], []))
            scores.lines.append(record.line)
            scores.printed.append(value)
    return list(found.values())


def _unit(text: str) -> str:
    try:
        return parse_unit(text)
    except Refused:
        return text


def _listed(scores: Sequence[_Scores]) -> str:
    named = [f"{shorten(one.measure, 40)} ({_range(one.printed)})" for one in scores[:_MAX_NAMED]]
    n_more = len(scores) - _MAX_NAMED
    more = f" and {plural(n_more, 'more measure,more measures')}" if n_more > 0 else ""
    return ", ".join(named) + more


def _range(printed: Sequence[str]) -> str:
    low, high = min(printed, key=parse_number), max(printed, key=parse_number)
    return low if low == high else f"{low} to {high}"


def _example(scores: Sequence[_Scores]) -> str:
    return max(scores[0].printed, key=parse_number)


def _question(text: str, scores: Sequence[_Scores], answers: Mapping[str, str], no: str) -> UnitQuestion:
    example = PrintedScore(_example(scores), PERCENT)
    choices = ((PERCENT, f"yes: {example.printed} stands for {example.digits}"), (FRACTION, no))
    question = Question("unit", text, choices=choices).answered(answers)
    return UnitQuestion(question, frozenset(line for one in scores for line in one.lines))
