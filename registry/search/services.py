"""Keeping the index in step with the registry: only what changed is written."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import transaction
from django.db.models import Max

from registry.accounts.models import User
from registry.core.bulk import insert_rows
from registry.journal.queries import journal_version
from registry.results.models import Result
from registry.search.models import IndexState, Term, Thing
from registry.search.pipeline import Found, everything

_BATCH = 500

Item = TypeVar("Item")


def index_registry(*, is_forced: bool = False) -> int | None:
    """Return how many things were added, changed or removed; None where nothing happened since the last time.

    What another process wrote meanwhile is noted in the state, and the next call sets it right.
    """
    seen = _state()
    if not is_forced and IndexState.objects.filter(seen=seen).exists():
        return None
    wanted = {(one.kind, one.object_id): one for one in everything()}
    with transaction.atomic():
        IndexState.objects.update_or_create(key="only", defaults={"seen": seen})
        return _write(wanted, is_forced)


def index_what_was_loaded(*, actor: User | None = None, reason: str = "") -> None:
    """The end of a load: what was loaded is found."""
    index_registry()


def _state() -> str:
    """Changes whenever something may be found that was not, or otherwise than it was."""
    return f"{journal_version()} {Result.objects.aggregate(last=Max('pk'))['last']}"


def _write(wanted: dict[tuple[str, int], Found], is_forced: bool) -> int:
    listed = Thing.objects.values_list("pk", "kind", "object_id", "digest").iterator()
    stored = {(kind, pk): (thing, digest) for thing, kind, pk, digest in listed}
    kept = {
        key for key, (_, digest) in stored.items() if not is_forced and key in wanted and wanted[key].digest == digest
    }
    outdated = [thing for key, (thing, _) in stored.items() if key not in kept]
    missing = [found for key, found in wanted.items() if key not in kept]
    for some in _batches(outdated):
        Term.objects.filter(thing__in=some).delete()
        Thing.objects.filter(pk__in=some).delete()
    for new in _batches(missing):
        _add(new)
    return len(missing) + len(stored.keys() - wanted.keys())


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))


#: What is kept of a thing beside the terms that find it.
_SHOWN = ("kind", "object_id", "title", "detail", "address", "n_results", "weight", "digest")


def _add(found: Sequence[Found]) -> None:
    things = [Thing(**{name: getattr(one, name) for name in _SHOWN}) for one in found]
    Thing.objects.bulk_create(things)
    insert_rows(
        Term,
        [
            {"thing_id": thing.pk, "text": text, "place": place, "kind": one.kind, "weight": weight}
            for thing, one in zip(things, found, strict=True)
            for place, text, weight in one.terms
        ],
    )
