"""Questions about a table, each asked once for all of its rows: what a name means, and the unit of the scores."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.readers.numbers import FRACTION, PERCENT, PrintedScore, is_number, parse_number, parse_unit
from analysis.readers.questions import Question
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.tables import Record
from analysis.readers.text import shorten
from registry.catalog.models import Collection
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import CatalogNames
from registry.core.listing import grouped
from registry.core.templatetags.formatting import plural

_MAX_NAMED = 8
#: Answers that are none of the candidates.
_APART, _NONE = "apart", "none"
_NONE_OF_THESE = (_NONE, "None of these; its rows will be refused")
#: A collection and a measure as rows write them; the meaning of each depends on the other.
Pair = tuple[str, str]
Records = Sequence[Record | Rejection]


@dataclass(frozen=True, slots=True)
class _UnclearName:
    """A name that may mean several things, and the question that tells which."""

    text: str
    question: str
    candidates: tuple[Candidate, ...]


@dataclass
class NamesOfTable:
    """The names in the rows of a table, with the questions about those that may mean several things."""

    names: CatalogNames
    answers: Mapping[str, str]
    questions: list[Question] = field(default_factory=list)

    def settle(self, records: Records) -> list[Record | Rejection]:
        """Return the records with unclear names replaced by those that the answers chose."""
        pairs = {_pair(record): _pair(record) for record in records if isinstance(record, Record)}
        self._settle_names("collection", pairs, self._unclear_collection)
        self._settle_names("measure", pairs, self._unclear_measure)
        return [
            record if isinstance(record, Rejection) else _renamed(record, pairs[_pair(record)]) for record in records
        ]

    def _settle_names(
        self, kind: str, pairs: dict[Pair, Pair], unclear_of: Callable[[str, str], _UnclearName | None]
    ) -> None:
        """Ask about the unclear names of this kind, and put the answers into the pairs."""
        unclear: dict[_UnclearName, list[Pair]] = defaultdict(list)
        for pair, settled in pairs.items():
            if name := unclear_of(*settled):
                unclear[name].append(pair)
        for name, value in self._ask(kind, list(unclear)).items():
            for pair in unclear[name]:
                collection, measure = pairs[pair]
                pairs[pair] = (value, measure) if kind == "collection" else (collection, value)

    def _unclear_collection(self, collection: str, measure: str) -> _UnclearName | None:
        try:
            if collection:
                self.names.collection(collection, under=measure)
        except Refused as refused:
            return _unclear(collection, refused)
        return None

    def _unclear_measure(self, collection: str, measure: str) -> _UnclearName | None:
        try:
            known_collection = self.names.collection(collection) if collection else None
        except Refused:
            # The collection has to be clear first.
            return None
        try:
            if measure:
                self.names.measure(measure, on=known_collection)
        except Refused as refused:
            return _unclear(measure, refused)
        return None

    def _ask(self, kind: str, unclear: Sequence[_UnclearName]) -> dict[_UnclearName, str]:
        """Return what each name means by the answers so far; names with the same question are asked about together."""
        meant: dict[_UnclearName, str] = {}
        remaining = list(unclear)
        if kind == "collection":
            remaining = self._ask_for_suite(remaining, meant)
        together = grouped(remaining, lambda name: (name.question, len(name.candidates)))
        for (question, _), group in together.items():
            if len(group) == 1 or self._ask_together(kind, question, group, meant):
                for name in group:
                    self._ask_alone(kind, name, meant)
        return meant

    def _ask_for_suite(self, unclear: list[_UnclearName], meant: dict[_UnclearName, str]) -> list[_UnclearName]:
        """Ask once whether names are all of one suite, and return the names that are still to be asked about."""
        by_suite: dict[str, dict[_UnclearName, Collection]] = defaultdict(dict)
        for name in unclear:
            collections = self.names.collections(name.text)
            times = Counter(collection.suite for collection in collections)
            for collection in collections:
                if collection.suite and times[collection.suite] == 1:
                    by_suite[collection.suite][name] = collection
        suite = max(by_suite, key=lambda suite: len(by_suite[suite]), default="")
        group = by_suite[suite]
        if len(group) < 2 or len({name.question for name in group}) < 2:
            return unclear
        question = (
            f"{_listed([name.text for name in group])} may each be several collections. Are all of them of {suite}?"
        )
        yes = ("0", f"Yes: {_listed([collection.name for collection in group.values()])}")
        answer = self._put("collection", question, [yes, (_APART, "No, or not all; ask for each")])
        if answer == "0":
            meant |= {name: collection.slug for name, collection in group.items()}
        return unclear if answer == _APART else [name for name in unclear if name not in group]

    def _ask_together(
        self, kind: str, question: str, group: Sequence[_UnclearName], meant: dict[_UnclearName, str]
    ) -> bool:
        """Ask one question about several names with candidates in the same order, and return whether they differ."""
        choices = [
            (str(place), _listed([candidate.label for candidate in alike]))
            for place, alike in enumerate(zip(*(name.candidates for name in group), strict=True))
        ]
        text = f"{_listed([name.text for name in group])}: {question}"
        answer = self._put(kind, text, [*choices, (_APART, "It differs; ask for each")])
        if answer.isdigit():
            meant |= {name: name.candidates[int(answer)].value for name in group}
        return answer == _APART

    def _ask_alone(self, kind: str, name: _UnclearName, meant: dict[_UnclearName, str]) -> None:
        labels = [_labelled(candidate) for candidate in name.candidates]
        choices = list(zip((candidate.value for candidate in name.candidates), labels, strict=True))
        answer = self._put(kind, f"{shorten(name.text)}: {name.question}", [*choices, _NONE_OF_THESE])
        if answer not in {"", _NONE}:
            meant[name] = answer

    def _put(self, kind: str, text: str, choices: Sequence[tuple[str, str]]) -> str:
        question = Question(f"which-{kind}", text, choices=tuple(choices)).answered(self.answers)
        self.questions.append(question)
        return question.answer


def _pair(record: Record) -> Pair:
    return record.cells["collection"], record.cells["measure"]


def _renamed(record: Record, pair: Pair) -> Record:
    if _pair(record) == pair:
        return record
    return record.having({"collection": pair[0], "measure": pair[1]})


def _labelled(candidate: Candidate) -> str:
    return f"{candidate.label}: {candidate.detail}" if candidate.detail else candidate.label


def _unclear(name: str, refused: Refused) -> _UnclearName | None:
    return _UnclearName(name, refused.question, refused.candidates) if refused.code == AMBIGUOUS else None


def _listed(names: Iterable[str]) -> str:
    """Return the names as a list in a sentence, only the first where there are many."""
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
    """The numbers of one measure with the unit that the table states."""

    measure: str
    unit: str
    lines: list[int]
    printed: list[str]

    @property
    def n_above(self) -> int:
        """The number of those that are beyond the end of the measure, but would not be as percentages."""
        return sum(1 < parse_number(text) <= 100 for text in self.printed)

    @property
    def look_like_percent(self) -> bool:
        """Return whether most of them are percentages or wrong; a low percentage may be below 1."""
        return not self.unit and 2 * self.n_above > len(self.printed)

    @property
    def do_not_look_like_it(self) -> bool:
        """Return whether they are stated in percent although none is above 1."""
        return self.unit == PERCENT and not any(parse_number(text) > 1 for text in self.printed)


def ask_units(
    records: Iterable[Record | Rejection], names: CatalogNames, answers: Mapping[str, str]
) -> list[UnitQuestion]:
    """Return the questions about percentages: at most one where no unit is stated, and one where it is doubtful.

    They are about measures that end at 1; scores with a percent sign need no question.
    """
    groups = _by_measure(records, names)
    questions = []
    if likely := [group for group in groups if group.look_like_percent]:
        n, n_above = sum(len(group.printed) for group in likely), sum(group.n_above for group in likely)
        how_many = f"All {n:,} scores" if n == n_above else f"{n_above:,} of {n:,} scores"
        end = "the measure ends" if len(likely) == 1 else "the measures end"
        text = f"{how_many} of {_with_ranges(likely)} are above 1, where {end}. Are they in percent?"
        if n == 1:
            text = f"The score of {_with_ranges(likely)} is above 1, where the measure ends. Is it in percent?"
        no = "no; those above 1 will be refused"
        questions.append(_question(text, likely, answers, no))
    if doubtful := [group for group in groups if group.do_not_look_like_it]:
        text = f"The table says percent of {_with_ranges(doubtful)}, and none of its scores is above 1. Is that so?"
        no = f"no: {_example(doubtful)} stands for itself"
        questions.append(_question(text, doubtful, answers, no))
    return questions


def with_units(records: Iterable[Record | Rejection], questions: Sequence[UnitQuestion]) -> list[Record | Rejection]:
    """Return the records with the units that were answered."""
    units = {line: asked.question.answer for asked in questions if asked.question.answer for line in asked.lines}
    return [
        record.having({"unit": units[record.line]}) if isinstance(record, Record) and record.line in units else record
        for record in records
    ]


def _by_measure(records: Iterable[Record | Rejection], names: CatalogNames) -> list[_Scores]:
    groups: dict[tuple[str, str], _Scores] = {}
    ends_at_1: dict[str, bool] = {}
    for record in records:
        if isinstance(record, Rejection):
            continue
        measure, value, unit = record.cells["measure"], record.cells["value"], _unit(record.cells["unit"])
        if measure not in ends_at_1:
            candidates = names.measures(measure)
            ends_at_1[measure] = bool(candidates) and all(candidate.high == 1 for candidate in candidates)
        if ends_at_1[measure] and is_number(value):
            group = groups.setdefault((measure, unit), _Scores(measure, unit, [], []))
            group.lines.append(record.line)
            group.printed.append(value)
    return list(groups.values())


def _unit(text: str) -> str:
    try:
        return parse_unit(text)
    except Refused:
        return text


def _with_ranges(groups: Sequence[_Scores]) -> str:
    named = [f"{shorten(group.measure, 40)} ({_range(group.printed)})" for group in groups[:_MAX_MEASURES]]
    n_more = len(groups) - _MAX_MEASURES
    more = f" and {plural(n_more, 'more measure,more measures')}" if n_more > 0 else ""
    return ", ".join(named) + more


def _range(printed: Sequence[str]) -> str:
    low, high = min(printed, key=parse_number), max(printed, key=parse_number)
    return low if low == high else f"{low} to {high}"


def _example(groups: Sequence[_Scores]) -> str:
    return max(groups[0].printed, key=parse_number)


def _question(text: str, groups: Sequence[_Scores], answers: Mapping[str, str], no: str) -> UnitQuestion:
    example = PrintedScore(_example(groups), PERCENT)
    choices = ((PERCENT, f"yes: {example.printed} stands for {example.digits}"), (FRACTION, no))
    question = Question("unit", text, choices=choices).answered(answers)
    return UnitQuestion(question, frozenset(line for group in groups for line in group.lines))
