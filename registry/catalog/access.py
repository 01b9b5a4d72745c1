"""Access to the catalog.

All of it is public: a name leads to a row, asks which of several is meant, or answers 404 with the nearest name.
Those who may not change a row get 403.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeGuard

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.text import capfirst

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten
from registry.accounts.access import AnyUser, is_editor, require_contributor, require_second_factor
from registry.accounts.models import User
from registry.catalog.models import Collection, Curator, Measure
from registry.catalog.queries import CatalogNames, find_collection, find_measure
from registry.core.http import Ambiguous, must_exist


def get_visible_collection(name: str) -> Collection:
    """Return the collection of this name, or ask which, or answer 404."""
    with _in_an_address("collection", name):
        return find_collection(name)


def get_visible_measure(name: str) -> Measure:
    """Return the measure of this name, or ask which, or answer 404."""
    with _in_an_address("measure", name):
        return find_measure(name)


def get_visible_pair(collection: str, measure: str) -> tuple[Collection, Measure]:
    """Return the collection and the measure of these names; an ambiguous one is settled by the other."""
    names = CatalogNames()
    with _in_an_address("collection", collection):
        named = names.collection(collection, under=measure)
    with _in_an_address("measure", measure):
        return named, names.measure(measure, on=named)


def get_collection_by_path(path: str) -> tuple[Collection, str]:
    """Return the collection whose name, with slashes in it, begins the path, and the rest of the path."""
    names, parts = CatalogNames(), path.rstrip("/").split("/")
    for n_parts in range(len(parts), 1, -1):
        name = "/".join(parts[:n_parts])
        if names.has_collection(name):
            with _in_an_address("collection", name):
                return names.collection(name), path.removeprefix(name)
    raise Http404(f"No collection is called {shorten(path.strip('/'))}.")


@contextmanager
def _in_an_address(kind: str, name: str) -> Iterator[None]:
    """Answer 404 to a name that nothing has; ask which is meant by one that several have."""
    try:
        yield
    except Refused as refused:
        if refused.candidates:
            raise Ambiguous(kind, name, refused) from refused
        message = capfirst(refused.message)
        raise Http404(message + "." * (not message.endswith(("?", ".")))) from refused


def can_edit_collection(user: AnyUser, collection: Collection) -> bool:
    """Return whether somebody may correct records on the collection: its curators, and editors everywhere."""
    return is_editor(user) or (_is_somebody(user) and collection.curators.filter(user=user).exists())


def is_curator(user: AnyUser) -> TypeGuard[User]:
    """Return whether somebody looks after any collection."""
    return _is_somebody(user) and user.curated.exists()


def _is_somebody(user: AnyUser) -> TypeGuard[User]:
    return isinstance(user, User) and user.is_active


def get_editable_collection(user: AnyUser, name: str) -> Collection:
    """Return the collection with this slug or alias, for those who may correct it."""
    collection = get_visible_collection(name)
    contributor = require_contributor(user)
    if not can_edit_collection(contributor, collection):
        raise PermissionDenied(f"Only editors and the curators of {collection} may do this.")
    require_second_factor(contributor)
    return collection


def get_curator(collection: Collection, pk: int) -> Curator:
    """Return one of the collection's curators."""
    return must_exist(
        collection.curators.select_related("user", "collection").filter(pk=pk).first(),
        f"{collection} has no such curator.",
    )
