"""What is found, read from the tables of the other apps: everything that has a page, with its words and names."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.urls import reverse

from analysis.readers.names import measure_key
from analysis.readers.text import shorten
from registry.catalog.models import Collection, CollectionAlias, Leaderboard, Measure, MeasureAlias, Question
from registry.catalog.queries import stored_questions
from registry.curation.suites.models import Suite
from registry.leaderboards.suite_queries import suite_boards
from registry.results.models import Paper, Result, System
from registry.search.models import Thing
from registry.search.names import identifier_key, name_key, words_of

_CHUNK = 2000
#: A system or a paper that many results cite under many names is found by the first of them.
_MAX_TERMS = 60


@dataclass(frozen=True, slots=True)
class Found:
    """One thing as the index keeps it; ``names`` and ``words`` are as they are compared."""

    kind: str
    object_id: int
    title: str
    detail: str
    address: str
    n_results: int
    names: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The same for the same thing."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def everything() -> Iterator[Found]:
    """All that can be found today: what has standing results, and suites."""
    spellings = _Spellings()
    yield from _collections(spellings)
    yield from _suites()
    yield from _measures(spellings)
    yield from _leaderboards(spellings)
    yield from _systems()
    yield from _papers()


class _Spellings:
    """The other names of collections and measures, by id: aliases, and names that several share."""

    def __init__(self) -> None:
        self.collections: dict[int, list[str]] = defaultdict(list)
        self.measures: dict[int, list[str]] = defaultdict(list)
        for pk, alias in CollectionAlias.objects.values_list("collection_id", "alias"):
            self.collections[pk].append(alias)
        for pk, alias in MeasureAlias.objects.values_list("measure_id", "alias"):
            self.measures[pk].append(alias)
        for question in stored_questions().values():
            is_collection = question.kind == Question.Kind.COLLECTION
            named = self.collections if is_collection else self.measures
            for pk in question.collections if is_collection else question.measures:
                named[pk] += question.names

    def of_collection(self, row: Collection) -> list[str]:
        return [row.slug, row.name, row.ir_datasets_id, *self.collections[row.pk]]

    def of_measure(self, row: Measure) -> list[str]:
        return [row.name, row.ir_measures, row.trec_eval, row.long_name, *self.measures[row.pk]]


def _found(kind: str, row: object, n_results: int, title: str, detail: str, names: Iterable[str], *more: str) -> Found:
    names = [name for name in names if name]
    keys = [name_key(name) for name in names]
    if kind == Thing.Kind.MEASURE:
        keys += [measure_key(name) for name in names]
    elif kind == Thing.Kind.PAPER:
        keys += [identifier_key(name) for name in names]
    return Found(
        kind=kind,
        object_id=row.pk,  # type: ignore[attr-defined]
        title=shorten(title, 500),
        detail=shorten(detail, 500),
        address=row.get_absolute_url(),  # type: ignore[attr-defined]
        n_results=n_results,
        names=tuple(dict.fromkeys(key for key in keys if key))[:_MAX_TERMS],
        words=tuple(words_of(*names, *more))[:_MAX_TERMS],
    )


def _collections(spellings: _Spellings) -> Iterator[Found]:
    standing = _standing_by("leaderboard__collection")
    for row in Collection.objects.filter(pk__in=standing):
        facts = [row.suite, str(row.year or ""), f"{row.n_topics:,} topics" if row.n_topics else ""]
        yield _found(
            Thing.Kind.COLLECTION,
            row,
            standing[row.pk],
            row.name,
            ", ".join(filter(None, facts)),
            spellings.of_collection(row),
            row.suite,
            row.documents,
            row.language,
        )


def _suites() -> Iterator[Found]:
    boards = {board.suite.pk: board.get_absolute_url() for board in reversed(suite_boards())}
    for row in Suite.objects.annotate(n_members=Count("members")):
        address = boards.get(row.pk, reverse("leaderboards:suite-first", args=[row.slug]))
        found = _Addressed(row.pk, address)
        detail = f"Suite of {row.n_members} collections" if row.n_members != 1 else "Suite of one collection"
        yield _found(Thing.Kind.SUITE, found, 0, row.name, detail, [row.slug, row.name])


@dataclass(frozen=True, slots=True)
class _Addressed:
    """Something without a page of its own."""

    pk: int
    address: str

    def get_absolute_url(self) -> str:
        return self.address


def _measures(spellings: _Spellings) -> Iterator[Found]:
    standing = _standing_by("leaderboard__measure")
    for row in Measure.objects.filter(pk__in=standing):
        found = _Addressed(row.pk, reverse("search:measure-detail", args=[row.name]))
        yield _found(Thing.Kind.MEASURE, found, standing[row.pk], row.name, row.long_name, spellings.of_measure(row))


def _leaderboards(spellings: _Spellings) -> Iterator[Found]:
    standing = _standing_by("leaderboard")
    for row in Leaderboard.objects.with_names().filter(results_version__gt=0):
        if row.pk in standing:
            collection, measure = row.collection, row.measure
            yield _found(
                Thing.Kind.LEADERBOARD,
                row,
                standing[row.pk],
                f"{collection.name}, {measure.name}",
                collection.suite,
                [f"{collection.slug} {measure.name}", f"{collection.name} {measure.name}"],
                *spellings.of_collection(collection),
                *spellings.of_measure(measure),
            )


def _systems() -> Iterator[Found]:
    standing = _standing_by("system")
    earlier = _merged_names(System.objects.filter(merged_into__isnull=False), "name", "team")
    for row in System.objects.filter(merged_into__isnull=True).iterator(_CHUNK):
        if row.pk in standing:
            names = [row.name, *(name for name, _ in earlier[row.pk])]
            teams = [row.team, *(team for _, team in earlier[row.pk])]
            detail = f"by {row.team}" if row.team else ""
            yield _found(Thing.Kind.SYSTEM, row, standing[row.pk], row.name, detail, names, *teams)


def _papers() -> Iterator[Found]:
    standing = _standing_by("paper")
    names = ("cite", "title", "doi", "arxiv_id", "acl_id", "dblp_key", "url")
    earlier = _merged_names(Paper.objects.filter(merged_into__isnull=False), *names)
    for row in Paper.objects.filter(merged_into__isnull=True).defer("bibtex").iterator(_CHUNK):
        if row.pk in standing:
            said = [part for part in (row.title, row.venue, str(row.year or "")) if part and part not in str(row)]
            known = [getattr(row, name) for name in names] + [text for one in earlier[row.pk] for text in one]
            yield _found(
                Thing.Kind.PAPER, row, standing[row.pk], str(row), ", ".join(said), known, row.authors, row.venue,
                str(row.year or ""),
            )  # fmt: skip


def _merged_names(rows: "QuerySet[Any]", *fields: str) -> dict[int, list[tuple[str, ...]]]:
    """What things were called that were merged into others, by the others' ids."""
    found: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for pk, *texts in rows.values_list("merged_into", *fields):
        found[pk].append(tuple(texts))
    return found


def _standing_by(field: str) -> dict[int, int]:
    """How many results stand, by the id of what they belong to."""
    counts = Result.objects.standing().order_by().values_list(field).annotate(n=Count("pk"))
    return {pk: n for pk, n in counts if pk is not None}
