"""Texts that are made of names: a collection and a measure, a system or model on a collection or suite."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from django.db.models import Exists, OuterRef, Q

from analysis.readers.names import measure_key
from registry.catalog.models import Leaderboard
from registry.curation.suites.models import SuiteMember
from registry.results.models import Result
from registry.search.models import Term, Thing
from registry.search.names import MAX_LENGTH, MAX_WORDS, name_key, words_of

#: So many finds of a text that is made of names are enough: its leaderboards, its results.
_MAX_COMPOSED = 20
#: So many models are looked at that have the words of a text without being named by it.
_MAX_MODELS = 5
#: So many results are looked at for the first of these.
_MAX_RESULTS = 200
#: What results are of, and where they are: a text that names one of each is made of names.
_OF = {Thing.Kind.SYSTEM: "system__in", Thing.Kind.MODEL: "system__model__in"}
_WHERE = frozenset({Thing.Kind.COLLECTION, Thing.Kind.SUITE})
_SHOWN = ("pk", "leaderboard", "system__name")
_KINDS = (*_WHERE, Thing.Kind.MEASURE, *_OF)

#: What a part of a text may be the name of: ids by kind.
Named = dict[str, set[int]]


@dataclass(frozen=True, slots=True)
class Composed:
    """What a text that is made of names leads to: ids of things that are leaderboards, and of results.

    ``parts`` are the words of each name, after the kind of what goes by it.
    """

    leaderboards: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()


def read_composed(text: str) -> Composed:
    """Return the leaderboards and results where the names meet of which the text is made."""
    parts = text.split()
    if not 1 < len(parts) <= MAX_WORDS:
        return Composed()
    named = _named(parts)
    boards, results = Q(), Q()
    read: tuple[tuple[str, str], ...] = ()
    for kinds, ends in _readings(named, len(parts)):
        board = _boards(kinds)
        of = [Q(**{field: kinds[kind]}) for kind, field in _OF.items() if kind in kinds]
        if of:
            results |= Q(leaderboard__in=Leaderboard.objects.filter(board).values("pk")) & of[0]
        elif Thing.Kind.COLLECTION in kinds:
            boards |= board
        if (of or Thing.Kind.COLLECTION in kinds) and not read:
            names = (" ".join(parts[slice(*span)]) for span in pairwise(ends))
            read = tuple(zip(kinds, names, strict=True))
    found = _results(results)
    if not found:
        words, said = _of_words(parts, named)
        found = _results(words)
        read = said if found else read
    return Composed(_leaderboards(boards), found, read)


def _of_words(parts: list[str], named: dict[tuple[int, int], Named]) -> tuple[Q, tuple[tuple[str, str], ...]]:
    """Return what stands on the collection or suite of the longest name, of models whose names have all other words,
    and how the parts are read."""
    if named.get((0, len(parts))):
        return Q(), ()
    for start, end in sorted(named, key=lambda span: span[0] - span[1]):
        where = {kind: ids for kind, ids in named[start, end].items() if kind in _WHERE}
        others = {*named.get((0, start), ()), *named.get((end, len(parts)), ())}
        if (
            where
            and Thing.Kind.MODEL not in others
            and (models := _models_with(words_of(*parts[:start], *parts[end:])))
        ):
            boards = Leaderboard.objects.filter(_boards(where)).values("pk")
            words, name = " ".join([*parts[:start], *parts[end:]]), " ".join(parts[start:end])
            read = (Thing.Kind.MODEL.value, words), (next(iter(where)), name)
            return Q(leaderboard__in=boards, system__model__in=models), read
    return Q(), ()


def _models_with(words: list[str]) -> list[int]:
    """The models with the most results of those that have all the words."""
    things = Thing.objects.filter(kind=Thing.Kind.MODEL) if words else Thing.objects.none()
    for word in words:
        things = things.filter(terms__text=word, terms__place=Term.Place.WORD)
    return list(things.order_by("-weight", "pk").values_list("object_id", flat=True)[:_MAX_MODELS])


def _boards(kinds: Named) -> Q:
    """The leaderboards of the collection, or those that the suite is of; under the measure, where there is one."""
    if Thing.Kind.COLLECTION in kinds:
        board = Q(collection__in=kinds[Thing.Kind.COLLECTION])
    else:
        members = SuiteMember.objects.filter(suite__in=kinds[Thing.Kind.SUITE], part_of=None)
        board = Q(Exists(members.filter(collection=OuterRef("collection"), measure=OuterRef("measure"))))
    if Thing.Kind.MEASURE in kinds:
        board &= Q(measure__in=kinds[Thing.Kind.MEASURE])
    return board


def _readings(named: dict[tuple[int, int], Named], n: int) -> Iterator[tuple[Named, tuple[int, ...]]]:
    """Every way to read ``n`` parts as a collection or suite with a measure, a system or model, or both; with the ends
    of the names."""
    # What is a name as a whole is that: "MS MARCO" is no model "MS" on a suite.
    whole = named.get((0, n), {})
    told = {Thing.Kind.SUITE, Thing.Kind.MODEL} if whole else set()
    if Thing.Kind.SYSTEM in whole:
        return
    for inner in (*combinations(range(1, n), 1), *combinations(range(1, n), 2)):
        ends = (0, *inner, n)
        spans = [named.get(span, {}) for span in pairwise(ends)]
        # Where a part is no name, there is nothing to go through.
        for kinds in product(*spans):
            once = len(set(kinds)) == len(kinds) and len(_WHERE & {*kinds}) == 1 and len(_OF.keys() & {*kinds}) < 2
            if once and not told & {*kinds}:
                yield {kind: span[kind] for kind, span in zip(kinds, spans, strict=True)}, ends


def _named(parts: list[str]) -> dict[tuple[int, int], Named]:
    """Return what goes by some of the parts that follow each other."""
    spans: dict[str, set[tuple[int, int]]] = {}
    for span in combinations(range(len(parts) + 1), 2):
        text = " ".join(parts[slice(*span)])
        for key in (name_key(text), measure_key(text)[:MAX_LENGTH]):
            spans.setdefault(key, set()).add(span)
    found: dict[tuple[int, int], Named] = defaultdict(lambda: defaultdict(set))
    terms = Term.objects.filter(text__in=spans, place__lt=Term.Place.WORD, kind__in=_KINDS)
    for text, kind, pk in terms.values_list("text", "kind", "thing__object_id"):
        for span in spans[text]:
            found[span][kind].add(pk)
    return found


def _leaderboards(wanted: Q) -> tuple[int, ...]:
    """The things that these leaderboards are."""
    if not wanted:
        return ()
    boards = Leaderboard.objects.filter(wanted).values("pk")
    things = Thing.objects.filter(kind=Thing.Kind.LEADERBOARD, object_id__in=boards).order_by("-weight", "pk")
    return tuple(things.values_list("pk", flat=True)[:_MAX_COMPOSED])


def _results(wanted: Q) -> tuple[int, ...]:
    """The standing results, those on the leaderboards with the most first, and there the default of a recipe."""
    if not wanted:
        return ()
    found = Result.objects.standing().filter(wanted).order_by("pk")
    rows = [(pk, board, words_of(name)) for pk, board, name in found.values_list(*_SHOWN)[:_MAX_RESULTS]]
    sizes = _sizes({board for _, board, _ in rows})
    rows.sort(key=lambda row: (-sizes.get(row[1], 0), "default" not in row[2], len(row[2]), row[0]))
    return tuple(pk for pk, _, _ in rows[:_MAX_COMPOSED])


def _sizes(boards: Iterable[int]) -> dict[int, int]:
    things = Thing.objects.filter(kind=Thing.Kind.LEADERBOARD, object_id__in=list(boards))
    return dict(things.values_list("object_id", "weight"))


def result_things(ids: Iterable[int]) -> dict[int, Thing]:
    """The results with these ids as finds."""
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
