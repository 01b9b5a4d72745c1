"""Handing rows in and changing them: every row is checked at once, and a refused one keeps none of the others out."""

import hashlib
import json
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.core.inserting import prepare_rows
from registry.core.rejections import Rejection
from registry.core.scores import PERCENT
from registry.core.tables import Record
from registry.core.text import did_you_mean, shorten
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.checking import CheckedRow, GivenRow, check_all
from registry.submissions.pipeline.columns import COLUMNS
from registry.submissions.pipeline.grids import MAX_CELL_LENGTH
from registry.submissions.pipeline.papers import PaperDraft
from registry.submissions.pipeline.rows import MAX_RESULTS, NO_TEXT, filled
from registry.submissions.services.changing import advance, journal
from registry.submissions.services.checks import (
    enqueue_check,
    given_rows,
    new_row,
    save_findings,
    save_signals,
    set_finding,
)

MAX_ROWS = MAX_RESULTS
#: Beyond this many rows the check is a job, with progress.
MAX_ROWS_AT_ONCE = 2_000
#: The same rows by the same person within this time are the same submission: a second click, a retry.
SAME_WITHIN = timedelta(minutes=10)
MAX_EMBARGO_MONTHS = 9

_MAX_JOURNALED = 100

#: What can be handed in as a row: cells by column, a row of a table with its line, or a line that could not be read.
Given = Mapping[str, str] | Record | Rejection


def create_submission(**given: Any) -> Submission:
    """The new draft with its rows, each checked; the same one again where the same rows came a moment ago.

    Takes and raises what ``prepare_submission`` does.
    """
    return prepare_submission(**given)()


def prepare_submission(
    *,
    contributor: User,
    way: str,
    rows: Sequence[Given],
    note: str = "",
    embargo_until: date | None = None,
    is_anonymous: bool = False,
    checked: Mapping[int, CheckedRow] | None = None,
    paper: PaperDraft | None = None,
) -> Callable[[], Submission]:
    """What stores the new draft and returns it: all or nothing, in one transaction, with all else done before it.

    Never refused as a whole because of a row: each row has its outcome. Many rows are checked by a job. ``checked`` is
    what the check of these rows found just now, where the caller has a reason to check them first; ``paper`` is what is
    known of the paper of the rows beyond what they say.

    Raises
    ------
    ValidationError
        If there is no row or too many, if something fatal is wrong with the table, if a cell cannot be stored, or if
        the embargo is too long.
    """
    given = read_given(rows)
    require_embargo(embargo_until, is_anonymous=is_anonymous)
    description = paper.description() if paper else {}
    digest = _digest(given, note, embargo_until, is_anonymous, description)
    known = _same_submission(contributor, digest)
    if known:
        return lambda: known
    if checked is None and len(given) <= MAX_ROWS_AT_ONCE:
        checked = check_all(given)
    submission = Submission(
        contributor=contributor,
        way=way,
        note=note.strip(),
        digest=digest,
        embargo_until=embargo_until,
        is_anonymous=is_anonymous,
    )
    insert = _insertion(submission, given, checked)

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


def read_given(rows: Iterable[Given]) -> list[GivenRow]:
    """The rows with their lines: those of their table, else their place in the list."""
    given: dict[int, GivenRow] = {}
    for number, row in enumerate(rows, 1):
        if number > MAX_ROWS:
            raise ValidationError(f"more than {MAX_ROWS:,} rows; hand them in in parts", code="too_many_rows")
        if isinstance(row, Rejection):
            if row.fatal:
                raise ValidationError(str(row), code=row.code)
            line = row.line or number
            before = given[line].unreadable if line in given else ()
            new = GivenRow(line, {}, (*before, row))
        else:
            line, cells = (row.line, row.cells) if isinstance(row, Record) else (number, row)
            new = GivenRow(line, read_cells(cells, line))
        if line in given and not (new.unreadable and given[line].unreadable):
            raise ValidationError(f"two rows say that they stand in line {line}", code="line")
        given[line] = new
    if not given:
        raise ValidationError("there are no results in it", code="empty")
    return [given[line] for line in sorted(given)]


def read_cells(cells: Mapping[str, str], line: int) -> dict[str, str]:
    """The cells that are not blank, once each is known to be text that a database can keep, under a known column."""
    for column, text in cells.items():
        place = f"row {line}: {shorten(str(column))}"
        if column not in COLUMNS:
            hint = did_you_mean(str(column), COLUMNS) or f"; the columns are {', '.join(COLUMNS)}"
            raise ValidationError(f"{place}: unknown column{hint}", code="unknown_column")
        if not isinstance(text, str):
            raise ValidationError(f"{place}: is not text; write scores as text, exactly as printed", code="not_text")
        if len(text) > MAX_CELL_LENGTH:
            raise ValidationError(f"{place}: has more than {MAX_CELL_LENGTH:,} characters", code="too_long")
        if NO_TEXT.search(text):
            raise ValidationError(f"{place}: contains characters that no text has; delete them", code="no_text")
    return filled(cells)


def require_embargo(until: date | None, *, is_anonymous: bool) -> None:
    """Refuse an embargo that is over, too long, or missing where a name is to be kept back."""
    today = timezone.now().date()
    if is_anonymous and until is None:
        raise ValidationError("say until when your name is to be kept back", code="embargo")
    if until is not None and until <= today:
        raise ValidationError("an embargo ends in the future", code="embargo")
    latest = latest_embargo(today)
    if until is not None and until > latest:
        raise ValidationError(f"an embargo lasts nine months at most, until {latest:%Y-%m-%d}", code="embargo")


def latest_embargo(today: date) -> date:
    """The day nine months later; the last of its month where that has no such day.

    >>> latest_embargo(date(2026, 11, 21)), latest_embargo(date(2026, 5, 31))
    (datetime.date(2027, 8, 21), datetime.date(2027, 2, 28))
    """
    years, month = divmod(today.month - 1 + MAX_EMBARGO_MONTHS, 12)
    year, month = today.year + years, month + 1
    return date(year, month, min(today.day, monthrange(year, month)[1]))


def _digest(given: list[GivenRow], note: str, *terms: Any) -> str:
    told = [[row.line, row.cells, [str(one) for one in row.unreadable]] for row in given]
    text = json.dumps([told, note.strip(), *terms], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _same_submission(contributor: User, digest: str) -> Submission | None:
    recent = Submission.objects.by(contributor).filter(digest=digest, created_at__gte=timezone.now() - SAME_WITHIN)
    return recent.order_by("-created_at").first()


def _insertion(
    submission: Submission, given: list[GivenRow], checked: Mapping[int, CheckedRow] | None
) -> Callable[[], None]:
    """What stores the rows with what their check found, and queues the check where there was none."""
    rows = [new_row(submission, one) for one in given]
    if checked is not None:
        for row in rows:
            set_finding(row, checked[row.line])
    columns = [field.attname for field in SubmittedRow._meta.concrete_fields if not field.primary_key]
    insert = prepare_rows(SubmittedRow, [{name: getattr(row, name) for name in columns} for row in rows])

    def store() -> None:
        insert()
        if checked is None:
            enqueue_check(submission)
        else:
            save_signals(
                [row for row in submission.rows.only("submission", "line") if checked[row.line].signals], checked
            )

    return store


def update_row(*, submission: Submission, line: int, cells: Mapping[str, str], version: int, actor: User) -> Submission:
    """The submission with other cells in one row, every row checked again."""
    cells = read_cells(cells, line)
    given = _given(submission)
    if line not in given:
        raise ValidationError(f"there is no row {line} any more", code="no_row")
    before = dict(given[line].cells)
    given[line] = GivenRow(line, cells)
    checked = check_all(given.values(), submission)
    with transaction.atomic():
        submission = _advance(submission, version)
        submission.rows.filter(line=line).update(cells=cells)
        save_findings(submission, checked)
        journal(submission, "row.changed", actor=actor, before={"cells": before}, after={"line": line, "cells": cells})
    return submission


def add_rows(*, submission: Submission, rows: Sequence[Given], version: int, actor: User) -> Submission:
    """The submission with these rows behind the others, every row checked again."""
    given = _given(submission)
    last = max(given, default=0)
    added = [replace(one, line=last + number) for number, one in enumerate(read_given(rows), 1)]
    if len(given) + len(added) > MAX_ROWS:
        raise ValidationError(f"more than {MAX_ROWS:,} rows; hand them in in parts", code="too_many_rows")
    checked = check_all([*given.values(), *added], submission)
    with transaction.atomic():
        submission = _advance(submission, version)
        SubmittedRow.objects.bulk_create([new_row(submission, one) for one in added], batch_size=500)
        save_findings(submission, checked)
        journal(submission, "rows.added", actor=actor, after={"rows": len(added)})
    return submission


def remove_rows(*, submission: Submission, lines: Sequence[int], version: int, actor: User) -> Submission:
    """The submission without these rows, the others checked again. One row at least stays."""
    given = _given(submission)
    removed = {line: dict(given.pop(line).cells) for line in lines if line in given}
    if not removed:
        raise ValidationError("there are no such rows any more", code="no_row")
    if not given:
        raise ValidationError("this would leave nothing; delete the draft instead", code="empty")
    checked = check_all(given.values(), submission)
    with transaction.atomic():
        submission = _advance(submission, version)
        submission.rows.filter(line__in=removed).delete()
        save_findings(submission, checked)
        first = dict(list(removed.items())[:_MAX_JOURNALED])
        journal(submission, "rows.removed", actor=actor, before={"cells": first}, after={"rows": len(removed)})
    return submission


def take_in_percent(*, submission: Submission, version: int, actor: User) -> Submission:
    """The submission with every row in percent that is refused and would be fine so, all rows checked again."""
    given = _given(submission)
    lines = submission.rows.fine_in_percent().values_list("line", flat=True)
    changed = {line: {**given[line].cells, "unit": PERCENT} for line in lines}
    if not changed:
        raise ValidationError("there are no such rows any more", code="no_row")
    given |= {line: GivenRow(line, cells) for line, cells in changed.items()}
    checked = check_all(given.values(), submission)
    with transaction.atomic():
        submission = _advance(submission, version)
        rows = list(submission.rows.filter(line__in=changed))
        for row in rows:
            row.cells = changed[row.line]
        SubmittedRow.objects.bulk_update(rows, ["cells"], batch_size=200)
        save_findings(submission, checked)
        journal(submission, "rows.taken_in_percent", actor=actor, after={"rows": len(changed)})
    return submission


@transaction.atomic
def set_terms(
    *,
    submission: Submission,
    version: int,
    actor: User,
    note: str = "",
    embargo_until: date | None = None,
    is_anonymous: bool = False,
) -> Submission:
    """The submission, still its contributor's to change, with another note, embargo and say about the name."""
    require_embargo(embargo_until, is_anonymous=is_anonymous)
    terms = {"note": note.strip(), "embargo_until": embargo_until, "is_anonymous": is_anonymous}
    submission = advance(submission, version=version, states=Submission.OPEN, wanted="changed", **terms)
    told = {"embargo_until": embargo_until and embargo_until.isoformat(), "is_anonymous": is_anonymous}
    journal(submission, "submission.terms_changed", actor=actor, after=told)
    return submission


def _given(submission: Submission) -> dict[int, GivenRow]:
    """The rows as they stand, by line; refused while they are still being checked."""
    given = given_rows(submission)
    if submission.rows.unchecked().exists():
        raise ValidationError("its rows are still being checked; wait until they are", code="unchecked")
    return {one.line: one for one in given}


def _advance(submission: Submission, version: int) -> Submission:
    states = (*Submission.OPEN, *Submission.PENDING)
    return advance(submission, version=version, states=states, wanted="changed")
