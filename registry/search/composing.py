"""Texts made of several names: a collection and a measure, a system or model on a collection or suite."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.readers.names import measure_key
from registry.catalog.models import Leaderboard
from registry.curation.suites.models import SuiteMember
from registry.results.models import Result
from registry.search.models import Term, Thing
from registry.search.names import MAX_LENGTH, MAX_WORDS, name_key, words_of

#: The most leaderboards and results of a text that is made of names.
_MAX_COMPOSED = 20
#: The most models that have the words of a text without being named by it.
_MAX_MODELS = 5
#: The results of which the first are chosen.
_MAX_RESULTS = 200
#: A text that names a system or model, and a collection or suite, is made of names.
_OF: dict[str, str] = {Thing.Kind.SYSTEM: "system__in", Thing.Kind.MODEL: "system__model__in"}
_WHERE = frozenset({Thing.Kind.COLLECTION, Thing.Kind.SUITE})
_SHOWN = ("pk", "leaderboard", "system__name")
_KINDS = (*_WHERE, Thing.Kind.MEASURE, *_OF)

#: The things that a part of a text may name: ids by kind.
Named = dict[str, set[int]]


@dataclass(frozen=True, slots=True)
class Composed:
    """Finds of a text that is made of names: ids of things that are leaderboards, and of results.

    ``parts`` are the names, each after the kind of thing that it names.
    """

    leaderboards: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()


def read_composed(text: str) -> Composed:
    """Return the leaderboards and results where the names in a text meet."""
    parts = text.split()
    if not 1 < len(parts) <= MAX_WORDS:
        return Composed()
    named = _named(parts)
    boards, results, with_words = Q(), Q(), Q()
    read: tuple[tuple[str, str], ...] = ()
    for kinds, ends in _readings(named, len(parts)):
        board = _boards(kinds)
        names = [" ".join(parts[slice(*span)]) for span in pairwise(ends)]
        owners = [(kind, name) for kind, name in zip(kinds, names, strict=True) if kind in _OF]
        for kind, name in owners:
            there = Q(leaderboard__in=Leaderboard.objects.filter(board).values("pk"))
            results |= there & Q(**{_OF[kind]: kinds[kind]})
            with_words |= there & Q(system__in=_things_with(Thing.Kind.SYSTEM, words_of(name)))
        is_board = not owners and Thing.Kind.COLLECTION in kinds
        if (owners and not read) or (is_board and not boards):
            read = tuple(zip(kinds, names, strict=True))
        boards |= board if is_board else Q()
    # A measure is no part of the name of a system: "Recall@1000 msmarco" is a leaderboard.
    result_ids = () if boards else _results(results, with_words)
    if not result_ids and not boards:
        words, read_as_words = _of_words(parts, named)
        result_ids = _results(words)
        read = read_as_words if result_ids else read
    return Composed(_leaderboards(boards), result_ids, read)


def _of_words(parts: list[str], named: dict[tuple[int, int], Named]) -> tuple[Q, tuple[tuple[str, str], ...]]:
    """Return the results on the collection or suite of the longest name, of models with all other words in their names.

    The second value says how the parts were read.
    """
    if named.get((0, len(parts))):
        return Q(), ()
    for start, end in sorted(named, key=lambda span: span[0] - span[1]):
        places = {kind: ids for kind, ids in named[start, end].items() if kind in _WHERE}
        others = {*named.get((0, start), ()), *named.get((end, len(parts)), ())}
        if (
            places
            and Thing.Kind.MODEL not in others
            and (models := list(_things_with(Thing.Kind.MODEL, words_of(*parts[:start], *parts[end:]))[:_MAX_MODELS]))
        ):
            boards = Leaderboard.objects.filter(_boards(places)).values("pk")
            words, name = " ".join([*parts[:start], *parts[end:]]), " ".join(parts[start:end])
            read = (Thing.Kind.MODEL.value, words), (next(iter(places)), name)
            return Q(leaderboard__in=boards, system__model__in=models), read
    return Q(), ()


def _things_with(kind: Thing.Kind, words: list[str]) -> QuerySet[Thing, int]:
    """Return the ids of the systems or models with all the words, those with the most results first."""
    things = Thing.objects.filter(kind=kind) if words else Thing.objects.none()
    for word in words:
        things = things.filter(terms__text=word, terms__place=Term.Place.WORD)
    return things.order_by("-weight", "pk").values_list("object_id", flat=True)


def _boards(kinds: Named) -> Q:
    """Return the leaderboards of the collection or suite, under its measure, if it names any."""
    if Thing.Kind.COLLECTION in kinds:
        board = Q(collection__in=kinds[Thing.Kind.COLLECTION])
    else:
        members = SuiteMember.objects.filter(suite__in=kinds[Thing.Kind.SUITE], part_of=None)
        board = Q(Exists(members.filter(collection=OuterRef("collection"), measure=OuterRef("measure"))))
    if Thing.Kind.MEASURE in kinds:
        board &= Q(measure__in=kinds[Thing.Kind.MEASURE])
    return board


def _readings(named: dict[tuple[int, int], Named], n: int) -> Iterator[tuple[Named, tuple[int, ...]]]:
    """Yield every way to read ``n`` parts as a collection or suite with a measure, a system or model, or both.

    Each comes with the ends of the names.
    """
    # The name of the whole text wins: "MS MARCO" is no model "MS" on a suite.
    whole = named.get((0, n), {})
    excluded = {Thing.Kind.SUITE, Thing.Kind.MODEL} if whole else set()
    if Thing.Kind.SYSTEM in whole:
        return
    for inner in (*combinations(range(1, n), 1), *combinations(range(1, n), 2)):
        ends = (0, *inner, n)
        spans = [named.get(span, {}) for span in pairwise(ends)]
        # Where a part is no name, there is nothing to go through.
        for kinds in product(*spans):
            fits = len(set(kinds)) == len(kinds) and len(_WHERE & {*kinds}) == 1 and len(_OF.keys() & {*kinds}) < 2
            if fits and not excluded & {*kinds}:
                yield {kind: span[kind] for kind, span in zip(kinds, spans, strict=True)}, ends


def _named(parts: list[str]) -> dict[tuple[int, int], Named]:
    """Return what spans of the parts name, by start and end."""
    spans: dict[str, set[tuple[int, int]]] = {}
    for span in combinations(range(len(parts) + 1), 2):
        text = " ".join(parts[slice(*span)])
        for key in (name_key(text), measure_key(text)[:MAX_LENGTH]):
            spans.setdefault(key, set()).add(span)
    named: dict[tuple[int, int], Named] = defaultdict(lambda: defaultdict(set))
    terms = Term.objects.filter(text__in=spans, place__lt=Term.Place.WORD, kind__in=_KINDS)
    for text, kind, pk in terms.values_list("text", "kind", "thing__object_id"):
        for span in spans[text]:
            named[span][kind].add(pk)
    return named


def _leaderboards(wanted: Q) -> tuple[int, ...]:
    """Return the ids of these leaderboards in the index."""
    if not wanted:
        return ()
    boards = Leaderboard.objects.filter(wanted).values("pk")
    things = Thing.objects.filter(kind=Thing.Kind.LEADERBOARD, object_id__in=boards).order_by("-weight", "pk")
    return tuple(things.values_list("pk", flat=True)[:_MAX_COMPOSED])


def _results(*wanted: Q) -> tuple[int, ...]:
    """Return standing results, those on the largest leaderboards first, there what is wanted first, then defaults."""
    standing = Result.objects.standing().order_by("pk")
    rows: dict[int, tuple[int, int, list[str]]] = {}
    for place, some in enumerate(filter(None, wanted)):
        for pk, board, name in standing.filter(some).values_list(*_SHOWN)[:_MAX_RESULTS]:
            rows.setdefault(pk, (board, place, words_of(name)))
    boards = Thing.objects.filter(kind=Thing.Kind.LEADERBOARD, object_id__in={board for board, _, _ in rows.values()})
    sizes = dict(boards.values_list("object_id", "weight"))

    def order(pk: int) -> tuple[object, ...]:
        board, place, words = rows[pk]
        return -sizes.get(board, 0), place, "default" not in words, len(words), pk

    return tuple(sorted(rows, key=order)[:_MAX_COMPOSED])


def result_things(ids: Iterable[int]) -> dict[int, Thing]:
    """Return the results with these ids as things, by id."""
    rows = Result.objects.select_related("system", "leaderboard__collection", "leaderboard__measure").in_bulk(list(ids))
    return {
        pk: Thing(
            kind=Thing.Kind.RESULT,
            object_id=pk,
            title=f"{row.system.name}: {row.score.shown(row.leaderboard.measure.decimals)}",
            detail=f"{row.leaderboard.collection.name}, {row.leaderboard.measure.name}",
            address=row.get_absolute_url(),
            n_results=1,
        )
        for pk, row in rows.items()
    }
