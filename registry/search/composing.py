"""Texts that are made of names: a collection and a measure, a system and a collection."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from django.db.models import Q

from analysis.readers.names import measure_key
from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.search.models import Term, Thing
from registry.search.names import MAX_LENGTH, MAX_WORDS, name_key

#: So many finds of a text that is made of names are enough: its leaderboards, its results.
_MAX_COMPOSED = 20
_KINDS = (Thing.Kind.COLLECTION, Thing.Kind.MEASURE, Thing.Kind.SYSTEM)

#: What a part of a text may be the name of: ids by kind.
Named = dict[str, set[int]]


@dataclass(frozen=True, slots=True)
class Composed:
    """What a text that is made of names leads to: ids of things that are leaderboards, and of results."""

    leaderboards: tuple[int, ...] = ()
    results: tuple[int, ...] = ()


def read_composed(text: str) -> Composed:
    """What stands where the parts of the text meet: leaderboards of a collection and a measure, results of a system."""
    parts = text.split()
    if not 1 < len(parts) <= MAX_WORDS:
        return Composed()
    boards, results = Q(), Q()
    for kinds in _readings(parts):
        board = Q(collection__in=kinds[Thing.Kind.COLLECTION])
        if Thing.Kind.MEASURE in kinds:
            board &= Q(measure__in=kinds[Thing.Kind.MEASURE])
        if Thing.Kind.SYSTEM in kinds:
            on = Leaderboard.objects.filter(board).values("pk")
            results |= Q(leaderboard__in=on, system__in=kinds[Thing.Kind.SYSTEM])
        else:
            boards |= board
    return Composed(_leaderboards(boards), _results(results))


def _readings(parts: list[str]) -> Iterator[Named]:
    """Every way to read the parts as a collection with a measure, a system or both, in any order."""
    named = _named(parts)
    n = len(parts)
    for inner in (*combinations(range(1, n), 1), *combinations(range(1, n), 2)):
        ends = (0, *inner, n)
        spans = [named.get(span) for span in pairwise(ends)]
        if all(spans):
            for kinds in product(*(span for span in spans if span)):
                if len(set(kinds)) == len(kinds) and Thing.Kind.COLLECTION in kinds:
                    yield {kind: span[kind] for kind, span in zip(kinds, spans, strict=True) if span}


def _named(parts: list[str]) -> dict[tuple[int, int], Named]:
    """What goes by some of the parts that follow each other."""
    spans: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for span in combinations(range(len(parts) + 1), 2):
        text = " ".join(parts[slice(*span)])
        for key in (name_key(text), measure_key(text)[:MAX_LENGTH]):
            spans[key].add(span)
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
    """The standing results, those on the leaderboards with the most first."""
    if not wanted:
        return ()
    rows = list(Result.objects.standing().filter(wanted).order_by().values_list("pk", "leaderboard")[:200])
    sizes = _sizes({board for _, board in rows})
    return tuple(pk for pk, board in sorted(rows, key=lambda row: (-sizes.get(row[1], 0), row[0]))[:_MAX_COMPOSED])


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
