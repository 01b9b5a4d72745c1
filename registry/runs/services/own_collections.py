"""Beginning, changing and forgetting collections of one's own."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.runs.models import OwnCollection, OwnMeasure, Upload, Work
from registry.runs.queries import sent_to_own
from registry.runs.services.scoring_again import ask_for_missing_scores
from registry.runs.services.studying import study_own_board
from registry.runs.services.uploading import MOST_KEPT


def begin(*, owner: User, name: str, is_private: bool, topics: Sequence[str]) -> OwnCollection:
    """A collection without a measure yet, kept for a year."""
    return OwnCollection.objects.create(
        owner=owner, name=name, is_private=is_private, topics=list(topics), forgotten_at=timezone.now() + MOST_KEPT
    )


@transaction.atomic
def change(*, collection: OwnCollection, name: str, is_private: bool, topics: Sequence[str]) -> None:
    """Call it otherwise, show it to others or no longer, or name its topics; its boards are studied anew."""
    collection.name, collection.is_private, collection.topics = name, is_private, list(topics)
    collection.save(update_fields=["name", "is_private", "topics"])
    for measure in collection.measures.select_related("collection"):
        study_own_board(measure)


@transaction.atomic
def add_measure(*, collection: OwnCollection, facts: dict[str, Any]) -> OwnMeasure:
    """A measure with its name, range, direction and decimals, as ir-measures spells it where it computes it; runs that
    are there are scored under it."""
    measure = OwnMeasure.objects.create(collection=collection, **facts)
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
