"""Questions that a list answers: which models or leaderboards are asked for, and which two are compared."""

import re
from collections.abc import Iterator

from django.urls import reverse
from django.utils.http import urlencode

from registry.catalog.models import Collection
from registry.catalog.querysets import domains_in, languages_in
from registry.core.templatetags.formatting import number_of
from registry.leaderboards.traits import SIZES
from registry.search.board_list import listed_boards
from registry.search.model_list import counted_licences, judged_benchmarks
from registry.search.models import Term, Thing
from registry.search.names import VOCABULARY, name_key, words_of

_SIZE = re.compile(
    r"\b(?:under|below|at most|up to|less than|smaller than|max(?:imum)?|<=?)\s*(\d+(?:\.\d+)?)\s*([mb])\b",
    re.IGNORECASE,
)
_ASIDES = VOCABULARY["filler"] | VOCABULARY["asking"] - VOCABULARY["weights open"] | VOCABULARY["aside"]
_PAIR = re.compile(r"(?:compare\s+)?(.+?)\s+(?:vs?\.?|versus)\s+(.+)|compare\s+(.+?)\s+(?:and|with|to)\s+(.+)", re.I)


def compared(text: str) -> str | None:
    """Return the address that compares the two models or systems of “A vs B”; None unless both are known."""
    pair = _PAIR.fullmatch(text.strip(" ?"))
    named = [_comparable(name) for name in (pair.groups() if pair else ()) if name]
    known = [*dict.fromkeys(filter(None, named))]
    return f"{reverse('compare:compare')}?{urlencode(known)}" if len(known) == 2 else None


def _comparable(name: str) -> tuple[str, str] | None:
    """Return the kind and the slug or number of the model of this name with the most results, else of the system."""
    kinds = (Thing.Kind.MODEL, Thing.Kind.SYSTEM)
    terms = Term.objects.filter(text=name_key(name), place__lt=Term.Place.WORD, kind__in=kinds).select_related("thing")
    if not (term := terms.order_by("kind", "place", "-weight", "thing").first()):
        return None
    return term.kind, term.thing.address.split("/")[2] if term.kind == "model" else str(term.thing.object_id)


def boards_asked_for(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield title, detail and address of the leaderboards of a language, domain or judge, if all words say which."""
    rest = {*words_of(text)} - _ASIDES - VOCABULARY["model"]
    given = _meant("judge", rest) if rest & VOCABULARY["judged"] else {}
    rest -= VOCABULARY["judged"] if given else set()
    given |= _meant("domain", rest)
    if rest:
        written = Collection.objects.order_by().values_list("language", "domain").distinct()
        known = {word.casefold(): ("language", word) for language, _ in written for word in languages_in(language)}
        known |= {word: ("domain", word) for _, domain in written for word in domains_in(domain)}
        given |= dict(known[word] for word in rest & known.keys())
        rest -= known.keys()
    if given and not rest and (n := listed_boards(given, "-results").count()):
        chosen = ", ".join(Collection.JUDGES.get(name, name).capitalize() for name in given.values())
        address = f"{reverse('search:leaderboard-list')}?{urlencode(given)}"
        yield f"Leaderboards: {chosen}", number_of(n, "leaderboard", "leaderboards"), address


def _meant(field: str, rest: set[str]) -> dict[str, str]:
    """Return the choice of a field that some of the words mean, if any, and take them out."""
    meant = [name for name, words in VOCABULARY.items() if name.startswith(f"{field} ") and rest & words]
    rest.difference_update(*(VOCABULARY[name] for name in meant))
    return {field: meant[0].partition(" ")[2]} if meant else {}


def list_asked_for(text: str) -> str | None:
    """Return the address of the list of models that answers a question; None unless every word of it is understood."""
    query: dict[str, str] = {}
    asked = text
    if limit := _SIZE.search(text):
        most = float(limit[1]) * (10**9 if limit[2].lower() == "b" else 10**6)
        if not (size := next((name for name, n in SIZES.items() if n >= most), "")):
            return None
        query["size"] = size
        text = text.replace(limit[0], " ")
    words = {*words_of(text)}
    rest = words - _ASIDES - VOCABULARY["model"]
    query = _meant("size", rest) | _meant("weights", rest) | query
    if rest & VOCABULARY["licence"]:
        rest -= VOCABULARY["licence"]
        named = [name for name, _ in counted_licences().most_common() if rest and rest <= {*words_of(name)}]
        if not named:
            return None
        query["licence"] = named[0]
    elif rest:
        rows = [row for row in judged_benchmarks() if rest <= {*words_of(row.suite.name, row.suite.slug)}]
        if not rows:
            return None
        query["benchmark"] = f"{rows[0].suite.slug}/{rows[0].measure.name}"
    if not words & VOCABULARY["model"] or not (words & VOCABULARY["best"] or query):
        return None
    return f"{reverse('search:model-list')}?{urlencode({**query, 'question': asked})}"
