"""Lists of things as files."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from registry.core.columns import list_file
from registry.search.documents import describe_thing
from registry.search.models import Thing
from registry.search.queries import headlines_of

_COLUMNS = ("kind", "title", "detail", "url", "n_results")


def thing_file(things: Iterable[Thing], name: str, suffix: str) -> HttpResponse:
    """The things as JSON or CSV, one object or line each."""
    if name == "leaderboards":
        return _leaderboard_file(list(things), suffix)
    return list_file(name, _COLUMNS, (tuple(describe_thing(thing).values()) for thing in things), suffix)


#: What lists say of a verdict in numbers, as headlines call it.
_MARGINS = ("margin", "resolves", "evidence")


def _leaderboard_file(things: Sequence[Thing], suffix: str) -> HttpResponse:
    """Leaderboards with the margins of their verdicts."""
    headlines = headlines_of(things)
    rows = (
        (*describe_thing(thing).values(), *(headlines.get(thing.object_id, {}).get(name) for name in _MARGINS))
        for thing in things
    )
    return list_file("leaderboards", (*_COLUMNS, *_MARGINS), rows, suffix)
