"""What a name in a table means where it may mean several things: asked once for all rows that have it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.readers.questions import Question
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.system_names import organisation_of
from analysis.readers.tables import Record
from analysis.readers.text import shorten
from registry.catalog.models import Collection
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import CatalogNames
from registry.submissions.pipeline.systems import ON_RECORD, KnownSystems

_MAX_NAMED = 8
#: Answers that are none of the candidates.
_APART, _NONE = "apart", "none"
_NONE_OF_THESE = (_NONE, "None of these; its rows will be refused")
#: A collection and a measure as rows write them: what each of them means depends on the other.
Pair = tuple[str, str]
Records = Sequence[Record | Rejection]
#: What in a row tells which system it means.
_OF_SYSTEM = ("system", "team", "role", "paper")
#: A look-alike may be the name of a known system, which is asked then.
_ROUNDS = 3


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
    #: Without them, nothing is asked about the names of systems.
    systems: KnownSystems | None = None
    questions: list[Question] = field(default_factory=list)

    def settle(self, records: Records) -> list[Record | Rejection]:
        """The records, with the names that were answered for in place of those that were asked about."""
        pairs = {_pair(one): _pair(one) for one in records if isinstance(one, Record)}
        self._settle_names("collection", pairs, self._unclear_collection)
        self._settle_names("measure", pairs, self._unclear_measure)
        found = [one if isinstance(one, Rejection) else _renamed(one, pairs[_pair(one)]) for one in records]
        return self._settle_systems(found) if self.systems else found

    def _settle_systems(self, records: list[Record | Rejection]) -> list[Record | Rejection]:
        for _ in range(_ROUNDS):
            meant = self._ask_for_systems(records)
            if not meant:
                break
            records = [
                one if isinstance(one, Rejection) else Record(one.line, one.cells | meant.get(_of_system(one), {}))
                for one in records
            ]
        return records

    def _ask_for_systems(self, records: Records) -> dict[tuple[str, ...], dict[str, str]]:
        """The cells that the answers change, by what tells the system; known names are asked about together."""
        assert self.systems is not None
        unclear: dict[_Unclear, list[tuple[str, ...]]] = defaultdict(list)
        for told in dict.fromkeys(_of_system(one) for one in records if isinstance(one, Record)):
            refused = self.systems.unclear(dict(zip(_OF_SYSTEM, told, strict=True)))
            if refused and refused.candidates:
                unclear[_Unclear(told[0], refused.question, refused.candidates)].append(told)
        meant: dict[_Unclear, Candidate] = {}
        # The name of a model that a hub has tells it; BM25 may be anybody's.
        alike = [one for one in unclear if one.question == ON_RECORD and organisation_of(one.candidates[0].value)]
        alike = [one for one in alike if len(one.candidates) == 2]
        asked = set(unclear)
        if len(alike) > 1:
            names = _listed([one.name for one in alike])
            yes = ("0", f"Yes: {_listed([_labelled(one.candidates[0]) for one in alike])}")
            text = f"{names} are called like systems on record. Are they these?"
            answer = self._put("system", text, [yes, (_APART, "No, or not all; ask for each")])
            if answer == "0":
                meant |= {one: one.candidates[0] for one in alike}
            if answer != _APART:
                asked -= set(alike)
        for one in unclear:
            if one in asked and (chosen := self._ask_for_system(one)):
                meant[one] = chosen
        return {told: {"system": one.value} | one.fills for key, one in meant.items() for told in unclear[key]}

    def _ask_for_system(self, one: _Unclear) -> Candidate | None:
        choices = [(str(place), _labelled(each)) for place, each in enumerate(one.candidates)]
        answer = self._put("system", f"{shorten(one.name)}: {one.question}", [*choices, _NONE_OF_THESE])
        return one.candidates[int(answer)] if answer.isdigit() else None

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
        """What each name means by the answers given; names that one question tells are asked about together."""
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
    return Record(record.line, record.cells | {"collection": pair[0], "measure": pair[1]})


def _of_system(record: Record) -> tuple[str, ...]:
    return tuple(record.cells.get(column, "") for column in _OF_SYSTEM)


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
