"""What a name of the catalog may mean: one row, none, or the question which."""

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
#: Of what is typed, as many words as any name has.
_MAX_WORDS = 8
#: A file repeats its names; of one that doesn't, no more than these are remembered.
_MAX_REMEMBERED = 1024
#: Of what an ambiguous name may be, as many as fit into a sentence.
_MAX_SAID = 6

AMBIGUOUS = "ambiguous"
_WHICH_GRADE = "From which grade on does a document count as relevant?"


@dataclass(frozen=True, slots=True)
class Asked(Generic[Named]):
    """What to ask about these names; only beside one of ``where``, the other half's ids, if there are any."""

    text: str
    names: Sequence[str]
    choices: Sequence[Named]
    where: frozenset[int]

    def arises(self, beside: frozenset[int]) -> bool:
        return not self.where or bool(self.where & beside)


@dataclass(slots=True)
class _Meaning(Generic[Named]):
    """What a key stands for: the rows that are called so, and what to ask first, here or there."""

    rows: dict[int, Named] = field(default_factory=dict)
    questions: list[Asked[Named]] = field(default_factory=list)

    def asked(self, beside: frozenset[int]) -> Asked[Named] | None:
        """The question that is to be answered; None where there is nothing to ask."""
        for question in self.questions:
            if question.arises(beside):
                return question
        return Asked("Which of them?", (), list(self.rows.values()), frozenset()) if len(self.rows) > 1 else None

    def asked_of(self, row: Named, beside: frozenset[int]) -> Asked[Named] | None:
        """Return what is asked here though a row was named exactly: the question that has it among its choices."""
        for question in self.questions:
            if question.where & beside and len(question.choices) > 1 and row in question.choices:
                return question
        return None

    def possible(self, beside: frozenset[int]) -> list[Named]:
        asked = self.asked(beside)
        return list(asked.choices) if asked else list(self.rows.values())


@dataclass(frozen=True, slots=True)
class NamedRow(Generic[Named]):
    """A row with its canonical name, the names that tell it to the letter, and those that are compared by keys."""

    row: Named
    canonical: str
    exact: Sequence[str]
    loose: Sequence[str]


class NameIndex(Generic[Named]):
    """Rows of one kind by all their names.

    What is written to the letter tells a row before any key does: TRECCOVID is MTEB's name, TREC-COVID may be anything.
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
        self.told = sorted((one.row.pk, one.canonical, sorted(one.exact), sorted(one.loose)) for one in named)
        canonical = {one.canonical for one in named}
        self._asked = {name for question in questions for name in question.names} - canonical
        self._canonical = {comparison_key(one.canonical): one.row for one in named}
        self._exact = _unique((name, one.row) for one in named for name in one.exact if name not in self._asked)
        self._meanings: dict[str, _Meaning[Named]] = defaultdict(_Meaning)
        for one in named:
            for name in (one.canonical, *one.loose):
                self._meanings[key(name)].rows[one.row.pk] = one.row
        for question in questions:
            for asked in {key(name) for name in question.names}:
                self._meanings[asked].questions.append(question)
        self._meanings.pop("", None)
        self._suggested = {comparison_key(name): one.row for one in named for name in one.loose if name}
        self._suggested |= self._canonical
        self._found: dict[tuple[str, frozenset[int]], Named | Refused] = {}
        #: How many unknown names got suggestions.
        self.n_hints = 0

    def possible(self, text: str) -> frozenset[int]:
        """The ids of all that the name may stand for."""
        return frozenset(row.pk for row in self.rows_of(text))

    def asks_about(self, text: str) -> bool:
        """Return whether there is a question about the name, everywhere or somewhere."""
        meaning = self._meanings.get(self._key(text))
        return bool(meaning and meaning.questions) and self._identified(" ".join(text.split())) is None

    def rows_of(self, text: str, beside: frozenset[int] = frozenset()) -> list[Named]:
        """All that the name may stand for."""
        row = self._identified(" ".join(text.split()))
        if row is not None:
            return [row]
        meaning = self._meanings.get(self._key(text))
        return meaning.possible(beside) if meaning else []

    def like(self, text: str, n: int, weights: Mapping[int, int]) -> list[Named]:
        """Return what goes by the name first, then what has a name that begins so or holds its words, then the
        nearest."""
        words, key = comparison_key(text).split()[:_MAX_WORDS], self._key(text)
        if not words:
            return sorted(self._canonical.values(), key=lambda row: -weights.get(row.pk, 0))[:n]
        found = {row.pk: row for row in self.rows_of(text)}
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
        found |= {pk: rows[pk] for pk in sorted(places, key=lambda pk: places[pk]) if pk not in found}
        if len(found) < n:
            near = [self._suggested[name] for name in nearest(shorten(text), self._suggested, n=n)]
            found |= {row.pk: row for row in near if row.pk not in found}
        return list(found.values())[:n]

    def siblings(self, row: Named, beside: frozenset[int]) -> list[Named]:
        """The other choices of the questions that are asked here and have this row among theirs."""
        asked = (meaning.asked_of(row, beside) for meaning in self._meanings.values())
        found = {one.pk: one for question in asked if question for one in question.choices}
        return [one for one in found.values() if one != row]

    def find(self, text: str, beside: frozenset[int]) -> Named:
        """The one row that the name stands for; the same again at no cost, found or refused."""
        found = self._found.get((text, beside))
        if found is None:
            if len(self._found) >= _MAX_REMEMBERED:
                self._found.clear()
            found = self._found[text, beside] = self._look_up(" ".join(text.split()), beside)
        if isinstance(found, Refused):
            raise Refused(found.code, found.message, found.candidates, found.question)
        return found

    def _identified(self, text: str) -> Named | None:
        """The row that this is the very name of."""
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
            return Refused(f"unknown_{self._kind}", f"unknown {self._kind} {shorten(text)!r}{self._hint(text)}")
        if not question.choices:
            message = f"{shorten(text)!r} names no {self._kind} here. {question.text}"
            return Refused(f"unknown_{self._kind}", message)
        told = [self._told(choice, beside) for choice in question.choices]
        return Refused(
            AMBIGUOUS, _which(text, told, question.text), self._describe(question.choices, told), question.text
        )

    def _told(self, row: Named, beside: frozenset[int]) -> str:
        """The name that leads to the row, here, without another question."""
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
    """The rows by those names that one of them has and no other."""
    found: dict[str, Named] = {}
    shared = {name for name, row in named if found.setdefault(name, row) is not row}
    return {name: row for name, row in found.items() if name and name not in shared}


def name_with_grade(measure: Measure) -> str:
    return with_grade(measure.name)


def grade_questions(measures: Mapping[int, Measure], stored: Sequence[Asked[Measure]]) -> list[Asked[Measure]]:
    """Of measures that count every grade and have siblings that do not: which is meant, where documents have grades.

    These are the collections on which any such sibling has a leaderboard, or is among the choices of a question.
    """
    siblings: dict[str, list[Measure]] = defaultdict(list)
    for measure in sorted(measures.values(), key=lambda one: one.name):
        if says_grade(measure.name):
            siblings[without_grade(measure.name)].append(measure)
    if not siblings:
        return []
    graded = {measure.pk for group in siblings.values() for measure in group}
    boards = Leaderboard.objects.order_by().filter(measure__in=graded)
    where = frozenset(boards.values_list("collection_id", flat=True).distinct()).union(
        *(one.where for one in stored if graded.intersection(choice.pk for choice in one.choices))
    )
    plain = {measure.name: measure for measure in measures.values()}
    return [
        Asked(_WHICH_GRADE, (name,), [*group, plain[name]], where)
        for name, group in siblings.items()
        if where and name in plain
    ]


def _which(text: str, values: Sequence[str], question: str) -> str:
    """The question, after what there is to choose from."""
    n_more = len(values) - _MAX_SAID
    *first, last = [*values[:_MAX_SAID], f"{n_more:,} more"] if n_more > 0 else values
    said = f"{', '.join(first)} or {last}" if first else last
    return f"{shorten(text)!r} may be {said}. {question}"


def describe_collections(rows: Sequence[Collection], told: Sequence[str]) -> Iterator[Candidate]:
    """The collections with that in which they differ."""
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
    for row, name, here in zip(rows, told, facts, strict=True):
        said = [fact for fact, tells in zip(here, is_telling, strict=True) if tells and fact and fact not in row.name]
        yield Candidate(name, row.name, ", ".join(said))


def describe_measures(rows: Sequence[Measure], told: Sequence[str]) -> Iterator[Candidate]:
    for row, name in zip(rows, told, strict=True):
        yield Candidate(name, name, row.long_name if name == row.name else f"{row.long_name} (grade 1 or more)")
