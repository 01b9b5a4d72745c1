"""Finding what is in the catalog by any of its names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from analysis.readers.names import collection_key, measure_key, says_grade, without_grade
from registry.catalog.models import Collection, CollectionAlias, Leaderboard, Measure, MeasureAlias, Question
from registry.catalog.names import (
    Asked,
    NamedRow,
    NameIndex,
    describe_collections,
    describe_measures,
    grade_questions,
    name_with_grade,
)
from registry.journal.queries import kept_until_written


class CatalogNames:
    """Every collection and measure under all its names, read once: for looking up many, each of them once.

    A name is a slug or an ir-measures name, a display name, an ir_datasets id, a name that trec_eval prints, or an
    alias; case, accents, blanks, hyphens and the like tell no names apart, and measures may be spelled as tables and
    tools spell them (``readers.names``). One that may mean several things is refused as ``ambiguous``, with a question
    and the candidates: nothing is guessed. What is written exactly as the registry writes it is not asked about: it
    leads to what is on record.

    ``of_scores`` are the names under which somebody hands in scores. R@1000 is what most papers print, whatever they
    count; so where the collection has a sibling of that measure, as R(rel=2)@1000, its exact name is asked about too,
    and R(rel=1)@1000 is how to say that it is meant.
    """

    def __init__(self, *, of_scores: bool = False) -> None:
        collections, measures = Collection.objects.in_bulk(), Measure.objects.in_bulk()
        questions = list(stored_questions().values())
        self.is_empty = not collections
        self._is_of_scores = of_scores
        self._questions = questions
        self._ends = sorted((pk, one.low, one.high) for pk, one in measures.items())
        aliases = _by_row(CollectionAlias.objects.values_list("collection_id", "alias"))
        self._collections = NameIndex(
            "collection",
            [
                NamedRow(row, row.slug, names := (row.name, row.ir_datasets_id, *aliases[pk]), names)
                for pk, row in collections.items()
            ],
            key=collection_key,
            describe=describe_collections,
            questions=[
                Asked(
                    question.text,
                    question.names,
                    [collections[pk] for pk in question.collections],
                    frozenset(question.measures),
                )
                for question in questions
                if question.kind == Question.Kind.COLLECTION
            ],
        )
        aliases = _by_row(MeasureAlias.objects.values_list("measure_id", "alias"))
        asked = [
            Asked(
                question.text,
                question.names,
                [measures[pk] for pk in question.measures],
                frozenset(question.collections),
            )
            for question in questions
            if question.kind == Question.Kind.MEASURE
        ]
        self._measures = NameIndex(
            "measure",
            [
                NamedRow(
                    row, row.name, (row.trec_eval, row.ir_measures), (row.ir_measures, row.long_name, *aliases[pk])
                )
                for pk, row in measures.items()
            ],
            key=measure_key,
            describe=describe_measures,
            questions=[*asked, *grade_questions(measures, asked)],
            explicit=name_with_grade if of_scores else None,
            is_explicit=says_grade,
        )

    @cached_property
    def digest(self) -> str:
        """Of all that names and scores are read by: while it is the same, the same row says the same."""
        told = [self._is_of_scores, *self._collections.told, *self._measures.told, *self._ends]
        return blake2b(repr([told, sorted(map(repr, self._questions))]).encode(), digest_size=16).hexdigest()

    def suggest_again(self) -> None:
        """Have unknown names get suggestions, as for whoever reads the names anew."""
        self._collections.n_hints = self._measures.n_hints = 0

    def collection(self, text: str, *, under: str = "") -> Collection:
        """The collection of this name. ``under`` is the name of the measure beside it: some names need it to be told.

        Raises
        ------
        Refused
            As ``unknown_collection``, with the nearest names; as ``ambiguous``, with the candidates; as ``blank``.
        """
        return self._collections.find(text, self._measures.possible(under) if under else frozenset())

    def measure(self, text: str, *, on: Collection | None = None) -> Measure:
        """The measure of this name; on some collections some names may mean several. Refused as collections are."""
        return self._measures.find(text, frozenset([on.pk]) if on else frozenset())

    def has_collection(self, text: str) -> bool:
        """Return whether one collection goes by this name, or several do."""
        return bool(self._collections.possible(text))

    def has_measure(self, text: str) -> bool:
        """Return whether one measure goes by this name, or several do."""
        return bool(self._measures.possible(text))

    def asks_about_measure(self, text: str) -> bool:
        """Return whether there is a collection on which it has to be asked which measure is meant."""
        return self._measures.asks_about(text)

    def siblings(self, measure: Measure, *, on: int) -> list[Measure]:
        """Return what else may be meant by a score of the measure on the collection of this id, at the same depth."""
        name = without_grade(measure.name)
        # Of runs that were cut at a thousand documents AP and AP@1000 are one number, and no mistake.
        return [
            one
            for one in self._measures.siblings(measure, frozenset([on]))
            if (other := without_grade(one.name)) == name or other.partition("@")[0] != name.partition("@")[0]
        ]

    def collections(self, text: str) -> list[Collection]:
        """All that the name may stand for, the likeliest first."""
        return self._collections.rows_of(text)

    def measures(self, text: str) -> list[Measure]:
        """All that the name may stand for, the likeliest first."""
        return self._measures.rows_of(text)

    def collections_like(self, text: str, n: int, *, weights: Mapping[int, int]) -> list[Collection]:
        """Up to ``n`` collections that may be meant by what was typed so far; of likely ones the weightier first."""
        return self._collections.like(text, n, weights)

    def measures_like(self, text: str, n: int, *, weights: Mapping[int, int]) -> list[Measure]:
        """The same of measures."""
        return self._measures.like(text, n, weights)


_READ = (Collection, CollectionAlias, Measure, MeasureAlias, Question, Leaderboard)


def names_of_scores() -> CatalogNames:
    """Return the names ``of_scores`` as the catalog has them now. Others share them: what they find is only read."""
    names = _names_of_scores()
    names.suggest_again()
    return names


@kept_until_written(*_READ, Question.collections.through, Question.measures.through)
def _names_of_scores() -> CatalogNames:
    return CatalogNames(of_scores=True)


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A stored question with the ids of its collections and measures, in their order."""

    kind: str
    names: tuple[str, ...]
    text: str
    collections: tuple[int, ...]
    measures: tuple[int, ...]

    @property
    def keys(self) -> set[tuple[str, str]]:
        """The names, as they are compared."""
        key = collection_key if self.kind == Question.Kind.COLLECTION else measure_key
        return {(self.kind, key(name)) for name in self.names}


def stored_questions() -> dict[int, QuestionRow]:
    """All questions by their ids."""
    questions = list(Question.objects.all())
    collections: dict[int, list[int]] = defaultdict(list)
    measures: dict[int, list[int]] = defaultdict(list)
    if questions:
        of_collections, of_measures = Question.collections.through.objects, Question.measures.through.objects
        for question_id, pk in of_collections.order_by("pk").values_list("question_id", "collection_id"):
            collections[question_id].append(pk)
        for question_id, pk in of_measures.order_by("pk").values_list("question_id", "measure_id"):
            measures[question_id].append(pk)
    return {
        question.pk: QuestionRow(
            question.kind,
            tuple(question.spellings),
            question.text,
            tuple(collections[question.pk]),
            tuple(measures[question.pk]),
        )
        for question in questions
    }


def find_collection(name: str) -> Collection:
    """The collection of this name; its slug, which is the usual case, is found without reading all names."""
    return Collection.objects.select_related("density").filter(slug=name).first() or CatalogNames().collection(name)


def find_measure(name: str) -> Measure:
    """The measure of this name; its canonical one is found without reading all names."""
    return Measure.objects.filter(name=name).first() or CatalogNames().measure(name)


def _by_row(aliases: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    """The aliases of each row, by its id."""
    found: dict[int, list[str]] = defaultdict(list)
    for pk, alias in aliases:
        found[pk].append(alias)
    return found
