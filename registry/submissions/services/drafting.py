"""Handing rows in and changing them: every row is checked at once, and a refused one keeps none of the others out."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.rejections import Rejection
from analysis.readers.rows import as_record, filled
from analysis.readers.scores import PERCENT
from analysis.readers.tables import Record
from registry.accounts.models import User
from registry.core.bulk import prepare_rows
from registry.core.messages import say
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.queries import entries_of
from registry.submissions.services.changing import checking_all, journal, save_signals

#: Of one submission: checking so many takes the web server a third of a second.
MAX_ROWS = 2_000
#: The same rows by the same person within this time are the same submission: a second click, a retry.
SAME_WITHIN = timedelta(minutes=10)

_MAX_JOURNALED = 100
#: In which states rows are changed, as ``advance`` takes it.
_CHANGED = {"states": (*Submission.OPEN, *Submission.PENDING), "wanted": "changed"}

#: What can be handed in as a row: cells by column, a row of a table with its line, a line that could not be read, or
#: what any of these was made to before.
Given = Mapping[str, str] | Record | Rejection | SubmittedRow


def create_submission(**given: Any) -> Submission:
    """The new draft with its rows, each checked; the same one again where the same rows came a moment ago.

    Takes and raises what ``prepare_submission`` does.
    """
    return prepare_submission(**given)()


def prepare_submission(
    *, contributor: User, way: str, rows: Sequence[Given], note: str = "", paper: PaperDraft | None = None
) -> Callable[[], Submission]:
    """Return what stores the new draft and returns it: all or nothing, in one transaction, with all else done before
    it.

    Never refused as a whole because of a row: each row has its outcome. Rows that the caller had a reason to check are
    not checked again. ``paper`` is what is known of the paper of the rows beyond what they
    say.

    Raises
    ------
    ValidationError
        If there is no row or too many, if something fatal is wrong with the table, or if a cell cannot be stored.
    """
    given = read_given(rows)
    description = paper.description() if paper else {}
    digest = _digest(given, note, description)
    if not all(row.outcome for row in given):
        check_rows(given)
    submission = Submission(contributor=contributor, way=way, note=note.strip(), digest=digest)
    insert = _insertion(submission, given)

    @transaction.atomic
    def store() -> Submission:
        # One at a time for each person, so that two clicks at the same moment are one submission.
        User.objects.select_for_update().get(pk=contributor.pk)
        known = _same_submission(contributor, digest)
        if known:
            return known
        submission.save(force_insert=True)
        insert()
        if paper and description:
            submission.papers.create(identity=paper.identity, description=description)
        journal(submission, "submission.created", actor=contributor, after={"way": str(way), "rows": len(given)})
        return submission

    return store


def read_given(rows: Iterable[Given]) -> list[SubmittedRow]:
    """The rows with their lines: those of their table, else their place in the list."""
    given: dict[int, SubmittedRow] = {}
    for number, row in enumerate(rows, 1):
        if number > MAX_ROWS:
            raise ValidationError(f"more than {MAX_ROWS:,} rows; hand them in in parts", code="too_many_rows")
        if isinstance(row, Rejection):
            if row.fatal:
                raise ValidationError(str(row), code=row.code)
            line = row.line or number
            before = given[line].rejections if line in given else []
            new = SubmittedRow(line=line, cells={}, rejections=[*before, row.as_document()])
        elif isinstance(row, SubmittedRow):
            line, new = row.line, row
        else:
            record = row if isinstance(row, Record) else Record(number, dict(row))
            line = record.line
            cells = read_cells(record.cells, line)
            new = SubmittedRow(line=line, cells=cells, topics=dict(record.topics), whose=record.whose)
        if line in given and not (new.is_unreadable and given[line].is_unreadable):
            raise ValidationError(f"two rows say that they stand in line {line}", code="line")
        given[line] = new
    if not given:
        raise ValidationError("there are no results in it", code="empty")
    return [given[line] for line in sorted(given)]


def read_cells(cells: Mapping[str, str], line: int) -> dict[str, str]:
    """The cells that are not blank, once each is known to be text that a database can keep, under a known column."""
    record = as_record(line, cells)
    if isinstance(record, Rejection):
        raise ValidationError(f"row {line}: {record.column}: {record.message}", code=record.code)
    return filled(cells)


def _digest(given: list[SubmittedRow], note: str, *terms: Any) -> str:
    told = [[row.line, row.cells, row.rejections if row.is_unreadable else [], row.topics] for row in given]
    text = json.dumps([told, note.strip(), *terms], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _same_submission(contributor: User, digest: str) -> Submission | None:
    recent = Submission.objects.by(contributor).filter(digest=digest, created_at__gte=timezone.now() - SAME_WITHIN)
    return recent.order_by("-created_at").first()


def _insertion(submission: Submission, rows: list[SubmittedRow]) -> Callable[[], None]:
    """Return what stores the rows with what their check found."""
    columns = [field.attname for field in SubmittedRow._meta.concrete_fields if not field.primary_key]
    insert = prepare_rows(
        SubmittedRow,
        [{name: getattr(row, name) for name in columns} | {"submission_id": submission.pk} for row in rows],
    )
    warned = {row.line: row for row in rows if row.found}

    def store() -> None:
        insert()
        if warned:
            keys = submission.rows.values_list("pk", "line")
            save_signals((pk, warned[line]) for pk, line in keys if line in warned)

    return store


def update_row(
    *, submission: Submission, line: int, cells: Mapping[str, str], version: int, actor: User, content: str = ""
) -> Submission:
    """The submission with other cells in one row, every row checked again; ``content`` is what they were read as."""
    given, cells = _given(submission), read_cells(cells, line)
    if line not in given:
        raise ValidationError(f"there is no row {line} any more", code="no_row")
    before = dict(given[line].cells)
    given[line] = SubmittedRow(line=line, cells=cells, content=content, topics=given[line].topics)
    told = {"before": {"cells": before}, "after": {"line": line, "cells": cells}}
    return _replace(submission, given, {line}, "row.changed", version=version, actor=actor, **told)


def add_rows(*, submission: Submission, rows: Sequence[Given], version: int, actor: User) -> Submission:
    """The submission with these rows behind the others, every row checked again."""
    given, added = _given(submission), read_given(rows)
    for line, row in enumerate(added, max(given, default=0) + 1):
        row.line, row.submission = line, submission
        given[line] = row
    if len(given) > MAX_ROWS:
        raise ValidationError(f"more than {MAX_ROWS:,} rows; hand them in in parts", code="too_many_rows")
    lines = {row.line for row in added}
    told = {"after": {"rows": len(added)}}
    return _replace(submission, given, lines, "rows.added", version=version, actor=actor, **told)


def remove_rows(*, submission: Submission, lines: Sequence[int], version: int, actor: User) -> Submission:
    """The submission without these rows, the others checked again. One row at least stays."""
    given = _given(submission)
    removed = {line: given.pop(line).cells for line in lines if line in given}
    if not removed:
        raise ValidationError("there are no such rows any more", code="no_row")
    first = dict(list(removed.items())[:_MAX_JOURNALED])
    told = {"before": {"cells": first}, "after": {"rows": len(removed)}}
    return _replace(submission, given, set(removed), "rows.removed", version=version, actor=actor, **told)


def settle_rows(
    *, submission: Submission, changes: Mapping[int, Mapping[str, str] | None], version: int, actor: User
) -> Submission:
    """Return the submission with other cells in these rows, and without those of None, every row checked again.

    What they were is kept in the journal, from which ``undo_settling`` takes it.
    """
    given = _given(submission)
    before = {line: dict(given[line].cells) for line in changes if line in given}
    for line, cells in changes.items():
        row = given.pop(line, None)
        if row is not None and cells is not None:
            given[line] = SubmittedRow(line=line, cells=read_cells(row.cells | cells, line), topics=row.topics)
    told = {"before": {"cells": before}, "after": {"rows": len(before)}}
    return _replace(submission, given, set(before), "rows.settled", version=version, actor=actor, **told)


def undo_settling(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission with its rows as they were before ``settle_rows``, where that was done last."""
    cells = settled_last(submission)
    if not cells:
        raise ValidationError(say("settle-nothing"), code="nothing")
    given = _given(submission)
    before = {line: dict(given[line].cells) if line in given else {} for line in cells}
    for line, old in cells.items():
        topics = given[line].topics if line in given else {}
        given[line] = SubmittedRow(line=line, cells=old, topics=topics, submission=submission)
    told = {"before": {"cells": before}, "after": {"rows": len(before)}}
    return _replace(submission, given, set(cells), "rows.unsettled", version=version, actor=actor, **told)


def settled_last(submission: Submission) -> dict[int, dict[str, str]]:
    """Return the cells, by line, that rows had before ``settle_rows``; none where something else was done last."""
    entry = entries_of(submission)[-1]
    if entry.action != "submissions.rows.settled":
        return {}
    return {int(line): cells for line, cells in (entry.before or {})["cells"].items()}


def _replace(
    submission: Submission, given: dict[int, SubmittedRow], lines: set[int], action: str, *, version: int, **told: Any
) -> Submission:
    """Return the submission with these rows, all checked again; those of the lines are new, changed or gone."""
    if not given:
        raise ValidationError("this would leave nothing; delete the draft instead", code="empty")
    rows = [given[line] for line in sorted(given)]
    with checking_all(submission, rows, version=version, **_CHANGED) as submission:
        stored = {row.line: row for row in submission.rows.filter(line__in=lines)}
        submission.rows.filter(line__in=lines - set(given)).delete()
        changed = [row for line, row in stored.items() if line in given]
        for row in changed:
            row.cells = given[row.line].cells
        SubmittedRow.objects.bulk_update(changed, ["cells"], batch_size=200)
        new = [given[line] for line in sorted(lines) if line in given and line not in stored]
        SubmittedRow.objects.bulk_create(new, batch_size=200)
        journal(submission, action, **told)
    return submission


def take_in_percent(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission with every row in percent that is refused and would be fine so, all rows checked again."""
    given = _given(submission)
    lines = set(submission.rows.fine_in_percent().values_list("line", flat=True))
    if not lines:
        raise ValidationError("there are no such rows any more", code="no_row")
    before = {line: given[line].cells for line in sorted(lines)}
    for line, cells in before.items():
        given[line] = SubmittedRow(line=line, cells=cells | {"unit": PERCENT}, topics=given[line].topics)
    told = {"before": {"cells": before}, "after": {"rows": len(before)}}
    return _replace(submission, given, lines, "rows.taken_in_percent", version=version, actor=actor, **told)


def _given(submission: Submission) -> dict[int, SubmittedRow]:
    """The rows as they stand, by line."""
    return {row.line: row for row in submission.rows.all()}
