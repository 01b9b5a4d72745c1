"""Asking for a study of uploads."""

import hashlib
import json
from collections.abc import Sequence

from django.db import transaction

from registry.catalog.models import Leaderboard
from registry.core.services import enqueue_jobs
from registry.runs.models import OwnMeasure, Study, Upload, Work
from registry.runs.pipeline.precision import VERSION
from registry.runs.queries import STUDY, STUDY_DOCUMENTS, tables_of
from registry.runs.studies import digest_of


@transaction.atomic
def ask_for_study(*, upload: Upload, others: Sequence[Upload], leaderboard: Leaderboard, is_alone: bool) -> Study:
    """The study of these uploads; one that was asked for before is joined, whether it is done or not."""
    uploads = [upload, *others]
    asked, is_new = Study.objects.get_or_create(
        upload=upload,
        digest=digest_of(uploads, leaderboard, is_alone=is_alone),
        defaults={
            "leaderboard": leaderboard if leaderboard.pk else None,
            "others": [one.pk for one in others],
            "is_alone": is_alone,
        },
    )
    return _asked_for(asked, STUDY, is_new=is_new)


@transaction.atomic
def study_own_board(measure: OwnMeasure) -> Study | None:
    """Have all tables that were sent to a board of somebody's own studied among each other; what was found of others
    before goes. None where no table is read yet."""
    tables = [table for table in tables_of(measure) if table.work.state == Work.State.DONE]
    standing = Study.objects.filter(upload__own_measure=measure)
    if not tables:
        standing.delete()
        return None
    asked = ask_for_study(upload=tables[0], others=tables[1:], leaderboard=measure.board, is_alone=True)
    standing.exclude(pk=asked.pk).delete()
    return asked


@transaction.atomic
def ask_for_document_study(*, upload: Upload, leaderboard: Leaderboard, other: Upload | None = None) -> Study:
    """The study of this run, or of two; one that was asked for before is joined."""
    uploads = [upload, other] if other else [upload]
    told = [VERSION, leaderboard.measure.ir_measures, [one.work_id for one in uploads]]
    asked, is_new = Study.objects.get_or_create(
        upload=upload,
        digest=hashlib.sha256(json.dumps(told).encode()).hexdigest(),
        defaults={
            "kind": Study.Kind.DOCUMENTS,
            "leaderboard": leaderboard,
            "others": [one.pk for one in uploads[1:]],
            "is_alone": True,
        },
    )
    return _asked_for(asked, STUDY_DOCUMENTS, is_new=is_new)


def _asked_for(asked: Study, kind: str, *, is_new: bool) -> Study:
    """Have a worker do it, also where something stood in the way when it was asked for before."""
    if asked.state == Study.State.DONE and asked.obstacle:
        Study.objects.filter(pk=asked.pk).update(state=Study.State.WAITING, obstacle="")
        asked.refresh_from_db()
        is_new = True
    if is_new:
        enqueue_jobs(kind=kind, args=[{"study_id": asked.pk}])
    return asked
