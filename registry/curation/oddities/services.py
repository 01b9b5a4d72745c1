"""Finding what looks wrong in the record, and deciding on it."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.curation.lineage.models import Lineage, LineageDecision
from registry.curation.lineage.pipeline.twins import Twin
from registry.curation.lineage.services.deciding import decide_again, join_lineage, leave_lineage, take_back
from registry.curation.lineage.services.twins import record_twins
from registry.curation.oddities.models import Oddity, OddityDecision
from registry.curation.oddities.pipeline import Found, odd_collections, odd_papers, odd_results
from registry.curation.oddities.queries import read_papers, read_parts, read_rows
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Result
from registry.results.services.endings import supersede_result
from registry.results.services.merging import PAPER_MERGED, merge_papers
from registry.results.services.unmerging import merged_by, undo_merge

DECIDED = "results.oddity.decided"
TAKEN_BACK = "results.oddity.decision_taken_back"

Kind, Decision = Oddity.Kind, OddityDecision.Kind

#: The columns of those that are about two things.
_PAIRS = {Kind.SYSTEMS: "system", Kind.COLLECTIONS: "collection", Kind.PAPERS: "paper"}

_FOUND_AGAIN = "found again: what the decision changed stands in the record once more"


def find_oddities(*, actor: User | None = None, reason: str = "") -> Counter[str]:
    """How many oddities of each kind there are now; new ones are kept, those that are gone end.

    Decisions hold. Where a result was set aside and stands again, as when its file was loaded anew, the decision ends
    and the oddity waits once more.
    """
    rows = read_rows()
    twins = [_of_twin(twin) for twin in record_twins(actor=actor, reason=reason)]
    pairs = (*odd_collections(rows), *odd_papers(read_papers()), *twins)
    found = {(one.kind, one.key): one for one in (*odd_results(rows, read_parts()), *pairs)}
    _store(found)
    return Counter(kind for kind, _ in found)


@transaction.atomic
def _store(found: dict[tuple[str, str], Found]) -> None:
    """Keep what is new, let end what is gone, and open again what was decided and stands as before."""
    known = {(one.kind, one.key): one for one in Oddity.objects.all()}
    moment = timezone.now()
    changed = []
    for place, oddity in known.items():
        ended_at = None if place in found else oddity.ended_at or moment
        said = _columns(found[place]) if place in found else {}
        news = {name: value for name, value in {**said, "ended_at": ended_at}.items() if getattr(oddity, name) != value}
        for name, value in news.items():
            setattr(oddity, name, value)
        if news:
            changed.append(oddity)
    new = [Oddity(**_columns(one), found_at=moment) for place, one in found.items() if place not in known]
    Oddity.objects.bulk_update(changed, ["says", "result_id", "ended_at"], batch_size=200)
    Oddity.objects.bulk_create(new, batch_size=200)
    _reopen(known[place] for place in found.keys() & known.keys())


def _of_twin(twin: Twin) -> Found:
    says = f"The same scores on {twin.n_same:,} of {twin.n_common:,} common leaderboards."
    return Found("systems", f"{twin.first}:{twin.second}", says, pair=(twin.first, twin.second))


def _columns(found: Found) -> dict[str, Any]:
    columns: dict[str, Any] = {"kind": found.kind, "key": found.key, "says": found.says, "result_id": found.result}
    if found.pair:
        name = _PAIRS[Kind(found.kind)]
        columns |= {f"{name}_id": found.pair[0], f"other_{name}_id": found.pair[1]}
    return columns


def _reopen(found: Iterable[Oddity]) -> None:
    """End decisions by which results were changed that stand again as they were."""
    ids = [oddity.pk for oddity in found if oddity.result_id]
    undone = OddityDecision.objects.filter(kind=Decision.ERROR, ended_at__isnull=True)
    for decision in undone:
        if decision.oddity_id in ids:
            _end(decision, None, _FOUND_AGAIN)


@transaction.atomic
def decide_on_oddity(
    *, oddity: Oddity, kind: str, actor: User, reason: str = "", confirmed_rows: int | None = None
) -> OddityDecision:
    """The decision, with what follows from it; one that holds already is returned as it is.

    A result that is an error is set aside as doubtful, or loses its year; systems that are one are of one lineage, and
    those that are two are not; papers that are one are merged. On collections the decision is noted alone.

    Raises
    ------
    ValidationError
        If another decision holds, or the result does not stand any more.
    MassChange
        If the account changed very much lately and ``confirmed_rows`` does not say how much.
    """
    oddity = Oddity.objects.select_for_update(of=("self",)).select_related("result").get(pk=oddity.pk)
    standing = oddity.decisions.filter(ended_at__isnull=True).first()
    if standing and standing.kind == kind:
        return standing
    if standing:
        raise ValidationError("another decision holds; take that back first", code="decided")
    if oddity.ended_at is not None:
        raise ValidationError("it is not found any more, so that there is nothing to decide", code="gone")
    reason = reason.strip() or f"{dict(oddity.choices)[kind].lower()}: {oddity.says}"
    entry = _journal(DECIDED, oddity, actor, reason, after={"oddity": oddity.kind, "decision": kind})
    if oddity.result:
        error = kind == Decision.ERROR
        done = _set_aside(oddity, actor, reason, confirmed_rows) if error else {}
    elif oddity.kind == Kind.SYSTEMS:
        done = _tell_apart(oddity, kind, actor, reason)
    else:
        is_merged = oddity.kind == Kind.PAPERS and kind == Decision.ERROR
        done = _merge(oddity, actor, reason, confirmed_rows) if is_merged else {}
    return OddityDecision.objects.create(
        oddity=oddity, kind=kind, done=done, entry=entry, recorded_at=entry.recorded_at
    )


def _set_aside(oddity: Oddity, actor: User, reason: str, confirmed_rows: int | None) -> dict[str, Any]:
    result = oddity.result
    assert result is not None
    changes: dict[str, Any] = {"comparability": Result.Comparability.DOUBTFUL.value}
    if oddity.kind == Kind.YEAR:
        changes = {"year": None}
    before = {name: getattr(result, name) for name in changes}
    new = supersede_result(result=result, changes=changes, actor=actor, reason=reason, confirmed_rows=confirmed_rows)
    return {"result": new.pk, "before": before, "after": changes}


def _tell_apart(oddity: Oddity, kind: str, actor: User, reason: str) -> dict[str, Any]:
    """Have both be of one lineage, or the second not be of that of the first."""
    first, second = oddity.system, oddity.other_system
    assert first is not None
    assert second is not None
    key = Lineage.objects.standing().filter(system=first, origin=Lineage.Origin.FOUND).values_list("key", flat=True)[0]
    # What editors decided before is theirs: it stays when this is taken back, and what this replaces comes back then.
    before = LineageDecision.objects.standing().filter(system__in=(first, second)).in_bulk()
    if kind == Decision.ERROR:
        decisions = [join_lineage(system=system, key=key, actor=actor, reason=reason) for system in (first, second)]
    else:
        decisions = [leave_lineage(system=second, key=key, actor=actor, reason=reason)]
    new = [decision for decision in decisions if decision.pk not in before]
    places = {(decision.system_id, decision.key) for decision in new}
    replaced = [pk for pk, decision in before.items() if (decision.system_id, decision.key) in places]
    return {"lineage_decisions": [one.pk for one in new]} | ({"lineage_before": replaced} if replaced else {})


def _merge(oddity: Oddity, actor: User, reason: str, confirmed_rows: int | None) -> dict[str, Any]:
    target, source = oddity.paper, oddity.other_paper
    assert target is not None
    assert source is not None
    merge_papers(source=source, target=target, actor=actor, reason=reason, confirmed_rows=confirmed_rows)
    merged = Entry.objects.filter(action=PAPER_MERGED, subject_id=str(source.pk)).order_by("-pk")
    return {"merged": merged.values_list("pk", flat=True)[0]}


@transaction.atomic
def take_decision_back(
    *, oddity: Oddity, actor: User, reason: str = "", confirmed_rows: int | None = None
) -> OddityDecision:
    """The decision, ended, and what followed from it undone, as far as nobody changed that since."""
    oddity = Oddity.objects.select_for_update(of=("self",)).get(pk=oddity.pk)
    decision = oddity.decisions.filter(ended_at__isnull=True).first()
    if decision is None:
        raise ValidationError("no decision holds on this", code="undecided")
    reason = reason.strip() or "the decision was taken back"
    _end(decision, actor, reason)
    _take_back_lineages(decision.done, actor, reason)
    if "merged" in decision.done:
        merged = Entry.objects.get(pk=decision.done["merged"])
        if merged_by(merged):
            undo_merge(entry=merged, actor=actor, reason=reason, confirmed_rows=confirmed_rows)
    if "result" in decision.done:
        _restore(oddity, decision.done, actor, reason, confirmed_rows)
    return decision


def _take_back_lineages(done: dict[str, Any], actor: User, reason: str) -> None:
    """End what was decided on lineages, and decide again what that replaced; what ended since stays as it is."""
    standing = set()
    for one in LineageDecision.objects.filter(pk__in=done.get("lineage_decisions", [])):
        if one.ended_at is None:
            standing.add((one.system_id, one.key))
        take_back(decision=one, actor=actor, reason=reason)
    for one in LineageDecision.objects.filter(pk__in=done.get("lineage_before", [])).select_related("system"):
        if (one.system_id, one.key) in standing:
            decide_again(decision=one, actor=actor, reason=reason)


def _restore(oddity: Oddity, done: dict[str, Any], actor: User, reason: str, confirmed_rows: int | None) -> None:
    """Put what the result said before in the place of what was decided, unless it says something else by now."""
    result = Result.objects.get(pk=done["result"])
    while result.superseded_by:
        result = result.superseded_by
    if result.ended_at or any(getattr(result, name) != value for name, value in done["after"].items()):
        return
    oddity.result = supersede_result(
        result=result, changes=done["before"], actor=actor, reason=reason, confirmed_rows=confirmed_rows
    )
    oddity.ended_at = None
    oddity.save(update_fields=["result", "ended_at"])


def _end(decision: OddityDecision, actor: User | None, reason: str) -> None:
    before = {"oddity": decision.oddity.kind, "decision": decision.kind}
    decision.ended_by = _journal(TAKEN_BACK, decision.oddity, actor, reason, before=before)
    decision.ended_at = timezone.now()
    decision.save(update_fields=["ended_at", "ended_by"])


def _journal(action: str, oddity: Oddity, actor: User | None, reason: str, **facts: Any) -> Entry:
    """The entry, under the result or the first of the pair."""
    collection = ("collection", oddity.collection.slug if oddity.collection else "")
    subject = oddity.result or oddity.system or oddity.paper or collection
    return record(action=action, subject=subject, actor=actor, reason=reason, **facts)
