"""Beginning, changing and forgetting collections of one's own."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import User
from registry.journal.services import record
from registry.runs.models import OwnCollection, OwnMeasure, Upload, Work
from registry.runs.queries import sent_to_own
from registry.runs.services.scoring import ask_for_missing_scores
from registry.runs.services.studying import declare_executions
from registry.runs.services.uploading import MOST_KEPT

DELISTED, LISTABLE = "runs.own_collection.delisted", "runs.own_collection.listable"


@transaction.atomic
def begin(
    *, owner: User, name: str, visibility: str, topics: Sequence[str], measures: Sequence[dict[str, Any]] = ()
) -> OwnCollection:
    """Begin a collection with these measures, as ``add_measure`` takes them, kept for a year."""
    collection = OwnCollection.objects.create(
        owner=owner, name=name, visibility=visibility, topics=list(topics), forgotten_at=timezone.now() + MOST_KEPT
    )
    for facts in measures:
        add_measure(collection=collection, facts=facts)
    return collection


@transaction.atomic
def change(*, collection: OwnCollection, name: str, visibility: str, topics: Sequence[str], **executions: Any) -> None:
    """Change its name, sight, topics or executions, and have its boards studied anew; ``Refused`` if it is delisted."""
    reason = OwnCollection.objects.select_for_update().get(pk=collection.pk).delisted_for
    if reason and visibility == OwnCollection.Visibility.PUBLIC:
        raise Refused("delisted", f"An editor took it off the list of public collections: {reason}")
    collection.name, collection.visibility, collection.topics = name, visibility, list(topics)
    collection.save(update_fields=["name", "visibility", "topics"])
    kept = {"systems": collection.executions, "margin": collection.margin}
    declare_executions(kept=collection, **(kept | executions))


@transaction.atomic
def decide_listing(*, collection: OwnCollection, may_be_listed: bool, actor: User, reason: str) -> OwnCollection:
    """Take a public collection off the list, so that its address alone leads to it; or let its owner list it again.

    Raise ``ValidationError`` if there is nothing to take off.
    """
    stands = OwnCollection.objects.select_for_update().get(pk=collection.pk)
    if may_be_listed:
        stands.delisted_for = ""
    elif not stands.is_public:
        raise ValidationError("It is not on the list any more.", code="not_listed")
    else:
        stands.visibility, stands.delisted_for = OwnCollection.Visibility.UNLISTED, reason
    stands.save(update_fields=["visibility", "delisted_for"])
    action = LISTABLE if may_be_listed else DELISTED
    record(action=action, subject=("own_collection", stands.pk), actor=actor, reason=reason)
    return stands


@transaction.atomic
def add_measure(*, collection: OwnCollection, facts: dict[str, Any]) -> OwnMeasure:
    """Add a measure, as ir-measures spells it where it computes it; runs that are there are scored under it."""
    # The second of two clicks finds its work done.
    measure, _ = OwnMeasure.objects.get_or_create(collection=collection, name=facts["name"], defaults=facts)
    ask_for_missing_scores([measure], sent_to_own(collection))
    return measure


@transaction.atomic
def remove_measure(*, measure: OwnMeasure) -> None:
    """Delete it with its tables and what its board said; runs stay."""
    measure.delete()
    Work.objects.filter(uploads=None).delete()


@transaction.atomic
def keep_collection(*, collection: OwnCollection, until: datetime) -> None:
    """Keep it, with all that was sent to it, until then."""
    day = min(until, timezone.now() + MOST_KEPT)
    OwnCollection.objects.filter(pk=collection.pk).update(forgotten_at=day)
    Upload.objects.filter(own_collection=collection).update(forgotten_at=day)


@transaction.atomic
def forget_collection(*, collection: OwnCollection) -> None:
    """Delete it with all that was sent to it and what was found; what is still worked on is stopped."""
    collection.uploads.all().delete()
    Work.objects.filter(uploads=None).delete()
    collection.delete()
