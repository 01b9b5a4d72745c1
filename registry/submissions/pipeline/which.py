"""What a name in a table means, and what its scores are in: asked once for all rows that it is about."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.readers.numbers import is_number, parse_number
from analysis.readers.questions import Question
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.scores import FRACTION, PERCENT, PrintedScore, parse_unit
from analysis.readers.tables import Record
from analysis.readers.text import shorten
from registry.catalog.models import Collection
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import CatalogNames
from registry.core.templatetags.formatting import plural

_MAX_NAMED = 8
#: Answers that are none of the candidates.
_APART, _NONE = "apart", "none"
_NONE_OF_THESE = (_NONE, "None of these; its rows will be refused")
#: A collection and a measure as rows write them: what each of them means depends on the other.
Pair = tuple[str, str]
Records = Sequence[Record | Rejection]


@dataclass(frozen=True, slots=True)
class _Unclear:
    """A name that may mean several things, and the question that tells which."""

    name: str
    question: str
    candidates: tuple[Candidate, ...]


@dataclass
class NamesOfTable:
    """The names in the rows of a table, once it was asked what those mean that may be several things."""

    names: CatalogNames
    answers: Mapping[str, str]
    questions: list[Question] = field(default_factory=list)

    def settle(self, records: Records) -> list[Record | Rejection]:
        """The records, with the names that were answered for in place of those that were asked about."""
        pairs = {_pair(record): _pair(record) for record in records if isinstance(record, Record)}
        self._settle_names("collection", pairs, self._unclear_collection)
        self._settle_names("measure", pairs, self._unclear_measure)
        return [
            record if isinstance(record, Rejection) else _renamed(record, pairs[_pair(record)]) for record in records
        ]

    def _settle_names(
        self, kind: str, pairs: dict[Pair, Pair], unclear_of: Callable[[str, str], _Unclear | None]
    ) -> None:
        """Ask what the names of this kind mean that may be several, and put the answers into the pairs."""
        unclear: dict[_Unclear, list[Pair]] = defaultdict(list)
        for pair, settled in pairs.items():
            if found := unclear_of(*settled):
                unclear[found].append(pair)
        for found, value in self._ask(kind, list(unclear)).items():
            for pair in unclear[found]:
                collection, measure = pairs[pair]
                pairs[pair] = (value, measure) if kind == "collection" else (collection, value)

    def _unclear_collection(self, collection: str, measure: str) -> _Unclear | None:
        try:
            if collection:
                self.names.collection(collection, under=measure)
        except Refused as refused:
            return _unclear(collection, refused)
        return None

    def _unclear_measure(self, collection: str, measure: str) -> _Unclear | None:
        try:
            found = self.names.collection(collection) if collection else None
        except Refused:
            # What the collection is comes first.
            return None
        try:
            if measure:
                self.names.measure(measure, on=found)
        except Refused as refused:
            return _unclear(measure, refused)
        return None

    def _ask(self, kind: str, unclear: Sequence[_Unclear]) -> dict[_Unclear, str]:
        """Return what each name means by the answers given; names that one question tells are asked about together."""
        meant: dict[_Unclear, str] = {}
        left = list(unclear)
        if kind == "collection":
            left = self._ask_for_suite(left, meant)
        together: dict[tuple[str, int], list[_Unclear]] = defaultdict(list)
        for one in left:
            together[one.question, len(one.candidates)].append(one)
        for (question, _), group in together.items():
            if len(group) == 1 or self._ask_together(kind, question, group, meant):
                for one in group:
                    self._ask_alone(kind, one, meant)
        return meant

    def _ask_for_suite(self, unclear: list[_Unclear], meant: dict[_Unclear, str]) -> list[_Unclear]:
        """Ask once whether names are all of one suite; the names that are left to ask about."""
        by_suite: dict[str, dict[_Unclear, Collection]] = defaultdict(dict)
        for one in unclear:
            rows = self.names.collections(one.name)
            times = Counter(row.suite for row in rows)
            for row in rows:
                if row.suite and times[row.suite] == 1:
                    by_suite[row.suite][one] = row
        suite = max(by_suite, key=lambda one: len(by_suite[one]), default="")
        group = by_suite[suite]
        if len(group) < 2 or len({one.question for one in group}) < 2:
            return unclear
        asked = f"{_listed([one.name for one in group])} may each be several collections. Are all of them of {suite}?"
        yes = ("0", f"Yes: {_listed([row.name for row in group.values()])}")
        answer = self._put("collection", asked, [yes, (_APART, "No, or not all; ask for each")])
        if answer == "0":
            meant |= {one: row.slug for one, row in group.items()}
        return unclear if answer == _APART else [one for one in unclear if one not in group]

    def _ask_together(self, kind: str, question: str, group: Sequence[_Unclear], meant: dict[_Unclear, str]) -> bool:
        """Ask one question about several names, whose candidates stand in one order; whether they differ after all."""
        choices = [
            (str(place), _listed([one.label for one in alike]))
            for place, alike in enumerate(zip(*(one.candidates for one in group), strict=True))
        ]
        asked = f"{_listed([one.name for one in group])}: {question}"
        answer = self._put(kind, asked, [*choices, (_APART, "It differs; ask for each")])
        if answer.isdigit():
            meant |= {one: one.candidates[int(answer)].value for one in group}
        return answer == _APART

    def _ask_alone(self, kind: str, one: _Unclear, meant: dict[_Unclear, str]) -> None:
        labels = [_labelled(each) for each in one.candidates]
        choices = list(zip((each.value for each in one.candidates), labels, strict=True))
        answer = self._put(kind, f"{shorten(one.name)}: {one.question}", [*choices, _NONE_OF_THESE])
        if answer not in {"", _NONE}:
            meant[one] = answer

    def _put(self, kind: str, asked: str, choices: Sequence[tuple[str, str]]) -> str:
        question = Question(f"which-{kind}", asked, choices=tuple(choices)).answered(self.answers)
        self.questions.append(question)
        return question.answer


def _pair(record: Record) -> Pair:
    return record.cells["collection"], record.cells["measure"]


def _renamed(record: Record, pair: Pair) -> Record:
    if _pair(record) == pair:
        return record
    return record.having({"collection": pair[0], "measure": pair[1]})


def _labelled(one: Candidate) -> str:
    return f"{one.label}: {one.detail}" if one.detail else one.label


def _unclear(name: str, refused: Refused) -> _Unclear | None:
    return _Unclear(name, refused.question, refused.candidates) if refused.code == AMBIGUOUS else None


def _listed(names: Iterable[str]) -> str:
    """The names in one sentence, the first of them where they are many."""
    names = [shorten(name) for name in dict.fromkeys(names)]
    if len(names) > _MAX_NAMED:
        names = [*names[:_MAX_NAMED], f"{len(names) - _MAX_NAMED} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


_MAX_MEASURES = 5


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
        """Return how many are beyond the end of the measure, and would not be as percentages."""
        return sum(1 < parse_number(text) <= 100 for text in self.printed)

    @property
    def look_like_percent(self) -> bool:
        """Return whether most of them are percentages or wrong: a low one among them may be below 1."""
        return not self.unit and 2 * self.n_above > len(self.printed)

    @property
    def do_not_look_like_it(self) -> bool:
        """Return whether they are said to be in percent, and all of them are small enough to be none."""
        return self.unit == PERCENT and not any(parse_number(text) > 1 for text in self.printed)


def ask_units(
    records: Iterable[Record | Rejection], names: CatalogNames, answers: Mapping[str, str]
) -> list[UnitQuestion]:
    """Return what has to be asked about percentages: at most one question where none are told, one where they are
    doubtful.

    Only of measures that end at 1; of scores with the sign for percent there is nothing to ask.
    """
    scores = _by_measure(records, names)
    asked = []
    if likely := [score for score in scores if score.look_like_percent]:
        n, n_above = (sum(counts) for counts in zip(*((len(one.printed), one.n_above) for one in likely), strict=True))
        how_many = f"All {n:,} scores" if n == n_above else f"{n_above:,} of {n:,} scores"
        end = "the measure ends" if len(likely) == 1 else "the measures end"
        text = f"{how_many} of {_with_ranges(likely)} are above 1, where {end}. Are they in percent?"
        if n == 1:
            text = f"The score of {_with_ranges(likely)} is above 1, where the measure ends. Is it in percent?"
        no = "no; those above 1 will be refused"
        asked.append(_question(text, likely, answers, no))
    if doubtful := [score for score in scores if score.do_not_look_like_it]:
        text = f"The table says percent of {_with_ranges(doubtful)}, and none of its scores is above 1. Is that so?"
        no = f"no: {_example(doubtful)} stands for itself"
        asked.append(_question(text, doubtful, answers, no))
    return asked


def with_units(records: Iterable[Record | Rejection], asked: Sequence[UnitQuestion]) -> list[Record | Rejection]:
    """The records with the units that were answered."""
    units = {line: one.question.answer for one in asked if one.question.answer for line in one.lines}
    return [
        record.having({"unit": units[record.line]}) if isinstance(record, Record) and record.line in units else record
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
            ends_at_1[measure] = bool(candidates) and all(candidate.high == 1 for candidate in candidates)
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


def _with_ranges(scores: Sequence[_Scores]) -> str:
    named = [f"{shorten(one.measure, 40)} ({_range(one.printed)})" for one in scores[:_MAX_MEASURES]]
    n_more = len(scores) - _MAX_MEASURES
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
