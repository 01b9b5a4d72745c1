"""Finding rows of the catalog by any of their names; variances, relevant documents and relations of leaderboards."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

from django.db.models import F

from analysis.readers.names import collection_key, measure_key, says_grade, without_grade
from registry.catalog.models import (
    Collection,
    CollectionAlias,
    CollectionLink,
    Density,
    Leaderboard,
    Measure,
    MeasureAlias,
    Question,
    ResidualVariance,
)
from registry.catalog.names import (
    Asked,
    Named,
    NamedRow,
    NameIndex,
    describe_collections,
    describe_measures,
    grade_questions,
    name_with_grade,
)
from registry.catalog.querysets import LeaderboardQuerySet
from registry.catalog.relatives import CHECKS, MEMBER_OF
from registry.journal.queries import kept_until_written

Of = TypeVar("Of")

#: At most, as surely as from so many squares, for a matrix that doesn't hold every listed result; at most of all.
MAX_DF_PARTIAL, MAX_DF = 18.0, 60.0
#: With fewer runs or makers a matrix is small, whatever it holds.
MIN_SYSTEMS, MIN_MAKERS = 10, 3

#: A suite of one track: its other years are like this one. Suites that gather what others made are none.
_TRACK = re.compile(r"TREC.*|Touché.*|CLEF e.*|LongEval.*|CIRAL|HC4|Mr\. TyDi|MS MARCO")
#: The means of siblings tell something of each other if all are beyond one of these, or within this factor.
_MANY, _FEW, _FACTOR, _MIN_SIBLINGS = 15.0, 3.0, 8.0, 2
#: Begins the note of a collection whose results here rest on other judgements.
_OTHER_JUDGEMENTS = "these are Anserini's judgements"
_BASES = {Density.Basis.STATISTICS: "package statistics", Density.Basis.MEMBERS: "its members together"}


class CatalogNames:
    """Every collection and measure under all its names, read once: for looking up many, each of them once.

    A name is a slug or an ir-measures name, a display name, an ir_datasets id, a name that trec_eval prints, or an
    alias; case, accents, blanks and hyphens don't matter, and measures may be spelled as tables and tools spell them
    (``readers.names``). A name that may mean several things is refused as ``ambiguous``, with a question and the
    candidates: nothing is guessed. A name exactly as the registry writes it is not asked about: it leads to what is on
    record.

    ``of_scores`` are the names under which somebody submits scores. Most papers print R@1000, whatever they count; so
    where the collection has a sibling of that measure, as R(rel=2)@1000, its exact name is asked about too, and
    R(rel=1)@1000 is how to say that it is meant.
    """

    def __init__(self, *, of_scores: bool = False) -> None:
        collections, measures = Collection.objects.in_bulk(), Measure.objects.in_bulk()
        questions = list(stored_questions().values())
        self.is_empty = not collections
        self._is_of_scores = of_scores
        self._questions = questions
        self._ends = sorted((pk, measure.low, measure.high) for pk, measure in measures.items())
        aliases = _by_row(CollectionAlias.objects.values_list("collection_id", "alias"))
        self._collections = NameIndex(
            "collection",
            [
                NamedRow(row, row.slug, names := (row.name, row.ir_datasets_id, *aliases[pk]), names)
                for pk, row in collections.items()
            ],
            key=collection_key,
            describe=describe_collections,
            questions=[question.about(collections) for question in questions if question.is_of_collection],
        )
        aliases = _by_row(MeasureAlias.objects.values_list("measure_id", "alias"))
        of_measures = [question.about(measures) for question in questions if not question.is_of_collection]
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
            questions=[*of_measures, *grade_questions(measures, of_measures)],
            explicit=name_with_grade if of_scores else None,
            is_explicit=says_grade,
        )

    @cached_property
    def digest(self) -> str:
        """Return a digest of all that names and scores are read by: while it stays, a row is read as before."""
        names = [self._is_of_scores, *self._collections.all_names, *self._measures.all_names, *self._ends]
        return blake2b(repr([names, sorted(map(repr, self._questions))]).encode(), digest_size=16).hexdigest()

    def suggest_again(self) -> None:
        """Have unknown names get suggestions, as for whoever reads the names anew."""
        self._collections.n_hints = self._measures.n_hints = 0

    def collection(self, text: str, *, under: str = "") -> Collection:
        """Return the collection of this name. ``under`` is the name of the measure beside it, which settles some names.

        Raises
        ------
        Refused
            As ``unknown_collection``, with the nearest names; as ``ambiguous``, with the candidates; as ``blank``.
        """
        return self._collections.find(text, self._measures.possible(under) if under else frozenset())

    def measure(self, text: str, *, on: Collection | None = None) -> Measure:
        """Return the measure of this name; on some collections some names are ambiguous. Refused as collections are."""
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
        """Return other measures that a score may be of on the collection of this id, at the same depth."""
        name = without_grade(measure.name)
        # Of runs that were cut at a thousand documents AP and AP@1000 are one number, and no mistake.
        return [
            sibling
            for sibling in self._measures.siblings(measure, frozenset([on]))
            if (other := without_grade(sibling.name)) == name or other.partition("@")[0] != name.partition("@")[0]
        ]

    def collections(self, text: str) -> list[Collection]:
        """Return all that the name may stand for, the likeliest first."""
        return self._collections.rows_of(text)

    def measures(self, text: str) -> list[Measure]:
        """Return all that the name may stand for, the likeliest first."""
        return self._measures.rows_of(text)

    def collections_like(self, text: str, n: int, *, weights: Mapping[int, int]) -> list[Collection]:
        """Return up to ``n`` collections that the text typed so far may mean; of likely ones the weightier first."""
        return self._collections.like(text, n, weights)

    def measures_like(self, text: str, n: int, *, weights: Mapping[int, int]) -> list[Measure]:
        """Return the same of measures."""
        return self._measures.like(text, n, weights)


_READ = (Collection, CollectionAlias, Measure, MeasureAlias, Question, Leaderboard)


def names_of_scores() -> CatalogNames:
    """Return the names ``of_scores`` as the catalog has them now; they are shared, so what they find is only read."""
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
    def is_of_collection(self) -> bool:
        """Return whether its names are those of collections, not of measures."""
        return self.kind == Question.Kind.COLLECTION

    @property
    def choices(self) -> tuple[int, ...]:
        """Return the ids of what the names may mean."""
        return self.collections if self.is_of_collection else self.measures

    @property
    def places(self) -> tuple[int, ...]:
        """Return the ids of what it is asked beside; none where it is asked everywhere."""
        return self.measures if self.is_of_collection else self.collections

    @property
    def keys(self) -> set[tuple[str, str]]:
        """Return the names, as they are compared."""
        key = collection_key if self.is_of_collection else measure_key
        return {(self.kind, key(name)) for name in self.names}

    def about(self, rows: Mapping[int, Named]) -> Asked[Named]:
        """Return the question with the rows to choose from, which are given by id."""
        return Asked(self.text, self.names, [rows[pk] for pk in self.choices], frozenset(self.places))


def stored_questions() -> dict[int, QuestionRow]:
    """Return all questions by their ids."""
    questions = list(Question.objects.all())
    if not questions:
        return {}
    of_collections, of_measures = Question.collections.through.objects, Question.measures.through.objects
    collections = _by_row(of_collections.order_by("pk").values_list("question_id", "collection_id"))
    measures = _by_row(of_measures.order_by("pk").values_list("question_id", "measure_id"))
    return {
        row.pk: QuestionRow(
            row.kind, tuple(row.spellings), row.text, tuple(collections[row.pk]), tuple(measures[row.pk])
        )
        for row in questions
    }


def find_collection(name: str) -> Collection:
    """Return the collection of this name; a slug, the usual case, is found without reading all names."""
    return Collection.objects.select_related("density").filter(slug=name).first() or CatalogNames().collection(name)


def find_measure(name: str) -> Measure:
    """Return the measure of this name; a canonical one is found without reading all names."""
    return Measure.objects.filter(name=name).first() or CatalogNames().measure(name)


def _by_row(pairs: Iterable[tuple[int, Of]]) -> dict[int, list[Of]]:
    """Return what belongs to each row, such as its aliases, by its id."""
    by_row: dict[int, list[Of]] = defaultdict(list)
    for pk, of_row in pairs:
        by_row[pk].append(of_row)
    return by_row


@dataclass(frozen=True, slots=True)
class VarianceSeen:
    """A residual variance per topic that was measured on runs of this collection, and how surely it holds here."""

    value: float
    degrees_of_freedom: float
    sources: tuple[str, ...]
    n_systems: int
    n_topics: int
    n_makers: int | None


@dataclass(frozen=True, slots=True)
class RelevantSeen:
    """The mean number of documents relevant to a topic; ``known_from`` says in words how that is known."""

    mean: float
    share_with_one: float | None
    known_from: str
    is_of_siblings: bool = False


def read_variances(leaderboard: Leaderboard, *, n_rows: int) -> tuple[VarianceSeen, ...]:
    """Return the variances that were measured on this collection under this measure; in one query.

    ``n_rows`` is the number of listed results that may be the best: a matrix of fewer runs doesn't cover all of them.
    """
    known = ResidualVariance.objects.filter(measure=leaderboard.measure, collection=leaderboard.collection)
    return tuple(_own(row, n_rows) for row in known)


def _own(row: ResidualVariance, n_rows: int) -> VarianceSeen:
    n_systems, n_topics = row.n_systems, row.n_topics
    is_partial = n_systems < max(n_rows, MIN_SYSTEMS) or (row.n_makers is not None and row.n_makers < MIN_MAKERS)
    df = min(float((n_topics - 1) * (n_systems - 1)), MAX_DF_PARTIAL if is_partial else MAX_DF)
    sources = tuple(f"{source} ({row.note})" if row.note else source for source in row.sources)
    return VarianceSeen(row.residual_variance, df, sources, n_systems, n_topics, row.n_makers)


def read_relevant(leaderboard: Leaderboard) -> RelevantSeen | None:
    """Return the number of documents relevant to a topic of this leaderboard, as its measure counts; None if unknown.

    By judgements or statistics of the collection; by what is registered of it; by other collections of its track, if
    these agree; one where every topic has one right answer. In two queries at most.
    """
    collection, is_graded = leaderboard.collection, "(rel=2)" in leaderboard.measure.name
    density: Density | None = getattr(collection, "density", None)
    known = _of_density(density, is_graded=is_graded)
    is_ndcg = leaderboard.measure.nature.family == "nDCG"
    is_of_others = is_ndcg and density is not None and density.note.startswith(_OTHER_JUDGEMENTS)
    if known and not (is_of_others and collection.relevant_per_topic):
        return known
    if collection.relevant_per_topic and not is_graded:
        return RelevantSeen(collection.relevant_per_topic, None, "as recorded with the collection")
    of_task = RelevantSeen(1.0, 1.0, "every topic has one right answer")
    is_known_item = collection.task == Collection.Task.KNOWN_ITEM
    return _of_siblings(collection, is_graded=is_graded) or (of_task if is_known_item else None)


def _of_density(density: Density | None, *, is_graded: bool) -> RelevantSeen | None:
    if density is None:
        return None
    mean, share = (
        (density.grade_2_mean, density.grade_2_share_with_one)
        if is_graded
        else (density.relevant_mean, density.share_with_one)
    )
    if not mean:
        return None
    basis = Density.Basis(density.basis)
    return RelevantSeen(mean, share, _BASES.get(basis, str(basis.label)))


def _of_siblings(collection: Collection, *, is_graded: bool) -> RelevantSeen | None:
    if not _TRACK.fullmatch(collection.suite):
        return None
    field = "grade_2_mean" if is_graded else "relevant_mean"
    others = Density.objects.filter(collection__suite=collection.suite).exclude(collection=collection)
    means = list(others.filter(**{f"{field}__gt": 0}).values_list(field, flat=True))
    if len(means) < _MIN_SIBLINGS:
        return None
    low, high = min(means), max(means)
    if not (low > _MANY or high < _FEW or high <= _FACTOR * low):
        return None
    middle = math.exp(sum(map(math.log, means)) / len(means))
    return RelevantSeen(middle, None, f"{len(means)} other collections of {collection.suite}", is_of_siblings=True)


def resting_on(leaderboards: Sequence[int]) -> LeaderboardQuerySet:
    """Return the other leaderboards whose verdicts rest on some of these, under the same measures: means over their
    collections, and those whose scores are checked against theirs."""
    larger = _at_the_other_end(leaderboards, [MEMBER_OF, *CHECKS], here="collection", there="base")
    smaller = _at_the_other_end(leaderboards, CHECKS, here="base", there="collection")
    return (larger | smaller).exclude(pk__in=leaderboards)


def _at_the_other_end(
    leaderboards: Sequence[int], relations: Iterable[str], *, here: str, there: str
) -> LeaderboardQuerySet:
    """Return the leaderboards with results to which links lead from some of these, under the same measures."""
    of_these = {f"{here}__leaderboards__in": leaderboards}
    alike = {f"{there}__leaderboards__measure": F(f"{here}__leaderboards__measure")}
    links = CollectionLink.objects.filter(relation__in=relations, **of_these, **alike)
    return Leaderboard.objects.filter(pk__in=links.values(f"{there}__leaderboards"), results_version__gt=0)
