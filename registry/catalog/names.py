"""Names of the catalog: each means one row, none, or asks which of several."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from analysis.readers.names import says_grade, with_grade, without_grade
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, nearest, shorten
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.templatetags.formatting import number_of

Named = TypeVar("Named", bound=Collection | Measure)

#: Looking for the nearest name takes milliseconds; a file full of unknown names gets suggestions for the first only.
_MAX_SUGGESTIONS = 100
#: As many words of what is typed are read as any name has.
_MAX_WORDS = 8
#: A file repeats its names; no more than these are remembered.
_MAX_REMEMBERED = 1024
#: As many meanings of an ambiguous name as fit into a sentence.
_MAX_LISTED = 6

AMBIGUOUS = "ambiguous"
_WHICH_GRADE = "From which grade on does a document count as relevant?"


@dataclass(frozen=True, slots=True)
class Asked(Generic[Named]):
    """A question about these names; asked only beside one of ``where``, the other half's ids, if there are any."""

    text: str
    names: Sequence[str]
    choices: Sequence[Named]
    where: frozenset[int]

    def arises(self, beside: frozenset[int]) -> bool:
        return not self.where or bool(self.where & beside)


@dataclass(slots=True)
class _Meaning(Generic[Named]):
    """The rows that go by a key, and the questions about it, here or there."""

    rows: dict[int, Named] = field(default_factory=dict)
    questions: list[Asked[Named]] = field(default_factory=list)

    def asked(self, beside: frozenset[int]) -> Asked[Named] | None:
        """Return the question to answer; None where there is nothing to ask."""
        for question in self.questions:
            if question.arises(beside):
                return question
        return Asked("Which of them?", (), list(self.rows.values()), frozenset()) if len(self.rows) > 1 else None

    def asked_of(self, row: Named, beside: frozenset[int]) -> Asked[Named] | None:
        """Return the question that is asked here though a row was named exactly: it is among the choices."""
        for question in self.questions:
            if question.where & beside and len(question.choices) > 1 and row in question.choices:
                return question
        return None

    def possible(self, beside: frozenset[int]) -> list[Named]:
        question = self.asked(beside)
        return list(question.choices) if question else list(self.rows.values())


@dataclass(frozen=True, slots=True)
class NamedRow(Generic[Named]):
    """A row with its canonical name, names that must match to the letter, and names that are compared by keys."""

    row: Named
    canonical: str
    exact: Sequence[str]
    loose: Sequence[str]


class NameIndex(Generic[Named]):
    """Rows of one kind by all their names.

    A name to the letter goes before any key: TRECCOVID is MTEB's name, TREC-COVID may be anything.
    """

    def __init__(
        self,
        kind: str,
        named: Sequence[NamedRow[Named]],
        *,
        key: Callable[[str], str],
        describe: Callable[[Sequence[Named], Sequence[str]], Iterator[Candidate]],
        questions: Sequence[Asked[Named]],
        explicit: Callable[[Named], str] | None = None,
        is_explicit: Callable[[str], bool] | None = None,
    ) -> None:
        self._kind, self._key, self._describe = kind, key, describe
        self._explicit = explicit or (lambda row: "")
        self._is_explicit = is_explicit or (lambda text: False)
        #: The names of each row, by its id; in whatever order the database has them.
        self.all_names = sorted(
            (entry.row.pk, entry.canonical, sorted(entry.exact), sorted(entry.loose)) for entry in named
        )
        canonical = {entry.canonical for entry in named}
        self._asked = {name for question in questions for name in question.names} - canonical
        self._canonical = {comparison_key(entry.canonical): entry.row for entry in named}
        self._exact = _unique((name, entry.row) for entry in named for name in entry.exact if name not in self._asked)
        self._meanings: dict[str, _Meaning[Named]] = defaultdict(_Meaning)
        for entry in named:
            for name in (entry.canonical, *entry.loose):
                self._meanings[key(name)].rows[entry.row.pk] = entry.row
        for question in questions:
            for asked_key in {key(name) for name in question.names}:
                self._meanings[asked_key].questions.append(question)
        self._meanings.pop("", None)
        self._suggested = {comparison_key(name): entry.row for entry in named for name in entry.loose if name}
        self._suggested |= self._canonical
        self._looked_up: dict[tuple[str, frozenset[int]], Named | Refused] = {}
        #: The number of unknown names that got suggestions.
        self.n_hints = 0

    def possible(self, text: str) -> frozenset[int]:
        """Return the ids of all rows that the name may stand for."""
        return frozenset(row.pk for row in self.rows_of(text))

    def asks_about(self, text: str) -> bool:
        """Return whether there is a question about the name, everywhere or somewhere."""
        meaning = self._meanings.get(self._key(text))
        return bool(meaning and meaning.questions) and self._identified(" ".join(text.split())) is None

    def rows_of(self, text: str, beside: frozenset[int] = frozenset()) -> list[Named]:
        """Return all rows that the name may stand for."""
        row = self._identified(" ".join(text.split()))
        if row is not None:
            return [row]
        meaning = self._meanings.get(self._key(text))
        return meaning.possible(beside) if meaning else []

    def like(self, text: str, n: int, weights: Mapping[int, int]) -> list[Named]:
        """Return rows that go by the name, then rows with a name that begins so or has its words, then the nearest."""
        words, key = comparison_key(text).split()[:_MAX_WORDS], self._key(text)
        if not words:
            return sorted(self._canonical.values(), key=lambda row: -weights.get(row.pk, 0))[:n]
        likely = {row.pk: row for row in self.rows_of(text)}
        places: dict[int, tuple[int, int]] = {}
        rows: dict[int, Named] = {}
        for name, row in self._suggested.items():
            if all(word in name for word in words):
                place = (0 if name.startswith(words[0]) else 1, -weights.get(row.pk, 0))
                places[row.pk], rows[row.pk] = min(places.get(row.pk, (9, 0)), place), row
        for name, meaning in self._meanings.items() if key else ():
            if name.startswith(key):
                for row in meaning.possible(frozenset()):
                    place = (0, -weights.get(row.pk, 0))
                    places[row.pk], rows[row.pk] = min(places.get(row.pk, (9, 0)), place), row
        likely |= {pk: rows[pk] for pk in sorted(places, key=lambda pk: places[pk]) if pk not in likely}
        if len(likely) < n:
            near = [self._suggested[name] for name in nearest(shorten(text), self._suggested, n=n)]
            likely |= {row.pk: row for row in near if row.pk not in likely}
        return list(likely.values())[:n]

    def siblings(self, row: Named, beside: frozenset[int]) -> list[Named]:
        """Return the other choices of the questions that are asked here and have this row among theirs."""
        questions = (meaning.asked_of(row, beside) for meaning in self._meanings.values())
        choices = {choice.pk: choice for question in questions if question for choice in question.choices}
        return [choice for choice in choices.values() if choice != row]

    def find(self, text: str, beside: frozenset[int]) -> Named:
        """Return the one row that the name stands for, or raise ``Refused``; a second time at no cost."""
        answer = self._looked_up.get((text, beside))
        if answer is None:
            if len(self._looked_up) >= _MAX_REMEMBERED:
                self._looked_up.clear()
            answer = self._looked_up[text, beside] = self._look_up(" ".join(text.split()), beside)
        if isinstance(answer, Refused):
            raise Refused(answer.code, answer.message, answer.candidates, answer.question)
        return answer

    def _identified(self, text: str) -> Named | None:
        """Return the row that has exactly this name."""
        if text in self._asked:
            return None
        # NDCG is how papers write nDCG@10, and asked about; as an address, ndcg is another way to write nDCG.
        return self._canonical.get(comparison_key(text)) or self._exact.get(text)

    def _look_up(self, text: str, beside: frozenset[int]) -> Named | Refused:
        if not text:
            return Refused("blank", f"names no {self._kind}")
        meaning = self._meanings.get(self._key(text), _Meaning())
        row = self._identified(text)
        if row is not None:
            question = meaning.asked_of(row, beside) if self._explicit(row) else None
            if question is None:
                return row
        else:
            question = None if self._is_explicit(text) else meaning.asked(beside)
        if question is None:
            for only in meaning.rows.values():
                return only
            return Refused(f"unknown_{self._kind}", f"no {self._kind} is called {shorten(text)!r}{self._hint(text)}")
        if not question.choices:
            message = f"{shorten(text)!r} names no {self._kind} here. {question.text}"
            return Refused(f"unknown_{self._kind}", message)
        names = [self._unasked_name(choice, beside) for choice in question.choices]
        return Refused(
            AMBIGUOUS, _which(text, names, question.text), self._describe(question.choices, names), question.text
        )

    def _unasked_name(self, row: Named, beside: frozenset[int]) -> str:
        """Return the name that leads to the row here without another question."""
        name, explicit = _canonical(row), self._explicit(row)
        return explicit if explicit and self._meanings[self._key(name)].asked_of(row, beside) else name

    def _hint(self, text: str) -> str:
        self.n_hints += 1
        if self.n_hints > _MAX_SUGGESTIONS:
            return ""
        matches = dict.fromkeys(_canonical(self._suggested[key]) for key in nearest(text, self._suggested, n=3))
        return f"; did you mean {' or '.join(matches)}?" if matches else ""


def _canonical(row: Collection | Measure) -> str:
    return row.slug if isinstance(row, Collection) else row.name


def _unique(named: Iterable[tuple[str, Named]]) -> dict[str, Named]:
    """Return the rows by those names that one of them has and no other."""
    first: dict[str, Named] = {}
    shared = {name for name, row in named if first.setdefault(name, row) is not row}
    return {name: row for name, row in first.items() if name and name not in shared}


def name_with_grade(measure: Measure) -> str:
    return with_grade(measure.name)


def grade_questions(measures: Mapping[int, Measure], stored: Sequence[Asked[Measure]]) -> list[Asked[Measure]]:
    """Return a question for each measure that counts every grade and has siblings that do not: which is meant?

    It is asked on collections where a sibling has a leaderboard, or is among the choices of a question.
    """
    siblings: dict[str, list[Measure]] = defaultdict(list)
    for measure in sorted(measures.values(), key=lambda measure: measure.name):
        if says_grade(measure.name):
            siblings[without_grade(measure.name)].append(measure)
    if not siblings:
        return []
    graded = {measure.pk for group in siblings.values() for measure in group}
    boards = Leaderboard.objects.order_by().filter(measure__in=graded)
    where = frozenset(boards.values_list("collection_id", flat=True).distinct()).union(
        *(question.where for question in stored if graded.intersection(choice.pk for choice in question.choices))
    )
    plain = {measure.name: measure for measure in measures.values()}
    return [
        Asked(_WHICH_GRADE, (name,), [*group, plain[name]], where)
        for name, group in siblings.items()
        if where and name in plain
    ]


def _which(text: str, values: Sequence[str], question: str) -> str:
    """Return the question after the values to choose from."""
    n_more = len(values) - _MAX_LISTED
    *first, last = [*values[:_MAX_LISTED], f"{n_more:,} more"] if n_more > 0 else values
    choices = f"{', '.join(first)} or {last}" if first else last
    return f"{shorten(text)!r} may be {choices}. {question}"


def describe_collections(rows: Sequence[Collection], names: Sequence[str]) -> Iterator[Candidate]:
    """Yield the collections with the facts in which they differ."""
    facts = [
        (
            number_of(row.n_topics, "topic", "topics") if row.n_topics else "",
            row.documents,
            number_of(row.n_documents, "document", "documents") if row.n_documents else "",
            row.language,
            row.suite,
        )
        for row in rows
    ]
    is_telling = [len(rows) == 1 or len(set(column)) > 1 for column in zip(*facts, strict=True)]
    for row, name, own in zip(rows, names, facts, strict=True):
        telling = [fact for fact, tells in zip(own, is_telling, strict=True) if tells and fact and fact not in row.name]
        yield Candidate(name, row.name, ", ".join(telling))


def describe_measures(rows: Sequence[Measure], names: Sequence[str]) -> Iterator[Candidate]:
    for row, name in zip(rows, names, strict=True):
        yield Candidate(name, name, row.long_name if name == row.name else f"{row.long_name} (grade 1 or more)")
