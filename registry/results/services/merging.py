"""Names that turn out to be one: systems and papers are merged and renamed, and the old ids lead to the new ones.

Results are not edited: each is superseded by one under the other system or paper, so that every earlier day can still
be shown as it was. Files that use an old name go on working: it stands for what it was merged into.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import Paper, Result, System
from registry.results.pipeline.rows import is_no_name
from registry.results.queries import SYSTEM_RENAMED
from registry.results.services.endings import (
    Cause,
    Change,
    Joined,
    Superseded,
    changing_the_record,
    checked_name,
    copy_of,
    required_reason,
)
from registry.results.services.mass_changes import require_confirmation

SYSTEM_MERGED = "results.system.merged"
PAPER_MERGED = "results.paper.merged"
_MERGED = {"system": SYSTEM_MERGED, "paper": PAPER_MERGED}

Named = TypeVar("Named", System, Paper)


def merge_systems(
    *, source: System, target: System, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """The target, with the standing results of the source, which leads to it from now on."""
    return _merge(source, target, "system", actor, reason, confirmed_rows)


def merge_papers(
    *, source: Paper, target: Paper, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> Paper:
    """The target, with the standing results of the source, which leads to it from now on.

    What is noted of the source alone is noted of the target, too.
    """
    return _merge(source, target, "paper", actor, reason, confirmed_rows)


@transaction.atomic
def rename_system(
    *, system: System, name: str, team: str, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """The system under its new name: itself where only the spelling changes, else one that it is merged into."""
    reason = required_reason(reason)
    name, team = checked_name(name, field="name"), checked_name(team, field="team")
    if not name:
        raise ValidationError({"name": "a system has a name"}, code="required")
    if is_no_name(name, team):
        raise ValidationError({"name": "a number is not the name of a system"}, code="number")
    system = _locked(system)
    before = {"name": system.name, "team": system.team}
    if (name, team) == (system.name, system.team):
        return system
    facts = {"before": before, "after": {"name": name, "team": team}}
    record(action=SYSTEM_RENAMED, subject=system, actor=actor, reason=reason, **facts)
    keys = {"name_key": comparison_key(name), "team_key": comparison_key(team)}
    if keys == {"name_key": system.name_key, "team_key": system.team_key}:
        system.name, system.team = name, team
        system.save(update_fields=["name", "team"])
        return system
    target, is_new = System.objects.get_or_create(**keys, defaults={"name": name, "team": team, **_known_of(system)})
    if not is_new and target.merged_into_id != system.pk:
        raise ValidationError({"name": f"this is the name of system {target.pk}; merge the two"}, code="taken")
    System.objects.filter(pk=target.pk).update(merged_into=None, **_known_of(system))
    if not is_new:
        # It had this name before, perhaps in another spelling.
        rename_system(system=target, name=name, team=team, actor=actor, reason=reason)
    return merge_systems(source=system, target=target, actor=actor, reason=reason, confirmed_rows=confirmed_rows)


def _known_of(system: System) -> dict[str, Any]:
    """What is known of the system, and which model it is of, by whose word: another name does not change that."""
    return {"approach": system.approach, "model": system.model, "model_by": system.model_by}


def _merge(
    source: Named, target: Named, part: str, actor: User | None, reason: str, confirmed_rows: int | None
) -> Named:
    with changing_the_record(actor=actor, reason=reason) as change:
        source, target = _pair(source, target)
        n_results = _move_results(source, target, part, change, confirmed_rows)
        _lead_to(source, target, _MERGED[part], change, n_results)
        change.leaderboards |= boards_of_system(target)
    return target


def boards_of_system(named: System | Paper) -> set[int]:
    """The leaderboards of a system that gets or loses a name: what is said of its training and lineage by that name
    holds for all of its results, or no longer. None of a paper."""
    results = named.results.standing() if isinstance(named, System) else Result.objects.none()
    return set(results.values_list("leaderboard", flat=True))


def _pair(source: Named, target: Named) -> tuple[Named, Named]:
    """Both, locked in one order, so that two editors who merge them crosswise don't wait for each other for ever."""
    if source.pk == target.pk:
        raise ValidationError("these are the same already", code="same")
    first, second = sorted((source, target), key=lambda one: one.pk)
    locked = {one.pk: one for one in (_locked(first), _locked(second))}
    return locked[source.pk], locked[target.pk]


def _locked(row: Named) -> Named:
    row = type(row).objects.select_for_update().get(pk=row.pk)
    if row.merged_into_id:
        raise ValidationError(f"{row} was merged into {row.merged_into_id} already", code="merged")
    return row


def _lead_to(source: Named, target: Named, action: str, change: Change, n_results: int) -> None:
    source.merged_into = target
    source.save(update_fields=["merged_into"])
    # One step leads to the end, whatever was merged before.
    before = type(source).objects.filter(merged_into=source)
    names = list(before.order_by("pk").values_list("pk", flat=True))
    before.update(merged_into=target)
    record(
        action=action,
        subject=source,
        actor=change.actor,
        reason=change.reason,
        before={"name": str(source)},
        after={"name": str(target), "merged_into": target.pk, "results": n_results}
        | ({"names": names} if names else {})
        | (_hand_notes_on(source, target) if isinstance(source, Paper) and isinstance(target, Paper) else {}),
    )


#: What may be noted of a paper, fields that say one thing together, with what they are where nobody said it.
BLANK_NOTES: tuple[dict[str, Any], ...] = (
    {"retraction": ""},
    {"author_orcids": []},
    {"reports_significance": None, "significance_said": ""},
)


def note_of(paper: Paper, names: Iterable[str]) -> dict[str, Any]:
    """Return these fields of the paper."""
    return {name: getattr(paper, name) for name in names}


def _hand_notes_on(source: Paper, target: Paper) -> dict[str, Any]:
    """Note of the target what is noted of the source alone; return that, for the journal."""
    told: dict[str, Any] = {}
    for blank in BLANK_NOTES:
        if note_of(target, blank) == blank != note_of(source, blank):
            told |= note_of(source, blank)
    Paper.objects.filter(pk=target.pk).update(**told)
    return told


def _move_results(source: Named, target: Named, part: str, change: Change, confirmed_rows: int | None) -> int:
    """Supersede each standing result of the source by one of the target; how many there were."""
    standing = list(source.results.standing().select_for_update().order_by("pk"))
    require_confirmation(actor=change.actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
    other = "paper_id" if part == "system" else "system_id"

    def key(result: Result) -> tuple[Any, ...]:
        """What tells the results of one system, or of one paper, from each other."""
        return result.leaderboard_id, getattr(result, other), result.source

    there = {key(result): result for result in target.results.standing()}
    causes: dict[int, Cause] = {}
    for result in standing:
        twin = there.get(key(result))
        if twin and twin.value != result.value:
            raise ValidationError(
                f"results {result.pk} ({result.score}) and {twin.pk} ({twin.score}) would stand for the same "
                "thing; withdraw the wrong one first",
                code="contradiction",
            )
        own = {f"{part}_id": target.pk, "recorded_at": change.moment}
        causes[result.pk] = Joined(twin) if twin else Superseded(copy_of(result, **own))
    change.end(causes)
    return len(standing)
