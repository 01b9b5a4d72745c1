"""Things of the index, made without what they are of."""

from collections.abc import Iterable

from analysis.readers.names import measure_key
from registry.search.models import Term, Thing
from registry.search.names import name_key, words_of


def put(kind: Thing.Kind, object_id: int, name: str, weight: int = 0, *, short: Iterable[str] = ()) -> int:
    """A thing that goes by a name, or for ``short``, and is found by the name's words; its id."""
    thing = Thing.objects.create(
        kind=kind, object_id=object_id, title=name, address=f"/{object_id}/", n_results=weight, weight=weight
    )
    terms = [(text, Term.Place.OWN) for text in {name_key(name), measure_key(name)}]
    terms += [(name_key(text), Term.Place.SHORT) for text in short]
    terms += [(text, Term.Place.WORD) for text in words_of(name)]
    Term.objects.bulk_create(
        Term(thing=thing, text=text, place=place, kind=kind, weight=weight) for text, place in terms
    )
    return thing.pk


def titles(things: Iterable[Thing]) -> list[str]:
    return [thing.title for thing in things]
