"""Indexing everything that has a page, with its words and names; only what changed is written."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from django.db import transaction
from django.db.models import Count, Max, Q
from django.urls import reverse

from analysis.readers.names import measure_key
from analysis.readers.text import shorten
from registry.accounts.models import User
from registry.catalog.models import Collection, CollectionAlias, Leaderboard, Measure, MeasureAlias
from registry.catalog.queries import stored_questions
from registry.core.bulk import insert_rows
from registry.core.pages import method_subjects
from registry.core.templatetags.formatting import number_of
from registry.curation.lineage.models import CollectionPaper, PaperLink
from registry.curation.suites.models import Suite
from registry.journal.queries import journal_version
from registry.leaderboards.queries.suites import suite_boards
from registry.results.models import Model, Paper, Result, System
from registry.search.models import IndexState, Term, Thing
from registry.search.names import (
    family_names,
    identifier_key,
    name_key,
    other_names,
    short_citations,
    short_names,
    without_part,
    words_of,
)

_CHUNK = 2000
#: A system or paper that is cited under many names is found by the first of them.
_MAX_TERMS = 80
_BATCH = 500
#: The fields of a thing beside the terms that find it.
_STORED = ("kind", "object_id", "title", "detail", "address", "n_results", "weight", "digest")


@dataclass(frozen=True, slots=True)
class IndexedThing:
    """One thing as the index stores it; names, short names and words are in the form in which they are compared."""

    kind: str
    object_id: int
    title: str
    detail: str
    address: str
    n_results: int = 0
    weight: int = 0
    names: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    #: How often each word occurs, for things that are ranked by that.
    counts: tuple[int, ...] = ()

    def named(self, names: Iterable[str], *more: str, short: Iterable[str] = ()) -> "IndexedThing":
        """Return the thing with its names, ``short`` ones that it may share, and the words of these and of ``more``."""
        names, short = list(names), list(short)
        keys = _keys(self.kind, names)
        short_keys = (key for key in _keys(self.kind, short) if key not in keys)
        return replace(
            self,
            title=shorten(self.title, 500),
            detail=shorten(self.detail, 500),
            names=tuple(keys)[:_MAX_TERMS],
            short_names=tuple(short_keys)[:_MAX_TERMS],
            words=tuple(words_of(*names, *short, *more))[:_MAX_TERMS],
        )

    @property
    def terms(self) -> Iterator[tuple[int, str, int]]:
        """Every name and word with its place before it and its weight after it."""
        weights = dict(zip(self.words, self.counts, strict=False))
        places = zip(Term.Place.values, (self.names, self.short_names, self.words), strict=True)
        return ((place, text, weights.get(text, self.weight)) for place, texts in places for text in texts)

    @property
    def digest(self) -> str:
        """The same for things with the same content."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def _keys(kind: str, names: list[str]) -> dict[str, None]:
    """Return the names in the form in which they are compared, each once."""
    keys = [name_key(name) for name in names]
    if kind == Thing.Kind.MEASURE:
        keys += [measure_key(name) for name in names]
    elif kind == Thing.Kind.PAPER:
        keys += [identifier_key(name) for name in names]
    return dict.fromkeys(key for key in keys if key)


def index_registry(*, is_forced: bool = False) -> int | None:
    """Return how many things were added, changed or removed; None where nothing happened since the last time.

    The state notes what another process wrote meanwhile, so that the next call indexes it.
    """
    seen = _state()
    if not is_forced and IndexState.objects.filter(seen=seen).exists():
        return None
    wanted = {(thing.kind, thing.object_id): thing for thing in everything()}
    with transaction.atomic():
        IndexState.objects.update_or_create(key="only", defaults={"seen": seen})
        return _write(wanted, is_forced)


def index_what_was_loaded(*, actor: User | None = None, reason: str = "") -> None:
    """Index the registry at the end of a load."""
    index_registry()


def _state() -> str:
    """Return a text that changes whenever something in the index may."""
    return f"{journal_version()} {Result.objects.aggregate(last=Max('pk'))['last']}"


def _write(wanted: dict[tuple[str, int], IndexedThing], is_forced: bool) -> int:
    listed = Thing.objects.values_list("pk", "kind", "object_id", "digest").iterator()
    stored = {(kind, pk): (thing, digest) for thing, kind, pk, digest in listed}
    unchanged = {
        key for key, (_, digest) in stored.items() if not is_forced and key in wanted and wanted[key].digest == digest
    }
    outdated = [thing for key, (thing, _) in stored.items() if key not in unchanged]
    missing = [new_thing for key, new_thing in wanted.items() if key not in unchanged]
    for start in range(0, len(outdated), _BATCH):
        pks = outdated[start : start + _BATCH]
        Term.objects.filter(thing__in=pks).delete()
        Thing.objects.filter(pk__in=pks).delete()
    for start in range(0, len(missing), _BATCH):
        _add(missing[start : start + _BATCH])
    return len(missing) + len(stored.keys() - wanted.keys())


def _add(indexed_things: Sequence[IndexedThing]) -> None:
    things = [Thing(**{name: getattr(indexed, name) for name in _STORED}) for indexed in indexed_things]
    Thing.objects.bulk_create(things)
    insert_rows(
        Term,
        [
            {"thing_id": thing.pk, "text": text, "place": place, "kind": indexed.kind, "weight": weight}
            for thing, indexed in zip(things, indexed_things, strict=True)
            for place, text, weight in indexed.terms
        ],
    )


def everything() -> Iterator[IndexedThing]:
    """Yield all that can be found today: the catalog, suites, what has standing results or is about them, methods."""
    spellings = _Spellings()
    boards = _standing_by("leaderboard")
    yield from _suites(boards)
    yield from _collections(spellings, boards)
    yield from _measures(spellings)
    yield from _leaderboards(spellings, boards)
    yield from _models()
    yield from _systems()
    yield from _papers()
    yield from _methods()


class _Spellings:
    """The other names of collections and measures, by id: aliases, and names that several share."""

    def __init__(self) -> None:
        self.collections, self.measures = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        self.shared_collections, self.shared_measures = self.collections.copy(), self.measures.copy()
        for pk, alias in CollectionAlias.objects.values_list("collection_id", "alias"):
            self.collections[pk].append(alias)
        for pk, alias in MeasureAlias.objects.values_list("measure_id", "alias"):
            self.measures[pk].append(alias)
        for question in stored_questions().values():
            named = self.shared_collections if question.is_of_collection else self.shared_measures
            for pk in question.choices:
                named[pk] += question.names

    def of_collection(self, row: Collection) -> list[str]:
        return [row.slug, row.name, row.ir_datasets_id, *self.collections[row.pk]]

    def of_measure(self, row: Measure) -> list[str]:
        return [row.name, row.ir_measures, row.trec_eval, row.long_name, *self.measures[row.pk]]


def _suites(standing: dict[int, int]) -> Iterator[IndexedThing]:
    addresses = {board.suite.pk: board.get_absolute_url() for board in reversed(suite_boards())}
    largest: dict[int, int] = defaultdict(int)
    pairs = {(board.collection_id, board.measure_id): standing.get(board.pk, 0) for board in Leaderboard.objects.all()}
    for suite, collection, measure in Suite.objects.values_list("pk", "members__collection", "members__measure"):
        largest[suite] = max(largest[suite], pairs.get((collection, measure), 0))
    members = Count("members__collection", distinct=True, filter=Q(members__part_of=None))
    for row in Suite.objects.annotate(n_members=members).order_by("pk"):
        address = addresses.get(row.pk, reverse("leaderboards:suite-first", args=[row.slug]))
        detail = f"Suite of {row.n_members} collections" if row.n_members != 1 else "Suite of one collection"
        thing = IndexedThing(Thing.Kind.SUITE, row.pk, row.name, detail, address, weight=largest[row.pk])
        short = [called := row.name.partition(",")[0], without_part(called), *other_names(row.name)]
        yield thing.named([row.slug, row.name], short=short)


def _collections(spellings: _Spellings, boards: dict[int, int]) -> Iterator[IndexedThing]:
    standing, largest = _standing_by("leaderboard__collection"), defaultdict[int, int](int)
    for pk, collection in Leaderboard.objects.values_list("pk", "collection"):
        largest[collection] = max(largest[collection], boards.get(pk, 0))
    for row in Collection.objects.order_by("pk"):
        topics = number_of(row.n_topics, "topic", "topics") if row.n_topics else ""
        facts = [row.suite, str(row.year or ""), topics]
        thing = IndexedThing(
            Thing.Kind.COLLECTION, row.pk, row.name, ", ".join(filter(None, facts)), row.get_absolute_url(),
            standing.get(row.pk, 0), largest[row.pk],
        )  # fmt: skip
        # The name without its suite, as TREC-COVID in BEIR TREC-COVID.
        own = row.name.removeprefix(row.suite)
        task = row.mteb_task.removesuffix("Retrieval").rstrip("-_")
        short = [*spellings.shared_collections[row.pk], own, without_part(row.name), task]
        yield thing.named(spellings.of_collection(row), row.suite, row.documents, row.language, row.domain, short=short)


def _measures(spellings: _Spellings) -> Iterator[IndexedThing]:
    standing = _standing_by("leaderboard__measure")
    for row in Measure.objects.filter(pk__in=standing).order_by("pk"):
        n, address = standing[row.pk], reverse("search:measure-detail", args=[row.name])
        thing = IndexedThing(Thing.Kind.MEASURE, row.pk, row.name, row.long_name, address, n, n)
        yield thing.named(spellings.of_measure(row), short=spellings.shared_measures[row.pk])


def _leaderboards(spellings: _Spellings, standing: dict[int, int]) -> Iterator[IndexedThing]:
    for row in Leaderboard.objects.with_names().filter(results_version__gt=0).order_by("pk"):
        if row.pk in standing:
            collection, measure, n = row.collection, row.measure, standing[row.pk]
            title, address = f"{collection.name}, {measure.name}", row.get_absolute_url()
            yield IndexedThing(Thing.Kind.LEADERBOARD, row.pk, title, collection.suite, address, n, n).named(
                [f"{collection.slug} {measure.name}", f"{collection.name} {measure.name}"],
                *spellings.of_collection(collection),
                *spellings.shared_collections[collection.pk],
                *spellings.of_measure(measure),
                *spellings.shared_measures[measure.pk],
            )


def _models() -> Iterator[IndexedThing]:
    standing, addresses = _standing_by("system__model"), defaultdict[int, list[str]](list)
    on_hub = System.objects.filter(model__in=standing, merged_into=None, name__regex=r"^[^ /]+/[^ /]+$")
    for pk, name in on_hub.values_list("model", "name"):
        addresses[pk].append(name)
    for row in Model.objects.filter(pk__in=standing).order_by("pk"):
        n = standing[row.pk]
        detail = ", ".join(filter(None, [f"by {row.maker}" if row.maker else "", row.known_since[:4]]))
        short = [text for name in (row.name, row.slug) for text in (*other_names(name), *short_names(name))]
        short += family_names(row.name)
        thing = IndexedThing(Thing.Kind.MODEL, row.pk, row.name, detail, row.get_absolute_url(), n, n)
        yield thing.named([row.name, row.slug, *addresses[row.pk]], row.maker, short=short)


def _systems() -> Iterator[IndexedThing]:
    standing = _standing_by("system")
    earlier = _merged_names(System, "name", "team")
    for row in System.objects.order_by("pk").iterator(_CHUNK):
        if row.pk in standing:
            names = [row.name, *(name for name, _ in earlier[row.pk])]
            teams = [row.team, *(team for _, team in earlier[row.pk])]
            detail, n = f"by {row.team}" if row.team else "", standing[row.pk]
            short = [text for name in names for text in (*other_names(name), *short_names(name))]
            thing = IndexedThing(Thing.Kind.SYSTEM, row.pk, row.name, detail, row.get_absolute_url(), n, n)
            yield thing.named(names, *teams, short=short)


def _papers() -> Iterator[IndexedThing]:
    standing, about = _standing_by("paper"), _results_about()
    names = ("cite", "title", "doi", "arxiv_id", "acl_id", "dblp_key", "url")
    earlier = _merged_names(Paper, *names)
    for row in Paper.objects.filter(merged_into__isnull=True).defer("bibtex").iterator(_CHUNK):
        n = standing.get(row.pk, 0)
        if n or row.pk in about:
            details = [part for part in (row.title, row.venue, str(row.year or "")) if part and part not in str(row)]
            known = [getattr(row, name) for name in names] + [text for texts in earlier[row.pk] for text in texts]
            people = row.cite.partition(" (")[0] or row.short_people
            thing = IndexedThing(
                Thing.Kind.PAPER, row.pk, str(row), ", ".join(details), row.get_absolute_url(), n,
                max(n, about.get(row.pk, 0)),
            )  # fmt: skip
            short = [*short_citations(people, row.cite, row.year), row.title.partition(":")[0], *row.people]
            known += other_names(row.title, is_whole=True)
            yield thing.named(known, row.authors, row.venue, str(row.year or ""), short=short)


def _results_about() -> dict[int, int]:
    """Return the number of standing results of what a paper is about, by its id: a system, a model or a collection."""
    standing, counts = _standing_by("system"), defaultdict[int, int](int)
    for paper, system in PaperLink.objects.standing().values_list("paper", "system"):
        counts[paper] += standing.get(system, 0)
    of_models = _standing_by("system__model")
    for paper, model in Model.objects.exclude(paper=None).values_list("paper", "pk"):
        counts[paper] = max(counts[paper], of_models.get(model, 0))
    # Papers about collections are found as well, after the collections themselves.
    for paper in CollectionPaper.objects.standing().values_list("paper", flat=True):
        counts[paper] += 0
    return counts


@cache
def _methods() -> list[IndexedThing]:
    """Return the methods, read once a process: reading their files takes longer than all the tables."""
    things = []
    for number, subject in enumerate(method_subjects(), start=1):
        address = reverse("core:method-detail", args=[subject.name])
        thing = IndexedThing(Thing.Kind.METHOD, number, subject.title, subject.summary, address)
        names, other = [subject.name, subject.title, *subject.glossed], other_names(subject.name)
        thing = thing.named(names, subject.summary, *subject.headed, short=other)
        counts = Counter(word for part in subject.text.split() for word in words_of(part))
        things.append(replace(thing, counts=tuple(counts[word] for word in thing.words)))
    return things


def _merged_names(model: type[System] | type[Paper], *fields: str) -> dict[int, list[tuple[str, ...]]]:
    """Return the names of things that were merged into others, by the ids of those."""
    names: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for pk, *texts in model._default_manager.exclude(merged_into=None).values_list("merged_into", *fields):
        names[pk].append(tuple(texts))
    return names


def _standing_by(field: str) -> dict[int, int]:
    """Return the number of standing results by the id of what they belong to."""
    counts = Result.objects.standing().values_list(field).annotate(n=Count("pk"))
    return {pk: n for pk, n in counts if pk is not None}
