"""Who may see and change what of the catalog.

All of it is public, so seeing finds or answers 404 with the nearest name; changing answers 403 to the others.
"""

from collections.abc import Iterable
from itertools import chain

from django.core.exceptions import PermissionDenied
from django.http import Http404

from registry.accounts.access import AnyUser, is_editor, require_contributor, require_second_factor
from registry.accounts.models import User
from registry.catalog.models import Collection, CollectionAlias, Curator, Measure, MeasureAlias
from registry.core.text import did_you_mean, shorten


def get_visible_collection(name: str) -> Collection:
    """The collection with this slug or alias."""
    collection = Collection.objects.named(name).first()
    if collection is None:
        slugs, aliases = Collection.objects.values_list("slug"), CollectionAlias.objects.values_list("alias")
        raise _unknown("collection", name, chain(slugs, aliases))
    return collection


def get_visible_measure(name: str) -> Measure:
    """The measure with this name or alias."""
    measure = Measure.objects.named(name).first()
    if measure is None:
        names, aliases = Measure.objects.values_list("name"), MeasureAlias.objects.values_list("alias")
        raise _unknown("measure", name, chain(names, aliases))
    return measure


def _unknown(kind: str, name: str, known: Iterable[tuple[str]]) -> Http404:
    """What to say of a name that nothing has: the nearest one that something has."""
    hint = did_you_mean(name, (known_name for (known_name,) in known))
    return Http404(f"No {kind} is called {shorten(name)}{hint or '.'}")


def can_edit_collection(user: AnyUser, collection: Collection) -> bool:
    """Whether somebody checks and corrects what is recorded on the collection: its curators, and editors everywhere."""
    return is_editor(user) or (_is_somebody(user) and collection.curators.filter(user=user).exists())


def is_curator(user: AnyUser) -> bool:
    """Whether somebody looks after any collection."""
    return _is_somebody(user) and user.curated.exists()


def _is_somebody(user: AnyUser) -> bool:
    return isinstance(user, User) and user.is_active


def get_editable_collection(user: AnyUser, name: str) -> Collection:
    """The collection with this slug or alias, for those who may correct it."""
    collection = get_visible_collection(name)
    contributor = require_contributor(user)
    if not can_edit_collection(contributor, collection):
        raise PermissionDenied(f"Only editors and the curators of {collection} may do this.")
    require_second_factor(contributor)
    return collection


def get_curator(collection: Collection, pk: int) -> Curator:
    """One of the collection's curators."""
    curator = collection.curators.select_related("user", "collection").filter(pk=pk).first()
    if curator is None:
        raise Http404(f"{collection} has no such curator.")
    return curator
