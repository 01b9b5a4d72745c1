"""Finding things by what people typed so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from django.db import connection
from django.db.models import Count, QuerySet
from django.urls import reverse
from typing_extensions import Doc

from analysis.readers.names import measure_key
from analysis.readers.text import nearest, shorten
from registry.catalog.models import Leaderboard
from registry.core.pages import addresses as document_addresses
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
class Search:
    """What is looked for, and how much is found."""

    text: Annotated[str, Doc("As it was typed, with single blanks.")]
    words: Annotated[
        tuple[str, ...], Doc("In the form in which words are compared; each must begin a word of what is found.")
    ]
    is_corrected: Annotated[
        bool, Doc("Whether a word that nothing has was taken for another, one slip of the pen away.")
    ] = False
    led_by: Annotated[str, Doc("The rarest of the words, by which the others are looked for.")] = ""
    counts: Annotated[dict[str, int], Doc("How many things are found, by kind; kinds without any are left out.")] = (
        field(default_factory=dict)
    )
    places: Annotated[
        dict[str, int],
        Doc(
            "Of each kind, the best place of anything: 0 where it goes by the text, 1 where it has the very words, else"
            " 2."
        ),
    ] = field(default_factory=dict)

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
    search = _counted(search)
    words = search.words if search.n else tuple(_meant(word) for word in search.words)
    if words == search.words:
        return search
    return found if (found := _counted(replace(search, words=words, is_corrected=True))).n else search


def first_of_each_kind(search: Search, n: int) -> list[Thing]:
    """The first ``n`` of each kind, kind by kind."""
    return _things([thing for first in _first(search, list(search.counts), n).values() for thing, _ in first])


def page_of(search: Search, kind: str, start: int, size: int) -> list[Thing]:
    """So many things of one kind, the best first; without a kind of all, the first of each before more of any."""
    kinds = [one for one in search.counts if kind in ("", one)]
    first = _first(search, kinds, start + size)
    keyed = [
        ((place, number >= _FIRST, _ORDER[kind], number), thing)
        for kind, things in first.items()
        for number, (thing, place) in enumerate(things)
    ]
    return _things([thing for _, thing in sorted(keyed)[start : start + size]])


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


#: Everything that goes by a text or has its words, each thing once. Composing it of models takes longer than it runs.
#: The rarest word leads, by the index on texts, and the things that it finds are asked for the others: so a frequent
#: word costs its count, and no list of all its things. Of whole words a thing has each once, so that nothing is sorted.
_FOUND = """
WITH named AS MATERIALIZED (
    SELECT thing_id, kind, n_results, 0 AS place FROM search_term WHERE is_name AND text IN (%s, %s)
    UNION
    SELECT thing_id, kind, n_results, 0 FROM search_term WHERE is_name AND text = %s AND kind = 'measure'
), exact AS (
    SELECT thing_id, kind, n_results, {place} AS place FROM search_term AS lead
        WHERE text = %s AND NOT is_name AND thing_id NOT IN (SELECT thing_id FROM named) AND {all_begin}
), longer AS (
    SELECT DISTINCT thing_id, kind, n_results, 2 AS place FROM search_term AS lead
        WHERE {goes_on} AND NOT is_name AND thing_id NOT IN (SELECT thing_id FROM named) AND {all_begin}
            AND NOT EXISTS (SELECT 1 FROM search_term AS own WHERE own.thing_id = lead.thing_id AND own.text = %s
                AND NOT own.is_name)
)
"""
_HAS = """
EXISTS (SELECT 1 FROM search_term AS other WHERE other.thing_id = lead.thing_id AND NOT other.is_name AND {condition})
"""
#: The parts of it: what goes by the text, has the first word, has a longer one.
_PARTS = ("named", "exact", "longer")
_COUNTS = " UNION ALL ".join(f"SELECT kind, COUNT(*), MIN(place) FROM {part} GROUP BY kind" for part in _PARTS)
#: Where all of a part have one place the index has them in this order, and only the first are read.
_FIRST_OF_PART = """
SELECT * FROM (
    SELECT kind, place, n_results, thing_id FROM {part} WHERE kind = %s ORDER BY {order} LIMIT %s
) AS first_{part}
"""

Condition = tuple[str, tuple[str, ...]]


def _counted(search: Search) -> Search:
    """The search with what it finds counted, its rarest word first."""
    words = [_begins(word) for word in search.words]
    with connection.cursor() as cursor:
        order = list(search.words)
        if len(words) > 1:
            asked = [f"(SELECT COUNT(*) FROM search_term WHERE {begins} AND NOT is_name)" for begins, _ in words]
            cursor.execute(f"SELECT {', '.join(asked)}", [value for _, values in words for value in values])
            order = [word for _, word in sorted(zip(cursor.fetchone(), search.words, strict=True))]
        sql, values = _found(search.text, order)
        cursor.execute(sql + _COUNTS, values)
        found = sorted(cursor.fetchall(), key=lambda row: _ORDER[row[0]])
    counts: dict[str, int] = {}
    places: dict[str, int] = {}
    for kind, n, place in found:
        counts[kind] = counts.get(kind, 0) + n
        places[kind] = min(place, places.get(kind, place))
    return replace(search, led_by=order[0], counts=counts, places=places)


def _first(search: Search, kinds: Sequence[str], n: int) -> dict[str, list[tuple[int, int]]]:
    """The first ``n`` of each of these kinds, as ids of things with their places."""
    found: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in kinds}
    if found and n:
        sql, values = _found(search.text, sorted(search.words, key=lambda word: word != search.led_by))
        by_results = "n_results DESC, thing_id"
        orders = {"exact": f"place, {by_results}"} if len(search.words) > 1 else {}
        parts = [_FIRST_OF_PART.format(part=part, order=orders.get(part, by_results)) for part in _PARTS]
        limits = [value for kind in kinds for _ in parts for value in (kind, n)]
        with connection.cursor() as cursor:
            cursor.execute(sql + " UNION ALL ".join(parts * len(kinds)), [*values, *limits])
            for kind, place, n_results, thing in cursor.fetchall():
                found[kind].append((place, -n_results, thing))
    return {kind: [(thing, place) for place, _, thing in sorted(some)[:n]] for kind, some in found.items()}


def _things(ids: Sequence[int]) -> list[Thing]:
    """The things with these ids, in their order."""
    things = Thing.objects.in_bulk(ids)
    return [things[pk] for pk in ids if pk in things]


def _found(text: str, words: Sequence[str]) -> tuple[str, list[Any]]:
    """The statement that everything found begins with; the first word leads."""
    lead, *others = words
    all_begin, others_begin = _all_have([_begins(word, "other.text") for word in others])
    all_exact, others_exact = _all_have([("other.text = %s", (word,)) for word in others])
    place = f"CASE WHEN {all_exact} THEN 1 ELSE 2 END" if others else "1"
    goes_on, lead_goes_on = _goes_on(lead)
    names = [name_key(text), identifier_key(text), measure_key(text)[:MAX_LENGTH]]
    sql = _FOUND.format(place=place, all_begin=all_begin, goes_on=goes_on)
    return sql, [*names, *others_exact, lead, *others_begin, *lead_goes_on, *others_begin, lead]


def _all_have(conditions: Sequence[Condition]) -> Condition:
    """That a thing has a word for each condition."""
    has = [_HAS.format(condition=condition) for condition, _ in conditions]
    return " AND ".join(has) or "1 = 1", tuple(value for _, values in conditions for value in values)


def _begins(word: str, column: str = "text") -> Condition:
    """That a text is the word or, where that is long enough, begins with it."""
    if len(word) < _MIN_BEGINNING:
        return f"{column} = %s", (word,)
    if connection.vendor == "sqlite":
        # SQLite compares characters, so that a range is a beginning; LIKE would not use the index there.
        return f"{column} >= %s AND {column} < %s", (word, word + _LAST_CHARACTER)
    return f"{column} LIKE %s", (f"{word}%",)


def _goes_on(word: str) -> Condition:
    """That a text begins with the word and is longer."""
    if len(word) < _MIN_BEGINNING:
        return "1 = 0", ()
    if connection.vendor == "sqlite":
        return "text > %s AND text < %s", (word, word + _LAST_CHARACTER)
    return "text LIKE %s AND text <> %s", (f"{word}%", word)


def _meant(word: str) -> str:
    """The word that this is a slip of: of several the one that most things have; the word itself where none is."""
    if word.isdecimal():
        return word
    near = Term.objects.filter(text__in=slips_of(word), is_name=False).values_list("text").annotate(n=Count("pk"))
    return str(max(near, key=lambda one: (one[1], one[0]), default=(word, 0))[0])
