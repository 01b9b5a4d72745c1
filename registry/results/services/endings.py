"""Taking results off the record: each by a cause, in one change of the record; a tombstone stays.

A ``Change`` ends results with the journal entries that say so, hands on what depends on them, and marks the
leaderboards once. Everything else follows from that: versions, analyses, digests and logs read it. An account that
ends many results in a short time has to confirm it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.numbers import PrintedScore, parse_score
from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name, comparison_key
from registry.accounts.models import User
from registry.catalog.models import Measure
from registry.catalog.services import mark_leaderboards_changed
from registry.core.templatetags.formatting import plural
from registry.journal.models import Entry
from registry.journal.services import record_many
from registry.results.models import CONTENT, EARNED, CorrectionRequest, Result, TopicScores
from registry.results.pipeline.rows import MAX_KEY_LENGTH
from registry.results.signals import results_ended, topic_scores_changed

RESULT_SUPERSEDED = "results.result.superseded"
RESULT_WITHDRAWN = "results.result.withdrawn"
#: In the entry of a result that a merge joined with an equal result of the target: the id of the latter.
JOINED_WITH = "joined with"
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Superseded:
    """Another row takes its place, and is saved with this: a correction, a confirmation, a file, a merge."""

    by: Result


@dataclass(frozen=True, slots=True)
class Joined:
    """It came to say the same as this result, which stands already."""

    into: Result


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Nothing takes its place. ``by`` is an entry that withdraws many results; without, it gets one of its own."""

    by: Entry | None = None


Cause = Superseded | Joined | Withdrawn


@dataclass
class Change:
    """A change of the record by one action: who does it, why and when, and the leaderboards that it concerns.

    ``scored`` are the leaderboards whose topic scores change.
    """

    actor: User | None
    reason: str
    moment: datetime = field(default_factory=timezone.now)
    leaderboards: set[int] = field(default_factory=set)
    scored: set[int] = field(default_factory=set)
    has_ended: bool = False

    def end(self, causes: Mapping[int, Cause]) -> None:
        """Take the results with these ids off the record, each by its cause."""
        if not causes:
            return
        olds = Result.objects.in_bulk(causes)
        self.has_ended |= bool(olds)
        boards = {old.leaderboard_id for old in olds.values()}
        self.leaderboards |= boards
        scores = TopicScores.objects.standing().filter(result__leaderboard__in=boards)
        self.scored |= {board for pk, board in scores.values_list("result", "result__leaderboard") if pk in causes}
        by_kind: dict[type[Cause], dict[int, Any]] = {Superseded: {}, Joined: {}, Withdrawn: {}}
        for pk in sorted(olds):
            by_kind[type(causes[pk])][pk] = causes[pk]
        self._supersede(olds, {pk: cause.by for pk, cause in by_kind[Superseded].items()})
        self._join(olds, {pk: cause.into for pk, cause in by_kind[Joined].items()})
        self._withdraw(olds, {pk: cause.by for pk, cause in by_kind[Withdrawn].items()})

    def record_again(self, copies: dict[int, Result]) -> None:
        """Save copies of results that had ended, with their topic scores; replicates after their first instances."""
        Result.objects.bulk_create(copy for copy in copies.values() if not copy.replicate_of_id)
        replicates = [copy for copy in copies.values() if copy.replicate_of_id]
        for replicate in replicates:
            replicate.replicate_of = _first_today(replicate.replicate_of, copies)
        Result.objects.bulk_create(replicates)
        self._copy_topic_scores(copies)
        self.leaderboards |= {copy.leaderboard_id for copy in copies.values()}

    def put_topic_scores(self, scores: Mapping[int, list[float | None]]) -> int:
        """Put these per-topic scores behind the results with these ids; return how many others they replaced."""
        n_ended = TopicScores.objects.standing().filter(result__in=scores).update(ended_at=self.moment)
        TopicScores.objects.bulk_create(
            TopicScores(result_id=pk, scores=vector, recorded_at=self.moment) for pk, vector in scores.items()
        )
        boards = set(Result.objects.filter(pk__in=scores).values_list("leaderboard_id", flat=True))
        self.leaderboards |= boards
        self.scored |= boards
        return n_ended

    def tell(self) -> None:
        """Mark the leaderboards as changed, so that their analyses are stale, and tell the apps above of the change."""
        if self.leaderboards:
            mark_leaderboards_changed(leaderboard_ids=self.leaderboards)
        if self.has_ended:
            results_ended.send(sender=Result, moment=self.moment, leaderboard_ids=self.leaderboards)
        if self.scored:
            topic_scores_changed.send(sender=TopicScores, leaderboard_ids=self.scored)

    def _supersede(self, olds: Mapping[int, Result], successors: Mapping[int, Result]) -> None:
        if not successors:
            return
        entries = self._write_entries(
            {pk: (RESULT_SUPERSEDED, *_difference(olds[pk], new)) for pk, new in successors.items()}
        )
        for pk, new in successors.items():
            new.recorded_by_id = new.recorded_by_id or entries[pk].pk
            _keep_earned(olds[pk], new)
        ended = [olds[pk] for pk in successors]
        self._close(ended, Result.Ending.SUPERSEDED, entries)
        # Only after the old ones ended: a single row may stand under a key.
        Result.objects.bulk_create(successors.values())
        self._hand_on(ended, successors)
        self._copy_topic_scores(
            {pk: new for pk, new in successors.items() if olds[pk].score.says_the_same_as(new.score)}
        )

    def _join(self, olds: Mapping[int, Result], twins: Mapping[int, Result]) -> None:
        if not twins:
            return
        replicates: dict[int | None, list[int]] = defaultdict(list)
        of_these = Result.objects.standing().filter(replicate_of__in=twins).order_by("pk")
        for pk, first in of_these.values_list("pk", "replicate_of"):
            replicates[first].append(pk)
        after = {
            pk: {JOINED_WITH: twin.pk} | ({"replicates": replicates[pk]} if replicates[pk] else {})
            for pk, twin in twins.items()
        }
        entries = self._write_entries({pk: (RESULT_SUPERSEDED, None, facts) for pk, facts in after.items()})
        ended = [olds[pk] for pk in twins]
        self._close(ended, Result.Ending.SUPERSEDED, entries)
        self._hand_on(ended, twins)
        scored = TopicScores.objects.standing().vectors(twins.values())
        self._copy_topic_scores({pk: twin for pk, twin in twins.items() if twin.pk not in scored})

    def _withdraw(self, olds: Mapping[int, Result], entries: Mapping[int, Entry | None]) -> None:
        require_no_replicates({pk: olds[pk] for pk in entries})
        own = {
            pk: (RESULT_WITHDRAWN, _facts(olds[pk]), {"ending": Result.Ending.WITHDRAWN.value})
            for pk, entry in entries.items()
            if entry is None
        }
        all_entries = {pk: entry for pk, entry in entries.items() if entry} | self._write_entries(own)
        self._close([olds[pk] for pk in entries], Result.Ending.WITHDRAWN, all_entries)

    def _write_entries(
        self, facts: Mapping[int, tuple[str, dict[str, Any] | None, dict[str, Any] | None]]
    ) -> dict[int, Entry]:
        """Write an entry for each result: the action, and the facts before and after."""
        entries = record_many(
            [
                {"action": action, "subject_type": "result", "subject_id": pk, "before": before, "after": after}
                for pk, (action, before, after) in facts.items()
            ],
            actor=self.actor,
            reason=self.reason,
        )
        return dict(zip(facts, entries, strict=True))

    def _close(self, ended: Collection[Result], ending: Result.Ending, entries: Mapping[int, Entry]) -> None:
        for old in ended:
            old.ended_at, old.ended_by, old.ending = self.moment, entries[old.pk], ending
        Result.objects.bulk_update(ended, ["ended_at", "ended_by", "ending"], batch_size=_BATCH)

    def _hand_on(self, ended: Collection[Result], heirs: Mapping[int, Result]) -> None:
        """Link each to its heir, which gets its replicates and the open requests to correct it."""
        for old in ended:
            old.superseded_by = heirs[old.pk]
        Result.objects.bulk_update(ended, ["superseded_by"], batch_size=_BATCH)
        replicates = list(Result.objects.standing().filter(replicate_of__in=ended))
        for replicate in replicates:
            first = heirs[replicate.replicate_of_id or 0]
            replicate.replicate_of = None if first.pk == replicate.pk else first
        Result.objects.bulk_update(replicates, ["replicate_of"], batch_size=_BATCH)
        for request in CorrectionRequest.objects.open().filter(result__in=ended):
            heir = heirs[request.result_id]
            same_request = {"requester": request.requester_id, "kind": request.kind}
            if not heir.correction_requests.open().filter(**same_request).exists():
                CorrectionRequest.objects.filter(pk=request.pk).update(result=heir)

    def _copy_topic_scores(self, heirs: Mapping[int, Result]) -> None:
        """Give each of these results the per-topic scores of the one with the id before it, where that has any."""
        vectors = TopicScores.objects.standing().vectors(heirs)
        TopicScores.objects.bulk_create(
            TopicScores(result=heirs[pk], scores=scores, recorded_at=self.moment) for pk, scores in vectors.items()
        )
        self.scored |= {heirs[pk].leaderboard_id for pk in vectors}


@contextmanager
def changing_the_record(*, actor: User | None, reason: str) -> Iterator[Change]:
    """Make a change by hand, in one transaction and for a reason; others are told at its end."""
    with transaction.atomic():
        change = Change(actor, required_reason(reason))
        yield change
        change.tell()


def withdraw_result(*, result: Result, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Result:
    """End the result as withdrawn and return it; it keeps its values, and the same score is not loaded again.

    A second time changes nothing. A reason is required; a superseded result can't be withdrawn.

    Raise ``MassChange`` if the account changed many results lately and ``confirmed_rows`` is not their number.
    """
    with changing_the_record(actor=actor, reason=reason) as change:
        result = Result.objects.select_for_update().get(pk=result.pk)
        if result.ending == Result.Ending.WITHDRAWN:
            return result
        require_standing(result)
        require_confirmation(actor=actor, n_rows=1, confirmed_rows=confirmed_rows)
        change.end({result.pk: Withdrawn()})
    return Result.objects.get(pk=result.pk)


def supersede_result(
    *, result: Result, changes: dict[str, Any], actor: User | None, reason: str, confirmed_rows: int | None = None
) -> Result:
    """Return the new row in the place of ``result``: the same but for ``changes`` (model fields of its content).

    The old row is ended and linked to it. If nothing differs, the result is returned as it is.

    Raise ``MassChange`` if the account changed many results lately and ``confirmed_rows`` is not their number.
    """
    unknown = sorted(set(changes) - set(CONTENT))
    if unknown:
        raise ValidationError(f"these are not part of a result's content: {', '.join(unknown)}")
    if "provenance" in changes:
        raise ValidationError("provenance is earned and not for anybody to set")
    if {"printed", "unit"} & set(changes):
        measure = result.leaderboard.measure
        score = checked_score(
            changes.get("printed", result.printed), changes.get("unit", result.unit), measure, field="printed"
        )
        changes = changes | {"printed": score.printed, "unit": score.unit}
        if not score.says_the_same_as(result.score) and result.provenance in EARNED:
            # Nobody has read the new score a second time.
            changes |= {"provenance": Result.Provenance.TRANSCRIBED.value}
    return replace_result(result=result, changes=changes, actor=actor, reason=reason, confirmed_rows=confirmed_rows)


def replace_result(
    *, result: Result, changes: dict[str, Any], actor: User | None, reason: str, confirmed_rows: int | None = None
) -> Result:
    """Do as ``supersede_result``, but allow changes of ``provenance``: for services that establish it."""
    with changing_the_record(actor=actor, reason=reason) as change:
        old = Result.objects.select_for_update().get(pk=result.pk)
        require_standing(old)
        if all(getattr(old, name) == value for name, value in changes.items()):
            return old
        require_confirmation(actor=actor, n_rows=1, confirmed_rows=confirmed_rows)
        new = copy_of(old, **changes, recorded_at=change.moment)
        new.value = new.score.value
        new.clean_fields(exclude=["recorded_by"])
        change.end({old.pk: Superseded(new)})
    return new


def copy_of(result: Result, **columns: Any) -> Result:
    """Return a new row, not saved yet, that is the same but for these columns; it is neither recorded nor ended."""
    fields = [field.attname for field in Result._meta.concrete_fields if not field.primary_key]
    nobody = {"recorded_by_id": None, "ended_at": None, "ended_by_id": None, "ending": "", "superseded_by_id": None}
    return Result(**{name: getattr(result, name) for name in fields} | nobody | columns)


def checked_score(printed: str, unit: str, measure: Measure, *, field: str) -> PrintedScore:
    """Return the score if it is possible under this measure; else raise what is wrong with ``field``."""
    try:
        return parse_score(printed, unit, low=measure.low, high=measure.high, name=measure.name)
    except Refused as refused:
        raise ValidationError({field: refused.message}, code=refused.code) from refused


def checked_name(text: str, *, field: str) -> str:
    """Return the name of a system or a model as it is recorded, or raise what is wrong with ``field``."""
    try:
        name = clean_name(text)
        if len(comparison_key(name)) > MAX_KEY_LENGTH:
            raise Refused("too_long", "is too long once written in plain characters")
    except Refused as refused:
        raise ValidationError({field: refused.message}, code=refused.code) from refused
    return name


def required_reason(reason: str) -> str:
    """Return the reason without blanks around it; refuse a blank reason."""
    reason = reason.strip()
    if not reason:
        raise ValidationError("say why: the reason stands in the public journal")
    return reason


def require_standing(result: Result) -> None:
    """Refuse a result that has ended."""
    if result.ending:
        raise ValidationError(f"this result is not on the record any more: it was {result.ending}")


def require_no_replicates(results: Mapping[int, Result]) -> None:
    """Refuse to end results while others stand that are replicates of them."""
    boards = {result.leaderboard_id for result in results.values()}
    replicates = Result.objects.standing().filter(leaderboard__in=boards, replicate_of__isnull=False)
    firsts = dict(replicates.values_list("pk", "replicate_of"))
    n_replicates = sum(first in results and pk not in results for pk, first in firsts.items())
    if n_replicates:
        subject = "this result" if len(results) == 1 else "these results"
        number = plural(n_replicates, "replicate stands,replicates stand")
        them = "it" if n_replicates == 1 else "them"
        raise ValidationError(f"{number} on {subject}; withdraw {them} first", code="replicates")


def _first_today(first: Result | None, copies: Mapping[int, Result]) -> Result | None:
    """Return the first instance of a replicate in its version of today."""
    while first and first.ended_at:
        if first.pk in copies:
            return copies[first.pk]
        first = first.superseded_by
    return first


def _keep_earned(old: Result, new: Result) -> None:
    """Keep the tier that a second reading of the same score earned the old row; files don't know of it."""
    is_same = old.score.says_the_same_as(new.score)
    if is_same and new.provenance == Result.Provenance.TRANSCRIBED and old.provenance in EARNED:
        new.provenance = old.provenance


def _facts(old: Result) -> dict[str, Any]:
    return {"printed": str(old.score), "system": str(old.system), "leaderboard": str(old.leaderboard)}


def _difference(old: Result, new: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields in which two results differ, before and after."""
    names = (*CONTENT, "system_id", "paper_id", "replicate_of_id")
    differing = [name for name in names if getattr(old, name) != getattr(new, name)]
    before, after = ({name: plain(getattr(row, name)) for name in differing} for row in (old, new))
    return before, after


def plain(value: Any) -> Any:
    """Return the value of a column as the journal has it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


#: The number of results that one account may end within the time before it has to confirm.
MOST_CHANGES = 100
WITHIN = timedelta(hours=1)


class MassChange(Exception):
    """With those of the last hour the change ends too many results; nothing was done. ``n_rows`` is to be confirmed."""

    def __init__(self, n_rows: int) -> None:
        super().__init__(
            f"With this you will have taken {n_rows:,} results off the record within an hour. "
            f"If that is what you want, type the number {n_rows}."
        )
        self.n_rows = n_rows


def require_confirmation(*, actor: User | None, n_rows: int, confirmed_rows: int | None) -> None:
    """Stop a change that ends ``n_rows`` results, unless they are few or their number was confirmed.

    Vandals and slips of the hand look alike at first. Without an ``actor`` it is a command of an operator, and passes.

    Raise ``MassChange`` if the number was not confirmed, or is another by now.
    """
    if actor is None:
        return
    recent = n_recent(actor)
    if recent + n_rows > MOST_CHANGES and confirmed_rows != recent + n_rows:
        raise MassChange(recent + n_rows)


def room_left(actor: User) -> int:
    """Return how many results this account may still end without confirming."""
    return max(0, MOST_CHANGES - n_recent(actor))


def n_recent(actor: User) -> int:
    """Return how many results this account ended within the time."""
    return Result.objects.filter(ended_by__actor=actor, ended_at__gt=timezone.now() - WITHIN).count()
