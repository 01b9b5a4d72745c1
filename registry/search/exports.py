"""Lists of things as files."""

from collections.abc import Iterable

from django.http import HttpResponse

from registry.core.columns import list_file
from registry.search.documents import describe_thing
from registry.search.models import Thing

_COLUMNS = ("kind", "title", "detail", "url", "n_results")


def thing_file(things: Iterable[Thing], name: str, suffix: str) -> HttpResponse:
    """The things as JSON or CSV, one object or line each."""
    return list_file(name, _COLUMNS, (tuple(describe_thing(thing).values()) for thing in things), suffix)
