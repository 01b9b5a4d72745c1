"""Reading an upstream repository again: what would change, as a draft that an editor takes over or leaves."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from analysis.readers.rejections import Rejection
from analysis.readers.upstream import Upstream
from analysis.readers.upstream.checkouts import Checkout
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.catalog.queries import CatalogNames
from registry.journal.models import Entry
from registry.journal.services import record
from registry.leaderboards.studies import analyse_leaderboard
from registry.results.models import Result, Source
from registry.results.pipeline.rows import ResultRow, result_reader
from registry.results.services.endings import SOURCE_READ_AGAIN, Superseded, Withdrawn, changing_the_record, copy_of
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.recording import record_results
from registry.submissions.models import UpstreamUpdate
from registry.submissions.pipeline.upstream import Changed, Comparison, compare

UPDATE_DROPPED = "submissions.update.dropped"
State = UpstreamUpdate.State


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """What an update would do to a leaderboard: who leads it and what is said of the best, before and after."""

    leaderboard: str
    address: str
    leader_before: str
    leader_after: str
    said_before: str
    said_after: str

    @property
    def has_new_leader(self) -> bool:
        """Whether another result would lead."""
        return self.leader_before != self.leader_after


def read_upstream(
    *, upstream: Upstream, checkout: Checkout, commit: str, with_verdicts: bool
) -> tuple[UpstreamUpdate, Comparison, list[VerdictChange]]:
    """What the repository prints otherwise at the commit, as an update that is not saved, with what would change.

    Verdicts are found by taking the update over in a transaction that is rolled back: whoever writes waits meanwhile,
    some 20 ms a leaderboard that changes.

    Raises
    ------
    NoCheckout
        If the folder is no git repository, or lacks a commit that the record was read from.
    ValidationError
        If nothing of this source is on record, so nothing can be compared.
    """
    source = Source.objects.filter(name=upstream.source).first()
    if source is None or not source.state:
        raise ValidationError(f"nothing of {upstream.source} is on record with the commit that it was read from")
    whole = checkout.commit(commit)
    base = checkout.commit(_last_read(source))
    with checkout as opened:
        found = compare(upstream, opened, base=base, commit=whole)
    update = UpstreamUpdate(
        source=upstream.source,
        base=base,
        commit=whole,
        committed_on=date.fromisoformat(checkout.day(whole)),
        n_new=len(found.new),
        n_changed=len(found.changed),
        n_gone=len(found.gone),
    )
    verdicts = list(_verdict_changes(update, found)) if with_verdicts else []
    update.n_leaders = sum(change.has_new_leader for change in verdicts)
    update.content = _packed(found, verdicts)
    return update, found, verdicts


def _last_read(source: Source) -> str:
    """The commit that was read last: that of the last update taken over, else the first."""
    last = UpstreamUpdate.objects.filter(source=source.name, state=State.APPLIED).first()
    return last.commit if last else source.state


@transaction.atomic
def keep_update(update: UpstreamUpdate) -> UpstreamUpdate:
    """The update, saved for editors to decide on, in place of one of the same source that waits."""
    UpstreamUpdate.objects.filter(source=update.source, state=State.OPEN).delete()
    update.save()
    return update


@transaction.atomic
def apply_update(*, update: UpstreamUpdate, actor: User | None, confirmed_rows: int | None = None) -> UpstreamUpdate:
    """Take the update over: new results are recorded, changed ones superseded, those that are gone withdrawn.

    Raises
    ------
    MassChange
        If it ends more results than the account may without being asked, and ``confirmed_rows`` is another number.
    ValidationError
        If it is decided on already, or the record has changed so that a row cannot be taken.
    """
    update = UpstreamUpdate.objects.select_for_update().get(pk=update.pk)
    _require_open(update)
    require_confirmation(actor=actor, n_rows=update.n_changed + update.n_gone, confirmed_rows=confirmed_rows)
    _take_over(update, read_content(update)[0], actor)
    return _decided(update, State.APPLIED, actor)


@transaction.atomic
def drop_update(*, update: UpstreamUpdate, actor: User | None) -> UpstreamUpdate:
    """Leave the update; nothing changes, and the next reading starts from where the last one ended."""
    update = UpstreamUpdate.objects.select_for_update().get(pk=update.pk)
    _require_open(update)
    _record(update, UPDATE_DROPPED, actor)
    return _decided(update, State.DROPPED, actor)


def _require_open(update: UpstreamUpdate) -> None:
    if update.state != State.OPEN:
        raise ValidationError(f"this update is {update.get_state_display()} already", code="decided")


def _decided(update: UpstreamUpdate, state: State, actor: User | None) -> UpstreamUpdate:
    update.state, update.decided_by, update.decided_at = state, actor, timezone.now()
    update.save(update_fields=["state", "decided_by", "decided_at"])
    return update


def _record(update: UpstreamUpdate, action: str, actor: User | None) -> Entry:
    counts = {"new": update.n_new, "changed": update.n_changed, "gone": update.n_gone}
    return record(
        action=action,
        subject=("source", update.source),
        after={"commit": update.commit, **counts},
        actor=actor,
        reason=f"{update} of {update.committed_on:%Y-%m-%d}",
    )


def _take_over(update: UpstreamUpdate, found: Comparison, actor: User | None) -> None:
    """Change the record by all that was found."""
    entry = _record(update, SOURCE_READ_AGAIN, actor)
    if found.changed or found.gone:
        with changing_the_record(actor=actor, reason=entry.reason) as change:
            standing = Result.objects.standing().in_bulk([*found.gone, *(one.pk for one in found.changed)])
            if n_others := len(found.gone) + len(found.changed) - len(standing):
                number = "a result of it was" if n_others == 1 else f"{n_others:,} results of it were"
                message = f"{number} changed on the record meanwhile; read the repository again"
                raise ValidationError(message, code="changed")
            change.end({one.pk: Superseded(_successor(standing[one.pk], one)) for one in found.changed})
            change.end({pk: Withdrawn(entry) for pk in found.gone})
    if found.new:
        report = record_results(rows=_parsed(found), label=entry.reason, actor=actor)
        if report.refused:
            raise ValidationError(list(report.lines()), code="refused")


def _parsed(found: Comparison) -> list[ResultRow | list[Rejection]]:
    read = result_reader(CatalogNames(), today=timezone.now().date())
    return [read(cells, line) for line, cells in enumerate(found.new, start=1)]


def _successor(old: Result, change: Changed) -> Result:
    new = copy_of(old, printed=change.printed, locator=change.locator, recorded_at=timezone.now())
    new.value = new.score.value
    new.clean_fields(exclude=["recorded_by"])
    return new


def _verdict_changes(update: UpstreamUpdate, found: Comparison) -> Iterator[VerdictChange]:
    """Whose leader or sentence would change, found by doing it and taking it back."""
    before = {board.pk: _state(board) for board in _concerned(found)}
    with transaction.atomic():
        _take_over(update, found, None)
        for board in _concerned(found):
            leader, said = before.get(board.pk, ("", ""))
            new_leader, said_then = _state(board)
            if (leader, said) != (new_leader, said_then):
                yield VerdictChange(
                    leaderboard=str(board),
                    address=board.get_absolute_url(),
                    leader_before=leader,
                    leader_after=new_leader,
                    said_before=said,
                    said_after=said_then,
                )
        transaction.set_rollback(True)


def _concerned(found: Comparison) -> list[Leaderboard]:
    """The leaderboards that an update changes, as far as they are there."""
    ended = Q(results__in=[*found.gone, *(one.pk for one in found.changed)])
    pairs = {(cells["collection"], cells["measure"]) for cells in found.new}
    named = Leaderboard.objects.filter(collection__slug__in={slug for slug, _ in pairs}).with_names()
    ids = {board.pk for board in named if board.names in pairs}
    ids |= set(Leaderboard.objects.filter(ended).values_list("pk", flat=True))
    return list(Leaderboard.objects.with_names().filter(pk__in=ids).order_by("pk"))


def _state(board: Leaderboard) -> tuple[str, str]:
    """Whose score stands first among those that compare, and what lists would say of the best; blank for none."""
    found = analyse_leaderboard(board.pk, is_forced=True)
    if found is None:
        return "", ""
    leader = next((row.system for row in found.board.rows if row.is_comparable), "")
    return leader, found.headline.sentence if found.headline else ""


def _packed(found: Comparison, verdicts: list[VerdictChange]) -> bytes:
    whole = asdict(found) | {"verdicts": [asdict(change) for change in verdicts]}
    return zlib.compress(json.dumps(whole, ensure_ascii=False).encode())


def read_content(update: UpstreamUpdate) -> tuple[Comparison, list[VerdictChange]]:
    """What an update would do, and to which verdicts."""
    whole = json.loads(zlib.decompress(update.content))
    verdicts = [VerdictChange(**change) for change in whole.pop("verdicts")]
    changed = [Changed(**change) for change in whole.pop("changed")]
    return Comparison(changed=changed, **whole), verdicts
