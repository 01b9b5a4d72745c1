"""Submissions and their rows as answers for programs show them; ``documents`` has them for pages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypeVar

from typing_extensions import TypedDict

from analysis.readers.rejections import ErrorPart
from registry.core.documents import Moment, Uuid, document_of, fields_of, to_the_second
from registry.results.models import Result
from registry.submissions import models
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.queries.ranks import PlaceShown, find_ranks

Answer = TypeVar("Answer", bound="RowAnswer")
OutcomeName = Literal["unchecked", "new", "same", "differs", "refused"]

_OUTCOMES: dict[str, str] = {outcome.value: outcome.name.lower() for outcome in SubmittedRow.Outcome}


class SignalShown(TypedDict):
    """Something about a row that a reviewer should look at."""

    code: Annotated[str, models.Signal.Code]
    severity: Annotated[str, models.Signal.Severity]
    message: str


class Existing(TypedDict):
    """The result that stands there already."""

    id: int
    url: Annotated[str, "Path of its page on this site."]
    system: str
    printed: str
    unit: Annotated[Annotated[str, Result.Unit], "What `printed` is in: percent, or blank as its measure."]
    source: str


class RowAnswer(TypedDict):
    """A row as it was given, and what its last check found."""

    line: Annotated[int, "Place in the list, or line of the text."]
    cells: Annotated[dict[str, str], "As given; blank ones are left out."]
    outcome: Annotated[OutcomeName, "What would become of it."]
    rejections: Annotated[list[ErrorPart], "Why it is refused."]
    signals: list[SignalShown]
    existing: Existing | None


class StoredRow(RowAnswer):
    """A row of a submission."""

    result: Annotated[int | None, "The result that it became, once published."]


class CheckedAnswer(RowAnswer):
    """A row that is not stored."""

    place: Annotated[PlaceShown | None, "Null where it is refused, or would not count."]


class CheckedCounts(TypedDict):
    """Rows by what would become of them."""

    rows: Annotated[int, "All."]
    new: int
    same: Annotated[int, "Recorded like this already."]
    differs: Annotated[int, "Recorded with another content, which it would supersede."]
    refused: int


class Counts(CheckedCounts):
    """Rows by what would become of them, as far as they are checked."""

    unchecked: Annotated[int, "Still to be checked by a job."]


class DryRun(TypedDict):
    """What would become of rows; nothing was stored."""

    dry_run: bool
    counts: CheckedCounts
    results: list[CheckedAnswer]


class SubmissionAnswer(TypedDict):
    """Rows that one person hands in together."""

    id: Uuid
    url: Annotated[str, "Path of its page on this site."]
    state: Annotated[str, Submission.State]
    version: Annotated[int, "Goes up with every change; the ETag."]
    way: Annotated[Annotated[str, Submission.Way], "How it came in."]
    contributor: str
    note: Annotated[str, "What the reviewer should know."]
    created: Moment
    submitted: Moment | None
    decided: Moment | None
    decision_reason: str
    counts: Counts


class SubmissionWithRows(SubmissionAnswer):
    """A submission with a page of its rows."""

    count: Annotated[int, "Rows, on all pages."]
    next_page: Annotated[str | None, "Token for `page`; null on the last one."]
    results: list[StoredRow]


def submission_document(submission: Submission) -> SubmissionAnswer:
    """A submission without its rows; for submissions ``with_counts``."""
    return document_of(
        SubmissionAnswer,
        submission,
        id=str(submission.pk),
        url=submission.get_absolute_url(),
        contributor=submission.contributor.public_name,
        created=submission.created_at.isoformat(timespec="seconds"),
        submitted=to_the_second(submission.submitted_at),
        decided=to_the_second(submission.decided_at),
        counts={
            name: getattr(submission, f"n_{name}")
            for name in ("rows", "unchecked", "new", "same", "differs", "refused")
        },
    )


def row_document(row: SubmittedRow) -> StoredRow:
    """A row with what its last check found; for rows ``with_existing``."""
    return _row_answer(StoredRow, row, row.signals.all(), row.existing, result=row.result_id)


def _row_answer(
    kind: type[Answer], row: SubmittedRow, signals: Iterable[models.Signal], existing: Result | None, **said: object
) -> Answer:
    return document_of(
        kind,
        row,
        outcome=_OUTCOMES[row.outcome],
        signals=[_describe_signal(signal) for signal in signals],
        existing=_describe_existing(existing),
        **said,
    )


def check_document(checked: Sequence[SubmittedRow]) -> DryRun:
    """What would become of rows that are not stored, and where each would stand."""
    existing = Result.objects.with_names().in_bulk({row.existing_id for row in checked if row.existing_id})
    ranks = find_ranks(checked)
    outcomes = Counter(_OUTCOMES[row.outcome] for row in checked)
    results = [
        _row_answer(CheckedAnswer, row, row.found, existing.get(row.existing_id or 0), place=ranks.get(row.line))
        for row in checked
    ]
    counts = {name: outcomes[name] for name in fields_of(CheckedCounts)} | {"rows": len(checked)}
    return document_of(DryRun, None, dry_run=True, counts=counts, results=results)


def _describe_signal(signal: models.Signal) -> SignalShown:
    return {"code": str(signal.code), "severity": str(signal.severity), "message": signal.message}


def _describe_existing(result: Result | None) -> Existing | None:
    """What stands there, in short."""
    if result is None:
        return None
    return document_of(Existing, result, id=result.pk, url=result.get_absolute_url(), system=result.system.name)


def refused_rows(rows: Iterable[SubmittedRow]) -> list[ErrorPart]:
    """Why rows are refused, in the shape that errors have: the line stands before the message."""
    parts: list[tuple[int, ErrorPart]] = [(row.line, one) for row in rows for one in row.rejections]
    return [{**one, "message": f"row {line}: {one['message']}"} for line, one in parts]
