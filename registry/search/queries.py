"""Finding things by what people typed so far."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.db.models import Count, QuerySet
from django.urls import reverse

from registry.catalog.models import Leaderboard
from registry.catalog.names import measure_key
from registry.core.pages import addresses as document_addresses
from registry.core.text import nearest, shorten
from registry.leaderboards.suite_queries import suite_boards, suites_without_mean
from registry.search.models import IndexState, Term, Thing
from registry.search.names import MAX_LENGTH, MAX_WORDS, identifier_key, name_key, slips_of, words_of

#: Addresses on one part of the map of the site.
PER_MAP = 5000

#: Beginnings of fewer letters would be those of half of all words.
_MIN_BEGINNING = 2
_LAST_CHARACTER = "\U0010ffff"
#: What addresses begin with that name things; and of such an address, as many parts as are looked at.
_ADDRESSED = {"collections", "leaderboards", "measures", "systems", "papers", "suites"}
_MAX_PARTS = 3
#: Of each kind, so many come before any more of another that is found as well.
_FIRST = 3
_ORDER = {kind: place for place, kind in enumerate(Thing.Kind.values)}


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that is found; ``place`` is 0 where it goes by the text, 1 where it has the very words, 2 otherwise."""

    thing: int
    kind: str
    place: int


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and everything that is found, the best first.

    Attributes
    ----------
    text
        As it was typed, with single blanks.
    words
        In the form in which words are compared; each must begin a word of what is found.
    is_corrected
        Whether a word that nothing has was taken for another, one slip of the pen away.
    hits
        Within a place, those with the most results first.
    """

    text: str
    words: tuple[str, ...]
    is_corrected: bool = False
    hits: tuple[Hit, ...] = ()

    @property
    def said(self) -> str:
        """What was searched for, for people."""
        return " ".join(self.words) if self.is_corrected else self.text

    @property
    def counts(self) -> dict[str, int]:
        """How many things are found, by kind; kinds without any are left out."""
        counted = Counter(hit.kind for hit in self.hits)
        return {kind: counted[kind] for kind in Thing.Kind.values if kind in counted}

    @property
    def n(self) -> int:
        """How many things are found."""
        return len(self.hits)

    def of_kind(self, kind: str) -> list[Hit]:
        """What is found of one kind; of all without one, the first of each before more of any."""
        if kind:
            return [hit for hit in self.hits if hit.kind == kind]
        seen: Counter[str] = Counter()
        keys = []
        for hit in self.hits:
            seen[hit.kind] += 1
            keys.append((hit.place, seen[hit.kind] > _FIRST, _ORDER[hit.kind], seen[hit.kind]))
        return [hit for _, hit in sorted(zip(keys, self.hits, strict=True), key=lambda pair: pair[0])]


def read_search(text: str) -> Search:
    """The search that a text asks for; where it finds nothing, that for what was probably meant."""
    text = " ".join(text.split())[:MAX_LENGTH]
    search = Search(text, tuple(words_of(text)[:MAX_WORDS]))
    if not search.words:
        return search
    search = replace(search, hits=_hits(search))
    words = search.words if search.hits else tuple(_meant(word) for word in search.words)
    if words == search.words:
        return search
    corrected = replace(search, words=words, is_corrected=True)
    return found if (found := replace(corrected, hits=_hits(corrected))).hits else search


def first_of_each_kind(search: Search, n: int) -> list[Thing]:
    """The first ``n`` of each kind, kind by kind."""
    return _things([hit for kind in search.counts for hit in search.of_kind(kind)[:n]])


def page_of(search: Search, kind: str, start: int, size: int) -> list[Thing]:
    """So many things of one kind, or of all, the best first."""
    return _things(search.of_kind(kind)[start : start + size])


def things_of(kind: str) -> QuerySet[Thing]:
    """All things of a kind, those with the most results first."""
    return Thing.objects.filter(kind=kind).order_by("-n_results", "title", "pk")


def boards_of(things: Iterable[Thing]) -> list[Leaderboard]:
    """The leaderboards that these things are, in their order, with what lists show of them."""
    ids = [thing.object_id for thing in things]
    boards = Leaderboard.objects.with_names().select_related("analysis").in_bulk(ids)
    return [boards[pk] for pk in ids if pk in boards]


def map_numbers() -> range:
    """The numbers of the parts of the map of the site: the first has pages that always are, the others things."""
    n_things = Thing.objects.count()
    return range(1, 2 + -(-n_things // PER_MAP))


def addresses_on(number: int) -> list[str]:
    """The paths on one part of the map."""
    if number == 1:
        lists = [reverse(f"leaderboards:{name}") for name in ("home", "collection-list", "suite-list")]
        lists += [board.get_absolute_url() for board in suite_boards()]
        lists += [reverse("leaderboards:suite-first", args=[suite.slug]) for suite in suites_without_mean()]
        lists += [reverse(f"search:{kind}-list") for kind in ("leaderboard", "measure", "system", "paper")]
        lists += [reverse("results:source-list"), reverse("dumps:dump-list")]
        return [*lists, *sorted(document_addresses().values())]
    start = (number - 2) * PER_MAP
    things = Thing.objects.order_by("kind", "object_id")
    return list(things.values_list("address", flat=True)[start : start + PER_MAP])


def index_version() -> str:
    """Changes whenever something else may be found."""
    return str(IndexState.objects.values_list("seen", "written_at").first())


def nearest_things(path: str, n: int = 5) -> list[Thing]:
    """Up to ``n`` things that may be meant by an address where nothing is: found by its words, or spelled like them."""
    kind, *rest = [part for part in path.split("/") if part] or [""]
    parts = rest[:_MAX_PARTS] if kind in _ADDRESSED else [kind]
    for text in [" ".join(parts), *parts] if len(parts) > 1 else parts:
        # A number is an id, and near to no other.
        words = [word for word in words_of(text) if not word.isdecimal()]
        if found := page_of(read_search(text), "", 0, n) if words else []:
            return found
    names = Term.objects.filter(is_name=True, thing__kind=Thing.Kind.COLLECTION)
    near = nearest(name_key(shorten(parts[0])) if parts else "", names.values_list("text", flat=True), n=n)
    return list(Thing.objects.filter(pk__in=names.filter(text__in=near).values("thing"))[:n])


#: Everything that goes by a text or has its words. One statement: composing it of models takes longer than it runs.
#: Of words all leads are gathered first, by the index on texts; else SQLite walks through all terms thing by thing.
_FOUND = """
WITH of_words (thing_id, word, place) AS MATERIALIZED ({words}), leads (thing_id, place) AS (
    SELECT thing_id, 0 FROM search_term WHERE is_name AND text IN (%s, %s)
    UNION ALL
    SELECT thing_id, 0 FROM search_term JOIN search_thing ON search_thing.id = thing_id
        WHERE is_name AND text = %s AND kind = 'measure'
    UNION ALL
    SELECT thing_id, MAX(place) FROM (
        SELECT thing_id, word, MIN(place) AS place FROM of_words GROUP BY thing_id, word
    ) AS by_word GROUP BY thing_id HAVING COUNT(*) = %s
), found (thing_id, place) AS (SELECT thing_id, MIN(place) FROM leads GROUP BY thing_id)
"""
_HAS_WORD = """
SELECT thing_id, {number}, CASE WHEN text = %s THEN 1 ELSE 2 END FROM search_term WHERE {begins} AND NOT is_name
"""
_ALL = """
SELECT thing_id, kind, place FROM found JOIN search_thing ON search_thing.id = thing_id
    ORDER BY place, n_results DESC, thing_id
"""


def _hits(search: Search) -> tuple[Hit, ...]:
    sql, values = _found(search)
    with connection.cursor() as cursor:
        cursor.execute(sql + _ALL, values)
        return tuple(Hit(*row) for row in cursor.fetchall())


def _things(hits: Sequence[Hit]) -> list[Thing]:
    """What the hits are, in their order."""
    things = Thing.objects.in_bulk([hit.thing for hit in hits])
    return [things[hit.thing] for hit in hits if hit.thing in things]


def _found(search: Search) -> tuple[str, list[Any]]:
    words = [_has_word(word) for word in search.words]
    parts = [_HAS_WORD.format(number=number, begins=begins) for number, (begins, _) in enumerate(words)]
    names = [name_key(search.text), identifier_key(search.text), measure_key(search.text)[:MAX_LENGTH]]
    values = [*(value for _, values in words for value in values), *names, len(words)]
    return _FOUND.format(words=" UNION ALL ".join(parts)), values


def _has_word(word: str) -> tuple[str, Sequence[str]]:
    """The condition on texts that begin with the word; and the word, before the values of the condition."""
    if len(word) < _MIN_BEGINNING:
        return "text = %s", (word, word)
    if connection.vendor == "sqlite":
        # SQLite compares characters, so that a range is a beginning; LIKE would not use the index there.
        return "text >= %s AND text < %s", (word, word, word + _LAST_CHARACTER)
    return "text LIKE %s", (word, f"{word}%")


def _meant(word: str) -> str:
    """The word that this is a slip of: of several the one that most things have; the word itself where none is."""
    if word.isdecimal():
        return word
    near = Term.objects.filter(text__in=slips_of(word), is_name=False).values_list("text").annotate(n=Count("pk"))
    return str(max(near, key=lambda one: (one[1], one[0]), default=(word, 0))[0])
