"""Asking for a study of uploads."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from registry.catalog.models import Leaderboard
from registry.core.services import enqueue_jobs
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload
from registry.runs.pipeline.precision import VERSION
from registry.runs.queries import STUDIED_BY, entries_of, sent_to_own
from registry.runs.studies import digest_of


@transaction.atomic
def ask_for_study(
    *,
    upload: Upload,
    others: Sequence[Upload],
    leaderboard: Leaderboard,
    is_alone: bool,
    own_measure: OwnMeasure | None = None,
) -> Study:
    """The study of these uploads; one that was asked for before is joined, whether it is done or not."""
    digest = digest_of([upload, *others], leaderboard, is_alone=is_alone, own_measure=own_measure)
    keys = [other.pk for other in others]
    return _ask(upload, digest, leaderboard, own_measure=own_measure, others=keys, is_alone=is_alone)


@transaction.atomic
def study_own_boards(upload: Upload) -> None:
    """Have the boards of somebody's own studied anew that something sent to them comes to, or goes from."""
    if upload.own_collection is None:
        return
    for measure in upload.own_collection.measures.select_related("collection"):
        if upload.own_measure_id in (None, measure.pk):
            study_own_board(measure)


@transaction.atomic
def study_own_board(measure: OwnMeasure) -> None:
    """Have everything that enters a board of somebody's own studied among each other; what was found before goes."""
    # Whoever else sees what is new meanwhile waits here.
    collection = OwnCollection.objects.select_for_update().filter(pk=measure.collection_id).first()
    entries = entries_of(measure, sent_to_own(collection)) if collection else []
    standing = measure.studies.all()
    if not entries:
        standing.delete()
        return
    asked = ask_for_study(
        upload=entries[0], others=entries[1:], leaderboard=measure.board, is_alone=True, own_measure=measure
    )
    standing.filter(created_at__lt=asked.created_at).exclude(kind=Study.Kind.DOCUMENTS).delete()


@transaction.atomic
def declare_executions(*, kept: OwnCollection | Upload, systems: dict[str, list[str]], margin: float | None) -> None:
    """Keep which runs and columns are executions of which system, and which difference matters; boards follow."""
    kept.executions, kept.margin = systems, margin
    kept.save(update_fields=["executions", "margin"])
    for measure in kept.measures.select_related("collection") if isinstance(kept, OwnCollection) else ():
        study_own_board(measure)


@transaction.atomic
def ask_for_document_study(
    *, upload: Upload, leaderboard: Leaderboard, other: Upload | None = None, own_measure: OwnMeasure | None = None
) -> Study:
    """The study of this run, or of two; one that was asked for before is joined."""
    uploads = [upload, other] if other else [upload]
    told = [VERSION, leaderboard.measure.ir_measures, [one.work_id for one in uploads]]
    keys = [one.pk for one in uploads[1:]]
    return _ask(upload, _digest(told), leaderboard, kind=Study.Kind.DOCUMENTS, own_measure=own_measure, others=keys)


def _digest(told: list[Any]) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _ask(upload: Upload, digest: str, leaderboard: Leaderboard | None, *, is_alone: bool = True, **said: Any) -> Study:
    """The study of this digest, with what is said where it is new; a worker does it, also where it failed before."""
    said |= {"leaderboard": leaderboard if leaderboard and leaderboard.pk else None, "is_alone": is_alone}
    asked, _ = Study.objects.get_or_create(upload=upload, digest=digest, defaults=said)
    if asked.state == Study.State.DONE and asked.obstacle:
        Study.objects.filter(pk=asked.pk).update(state=Study.State.WAITING, obstacle="")
        asked.refresh_from_db()
    if asked.state == Study.State.WAITING:
        enqueue_jobs(kind=STUDIED_BY[Study.Kind(asked.kind)], args=[{"study_id": asked.pk}])
    return asked
