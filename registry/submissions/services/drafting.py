"""Drafts and changes of their rows: every row is checked at once, and a refused row keeps none of the others out."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.numbers import PERCENT
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record, as_record, filled
from registry.accounts.models import User
from registry.core.bulk import prepare_rows
from registry.core.messages import say
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.queries import entries_of
from registry.submissions.services.changing import UNDECIDED, RowsRefused, advance, checking_all, journal, save_signals

#: The most rows of a submission: checking them takes the web server a third of a second.
MAX_ROWS = 2_000
#: The same rows by the same person within this time are the same submission: a second click, a retry.
SAME_WITHIN = timedelta(minutes=10)

_MAX_JOURNALED = 100
#: The states in which rows may be changed, for ``advance``.
_CHANGED = {"states": (*Submission.OPEN, *Submission.PENDING), "wanted": "changed"}

#: A row as callers have it: cells by column, a row of a table with its line, a line that could not be read, or one that
#: ``read_given`` returned before.
Given = Mapping[str, str] | Record | Rejection | SubmittedRow


def create_submission(**given: Any) -> Submission:
    """Return the new draft with its rows, each checked; or the earlier one, where the same rows came a moment ago.

    Takes and raises what ``prepare_submission`` does.
    """
    return prepare_submission(**given)()


def prepare_submission(
    *, contributor: User, way: str, rows: Sequence[Given], note: str = "", paper: PaperDraft | None = None
) -> Callable[[], Submission]:
    """Return a function that stores the new draft in one transaction and returns it; all else is done before.

    A row never refuses the whole: each has its own outcome. Rows that are checked already are not checked again.
    ``paper`` describes the paper of the rows beyond their cells.

    Raise ``ValidationError`` if there is no row or too many, if something fatal is wrong with the table, or if a cell
    cannot be stored.
    """
    drafted = read_given(rows)
    description = paper.description() if paper else {}
    contents = [[row.line, row.cells, row.rejections if row.is_unreadable else [], row.topics] for row in drafted]
    text = json.dumps([contents, note.strip(), description], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if not all(row.outcome for row in drafted):
        check_rows(drafted)
    submission = Submission(contributor=contributor, way=way, note=note.strip(), digest=digest)
    columns = [field.attname for field in SubmittedRow._meta.concrete_fields if not field.primary_key]
    insert = prepare_rows(
        SubmittedRow,
        [{name: getattr(row, name) for name in columns} | {"submission_id": submission.pk} for row in drafted],
    )
    with_signals = {row.line: row for row in drafted if row.found_signals}

    @transaction.atomic
    def store() -> Submission:
        # One at a time for each person, so that two clicks at the same moment make one submission.
        User.objects.select_for_update().get(pk=contributor.pk)
        recent = contributor.submissions.filter(created_at__gte=timezone.now() - SAME_WITHIN)
        if earlier := recent.filter(digest=digest).order_by("-created_at").first():
            return earlier
        submission.save(force_insert=True)
        insert()
        if with_signals:
            keys = submission.rows.values_list("pk", "line")
            save_signals((pk, with_signals[line]) for pk, line in keys if line in with_signals)
        if paper and description:
            submission.papers.create(identity=paper.identity, description=description)
        journal(submission, "submission.created", actor=contributor, after={"way": str(way), "rows": len(drafted)})
        return submission

    return store


def read_given(rows: Iterable[Given]) -> list[SubmittedRow]:
    """Return the rows with their lines in the table, else with their places in the list."""
    rows_by_line: dict[int, SubmittedRow] = {}
    for number, row in enumerate(rows, 1):
        if number > MAX_ROWS:
            raise ValidationError(f"more than {MAX_ROWS:,} rows; split them", code="too_many_rows")
        if isinstance(row, Rejection):
            if row.fatal:
                raise ValidationError(str(row), code=row.code)
            line = row.line or number
            before = rows_by_line[line].rejections if line in rows_by_line else []
            new = SubmittedRow(line=line, cells={}, rejections=[*before, row.as_document()])
        elif isinstance(row, SubmittedRow):
            line, new = row.line, row
        else:
            record = row if isinstance(row, Record) else Record(number, dict(row))
            line = record.line
            cells = read_cells(record.cells, line)
            new = SubmittedRow(line=line, cells=cells, topics=dict(record.topics), whose=record.whose)
        if line in rows_by_line and not (new.is_unreadable and rows_by_line[line].is_unreadable):
            raise ValidationError(f"two rows say that they stand in line {line}", code="line")
        rows_by_line[line] = new
    if not rows_by_line:
        raise ValidationError("there are no results in it", code="empty")
    return [rows_by_line[line] for line in sorted(rows_by_line)]


def read_cells(cells: Mapping[str, str], line: int) -> dict[str, str]:
    """Return the cells that are not blank, if each is text that a database can keep, in a known column."""
    record = as_record(line, cells)
    if isinstance(record, Rejection):
        raise ValidationError(f"row {line}: {record.column}: {record.message}", code=record.code)
    return filled(cells)


def update_row(
    *, submission: Submission, line: int, cells: Mapping[str, str], version: int, actor: User, content: str = ""
) -> Submission:
    """Return the submission with other cells in a row, all rows checked again; ``content`` is what the cells say."""
    rows, cells = _rows_by_line(submission), read_cells(cells, line)
    if line not in rows:
        raise ValidationError(f"there is no row {line} any more", code="no_row")
    before = dict(rows[line].cells)
    rows[line] = SubmittedRow(line=line, cells=cells, content=content, topics=rows[line].topics)
    entry = {"before": {"cells": before}, "after": {"line": line, "cells": cells}}
    return _replace(submission, rows, {line}, "row.changed", version=version, actor=actor, **entry)


def add_rows(*, submission: Submission, rows: Sequence[Given], version: int, actor: User) -> Submission:
    """Return the submission with these rows behind the others, all rows checked again."""
    stored, added = _rows_by_line(submission), read_given(rows)
    for line, row in enumerate(added, max(stored, default=0) + 1):
        row.line, row.submission = line, submission
        stored[line] = row
    if len(stored) > MAX_ROWS:
        raise ValidationError(f"more than {MAX_ROWS:,} rows; split them", code="too_many_rows")
    lines = {row.line for row in added}
    entry = {"after": {"rows": len(added)}}
    return _replace(submission, stored, lines, "rows.added", version=version, actor=actor, **entry)


def remove_rows(*, submission: Submission, lines: Sequence[int], version: int, actor: User) -> Submission:
    """Return the submission without these rows, the others checked again; at least one row stays."""
    rows = _rows_by_line(submission)
    removed = {line: rows.pop(line).cells for line in lines if line in rows}
    if not removed:
        raise ValidationError("there are no such rows any more", code="no_row")
    first = dict(list(removed.items())[:_MAX_JOURNALED])
    entry = {"before": {"cells": first}, "after": {"rows": len(removed)}}
    return _replace(submission, rows, set(removed), "rows.removed", version=version, actor=actor, **entry)


def settle_rows(
    *, submission: Submission, changes: Mapping[int, Mapping[str, str] | None], version: int, actor: User
) -> Submission:
    """Return the submission with other cells in these rows, and without those of None, all rows checked again.

    The journal keeps the cells as they were, and scores by topic that go with a row, for ``undo_settling``.
    """
    rows = _rows_by_line(submission)
    before = {line: dict(rows[line].cells) for line in changes if line in rows}
    topics = {line: rows[line].topics for line in before if changes[line] is None}
    for line, cells in changes.items():
        row = rows.pop(line, None)
        if row is not None and cells is not None:
            rows[line] = SubmittedRow(line=line, cells=read_cells(row.cells | cells, line), topics=row.topics)
    entry = {"before": {"cells": before, "topics": topics}, "after": {"rows": len(before)}}
    return _replace(submission, rows, set(before), "rows.settled", version=version, actor=actor, **entry)


def undo_settling(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission with its rows as they were before ``settle_rows``, if that was the last change."""
    settled = settled_last(submission)
    if not settled:
        raise ValidationError(say("settle-nothing"), code="nothing")
    cells = {int(line): old for line, old in settled["cells"].items()}
    left_out = settled.get("topics", {})
    rows = _rows_by_line(submission)
    before = {line: dict(rows[line].cells) if line in rows else {} for line in cells}
    for line, old in cells.items():
        topics = rows[line].topics if line in rows else left_out.get(str(line), {})
        rows[line] = SubmittedRow(line=line, cells=old, topics=topics, submission=submission)
    entry = {"before": {"cells": before}, "after": {"rows": len(before)}}
    return _replace(submission, rows, set(cells), "rows.unsettled", version=version, actor=actor, **entry)


def settled_last(submission: Submission) -> dict[str, Any]:
    """Return what rows were before ``settle_rows``, as the journal has it; empty where another change was the last."""
    entry = entries_of(submission)[-1]
    return (entry.before or {}) if entry.action == "submissions.rows.settled" else {}


def _replace(
    submission: Submission,
    rows_by_line: dict[int, SubmittedRow],
    lines: set[int],
    action: str,
    *,
    version: int,
    **entry: Any,
) -> Submission:
    """Return the submission with these rows, all checked again; those of the lines are new, changed or gone."""
    if not rows_by_line:
        raise ValidationError("this would leave nothing; delete the draft instead", code="empty")
    rows = [rows_by_line[line] for line in sorted(rows_by_line)]
    with checking_all(submission, rows, version=version, **_CHANGED) as submission:
        stored = {row.line: row for row in submission.rows.filter(line__in=lines)}
        submission.rows.filter(line__in=lines - set(rows_by_line)).delete()
        changed = [row for line, row in stored.items() if line in rows_by_line]
        for row in changed:
            row.cells = rows_by_line[row.line].cells
        SubmittedRow.objects.bulk_update(changed, ["cells"], batch_size=200)
        new = [rows_by_line[line] for line in sorted(lines) if line in rows_by_line and line not in stored]
        SubmittedRow.objects.bulk_create(new, batch_size=200)
        journal(submission, action, **entry)
    return submission


def take_in_percent(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission with every refused row in percent that is fine so, all rows checked again."""
    rows = _rows_by_line(submission)
    lines = set(submission.rows.fine_in_percent().values_list("line", flat=True))
    if not lines:
        raise ValidationError("there are no such rows any more", code="no_row")
    before = {line: rows[line].cells for line in sorted(lines)}
    for line, cells in before.items():
        rows[line] = SubmittedRow(line=line, cells=cells | {"unit": PERCENT}, topics=rows[line].topics)
    entry = {"before": {"cells": before}, "after": {"rows": len(before)}}
    return _replace(submission, rows, lines, "rows.taken_in_percent", version=version, actor=actor, **entry)


def _rows_by_line(submission: Submission) -> dict[int, SubmittedRow]:
    return {row.line: row for row in submission.rows.all()}


@transaction.atomic
def submit(*, submission: Submission, version: int, actor: User, drop_refused: bool = False) -> Submission:
    """Return the submission, submitted for review; refused rows prevent that, or are dropped on request."""
    submitted = advance(
        submission,
        version=version,
        states=Submission.OPEN,
        wanted="submitted",
        state=Submission.State.SUBMITTED,
        submitted_at=timezone.now(),
        **UNDECIDED,
    )
    refused = submission.rows.refused()
    n_refused = refused.count()
    if n_refused and not drop_refused:
        raise RowsRefused(submission, n_refused)
    refused.delete()
    if not submission.rows.exists():
        raise ValidationError(say("all-refused"), code="empty")
    journal(submitted, "submission.submitted", actor=actor, after={"rows_dropped": n_refused})
    return submitted


@transaction.atomic
def take_back(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission as a draft again, before anybody began to review it."""
    submission = advance(
        submission,
        version=version,
        states=[Submission.State.SUBMITTED],
        wanted="taken back",
        state=Submission.State.DRAFT,
        submitted_at=None,
    )
    journal(submission, "submission.taken_back", actor=actor)
    return submission


@transaction.atomic
def delete_draft(*, submission: Submission, version: int, actor: User) -> None:
    """Delete a draft or a returned submission with everything in it; nothing of it was ever public."""
    submission = advance(submission, version=version, states=Submission.OPEN, wanted="deleted")
    journal(submission, "submission.deleted", actor=actor, before={"rows": submission.rows.count()})
    submission.delete()
