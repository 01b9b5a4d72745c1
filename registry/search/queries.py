"""Finding things by what people type."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from django.db import connection
from django.db.models import Count, Max, Q, QuerySet
from django.urls import reverse

from analysis.readers.names import measure_key
from analysis.readers.text import nearest, shorten
from registry.core.listing import grouped
from registry.core.pages import addresses as document_addresses
from registry.leaderboards.queries.suites import suite_boards, suites_without_mean
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet
from registry.search.composing import Composed, read_composed, result_things
from registry.search.models import IndexState, Term, Thing
from registry.search.names import (
    MAX_LENGTH,
    MAX_WORDS,
    identifier_key,
    is_identifier,
    name_key,
    read_asked,
    slips_of,
    without,
    words_of,
)

#: Addresses on one part of the map of the site.
PER_MAP = 5000

#: Shorter beginnings would be those of half of all words.
_MIN_BEGINNING = 2
#: The fields of results that name things, by kind.
_RESULTS_OF: dict[str, str] = {
    Thing.Kind.COLLECTION: "leaderboard__collection",
    Thing.Kind.MEASURE: "leaderboard__measure",
    Thing.Kind.LEADERBOARD: "leaderboard",
    Thing.Kind.MODEL: "system__model",
    Thing.Kind.SYSTEM: "system",
    Thing.Kind.PAPER: "paper",
}
#: Characters of a name whose beginning is looked for.
_MIN_NAME = 4
_LAST_CHARACTER = "\U0010ffff"
#: First parts of addresses that name things; and the parts after it that are looked at.
_ADDRESSED = {"collections", "leaderboards", "measures", "models", "systems", "papers", "suites", "benchmarks"}
_MAX_PARTS = 3
#: Finds of each kind that come before more of any other.
_FIRST = 3
_ORDER = {kind: place for place, kind in enumerate(Thing.Kind.values)}
#: Kinds that answer what is best for something.
_BEST_OF = tuple(Thing.Kind(kind) for kind in _ORDER if kind not in ("system", "paper", "method"))
#: Kinds that come after all others of the same place.
_LATER: dict[str, int] = {Thing.Kind.MODEL: 1, Thing.Kind.SYSTEM: 2, Thing.Kind.PAPER: 3, Thing.Kind.METHOD: 4}


@dataclass(frozen=True, slots=True)
class Search:
    """A search, and how much it finds."""

    text: Annotated[str, "As it was typed, with single blanks."]
    name: Annotated[str, "The same without words that say of which kind is what is looked for."]
    words: Annotated[tuple[str, ...], "In the form in which they are compared; each begins a word of what is found."]
    is_corrected: Annotated[bool, "Whether a word that nothing has was taken for one a slip of the pen away."] = False
    led_by: Annotated[str, "The rarest of the words, by which the others are looked for."] = ""
    counts: Annotated[dict[str, int], "How many are found by kind; kinds without, none."] = field(default_factory=dict)
    wanted: Annotated[tuple[Thing.Kind, ...], "Kinds that come first, as those words say."] = ()
    composed: Annotated[Composed, "What the names lead to of which the text is made."] = field(default_factory=Composed)

    @property
    def searched_for(self) -> str:
        """The text that was searched for, as people read it."""
        return " ".join(self.words) if self.is_corrected else self.text

    @property
    def n(self) -> int:
        return sum(self.counts.values())


def read_search(text: str) -> Search:
    """Return the search for a text; where that finds nothing, the search for what was probably meant."""
    text = " ".join(text.split())[:MAX_LENGTH]
    name, wanted = read_asked(text)
    if wanted:
        search = _read(Search(text, name, _words(name), wanted=wanted))
        if not search.is_corrected and {*wanted} & {*search.counts}:
            return search
    return _read(Search(text, text, _words(text)))


def _words(text: str) -> tuple[str, ...]:
    return tuple(words_of(text)[:MAX_WORDS])


def _read(search: Search) -> Search:
    if not search.words:
        return search
    search = _counted(replace(search, composed=read_composed(search.name)))
    for leaving_out in (("filler",), ("filler", "asking")):
        # A method has half of all words in its text.
        if not _is_weak(search) or is_identifier(search.text):
            return search
        if (name := without(search.name, *leaving_out)) and name != search.name:
            asked = replace(search, name=name, words=_words(name), composed=read_composed(name), is_corrected=True)
            asked = _counted(replace(asked, wanted=_BEST_OF) if "asking" in leaving_out else asked)
            search = asked if asked.n and not (search.n and _is_weak(asked)) else search
    for correct in (lambda words: tuple(map(_meant, words)), _held_together, _named_part):
        if search.n:
            return search
        if (words := correct(search.words)) and words != search.words:
            corrected = _counted(replace(search, name=" ".join(words), words=words, is_corrected=True))
            search = corrected if corrected.n else search
    return search


def _is_weak(search: Search) -> bool:
    """Return whether only methods have the words, and none goes by them."""
    terms = Term.objects.filter(text=name_key(search.name), place__lt=Term.Place.WORD)
    return {*search.counts} <= {Thing.Kind.METHOD} and not terms.exists()


def first_of_each_kind(search: Search, n: int) -> list[Thing]:
    """Return the first ``n`` things of each kind, the best first."""
    return _things(_ranked(_first(search, list(search.counts), n), search.wanted))


def page_of(search: Search, kind: str, start: int, size: int) -> list[Thing]:
    """Return a page of the things of a kind, the best first; of all kinds, the first of each before more of any."""
    kinds = [count for count in search.counts if kind in ("", count)]
    return _things(_ranked(_first(search, kinds, start + size), search.wanted)[start : start + size])


def found_ids(text: str, kind: str) -> set[int]:
    search = read_search(text)
    return {thing.object_id for thing in page_of(search, kind, 0, search.counts.get(kind, 0))}


def _ranked(first: dict[str, list[tuple[int, int, int]]], wanted: Sequence[str]) -> list[int]:
    """Return the ids in one order: wanted kinds and benchmarks of this name, by place, some of each kind, by weight."""
    last = set(Thing.Kind) - {*wanted} if wanted else set()
    keyed = []
    for kind, things in first.items():
        for number, (thing, place, weight) in enumerate(things):
            is_last, is_by_words = kind in last, place >= Term.Place.WORD
            rank = (is_last and (is_by_words or kind != Thing.Kind.SUITE), is_by_words, is_last, place)
            keyed.append(((*rank, number >= _FIRST, _LATER.get(kind, 0), -weight, _ORDER[kind], number), thing))
    return [thing for _, thing in sorted(keyed)]


def results_of(things: Iterable[Thing]) -> ResultQuerySet:
    """Return every result of these things, ended ones too, and the results among them."""
    wanted = Q(pk__in=[])
    for thing in things:
        if field := {**_RESULTS_OF, Thing.Kind.RESULT: "pk"}.get(thing.kind):
            wanted |= Q(**{field: thing.object_id})
    return Result.objects.filter(wanted)


def things_of(kind: str) -> QuerySet[Thing]:
    """Return all things of a kind, those with the most results first."""
    return Thing.objects.filter(kind=kind).order_by("-n_results", "title", "pk")


def least_of_each_kind() -> list[str]:
    """Return the addresses of one result, and of a thing of each kind with the fewest results."""
    results = (result.get_absolute_url() for result in Result.objects.order_by("pk")[:1])
    kinds = (Thing.objects.filter(kind=kind).order_by("n_results", "-title") for kind in _RESULTS_OF)
    least = (things.filter(n_results__gt=0).first() for things in kinds)
    suites = Thing.objects.filter(kind=Thing.Kind.SUITE).order_by("pk")[:1]
    return [*results, *(thing.address for thing in (*least, *suites) if thing)]


def map_numbers() -> range:
    """Return the numbers of the parts of the site map: the first has permanent pages, the others things."""
    n_things = _mapped_things().count()
    return range(1, 2 + -(-n_things // PER_MAP))


def addresses_on(number: int) -> list[tuple[str, date | None]]:
    """Return the paths on a part of the site map, each with the day on which it last changed; None if unknown."""
    if number == 1:
        lists = [reverse(name) for name in ("home:home", "leaderboards:collection-list", "leaderboards:suite-list")]
        lists += [board.get_absolute_url() for board in suite_boards()]
        lists += [reverse("leaderboards:suite-first", args=[suite.slug]) for suite in suites_without_mean()]
        lists += [reverse(f"search:{kind}-list") for kind in ("leaderboard", "measure", "model", "system", "paper")]
        lists += [reverse("about:sources"), reverse("dumps:dump-list")]
        return [(path, None) for path in (*lists, *sorted(document_addresses().values()))]
    start = (number - 2) * PER_MAP
    things = list(_mapped_things().values_list("kind", "object_id", "address")[start : start + PER_MAP])
    listed = grouped(things, lambda thing: thing[0])
    days = {kind: _last_changes(kind, of_kind[0][1], of_kind[-1][1]) for kind, of_kind in listed.items()}
    return [(address, days[kind].get(pk)) for kind, pk, address in things]


def _last_changes(kind: str, first: int, last: int) -> dict[int, date]:
    """Return the days on which things from ``first`` to ``last`` last changed: by results, or an analysis."""
    if kind not in _RESULTS_OF:
        return {}
    times = ["recorded_at", "ended_at"]
    if kind == Thing.Kind.LEADERBOARD:
        times.append("leaderboard__analysis__analysed_at")
    path = _RESULTS_OF[kind]
    rows = Result.objects.order_by().filter(**{f"{path}__gte": first, f"{path}__lte": last})
    moments_by_thing = rows.values_list(path).annotate(*map(Max, times))
    return {pk: max(filter(None, moments)).date() for pk, *moments in moments_by_thing}


def _mapped_things() -> QuerySet[Thing]:
    """Return the things that are not in the first part of the site map."""
    return Thing.objects.exclude(kind__in=[Thing.Kind.METHOD, Thing.Kind.SUITE]).order_by("kind", "object_id")


def index_version() -> str:
    """Return a text that changes whenever the index does."""
    return str(IndexState.objects.values_list("seen", "written_at").first())


def nearest_things(path: str, n: int = 5) -> list[Thing]:
    """Return up to ``n`` things that an address without a page may mean, by its words or their spelling."""
    # PostgreSQL fails on NUL.
    kind, *rest = [part for part in path.replace("\0", "").split("/") if part] or [""]
    parts = rest[:_MAX_PARTS] if kind in _ADDRESSED else [kind]
    for text in dict.fromkeys((" ".join(parts), *parts)):
        # A number is an id, which resembles no other.
        words = [word for word in words_of(text) if not word.isdecimal()]
        if things := page_of(read_search(text), "", 0, n) if words else []:
            return things
    names = Term.objects.filter(place=Term.Place.OWN, kind=Thing.Kind.COLLECTION)
    near = nearest(name_key(shorten(parts[0])) if parts else "", names.values_list("text", flat=True), n=n)
    terms = sorted(names.filter(text__in=near).select_related("thing"), key=lambda term: near.index(term.text))
    return [*dict.fromkeys(term.thing for term in terms)][:n]


#: Everything that goes by a text or has its words, each thing once. Composing it of models takes longer than it runs.
_STATEMENT = Path(__file__).with_name("finding.sql").read_text(encoding="utf-8")
_HAS = """
EXISTS (SELECT 1 FROM search_term AS other WHERE other.thing_id = lead.thing_id AND other.place = 2 AND {condition})
"""
#: The parts of it: what goes by the text, has the first word, has a longer one.
_PARTS = ("named", "begun", "exact", "longer")
_COUNTS = " UNION ALL ".join(f"SELECT kind, COUNT(*) FROM {part} GROUP BY kind" for part in _PARTS)
#: Where all of a part have one place the index has them in this order, and only the first are read.
_FIRST_OF_PART = """
SELECT * FROM (
    SELECT kind, place, weight, thing_id FROM {part} WHERE kind = %s ORDER BY {order} LIMIT %s
) AS first_{part}
"""

Condition = tuple[str, tuple[str, ...]]


def _counted(search: Search) -> Search:
    """Return the search with its finds counted, and its rarest word."""
    words = [_begins(word) for word in search.words]
    with connection.cursor() as cursor:
        order = list(search.words)
        if len(words) > 1:
            counts_of_words = [
                f"(SELECT COUNT(*) FROM search_term WHERE {begins} AND place = 2)" for begins, _ in words
            ]
            cursor.execute(f"SELECT {', '.join(counts_of_words)}", [value for _, values in words for value in values])
            order = [word for _, word in sorted(zip(cursor.fetchone(), search.words, strict=True))]
        sql, values = _statement(search, order)
        cursor.execute(sql + _COUNTS, values)
        counted = cursor.fetchall()
    if search.composed.results:
        counted.append((Thing.Kind.RESULT.value, len(search.composed.results)))
    counts: dict[str, int] = {}
    for kind, n in sorted(counted, key=lambda row: _ORDER[row[0]]):
        counts[kind] = counts.get(kind, 0) + n
    return replace(search, led_by=order[0], counts=counts)


def _first(search: Search, kinds: Sequence[str], n: int) -> dict[str, list[tuple[int, int, int]]]:
    """Return the first ``n`` of each of these kinds, as ids with places and weights; ids of results are negative."""
    finds: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in kinds}
    if finds:
        sql, values = _statement(search, sorted(search.words, key=lambda word: word != search.led_by))
        heaviest = "weight DESC, thing_id"
        mixed = {"named", "exact"} if len(search.words) > 1 else {"named"}
        orders = {part: f"place, {heaviest}" if part in mixed else heaviest for part in _PARTS}
        parts = [_FIRST_OF_PART.format(part=part, order=order) for part, order in orders.items()]
        limits = [value for kind in kinds for _ in parts for value in (kind, n)]
        with connection.cursor() as cursor:
            cursor.execute(sql + " UNION ALL ".join(parts * len(kinds)), [*values, *limits])
            for kind, place, weight, thing in cursor.fetchall():
                finds[kind].append((place, -weight, thing))
    first = {
        kind: [(pk, place, -weight) for place, weight, pk in sorted(of_kind)[:n]] for kind, of_kind in finds.items()
    }
    if Thing.Kind.RESULT in first:
        first[Thing.Kind.RESULT] = [(-pk, 0, 0) for pk in search.composed.results[:n]]
    return first


def _things(ids: Sequence[int]) -> list[Thing]:
    results = result_things(-pk for pk in ids if pk < 0)
    things = Thing.objects.in_bulk(ids) | {-pk: thing for pk, thing in results.items()}
    return [things[pk] for pk in ids if pk in things]


def _statement(search: Search, words: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the beginning of every statement, which finds everything, and its values; the first word leads."""
    lead, *others = words
    every_begins, all_values = _all_have([_begins(word, "other.text") for word in words])
    all_begin, others_begin = _all_have([_begins(word, "other.text") for word in others])
    all_exact, others_exact = _all_have([("other.text = %s", (word,)) for word in others])
    goes_on, lead_goes_on = _goes_on(lead)
    key, identifier = name_key(search.name), identifier_key(search.name)
    begun, begun_values = _begins(key) if others and len(key) >= _MIN_NAME else ("1 = 0", ())
    named = [key, identifier, name_key(identifier), measure_key(search.name)[:MAX_LENGTH]]
    composed = search.composed.leaderboards
    sql = _STATEMENT.format(
        composed=", ".join(["%s"] * len(composed)) or "NULL",
        begun=begun,
        every_begins=every_begins,
        all_exact=all_exact,
        all_begin=all_begin,
        goes_on=goes_on,
    )
    words_values = [*others_exact, lead, *others_begin, *lead_goes_on, *others_begin, lead]
    return sql, [*named, *composed, *begun_values, *all_values, *words_values]


def _all_have(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that a thing has a word for each of these conditions."""
    has = [_HAS.format(condition=condition) for condition, _ in conditions]
    return " AND ".join(has) or "1 = 1", tuple(value for _, values in conditions for value in values)


def _begins(word: str, column: str = "text") -> Condition:
    """Return the condition that a text is the word or, if that is long enough, begins with it, whatever it has."""
    if len(word) < _MIN_BEGINNING:
        return f"{column} = %s", (word,)
    if connection.vendor == "sqlite":
        # SQLite compares characters, so that a range is a beginning; LIKE would not use the index there.
        return f"{column} >= %s AND {column} < %s", (word, word + _LAST_CHARACTER)
    return f"{column} LIKE %s", (re.sub(r"[\\%_]", r"\\\g<0>", word) + "%",)


def _goes_on(word: str) -> Condition:
    """Return the condition that a text begins with the word and is longer."""
    begins, values = _begins(word)
    return f"{begins} AND text <> %s", (*values, word)


def _meant(word: str) -> str:
    """Return the word that this one misspells: of several the one that most things have; itself where none is."""
    begins, values = _begins(word)
    if (
        word.isdecimal()
        or Term.objects.extra(where=[begins], params=list(values)).filter(place=Term.Place.WORD).exists()
    ):
        return word
    near = Term.objects.filter(text__in=slips_of(word), place=Term.Place.WORD).values("text")
    return near.annotate(n=Count("pk")).order_by("-n", "-text").values_list("text", flat=True).first() or word


def _held_together(words: Sequence[str]) -> tuple[str, ...]:
    """Return the most words that one thing has together; none where nothing has more than half of them."""
    held = Term.objects.filter(text__in=words, place=Term.Place.WORD).values_list("thing")
    best = held.annotate(n=Count("pk"), heaviest=Max("weight")).order_by("-n", "-heaviest", "thing").first()
    if best is None or best[1] * 2 <= len(words):
        return ()
    has = set(Term.objects.filter(thing=best[0], text__in=words, place=Term.Place.WORD).values_list("text", flat=True))
    return tuple(word for word in words if word in has)


def _named_part(words: Sequence[str]) -> tuple[str, ...]:
    """Return the longest part of the words that names something; none where none does."""
    spans = sorted(combinations(range(len(words) + 1), 2), key=lambda span: span[0] - span[1])
    parts = [tuple(words[slice(*span)]) for span in spans]
    names = [name_key(" ".join(part)) for part in parts]
    named = {*Term.objects.filter(text__in=names, place__lt=Term.Place.WORD).values_list("text", flat=True)}
    return next((part for part, name in zip(parts, names, strict=True) if name in named), ())
