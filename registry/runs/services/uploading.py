"""Submitting a run or a table of topic scores, and what that may cost; keeping, exporting and forgetting it."""

import hashlib
import json
from dataclasses import astuple
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from analysis.readers.rejections import Refused
from analysis.runs.scoring import VERSION
from registry.accounts.models import User
from registry.accounts.personal import Document, rows_of
from registry.catalog.models import Collection, Measure
from registry.core.http import client_address
from registry.core.limits import DAY, HOUR, require_room, spend
from registry.core.limits import charge as charge_budget
from registry.core.services import enqueue_jobs
from registry.results.models import Result
from registry.runs import queries
from registry.runs.models import Answer, Judgements, OwnCollection, OwnMeasure, Upload, Work
from registry.runs.pipeline.spawning import limits
from registry.runs.services.studying import study_own_boards

_MORE = "an account, {no_room} Sign in to have more scored."
LIMITS = {
    "run: account": (60, HOUR, "An account may have {n} runs an hour scored, {no_room}"),
    "large run: account": (6, HOUR, "An account may have {n} large runs an hour scored, {no_room}"),
    "sealed run: account": (20, DAY, "An account may have {n} runs a day scored against sealed judgements, {no_room}"),
    "visitor's run: address": (30, HOUR, f"From one network {{n}} runs an hour are scored without {_MORE}"),
    "visitor's processor seconds: address": (
        120, HOUR, f"From one network runs may take {{n}} seconds of processor time an hour without {_MORE}"
    ),
    "own collection: account": (20, DAY, "An account may begin {n} collections of its own a day, {no_room}"),
    "study: account": (60, HOUR, "An account may ask for {n} studies an hour, {no_room}"),
}  # fmt: skip


def take_visitors_run(request: HttpRequest) -> str:
    """Count a run of somebody without an account before it is read; return a keyed hash of the address, to charge."""
    visitor = salted_hmac("registry.runs.visitor", client_address(request), algorithm="sha256").hexdigest()
    require_room("visitor's processor seconds: address", visitor)
    spend("visitor's run: address", visitor)
    return visitor


def charge_visitor(visitor: str, seconds: float) -> None:
    """Charge a visitor for the processor time that their run took."""
    if visitor and seconds > 0:
        charge_budget("visitor's processor seconds: address", visitor, seconds)


#: An upload that is not kept can be read for so long.
SHOWN = timedelta(hours=1)
#: A visitor's upload is kept for so long once somebody keeps it.
KEPT = timedelta(days=30)
#: The longest time for which anything is kept.
MOST_KEPT = timedelta(days=366)


def charge(
    *,
    owner: User,
    collection: Collection | None,
    measure: Measure | None = None,
    n_bytes: int = 0,
    is_only_asked: bool = False,
) -> None:
    """Count what somebody sends, or only ask whether there is room for it; ``n_bytes`` is how long it is said to be.

    Without a ``collection`` it is one of those that are recognized, whose judgements are public. Raise ``TryLater`` if
    they have sent too much of late.
    """
    judgements = None if measure or collection is None else queries.standing_judgements(collection)
    count = require_room if is_only_asked else spend
    count("run: account", owner.pk)
    if n_bytes > settings.PLUMBLINE_MAX_BODY_BYTES:
        count("large run: account", owner.pk)
    if judgements and judgements.is_sealed:
        count("sealed run: account", owner.pk)


def hand_in(
    *,
    owner: User | None,
    name: str,
    collection: Collection,
    content: bytes,
    measure: Measure | None = None,
    kept_until: datetime | None = None,
    claimed: Result | None = None,
    visitor: str = "",
) -> Upload:
    """Have a worker score a run, or with a ``measure`` read a table of topic scores under it, once for one content.

    Without an ``owner`` it is a visitor's: what it takes is charged to ``visitor``, and it goes after an hour. Raise
    ``Refused`` without judgements, a computable measure, or an answer of sealed ones that is left and may be asked.
    """
    kind = Work.Kind.MATRIX if measure else Work.Kind.RUN
    judgements: Judgements | None = None
    measures: dict[str, str] = {}
    if kind == Work.Kind.RUN:
        judgements, (measures, _) = queries.standing_judgements(collection), queries.measures_of(collection)
        if judgements is None:
            raise Refused("no_judgements", f"No judgements of {collection} are here. Send scores by topic instead.")
        if judgements.is_sealed and owner is None:
            raise Refused(
                "sealed", f"The judgements of {collection} are sealed: their answers are for people who sign in."
            )
        if judgements.is_sealed:
            measures = _sealed_under(judgements, measures)
        if not measures:
            raise Refused("no_measure", f"No measure of {collection} can be computed here.")
    now = timezone.now()
    with transaction.atomic():
        work, is_new = _enter(kind, content, judgements, measures)
        if is_new and judgements and judgements.is_sealed and not queries.answers_left(collection):
            message = (
                f"The judgements of {collection} are sealed, and give {queries.answers_of(collection):,} answers in "
                "all, for everybody together. They are used up."
            )
            raise Refused("no_answer_left", message)
        return Upload.objects.create(
            owner=owner,
            visitor=visitor,
            name=name,
            collection=collection,
            measure=measure,
            claimed=claimed,
            work=work,
            forgotten_at=min((owner and kept_until) or now + SHOWN, now + MOST_KEPT),
        )


@transaction.atomic
def hand_in_table(*, name: str, measure: OwnMeasure, content: bytes) -> Upload:
    """Have a worker read a table of topic scores on a collection of its owner's own, and study its board anew."""
    work, _ = _enter(Work.Kind.MATRIX, content, None, {})
    return _send_to(measure.collection, name, work, own_measure=measure)


@transaction.atomic
def hand_in_own_run(*, name: str, collection: OwnCollection, content: bytes) -> Upload:
    """Have a worker score a run on a collection of its owner's own; ``Refused`` without judgements or a measure."""
    # Other judgements, which would delete these, wait until there is a run.
    OwnCollection.objects.select_for_update().filter(pk=collection.pk).first()
    judgements = queries.own_judgements(collection)
    measures = {measure.name: measure.ir_measures for measure in collection.measures.all() if measure.ir_measures}
    if judgements is None:
        raise Refused("no_judgements", "The collection has no judgements yet.")
    if not measures:
        raise Refused("no_measure", "The collection has no measure that can be computed here.")
    work, _ = _enter(Work.Kind.RUN, content, judgements, measures)
    return _send_to(collection, name, work)


def _send_to(place: OwnCollection, name: str, work: Work, own_measure: OwnMeasure | None = None) -> Upload:
    upload = Upload.objects.create(
        owner=place.owner,
        name=name,
        own_collection=place,
        own_measure=own_measure,
        work=work,
        forgotten_at=place.forgotten_at,
    )
    study_own_boards(upload)
    return upload


def _enter(
    kind: Work.Kind, content: bytes, judgements: Judgements | None, measures: dict[str, str]
) -> tuple[Work, bool]:
    """Return the work on a content, and whether it is new; waiting work, or such refused for its cost, is queued."""
    digest = _digest(kind, content, judgements, measures)
    fields = {"kind": kind, "judgements": judgements, "measures": measures, "content": content}
    work, is_new = Work.objects.get_or_create(digest=digest, defaults=fields)
    Work.objects.filter(pk=digest, is_passing=True).update(
        state=Work.State.WAITING, is_passing=False, refusal="", content=content
    )
    # Also where the job of an earlier upload was given up; where it waits, it is the same.
    if Work.objects.filter(pk=digest, state=Work.State.WAITING).exists():
        enqueue_jobs(kind=queries.SCORE, args=[{"digest": digest}])
    return work, is_new


def _sealed_under(judgements: Judgements, measures: dict[str, str]) -> dict[str, str]:
    """Return the one measure that runs are scored under."""
    if judgements.measure is None:
        message = "These judgements were sealed without a measure. Their curators have to put them in again, with one."
        raise Refused("no_measure", message)
    return {name: text for name, text in measures.items() if name == judgements.measure.name}


def _digest(kind: str, content: bytes, judgements: Judgements | None, measures: dict[str, str]) -> str:
    scorer = [VERSION, kind, judgements and judgements.pk, sorted(measures.items()), astuple(limits())]
    return hashlib.sha256(json.dumps(scorer).encode() + hashlib.sha256(content).digest()).hexdigest()


def keep(*, upload: Upload, owner: User, until: datetime) -> None:
    """Give a visitor's upload to somebody until then, or keep their own for another time; others' stay theirs."""
    nobodys_or_own = Upload.objects.filter(Q(owner=None) | Q(owner=owner), pk=upload.pk)
    nobodys_or_own.update(owner=owner, visitor="", forgotten_at=min(until, timezone.now() + MOST_KEPT))


@transaction.atomic
def forget(*, upload: Upload) -> None:
    """Delete an upload with its studies; work that nobody else has sent is stopped and deleted, too."""
    digest = upload.work_id
    upload.delete()
    Work.objects.filter(digest=digest, uploads=None).delete()
    study_own_boards(upload)


@transaction.atomic
def prune_uploads() -> int:
    """Delete the uploads whose day has come, and return how many."""
    now = timezone.now()
    old = Upload.objects.filter(Q(forgotten_at__lte=now) | Q(own_collection__forgotten_at__lte=now))
    n_old = old.count()
    old.delete()
    Work.objects.filter(uploads=None).delete()
    OwnCollection.objects.filter(forgotten_at__lte=now).delete()
    return n_old


def export_uploads(user: User) -> list[Document]:
    own = Upload.objects.filter(owner=user).select_related("collection", "own_collection", "work")
    uploads = own.annotate(on=Coalesce("collection__slug", "own_collection__name"))
    columns = "name collection=on kind=work.kind state=work.state means=work.means"
    kept = uploads.defer("work__content", "work__rankings")
    return rows_of(kept, f"{columns} created=created_at forgotten=forgotten_at")


def export_own_collections(user: User) -> list[Document]:
    own = list(OwnCollection.objects.filter(owner=user).prefetch_related("measures"))
    facts = rows_of(own, "name visibility delisted_for topics measures=measure_names executions")
    standing = [collection.judgements.filter(ended_at=None) for collection in own]
    lines = [{"judgements": [queries.lines_of(judgements).decode() for judgements in of_one]} for of_one in standing]
    days = rows_of(own, "created=created_at forgotten=forgotten_at")
    return [known | judged | kept for known, judged, kept in zip(facts, lines, days, strict=True)]


def erase_own_collections(user: User) -> None:
    Upload.objects.filter(own_collection__owner=user).delete()
    Work.objects.filter(uploads=None).delete()
    OwnCollection.objects.filter(owner=user).delete()


def erase_uploads(user: User) -> None:
    """Delete all uploads; that runs were held against sealed judgements stays counted, and no longer whose."""
    Upload.objects.filter(owner=user).delete()
    Work.objects.filter(uploads=None).delete()
    Answer.objects.filter(user=user).update(user=None)
