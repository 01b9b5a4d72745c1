"""Pages of the site itself, found by what they are called; and questions that a list answers."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from django.urls import reverse

from analysis.readers.text import nearest
from registry.leaderboards.traits import SIZES
from registry.search.model_list import judged_benchmarks
from registry.search.names import words_of


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of the site itself, as finds are shown; ``detail`` says what is there."""

    title: str
    detail: str
    address: str


#: Title, what is there, the name of its address, and by what else it is looked for.
with Path(__file__).with_name("site_pages.csv").open(encoding="utf-8", newline="") as _file:
    _PAGES = tuple(row for row in csv.reader(_file) if row[0] != "title")
_FILLERS = frozenset(words_of("a can do get how i is of page plumbline the this to use what where")) | {"site"}


def _address(name: str) -> str:
    view, _, rest = name.partition(" ")
    return reverse(view) + rest if rest.startswith("#") else reverse(view, args=[rest] if rest else [])


def pages_called(text: str) -> list[SitePage]:
    """The pages of the site that all telling words of a text name; none of a text without one."""
    words = [word for word in words_of(text) if word not in _FILLERS]
    return [
        SitePage(title, detail, _address(name))
        for title, detail, name, called in _PAGES
        if words and {*words} <= {*words_of(title), *words_of(called)}
    ]


def pages_spelled(path: str) -> list[SitePage]:
    """The pages whose address is spelled like the first part of a path."""
    first = path.strip("/").partition("/")[0].partition(".")[0]
    addresses = {_address(name).partition("#")[0]: (title, detail) for title, detail, name, _ in _PAGES}
    stems = {address.strip("/").rpartition("/")[2]: address for address in addresses}
    return [SitePage(*addresses[stems[name]], stems[name]) for name in nearest(first, list(stems), n=2) if first]


_SIZE = re.compile(
    r"\b(?:under|below|at most|up to|less than|smaller than|max(?:imum)?|<=?)\s*(\d+(?:\.\d+)?)\s*([mb])\b",
    re.IGNORECASE,
)
_KINDS = frozenset({"model", "models", "embedding", "embeddings", "retriever", "retrievers", "embedder", "embedders"})
_RANKS = frozenset({"best", "top", "good", "strongest"})
_OPEN, _CLOSED = frozenset({"open", "opensource", "source", "weights", "weight"}), frozenset({"closed", "proprietary"})
_SAID = frozenset(
    words_of(
        "which what is are the a an for of with in on parameters params parameter retrieval search",
        "zero shot text dense currently now today",
    )
)


def list_asked_for(text: str) -> str | None:
    """The address of the list of models that a question asks for; None unless every word of it is read so."""
    query: dict[str, str] = {}
    asked = text
    if limit := _SIZE.search(text):
        most = float(limit[1]) * (10**9 if limit[2].lower() == "b" else 10**6)
        size = next((name for name, n in SIZES.items() if n >= most), None)
        if size is None:
            return None
        query["size"] = size
        text = text[: limit.start()] + " " + text[limit.end() :]
    words = words_of(text)
    rest = {*words} - _SAID - _RANKS - _KINDS
    for weights, said in (("open", _OPEN), ("closed", _CLOSED)):
        if rest & said:
            query["weights"] = weights
            rest -= said
    if rest:
        named = next(
            (name for name in judged_benchmarks() if rest <= {*words_of(name.suite.name, name.suite.slug)}), None
        )
        if named is None:
            return None
        query["benchmark"] = f"{named.suite.slug}/{named.measure.name}"
    if not {*words} & _KINDS or not ({*words} & _RANKS or query):
        return None
    return f"{reverse('search:model-list')}?{urlencode({**query, 'question': asked})}"
