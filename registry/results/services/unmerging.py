"""Undoing a merge: a system or paper stands by itself again, with what was its own and what became of that since."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from registry.accounts.models import User
from registry.journal.models import Entry
from registry.journal.querysets import EntryQuerySet
from registry.journal.services import record
from registry.results.models import Paper, Result, System, TopicScores
from registry.results.queries import MERGE_UNDONE, SYSTEM_RENAMED
from registry.results.services.endings import JOINED_WITH, Change, Superseded, changing_the_record, copy_of
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.merging import BLANK_NOTES, PAPER_MERGED, SYSTEM_MERGED, boards_of_system, note_of

_MODELS: dict[str, type[System] | type[Paper]] = {SYSTEM_MERGED: System, PAPER_MERGED: Paper}
_NOTHING = "nothing of it is left to undo"
_RENAMED = "this is a part of a renaming; rename the system back"


@dataclass
class _Became:
    """What became of the results that a merge moved: versions that stand under the other, versions that were joined
    with results of the other, versions that were withdrawn."""

    standing: dict[int, Result] = field(default_factory=dict)
    joined: list[Result] = field(default_factory=list)
    withdrawn: list[Result] = field(default_factory=list)
    #: The replicates of those that were joined, by their ids.
    replicates: dict[int, list[int]] = field(default_factory=dict)


def merged_by(entry: Entry) -> System | Paper | None:
    """What leads elsewhere because of this entry; None if it is no merge, or one that was undone or is a renaming."""
    if entry.action not in _MODELS or _is_renaming(entry):
        return None
    later = _of_same_subject(entry).filter(action__in=[entry.action, _undone(entry)], pk__gt=entry.pk)
    named = _MODELS[entry.action]._default_manager.get(pk=entry.subject_id)
    return None if named.merged_into_id is None or later.exists() else named


def undo_merge(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """The journal entry of undoing: what was merged stands by itself again, with the names that led to it before.

    Its results come back in the versions of today, corrections included, by superseding those under the other; those
    that were joined with results of the other come back as they were, beside these. What was withdrawn stays withdrawn.
    What was said of the other paper because of the merge is said no longer, unless somebody has changed it.

    Raises
    ------
    ValidationError
        Without a reason, or where the entry is no merge, was undone, or is part of a renaming.
    MassChange
        If it is much, and ``confirmed_rows`` does not say how much (see ``mass_changes``).
    """
    with changing_the_record(actor=actor, reason=reason) as change:
        source = merged_by(entry)
        if source is None:
            raise ValidationError(_RENAMED if _is_renaming(entry) else _NOTHING, code="nothing")
        model, part = type(source), f"{entry.subject_type}_id"
        both = sorted([source.pk, source.merged_into_id or 0])
        locked = {one.pk: one for one in model._default_manager.select_for_update().filter(pk__in=both).order_by("pk")}
        target = locked[source.merged_into_id or 0]
        became = _became(_moved(entry, source))
        back = {pk: one for pk, one in became.standing.items() if getattr(one, part) == target.pk}
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
        change.end({pk: Superseded(copy_of(one, **own)) for pk, one in back.items()})
        _divide(became, own, change)
        # So that a file that has them under the old name doesn't bring them back.
        ended = {"ended_at": change.moment, "ended_by_id": undone.pk, "ending": Result.Ending.WITHDRAWN}
        Result.objects.bulk_create(copy_of(one, **own, **ended) for one in became.withdrawn)
        _lead_back(source, target, entry)
        change.leaderboards |= boards_of_system(target) | boards_of_system(source)
    return undone


def _undone(entry: Entry) -> str:
    return entry.action.removesuffix(".merged") + MERGE_UNDONE


def _of_same_subject(entry: Entry) -> EntryQuerySet:
    return Entry.objects.filter(subject_type=entry.subject_type, subject_id=entry.subject_id)


def _is_renaming(entry: Entry) -> bool:
    """Whether the entry is what a renaming consists of: the one before it says that the system got the other's name."""
    before = _of_same_subject(entry).filter(pk__lt=entry.pk).order_by("-pk").first()
    if entry.action != SYSTEM_MERGED or before is None or before.action != SYSTEM_RENAMED:
        return False
    name = System(**{key: (before.after or {})[key] for key in ("name", "team")})
    return bool((entry.after or {}).get("name") == str(name))


def _moved(entry: Entry, source: System | Paper) -> list[Result]:
    """The results of what was merged, as the merge ended them."""
    before = _of_same_subject(entry).filter(action=_undone(entry), pk__lt=entry.pk).order_by("-pk").first()
    gone = source.results.filter(ending=Result.Ending.SUPERSEDED, ended_by__lt=entry, ended_by__gt=before or 0)
    at = {f"superseded_by__{entry.subject_type}": (entry.after or {})["merged_into"]}
    return list(gone.filter(**at).select_related("ended_by").order_by("pk"))


def _became(results: Iterable[Result]) -> _Became:
    found, followed = _Became(), {one.pk: one for one in results}
    while followed:
        following = set()
        for pk, one in followed.items():
            end = one.end
            said = end.entry.after or {} if end else {}
            if end is None:
                found.standing[pk] = one
            elif one.ending == Result.Ending.WITHDRAWN:
                found.withdrawn.append(one)
            elif JOINED_WITH in said:
                found.joined.append(one)
                found.replicates[pk] = said.get("replicates", [])
            else:
                following.add(one.superseded_by_id)
        followed = Result.objects.select_related("ended_by").in_bulk(following)
    _leave_withdrawn(found)
    return found


def _leave_withdrawn(found: _Became) -> None:
    """Have what was joined with a result that was withdrawn since count as withdrawn too."""
    twins = Result.objects.in_bulk({one.superseded_by_id for one in found.joined})
    gone = {pk for pk, twin in twins.items() if twin.ending == Result.Ending.WITHDRAWN}
    found.withdrawn += [one for one in found.joined if one.superseded_by_id in gone]
    found.joined = [one for one in found.joined if one.superseded_by_id not in gone]


def _divide(became: _Became, own: dict[str, Any], change: Change) -> None:
    """Record what was joined with results of the other again, with its replicates and topic scores."""
    copies = {one.pk: copy_of(one, **own) for one in became.joined}
    change.record_again(copies)
    for one in became.joined:
        copy, twin = copies[one.pk], one.superseded_by_id
        # Scores by topic that the other's result was given because of the merge.
        borrowed = TopicScores.objects.standing().filter(result=twin, recorded_at__in=[one.ended_at])
        borrowed.update(ended_at=change.moment)
        still = Result.objects.standing().filter(pk__in=became.replicates[one.pk])
        still.filter(replicate_of=twin).update(replicate_of=copy)
        still.filter(pk__in=[twin], replicate_of=None).update(replicate_of=copy)


def _lead_back(source: System | Paper, target: System | Paper, entry: Entry) -> None:
    """Have the names that led to the source before the merge lead to it again, unless they were merged anew since."""
    model = type(source)
    names = (entry.after or {}).get("names", [])
    anew = Entry.objects.filter(action=entry.action, subject_id__in=map(str, names), pk__gt=entry.pk)
    again = set(names) - {int(pk) for pk in anew.values_list("subject_id", flat=True)}
    model._default_manager.filter(pk__in=again, merged_into=target.pk).update(merged_into=source.pk)
    model._default_manager.filter(pk=source.pk).update(merged_into=None)


def _take_notes_back(entry: Entry) -> dict[str, Any]:
    """Take back what the merge noted of the other paper, and of those that this was merged into since, unless somebody
    changed it; return it, for the journal."""
    said = entry.after or {}
    told = [blank for blank in BLANK_NOTES if blank.keys() <= said.keys()]
    taken: dict[str, Any] = {}
    paper = Paper.objects.get(pk=said["merged_into"]) if told else None
    while paper and told:
        told = [blank for blank in told if all(getattr(paper, name) == said[name] for name in blank)]
        for blank in told:
            taken |= note_of(paper, blank)
            Paper.objects.filter(pk=paper.pk).update(**blank)
        paper = paper.merged_into
    return taken
