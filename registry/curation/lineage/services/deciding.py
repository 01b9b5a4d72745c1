"""What editors decide about lineages: it holds whatever is loaded later, until it is taken back."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.curation.lineage.models import LineageDecision
from registry.curation.lineage.pipeline.keys import parse_key
from registry.curation.lineage.queries import boards_of_systems, final_key, systems_of
from registry.journal.services import record
from registry.results.models import System
from registry.results.services.endings import required_reason

JOINED = "results.lineage.joined"
LEFT = "results.lineage.left"
DISSOLVED = "results.lineage.dissolved"
MERGED = "results.lineage.merged"
TAKEN_BACK = "results.lineage.decision_taken_back"

Kind = LineageDecision.Kind


@transaction.atomic
def join_lineage(*, system: System, key: str, actor: User | None, reason: str) -> LineageDecision:
    """The decision that the system is of the lineage; an earlier one that it is not ends."""
    key = _checked(key)
    if LineageDecision.objects.standing().filter(kind=Kind.LEAVE, system=None, key=_today(key)).exists():
        message = f"it was decided that {_today(key)} makes no family; take that back first"
        raise ValidationError({"key": message}, code="dissolved")
    return _decide(Kind.JOIN, JOINED, system=system, key=key, actor=actor, reason=reason)


@transaction.atomic
def leave_lineage(*, system: System, key: str, actor: User | None, reason: str) -> LineageDecision:
    """The decision that the system is not of the lineage, whoever says so; an earlier one that it is ends."""
    return _decide(Kind.LEAVE, LEFT, system=system, key=_checked(key), actor=actor, reason=reason)


@transaction.atomic
def dissolve_lineage(*, key: str, actor: User | None, reason: str) -> LineageDecision:
    """The decision that no system is of this lineage: a platform, say, which makes nothing."""
    return _decide(Kind.LEAVE, DISSOLVED, key=_checked(key), actor=actor, reason=reason)


@transaction.atomic
def merge_lineage(*, key: str, into: str, actor: User | None, reason: str) -> LineageDecision:
    """The decision that one lineage is another; into a key that nothing has, it is renamed."""
    key, into = _checked(key), _checked(into, "into")
    # What the lineage was merged into before gives way, so that it leads no further.
    if final_key(into, {one: other for one, other in _merged().items() if one != key}) == key:
        raise ValidationError({"into": f"{into} is {key} already"}, code="same")
    return _decide(Kind.MERGE, MERGED, key=key, into=into, actor=actor, reason=reason)


@transaction.atomic
def take_back(*, decision: LineageDecision, actor: User | None, reason: str) -> LineageDecision:
    """The decision, ended; what files and searches say holds again. Taking it back twice does nothing more."""
    reason = required_reason(reason)
    decision = LineageDecision.objects.select_for_update().get(pk=decision.pk)
    if decision.ended_at is None:
        systems = _concerned(decision)
        _end(decision, actor, reason)
        mark_leaderboards_changed(leaderboard_ids=boards_of_systems(systems))
    return decision


@transaction.atomic
def decide_again(*, decision: LineageDecision, actor: User | None, reason: str) -> None:
    """What was decided on a system before another decision took its place; nothing of one that was merged since."""
    system = decision.system
    if system is not None and not system.merged_into_id:
        action = JOINED if decision.kind == Kind.JOIN else LEFT
        _decide(decision.kind, action, system=system, key=decision.key, actor=actor, reason=reason)


def _decide(
    kind: str,
    action: str,
    *,
    key: str,
    actor: User | None,
    reason: str,
    system: System | None = None,
    into: str = "",
) -> LineageDecision:
    """The decision of this kind, which stands already or is written now; another one on the same key gives way."""
    reason = required_reason(reason)
    if system is not None and system.merged_into_id:
        raise ValidationError(f"{system} was merged into {system.merged_into_id} already", code="merged")
    earlier = LineageDecision.objects.standing().select_for_update().filter(system=system, key=key)
    standing: LineageDecision | None = earlier.first()
    if standing and (standing.kind, standing.into) == (kind, into):
        return standing
    if standing:
        _end(standing, actor, reason)
    after = {"lineage": key} | ({"into": into} if into else {})
    entry = record(action=action, subject=system or ("lineage", key[:200]), actor=actor, reason=reason, after=after)
    decision = LineageDecision.objects.create(
        kind=kind, system=system, key=key, into=into, entry=entry, recorded_at=timezone.now()
    )
    mark_leaderboards_changed(leaderboard_ids=boards_of_systems(_concerned(decision)))
    return decision


def _end(decision: LineageDecision, actor: User | None, reason: str) -> None:
    decision.ended_at = timezone.now()
    subject = ("system", decision.system_id) if decision.system_id else ("lineage", decision.key[:200])
    before = {"lineage": decision.key, "decision": str(decision.get_kind_display())}
    decision.ended_by = record(action=TAKEN_BACK, subject=subject, actor=actor, reason=reason, before=before)
    decision.save(update_fields=["ended_at", "ended_by"])


def _concerned(decision: LineageDecision) -> set[int]:
    """The systems whose lineage the decision may change."""
    if decision.system_id:
        return {decision.system_id}
    return systems_of({decision.key, *filter(None, [decision.into])})


def _checked(text: str, field: str = "key") -> str:
    try:
        return parse_key(text)
    except Refused as refused:
        raise ValidationError({field: refused.message}, code=refused.code) from refused


def _today(key: str) -> str:
    """What the key is called after all that was merged."""
    return final_key(key, _merged())


def _merged() -> dict[str, str]:
    """What each lineage that was merged was merged into."""
    return dict(LineageDecision.objects.standing().filter(kind=Kind.MERGE).values_list("key", "into"))
