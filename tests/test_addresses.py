"""Each address of the site stands in docs/addresses.md, with the question that it answers, and none else.

Those below ``/api/`` stand in the schema, which the API itself shows.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from django.urls import URLPattern, URLResolver, get_resolver

from registry import gone

DOCUMENT = Path(__file__).parents[1] / "docs" / "addresses.md"
_MOST_WORDS = 8


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """The addresses with names of ours, but those that are given up, as the URL conf writes them."""
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield from routes(part, before + str(part.pattern)) if part.app_name != "admin" else ()
        elif part.name and part not in gone.urlpatterns and is_ours(part):
            yield before + str(part.pattern)


def is_ours(pattern: URLPattern) -> bool:
    return not getattr(pattern.callback, "__module__", "").startswith("allauth")


def simple(route: str) -> str:
    """An address with the names of its parts between angles."""
    route = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", route)
    route = re.sub(r"<\w+:(\w+)>", r"<\1>", route)
    return "/" + route.strip("^$").replace("/?", "").replace("\\", "")


def rows() -> list[list[str]]:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]


def test_each_address_is_listed_and_none_else():
    listed = [address for cells in rows() for address in re.findall(r"`([^`]+)`", cells[0])]
    known = {address for route in routes(get_resolver()) if not (address := simple(route)).startswith("/api/")}
    files = {f"{address.rstrip('/')}.<suffix>" for address in listed}  # of a list or a page that stands there
    assert known - {*listed} - files == set(), "say in docs/addresses.md which question it answers, and whose"
    assert {*listed} - known == set(), "listed, and no address of the site: take it out of docs/addresses.md"
    assert len(listed) == len({*listed})


def test_questions_are_short():
    said = {question for _, person, question in rows() if person and question.endswith("?")}
    assert said == {question for _, _, question in rows()}
    assert [question for question in said if len(question.split()) > _MOST_WORDS] == []
