"""Finding things by what people typed so far."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import connection
from django.db.models import Count, QuerySet

from registry.catalog.names import measure_key
from registry.core.text import nearest, shorten
from registry.search.models import IndexState, Term, Thing
from registry.search.names import MAX_LENGTH, MAX_WORDS, identifier_key, name_key, slips_of, words_of

#: Beginnings of fewer letters would be those of half of all words.
_MIN_BEGINNING = 2
_LAST_CHARACTER = "\U0010ffff"
#: Of each kind, so many come before any more of another that is found as well.
_FIRST = 3


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and how much of each kind there is.

    Attributes
    ----------
    text
        As it was typed, with single blanks.
    words
        In the form in which words are compared; each must begin a word of what is found.
    is_corrected
        Whether a word that nothing has was taken for another, one slip of the pen away.
    counts
        How many things are found, by kind; kinds without any are left out.
    """

    text: str
    words: tuple[str, ...]
    is_corrected: bool = False
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """What was searched for, for people."""
        return " ".join(self.words) if self.is_corrected else self.text

    @property
    def n(self) -> int:
        """How many things are found."""
        return sum(self.counts.values())


def read_search(text: str) -> Search:
    """The search that a text asks for; where it finds nothing, that for what was probably meant."""
    text = " ".join(text.split())[:MAX_LENGTH]
    search = Search(text, tuple(words_of(text)[:MAX_WORDS]))
    if not search.words:
        return search
    search = replace(search, counts=_counts(search))
    words = search.words if search.n else tuple(_meant(word) for word in search.words)
    if words == search.words:
        return search
    corrected = replace(search, words=words, is_corrected=True)
    return found if (found := replace(corrected, counts=_counts(corrected))).n else search


def first_of_each_kind(search: Search, n: int) -> list[Thing]:
    """The first ``n`` of each kind, kind by kind. ``place`` is 0 for what goes by the text as a whole."""
    return _things(search, "WHERE nth <= %s ORDER BY kind_order, nth", n)


def page_of(search: Search, kind: str, start: int, size: int) -> list[Thing]:
    """So many things of one kind, or of all: what goes by the text, what has the very words, what many look for."""
    if kind:
        return _things(search, "WHERE kind = %s AND nth > %s AND nth <= %s ORDER BY nth", kind, start, start + size)
    order = f"ORDER BY place, nth > {_FIRST}, kind_order, nth LIMIT %s OFFSET %s"
    return _things(search, order, size, start)


def things_of(kind: str) -> QuerySet[Thing]:
    """All things of a kind, those with the most results first."""
    return Thing.objects.filter(kind=kind).order_by("-n_results", "title", "pk")


def index_version() -> str:
    """Changes whenever something else may be found."""
    return str(IndexState.objects.values_list("seen", "written_at").first())


def nearest_things(text: str, n: int = 5) -> list[Thing]:
    """Up to ``n`` things that may be meant by an address where nothing is: found by its words, or spelled like them."""
    words = words_of(text)[:MAX_WORDS]
    for start in range(len(words)):
        found = page_of(read_search(" ".join(words[start:])), "", 0, n)
        if found:
            return found
    names = Term.objects.filter(is_name=True, thing__kind=Thing.Kind.COLLECTION).values_list("text", flat=True)
    near = nearest(name_key(shorten(text)), names, n=n)
    return list(Thing.objects.filter(terms__text__in=near, terms__is_name=True).distinct()[:n])


_KIND_ORDER = f"CASE kind {' '.join(f'''WHEN '{kind}' THEN {n}''' for n, kind in enumerate(Thing.Kind.values))} END"

#: Everything that goes by a text or has its words. One statement: composing it of models takes longer than it runs.
_FOUND = """
WITH leads (thing_id, place) AS (
    SELECT thing_id, 0 FROM search_term WHERE is_name AND text IN (%s, %s)
    UNION ALL
    SELECT thing_id, 0 FROM search_term JOIN search_thing ON search_thing.id = thing_id
        WHERE is_name AND text = %s AND kind = 'measure'
    UNION ALL
    SELECT thing_id, MAX(place) FROM ({words}) AS of_words GROUP BY thing_id HAVING COUNT(*) = %s
), found (thing_id, place) AS (SELECT thing_id, MIN(place) FROM leads GROUP BY thing_id)
"""
_HAS_WORD = """
SELECT thing_id, MIN(CASE WHEN text = %s THEN 1 ELSE 2 END) AS place
    FROM search_term WHERE {begins} AND NOT is_name GROUP BY thing_id
"""
_RANKED = f"""
, ranked AS (
    SELECT search_thing.*, place, {_KIND_ORDER} AS kind_order,
        ROW_NUMBER() OVER (PARTITION BY kind ORDER BY place, n_results DESC, title, id) AS nth
    FROM found JOIN search_thing ON search_thing.id = thing_id
) SELECT * FROM ranked
"""
_COUNTED = "SELECT kind, COUNT(*) FROM found JOIN search_thing ON search_thing.id = thing_id GROUP BY kind"


def _things(search: Search, end: str, *parameters: Any) -> list[Thing]:
    if not search.n:
        return []
    sql, values = _found(search)
    return list(Thing.objects.raw(sql + _RANKED + end, [*values, *parameters]))


def _counts(search: Search) -> dict[str, int]:
    sql, values = _found(search)
    with connection.cursor() as cursor:
        cursor.execute(sql + _COUNTED, values)
        by_kind = dict(cursor.fetchall())
    return {kind: by_kind[kind] for kind in Thing.Kind.values if kind in by_kind}


def _found(search: Search) -> tuple[str, list[Any]]:
    words = [_has_word(word) for word in search.words]
    names = [name_key(search.text), identifier_key(search.text), measure_key(search.text)[:MAX_LENGTH]]
    values = [*names, *(value for _, values in words for value in values), len(words)]
    return _FOUND.format(words=" UNION ALL ".join(sql for sql, _ in words)), values


def _has_word(word: str) -> tuple[str, Sequence[str]]:
    if len(word) < _MIN_BEGINNING:
        return _HAS_WORD.format(begins="text = %s"), (word, word)
    if connection.vendor == "sqlite":
        # SQLite compares characters, so that a range is a beginning; LIKE would not use the index there.
        return _HAS_WORD.format(begins="text >= %s AND text < %s"), (word, word, word + _LAST_CHARACTER)
    return _HAS_WORD.format(begins="text LIKE %s"), (word, f"{word}%")


def _meant(word: str) -> str:
    """The word that this is a slip of: of several the one that most things have; the word itself where none is."""
    if word.isdecimal():
        return word
    near = Term.objects.filter(text__in=slips_of(word), is_name=False).values_list("text").annotate(n=Count("pk"))
    return str(max(near, key=lambda one: (one[1], one[0]), default=(word, 0))[0])
