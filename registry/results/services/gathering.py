"""Gathering the systems of one model: by rules that read names, and by editors, whose word prevails."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet

from analysis.readers.recipes import Recipe, address_of, model_of
from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.journal.models import Entry
from registry.journal.services import record, record_many
from registry.results.models import Model, System
from registry.results.services.endings import checked_name, required_reason

#: Rules found several systems to be of one model. A single one is covered by the entry of the load.
GATHERED = "results.model.gathered"
#: Somebody named the model of a system, or undid what rules had found: rules leave such systems alone.
SAID = "results.system.model_said"
GATHERING_UNDONE = "results.model.gathering_undone"
BY_PEOPLE = (SAID, GATHERING_UNDONE)

_EXAMPLES = 3
_CHUNK = 500


@transaction.atomic
def gather_models(*, by: Entry, systems: Iterable[int] | None = None) -> int:
    """Gather all systems, or these new ones, by the rules; return how many are of another model than before.

    ``by`` is the entry of the load that brought them. Systems whose model somebody named are left alone. Each model
    with several systems gets an entry of its own in the log, from which gathering it can be undone.
    """
    rows = System.objects.filter(Q(model_by=None) | ~Q(model_by__action__in=BY_PEOPLE), merged_into=None)
    by_key: dict[str, list[tuple[System, Recipe]]] = defaultdict(list)
    left: list[System] = []
    names = dict(Model.objects.values_list("pk", "name_key"))
    for system in rows if systems is None else _in_chunks(rows, sorted(systems)):
        recipe = model_of(system.name, system.team)
        key = comparison_key(recipe.model) if recipe else ""
        if key == names.get(system.model_id or 0, ""):
            continue
        if recipe:
            by_key[key].append((system, recipe))
        else:
            system.model = system.model_by = None
            left.append(system)
    moved = _put(by_key, by) + left
    System.objects.bulk_update(moved, ["model", "model_by"], batch_size=500)
    return len(moved)


def _in_chunks(rows: QuerySet[System], wanted: list[int]) -> Iterator[System]:
    for start in range(0, len(wanted), _CHUNK):
        yield from rows.filter(pk__in=wanted[start : start + _CHUNK])


def _put(by_key: dict[str, list[tuple[System, Recipe]]], by: Entry) -> list[System]:
    """Return the systems with their models, and with the entries that say so."""
    if not by_key:
        return []
    models = _models({key: readings[0][1].model for key, readings in by_key.items()})
    before = Counter(System.objects.filter(model__in=models.values()).values_list("model", flat=True))
    several = [key for key, readings in by_key.items() if len(readings) + before[models[key].pk] > 1]
    written = record_many((_gathered(models[key], by_key[key]) for key in several), actor=by.actor, reason=by.reason)
    entries = dict(zip(several, written, strict=True))
    moved = []
    for key, readings in by_key.items():
        for system, _ in readings:
            system.model, system.model_by = models[key], entries.get(key, by)
            moved.append(system)
    return moved


def _gathered(model: Model, readings: list[tuple[System, Recipe]]) -> dict[str, object]:
    rules = list(dict.fromkeys(recipe.rule for _, recipe in readings))
    more = [f"and {len(rules) - _EXAMPLES} more"] if len(rules) > _EXAMPLES else []
    examples = [str(system) for system, _ in readings[:_EXAMPLES]]
    after = {"model": model.name, "systems": len(readings), "read_by": rules[:_EXAMPLES] + more, "such_as": examples}
    return {"action": GATHERED, "subject_type": "model", "subject_id": model.slug, "after": after}


def _models(names: dict[str, str]) -> dict[str, Model]:
    """Return the models of these names, by the key of the name; those that the record lacks are created."""
    known = {model.name_key: model for model in Model.objects.all()}
    taken = {model.slug for model in known.values()}
    new = []
    for key, name in names.items():
        if key not in known:
            # An address on a hub begins with its owner; other names don't say who made the model.
            owner, has_owner, _ = name.partition("/")
            slug = address_of(name, taken)
            taken.add(slug)
            new.append(Model(slug=slug, name=name, name_key=key, maker=owner if has_owner and " " not in owner else ""))
    return known | {model.name_key: model for model in Model.objects.bulk_create(new)}


@transaction.atomic
def say_model(*, system: System, model: str, actor: User, reason: str) -> System:
    """Return the system as one of the model of this name or address, of none if blank; rules leave it from then on."""
    reason = required_reason(reason)
    system = System.objects.select_for_update(of=("self",)).select_related("model").get(pk=system.pk)
    if system.merged_into_id:
        raise ValidationError(f"{system} was merged into system {system.merged_into_id}", code="merged")
    name = checked_name(model, field="model")
    target = Model.objects.filter(Q(slug=name.casefold()) | Q(name_key=comparison_key(name))).first() if name else None
    if name and target is None:
        target = _models({comparison_key(name): name})[comparison_key(name)]
    before = {"model": str(system.model) if system.model else ""}
    after = {"model": str(target) if target else ""}
    entry = record(action=SAID, subject=system, actor=actor, reason=reason, before=before, after=after)
    system.model, system.model_by = target, entry
    system.save(update_fields=["model", "model_by"])
    return system


def n_gathered(entry: Entry) -> int:
    """Return how many systems an entry of the rules gathered, which undoing it would part."""
    return System.objects.filter(model_by=entry).count() if entry.action == GATHERED else 0


def undo_gathering(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """Part the systems that the entry gathered, which rules leave alone from then on; return the entry of undoing.

    No result changes, so there is nothing to confirm; ``confirmed_rows`` comes with the form of every undoing.
    """
    reason = required_reason(reason)
    with transaction.atomic():
        systems = System.objects.select_for_update().filter(model_by=entry)
        if entry.action != GATHERED or not systems:
            raise ValidationError("nothing of it is left to undo", code="nothing")
        subject, before = ("model", entry.subject_id), {"entry": entry.pk, "systems": len(systems)}
        undone = record(action=GATHERING_UNDONE, subject=subject, actor=actor, reason=reason, before=before)
        System.objects.filter(model_by=entry).update(model=None, model_by=undone)
    return undone
