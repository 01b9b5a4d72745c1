"""Merging and renaming systems and papers whose names turn out to mean one; the old ids lead to the new ones.

Results are not edited: each is superseded by one under the other system or paper, so that every earlier day can still
be shown as it was. Files with an old name still work: it stands for what it was merged into. Once a merge is undone, a
system or paper stands by itself again, with its own results as they are by then.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.journal.models import Entry, EntryQuerySet
from registry.journal.services import record
from registry.results.models import Paper, Result, System, TopicScores
from registry.results.pipeline.rows import is_no_name
from registry.results.queries import MERGE_UNDONE, SYSTEM_RENAMED
from registry.results.services.endings import (
    JOINED_WITH,
    Cause,
    Change,
    Joined,
    Superseded,
    changing_the_record,
    checked_name,
    copy_of,
    require_confirmation,
    required_reason,
)

SYSTEM_MERGED = "results.system.merged"
PAPER_MERGED = "results.paper.merged"
_MERGED = {"system": SYSTEM_MERGED, "paper": PAPER_MERGED}
_MODELS: dict[str, type[System] | type[Paper]] = {SYSTEM_MERGED: System, PAPER_MERGED: Paper}
_NOTHING = "nothing of it is left to undo"
_RENAMED = "this is a part of a renaming; rename the system back"

Named = TypeVar("Named", System, Paper)


def merge_systems(
    *, source: System, target: System, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """Move the standing results of the source to the target, to which it leads from now on; return the target."""
    return _merge(source, target, "system", actor, reason, confirmed_rows)


def merge_papers(
    *, source: Paper, target: Paper, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> Paper:
    """Move the standing results of the source to the target, to which it leads from now on; return the target.

    Notes on the source, such as a retraction, are put on the target where it has none.
    """
    return _merge(source, target, "paper", actor, reason, confirmed_rows)


@transaction.atomic
def rename_system(
    *, system: System, name: str, team: str, actor: User | None, reason: str, confirmed_rows: int | None = None
) -> System:
    """Return the system under its new name: itself if only the spelling changes, else one that it is merged into."""
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
        # The system had this name before, perhaps in another spelling.
        rename_system(system=target, name=name, team=team, actor=actor, reason=reason)
    return merge_systems(source=system, target=target, actor=actor, reason=reason, confirmed_rows=confirmed_rows)


def _known_of(system: System) -> dict[str, Any]:
    """Return the facts that another name does not change: its model, and the entry that says so."""
    return {"model": system.model, "model_by": system.model_by}


def _merge(
    source: Named, target: Named, part: str, actor: User | None, reason: str, confirmed_rows: int | None
) -> Named:
    with changing_the_record(actor=actor, reason=reason) as change:
        source, target = _pair(source, target)
        n_results = _move_results(source, target, part, change, confirmed_rows)
        _lead_to(source, target, _MERGED[part], change, n_results)
        change.leaderboards |= _boards_of_system(target)
    return target


def _boards_of_system(named: System | Paper) -> set[int]:
    """Return the leaderboards of a system that gets or loses a name; none for a paper.

    Statements on training and lineage under that name begin or cease to hold for all of its results.
    """
    results = named.results.standing() if isinstance(named, System) else Result.objects.none()
    return set(results.values_list("leaderboard", flat=True))


def _pair(source: Named, target: Named) -> tuple[Named, Named]:
    """Lock both in one order, so that two editors who merge them crosswise don't wait for each other forever."""
    if source.pk == target.pk:
        raise ValidationError("these are the same already", code="same")
    first, second = sorted((source, target), key=lambda row: row.pk)
    locked = {row.pk: row for row in (_locked(first), _locked(second))}
    return locked[source.pk], locked[target.pk]


def _locked(row: Named) -> Named:
    row = type(row).objects.select_for_update().get(pk=row.pk)
    if row.merged_into_id:
        raise ValidationError(f"{row} was merged into {row.merged_into_id} already", code="merged")
    return row


def _lead_to(source: Named, target: Named, action: str, change: Change, n_results: int) -> None:
    source.merged_into = target
    source.save(update_fields=["merged_into"])
    # Names that were merged before lead to the target in one step.
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


#: The notes that a paper may have, each as its fields with their blank values.
_BLANK_NOTES: tuple[dict[str, Any], ...] = (
    {"retraction": ""},
    {"author_orcids": []},
    {"reports_significance": None, "significance_said": ""},
)


def _note_of(paper: Paper, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(paper, name) for name in names}


def _hand_notes_on(source: Paper, target: Paper) -> dict[str, Any]:
    """Put on the target the notes that only the source has; return them, for the journal."""
    notes: dict[str, Any] = {}
    for blank in _BLANK_NOTES:
        if _note_of(target, blank) == blank != _note_of(source, blank):
            notes |= _note_of(source, blank)
    Paper.objects.filter(pk=target.pk).update(**notes)
    return notes


def _move_results(source: Named, target: Named, part: str, change: Change, confirmed_rows: int | None) -> int:
    """Supersede each standing result of the source by one of the target; return how many there were."""
    standing = list(source.results.standing().select_for_update().order_by("pk"))
    require_confirmation(actor=change.actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
    other = "paper_id" if part == "system" else "system_id"

    def key(result: Result) -> tuple[Any, ...]:
        """Return what tells results of one system, or of one paper, from each other."""
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


@dataclass
class _Became:
    """The results that a merge moved, in their last versions: standing, joined with the other's, or withdrawn."""

    standing: dict[int, Result] = field(default_factory=dict)
    joined: list[Result] = field(default_factory=list)
    withdrawn: list[Result] = field(default_factory=list)
    #: The ids of the replicates of joined results, by the ids of these.
    replicates: dict[int, list[int]] = field(default_factory=dict)


def merged_by(entry: Entry) -> System | Paper | None:
    """Return what this entry merged; None if it is no merge, was undone, or is part of a renaming."""
    if entry.action not in _MODELS or _is_renaming(entry):
        return None
    later = _of_same_subject(entry).filter(action__in=[entry.action, _undone(entry)], pk__gt=entry.pk)
    named = _MODELS[entry.action]._default_manager.get(pk=entry.subject_id)
    return None if named.merged_into_id is None or later.exists() else named


def undo_merge(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """Undo a merge and return the entry of that: the system or paper stands by itself again, with its earlier names.

    Its results come back in the versions of today, corrections included, by superseding those under the other; results
    that were joined with some of the other come back as they were, beside these. Withdrawn results stay withdrawn.
    Notes that the merge put on the other paper are removed, unless somebody has changed them.

    Raise ``ValidationError`` without a reason, or where the entry is no merge, was undone, or is part of a renaming;
    ``MassChange`` if it changes many results, and ``confirmed_rows`` is not their number.
    """
    with changing_the_record(actor=actor, reason=reason) as change:
        source = merged_by(entry)
        if source is None:
            raise ValidationError(_RENAMED if _is_renaming(entry) else _NOTHING, code="nothing")
        model, part = type(source), f"{entry.subject_type}_id"
        both = sorted([source.pk, source.merged_into_id or 0])
        locked = {row.pk: row for row in model._default_manager.select_for_update().filter(pk__in=both).order_by("pk")}
        target = locked[source.merged_into_id or 0]
        became = _became(_moved(entry, source))
        back = {pk: result for pk, result in became.standing.items() if getattr(result, part) == target.pk}
        require_confirmation(actor=actor, n_rows=len(back), confirmed_rows=confirmed_rows)
        undone = record(
            action=_undone(entry),
            subject=source,
            actor=actor,
            reason=change.reason,
            before={"name": str(target), "merged_into": target.pk} | _take_notes_back(entry),
            after={"name": str(source), "entry": entry.pk, "results": len(back) + len(became.joined)},
        )
        own: dict[str, Any] = {part: source.pk, "recorded_by_id": undone.pk, "recorded_at": change.moment}
        change.end({pk: Superseded(copy_of(result, **own)) for pk, result in back.items()})
        _divide(became, own, change)
        # Otherwise a file with the old name would bring them back.
        ended = {"ended_at": change.moment, "ended_by_id": undone.pk, "ending": Result.Ending.WITHDRAWN}
        Result.objects.bulk_create(copy_of(result, **own, **ended) for result in became.withdrawn)
        _lead_back(source, target, entry)
        change.leaderboards |= _boards_of_system(target) | _boards_of_system(source)
    return undone


def _undone(entry: Entry) -> str:
    return entry.action.removesuffix(".merged") + MERGE_UNDONE


def _of_same_subject(entry: Entry) -> EntryQuerySet:
    return Entry.objects.filter(subject_type=entry.subject_type, subject_id=entry.subject_id)


def _is_renaming(entry: Entry) -> bool:
    """Return whether the merge is part of a renaming: the entry before it gives the system the other's name."""
    before = _of_same_subject(entry).filter(pk__lt=entry.pk).order_by("-pk").first()
    if entry.action != SYSTEM_MERGED or before is None or before.action != SYSTEM_RENAMED:
        return False
    name = System(**{key: (before.after or {})[key] for key in ("name", "team")})
    return bool((entry.after or {}).get("name") == str(name))


def _moved(entry: Entry, source: System | Paper) -> list[Result]:
    """Return the results of the source that the merge ended."""
    before = _of_same_subject(entry).filter(action=_undone(entry), pk__lt=entry.pk).order_by("-pk").first()
    gone = source.results.filter(ending=Result.Ending.SUPERSEDED, ended_by__lt=entry, ended_by__gt=before or 0)
    at = {f"superseded_by__{entry.subject_type}": (entry.after or {})["merged_into"]}
    return list(gone.filter(**at).select_related("ended_by").order_by("pk"))


def _became(results: Iterable[Result]) -> _Became:
    became, followed = _Became(), {result.pk: result for result in results}
    while followed:
        following = set()
        for pk, result in followed.items():
            end = result.end
            entry = end.entry.after or {} if end else {}
            if end is None:
                became.standing[pk] = result
            elif result.ending == Result.Ending.WITHDRAWN:
                became.withdrawn.append(result)
            elif JOINED_WITH in entry:
                became.joined.append(result)
                became.replicates[pk] = entry.get("replicates", [])
            else:
                following.add(result.superseded_by_id)
        followed = Result.objects.select_related("ended_by").in_bulk(following)
    _leave_withdrawn(became)
    return became


def _leave_withdrawn(became: _Became) -> None:
    """Count results as withdrawn that were joined with one that was withdrawn since."""
    twins = Result.objects.in_bulk({result.superseded_by_id for result in became.joined})
    gone = {pk for pk, twin in twins.items() if twin.ending == Result.Ending.WITHDRAWN}
    became.withdrawn += [result for result in became.joined if result.superseded_by_id in gone]
    became.joined = [result for result in became.joined if result.superseded_by_id not in gone]


def _divide(became: _Became, own: dict[str, Any], change: Change) -> None:
    """Record joined results again, with their replicates and topic scores."""
    copies = {result.pk: copy_of(result, **own) for result in became.joined}
    change.record_again(copies)
    for result in became.joined:
        copy, twin = copies[result.pk], result.superseded_by_id
        # Topic scores that the merge gave to the other's result.
        borrowed = TopicScores.objects.standing().filter(result=twin, recorded_at__in=[result.ended_at])
        borrowed.update(ended_at=change.moment)
        still = Result.objects.standing().filter(pk__in=became.replicates[result.pk])
        still.filter(replicate_of=twin).update(replicate_of=copy)
        still.filter(pk__in=[twin], replicate_of=None).update(replicate_of=copy)


def _lead_back(source: System | Paper, target: System | Paper, entry: Entry) -> None:
    """Let the names that led to the source before the merge lead to it again, unless they were merged anew since."""
    model = type(source)
    names = (entry.after or {}).get("names", [])
    anew = Entry.objects.filter(action=entry.action, subject_id__in=map(str, names), pk__gt=entry.pk)
    again = set(names) - {int(pk) for pk in anew.values_list("subject_id", flat=True)}
    model._default_manager.filter(pk__in=again, merged_into=target.pk).update(merged_into=source.pk)
    model._default_manager.filter(pk=source.pk).update(merged_into=None)


def _take_notes_back(entry: Entry) -> dict[str, Any]:
    """Remove the notes that the merge put on the other paper, and on papers that this was merged into since, unless
    somebody changed them; return them, for the journal."""
    after = entry.after or {}
    blanks = [blank for blank in _BLANK_NOTES if blank.keys() <= after.keys()]
    notes: dict[str, Any] = {}
    paper = Paper.objects.get(pk=after["merged_into"]) if blanks else None
    while paper and blanks:
        blanks = [blank for blank in blanks if all(getattr(paper, name) == after[name] for name in blank)]
        for blank in blanks:
            notes |= _note_of(paper, blank)
            Paper.objects.filter(pk=paper.pk).update(**blank)
        paper = paper.merged_into
    return notes
