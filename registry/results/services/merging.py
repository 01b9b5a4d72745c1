"""Names that turn out to be one: systems and papers are merged and renamed, and the old ids lead to the new ones.

Results are not edited: each is superseded by one under the other system or paper, so that every earlier day can still
be shown as it was. Files that use an old name go on working: it stands for what it was merged into.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.core.rejections import Refused
from registry.core.text import clean_name, comparison_key
from registry.journal.services import record
from registry.results.models import Paper, Result, System, TopicScores
from registry.results.queries import SYSTEM_RENAMED
from registry.results.services.endings import required_reason
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.superseding import RESULT_SUPERSEDED, copy_of, supersede

SYSTEM_MERGED = "results.system.merged"
PAPER_MERGED = "results.paper.merged"
#: In the entry of a result of which the target had the same already: which one that is.
JOINED_WITH = "joined with"

Named = TypeVar("Named", System, Paper)


@transaction.atomic
def merge_systems(
    *, source: System, target: System, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """The target, with the standing results of the source, which leads to it from now on."""
    reason = required_reason(reason)
    source, target = _pair(source, target)
    n_results = _move_results(source, target, "system", actor, reason, confirmed_rows)
    _lead_to(source, target, SYSTEM_MERGED, actor, reason, n_results)
    return target


@transaction.atomic
def merge_papers(
    *, source: Paper, target: Paper, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> Paper:
    """The target, with the standing results of the source, which leads to it from now on."""
    reason = required_reason(reason)
    source, target = _pair(source, target)
    n_results = _move_results(source, target, "paper", actor, reason, confirmed_rows)
    _lead_to(source, target, PAPER_MERGED, actor, reason, n_results)
    return target


@transaction.atomic
def rename_system(
    *, system: System, name: str, team: str, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """The system under its new name: itself where only the spelling changes, else one that it is merged into."""
    reason = required_reason(reason)
    name, team = _cleaned("name", name), _cleaned("team", team)
    if not name:
        raise ValidationError({"name": "a system has a name"}, code="required")
    system = _locked(system)
    before = {"name": system.name, "team": system.team}
    if (name, team) == (system.name, system.team):
        return system
    facts = {"before": before, "after": {"name": name, "team": team}}
    record(action=SYSTEM_RENAMED, subject_type="system", subject_id=system.pk, actor=actor, reason=reason, **facts)
    keys = {"name_key": comparison_key(name), "team_key": comparison_key(team)}
    if keys == {"name_key": system.name_key, "team_key": system.team_key}:
        system.name, system.team = name, team
        system.save(update_fields=["name", "team"])
        return system
    target, is_new = System.objects.get_or_create(
        **keys, defaults={"name": name, "team": team, "approach": system.approach}
    )
    if not is_new and target.merged_into_id != system.pk:
        raise ValidationError({"name": f"this is the name of system {target.pk}; merge the two"}, code="taken")
    System.objects.filter(pk=target.pk).update(merged_into=None)
    return merge_systems(source=system, target=target, actor=actor, reason=reason, confirmed_rows=confirmed_rows)


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


def _lead_to(source: Named, target: Named, action: str, actor: User | None, reason: str, n_results: int) -> None:
    source.merged_into = target
    source.save(update_fields=["merged_into"])
    # One step leads to the end, whatever was merged before.
    before = type(source).objects.filter(merged_into=source)
    names = list(before.order_by("pk").values_list("pk", flat=True))
    before.update(merged_into=target)
    record(
        action=action,
        subject_type=type(source).__name__.lower(),
        subject_id=source.pk,
        actor=actor,
        reason=reason,
        before={"name": str(source)},
        after={"name": str(target), "merged_into": target.pk, "results": n_results}
        | ({"names": names} if names else {}),
    )


def _move_results(
    source: Named, target: Named, part: str, actor: User | None, reason: str, confirmed_rows: int | None
) -> int:
    """Supersede each standing result of the source by one of the target; how many there were."""
    standing = list(source.results.standing().select_for_update().order_by("pk"))
    require_confirmation(actor=actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
    key = _key_without(part)
    there = {key(result): result for result in target.results.standing()}
    twins = {result.pk: there[key(result)] for result in standing if key(result) in there}
    for result in standing:
        twin = twins.get(result.pk)
        if twin and twin.value != result.value:
            raise ValidationError(
                f"results {result.pk} ({result.score}) and {twin.pk} ({twin.score}) would stand for the same "
                "thing; withdraw the wrong one first",
                code="contradiction",
            )
    moment = timezone.now()
    copies = {
        result.pk: copy_of(result, **{f"{part}_id": target.pk}, recorded_at=moment)
        for result in standing
        if result.pk not in twins
    }
    supersede(copies, actor=actor, reason=reason, moment=moment)
    _join_twins({result: twins[result.pk] for result in standing if result.pk in twins}, actor, reason, moment)
    mark_leaderboards_changed(leaderboard_ids=sorted({result.leaderboard_id for result in standing}))
    return len(standing)


def _key_without(part: str) -> Callable[[Result], tuple[Any, ...]]:
    """What tells the results of one system, or of one paper, from each other."""
    other = "paper_id" if part == "system" else "system_id"
    return lambda result: (result.leaderboard_id, getattr(result, other), result.source)


def _join_twins(twins: dict[Result, Result], actor: User | None, reason: str, moment: Any) -> None:
    """End results of which the target has the same already; what hangs on them hangs on those from now on."""
    for result, twin in twins.items():
        replicates = list(result.replicates.standing().order_by("pk").values_list("pk", flat=True))
        result.ended_by = record(
            action=RESULT_SUPERSEDED,
            subject_type="result",
            subject_id=result.pk,
            actor=actor,
            reason=reason,
            after={JOINED_WITH: twin.pk} | ({"replicates": replicates} if replicates else {}),
        )
        result.ended_at, result.ending, result.superseded_by = moment, Result.Ending.SUPERSEDED, twin
        result.save(update_fields=["ended_at", "ended_by", "ending", "superseded_by"])
        result.replicates.standing().filter(pk=twin.pk).update(replicate_of=None)
        result.replicates.standing().update(replicate_of=twin)
        vectors = TopicScores.objects.standing().vectors([result, twin])
        if result.pk in vectors and twin.pk not in vectors:
            TopicScores.objects.create(result=twin, scores=vectors[result.pk], recorded_at=moment)
        for request in result.correction_requests.open():
            asked = {"requester": request.requester_id, "kind": request.kind}
            if not twin.correction_requests.open().filter(**asked).exists():
                request.result = twin
                request.save(update_fields=["result"])


def _cleaned(field: str, text: str) -> str:
    try:
        return clean_name(text)
    except Refused as refused:
        raise ValidationError({field: refused.message}, code=refused.code) from refused
