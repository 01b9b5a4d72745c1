"""Keeping what the check of rows found, at once or by a job."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction

from registry.core.inserting import update_rows
from registry.core.rejections import Rejection
from registry.core.services import enqueue_jobs
from registry.submissions.models import Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import CheckedRow, GivenRow, check_rows
from registry.submissions.queries.progress import CHECK_SUBMISSION

_FOUND = ("outcome", "rejections", "collection_id", "key", "existing_id")
_BATCH = 200


def new_row(submission: Submission, given: GivenRow) -> SubmittedRow:
    """The row to be stored, not checked yet; one that could not be read keeps the reasons."""
    rejections = [rejection.as_document() for rejection in given.unreadable]
    return SubmittedRow(submission=submission, line=given.line, cells=dict(given.cells), rejections=rejections)


def given_rows(submission: Submission) -> list[GivenRow]:
    """The rows of a submission as they were given, by line."""
    stored = submission.rows.order_by("line").values_list("line", "cells", "rejections")
    return [GivenRow(line, cells, () if cells else _unreadable(line, rejections)) for line, cells, rejections in stored]


def _unreadable(line: int, rejections: list[dict[str, str]]) -> tuple[Rejection, ...]:
    return tuple(Rejection(one["code"], one["message"], line, one["field"]) for one in rejections)


def set_finding(row: SubmittedRow, checked: CheckedRow) -> bool:
    """Write into the row object what the check found; whether that is news."""
    found = (checked.outcome, checked.rejections, checked.collection_id, checked.key, checked.existing_id)
    before = tuple(getattr(row, name) for name in _FOUND)
    for name, value in zip(_FOUND, found, strict=True):
        setattr(row, name, value)
    return found != before


def save_findings(submission: Submission, checked: Mapping[int, CheckedRow]) -> None:
    """Store what the check found of the rows of which it found something else before."""
    rows = [row for row in submission.rows.all() if row.line in checked]
    _update([row for row in rows if set_finding(row, checked[row.line])])
    known = defaultdict(set)
    for row_id, *told in Signal.objects.filter(row__submission=submission).values_list(
        "row_id", "code", "severity", "message"
    ):
        known[row_id].add(tuple(told))
    changed = [row for row in rows if known[row.pk] != _told(checked[row.line])]
    Signal.objects.filter(row__in=[row.pk for row in changed if known[row.pk]]).delete()
    save_signals(changed, checked)


def save_signals(rows: Iterable[SubmittedRow], checked: Mapping[int, CheckedRow]) -> None:
    """Store the signals of rows that have none yet."""
    signals = [
        Signal(row=row, code=one.code, severity=one.severity, message=one.message)
        for row in rows
        for one in checked[row.line].signals
    ]
    Signal.objects.bulk_create(signals, batch_size=_BATCH)


def _told(checked: CheckedRow) -> set[tuple[str, str, str]]:
    return {(one.code, one.severity, one.message) for one in checked.signals}


def _update(rows: list[SubmittedRow]) -> None:
    update_rows(SubmittedRow, _FOUND, [(row.pk, *(getattr(row, name) for name in _FOUND)) for row in rows])


def enqueue_check(submission: Submission) -> None:
    """Have a worker check the rows; call it in the transaction that stores them."""
    enqueue_jobs(kind=CHECK_SUBMISSION, args=[{"submission_id": str(submission.pk)}])


def check_submission(submission_id: str) -> None:
    """Check the rows that were not checked yet, in chunks that can be watched; once more does no harm."""
    submission = Submission.objects.filter(pk=uuid.UUID(submission_id)).first()
    if submission is None:
        return
    for chunk in check_rows(given_rows(submission), submission):
        checked = {one.line: one for one in chunk}
        for start in range(0, len(chunk), _BATCH):
            lines = [one.line for one in chunk[start : start + _BATCH]]
            with transaction.atomic():
                # Another worker may be at it too; a row that is checked may already have been edited.
                rows = list(submission.rows.unchecked().filter(line__in=lines).select_for_update())
                for row in rows:
                    set_finding(row, checked[row.line])
                _update(rows)
                save_signals(rows, checked)
