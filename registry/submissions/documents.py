"""Submissions and their rows in words: what is new against what is recorded, what stands beside it, what happens next,
what was done and said.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from typing_extensions import TypedDict

from analysis.readers.rejections import ErrorPart
from registry.core.documents import Moment, Uuid, document_of, fields_of, to_the_second
from registry.results.models import EARNED, Result, System
from registry.results.pipeline.rows import ResultRow
from registry.submissions import models
from registry.submissions.models import Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import what_they_say
from registry.submissions.pipeline.signals import read_boards
from registry.submissions.queries import PlaceShown, details_of, entries_of, find_ranks, what_was_done

Outcome, State = SubmittedRow.Outcome, Submission.State

#: What may change of a result, in the order of the page; the rest tells it from others.
_CONTENT = (
    ("Score", "score"),
    ("Year", "year"),
    ("Day", "date"),
    ("Role", "role"),
    ("Run", "run_type"),
    ("Provenance", "provenance"),
    ("Setting", "comparability"),
    ("Topics", "n_topics_here"),
    ("Self-reported", "is_self_reported"),
    ("Evaluator", "evaluator"),
    ("Revision of the data", "dataset_revision"),
    ("Where", "locator"),
    ("Notes", "notes"),
)
_LABELS: dict[str, dict[object, str]] = {
    "role": dict(Result.Role.choices),
    "run_type": dict(Result.RunType.choices),
    "provenance": dict(Result.Provenance.choices),
    "comparability": dict(Result.Comparability.choices),
    "is_self_reported": {True: "yes", False: "no"},
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is recorded otherwise than it is handed in; blank for nothing."""

    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as its page shows it: what was given, what became of it, and what is recorded otherwise.

    ``place`` is its expected rank, and ``system`` what is on record under its name; None where nothing is.
    """

    row: SubmittedRow
    differences: tuple[Difference, ...]
    place: PlaceShown | None
    system: System | None
    signals: Sequence[Signal]


def differences(new: ResultRow, old: Result) -> tuple[Difference, ...]:
    """Return what of a result would be another than is recorded."""
    # That a score was read once more is no difference to what several people read (results.services.recording).
    content = [(label, name) for label, name in _CONTENT if name != "provenance" or old.provenance not in EARNED]
    pairs = [
        (label, _in_words(name, getattr(old, name)), _in_words(name, getattr(new, name))) for label, name in content
    ]
    return tuple(Difference(label, was, is_now) for label, was, is_now in pairs if was != is_now)


def _in_words(name: str, value: Any) -> str:
    return str(_LABELS[name].get(value, value)) if name in _LABELS else "" if value is None else str(value)


def describe_rows(rows: Iterable[SubmittedRow]) -> list[ShownRow]:
    """The rows of a page, with what is recorded at hand (``with_existing``)."""
    rows = list(rows)
    said = what_they_say([row for row in rows if row.outcome in {Outcome.NEW, Outcome.DIFFERS} and not row.result_id])
    olds = {row.line: row.existing for row in rows if row.outcome == Outcome.DIFFERS and row.existing}
    found = {line: differences(said[line], old) for line, old in olds.items() if line in said}
    places = find_ranks([row for row in rows if row.line in said])
    systems = _systems_of(said)
    return [
        ShownRow(row, found.get(row.line, ()), places.get(row.line), systems.get(row.line), _signals_of(row))
        for row in rows
    ]


def _signals_of(row: SubmittedRow) -> Sequence[Signal]:
    """Return the signals of a stored row, or what the check found of one that is not stored."""
    return row.found if row.pk is None else list(row.signals.all())


def _systems_of(said: Mapping[int, ResultRow]) -> dict[int, System]:
    """Return the systems on record of these names and teams, by line, under their names of today."""
    known = System.objects.filter(name_key__in={one.name_key for one in said.values()})
    by_key = {
        (one.name_key, one.team_key): one.merged_into or one
        for one in known.select_related("model", "merged_into__model")
    }
    keys = {line: (one.name_key, one.team_key) for line, one in said.items()}
    return {line: by_key[key] for line, key in keys.items() if key in by_key}


@dataclass(frozen=True, slots=True)
class Event:
    """Something done, with the reason for it, or something said."""

    at: datetime
    who: str
    what: str
    text: str
    is_comment: bool = False


def read_history(submission: Submission) -> list[Event]:
    """Return everything that happened to the submission, the oldest first."""
    done = [
        Event(
            entry.recorded_at,
            entry.actor_name,
            what_was_done(entry).removeprefix("submission "),
            entry.reason or details_of(entry),
        )
        for entry in entries_of(submission)
    ]
    said = [
        Event(comment.created_at, comment.author.public_name, "said", comment.text, is_comment=True)
        for comment in submission.comments.select_related("author")
    ]
    return sorted([*done, *said], key=lambda event: event.at)


_ABOUT_OTHERS = {Signal.Code.DUPLICATE, Signal.Code.CONTESTED}
_MAX_SHOWN = 12


def read_related(rows: Iterable[SubmittedRow]) -> dict[int, list[Result]]:
    """Return the results of its system that the signals of each row compare it with, by its line.

    For rows with their signals at hand; what a row would take the place of is not among them.
    """
    wanted = {row.line: row for row in rows if any(one.code in _ABOUT_OTHERS for one in row.signals.all())}
    said = what_they_say(list(wanted.values()))
    boards = read_boards({(one.collection_id, one.measure_id) for one in said.values()})
    ids = {}
    for line, one in said.items():
        named = boards[one.collection_id, one.measure_id].by_name.get(one.name_key, ())
        ids[line] = [other.id for other in named if other.id != wanted[line].existing_id][:_MAX_SHOWN]
    results = Result.objects.for_listing().in_bulk({pk for some in ids.values() for pk in some})
    return {line: [results[pk] for pk in some] for line, some in ids.items()}


def group_by_source(submissions: Iterable[Submission]) -> dict[str, list[Submission]]:
    """Return the submissions by the paper or source of their first row, in the order of the first of each.

    For submissions with their ``first_rows`` at hand.
    """
    groups: dict[str, list[Submission]] = defaultdict(list)
    for submission in submissions:
        cells = submission.first_rows[0].cells if submission.first_rows else {}
        source = cells.get("paper") or cells.get("paper_url") or cells.get("source") or ""
        groups[source].append(submission)
    return dict(groups)


Answer = TypeVar("Answer", bound="RowAnswer")
OutcomeName = Literal["new", "same", "differs", "refused"]

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


class Counts(TypedDict):
    """Rows by what would become of them."""

    rows: Annotated[int, "All."]
    new: int
    same: Annotated[int, "Recorded like this already."]
    differs: Annotated[int, "Recorded with another content, which it would supersede."]
    refused: int


class DryRun(TypedDict):
    """What would become of rows; nothing was stored."""

    dry_run: bool
    counts: Counts
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
        counts={name: getattr(submission, f"n_{name}") for name in fields_of(Counts)},
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
    """Return what would become of rows that are not stored, and where each would stand."""
    existing = Result.objects.with_names().in_bulk({row.existing_id for row in checked if row.existing_id})
    ranks = find_ranks(checked)
    outcomes = Counter(_OUTCOMES[row.outcome] for row in checked)
    results = [
        _row_answer(CheckedAnswer, row, row.found, existing.get(row.existing_id or 0), place=ranks.get(row.line))
        for row in checked
    ]
    counts = {name: outcomes[name] for name in fields_of(Counts)} | {"rows": len(checked)}
    return document_of(DryRun, None, dry_run=True, counts=counts, results=results)


def _describe_signal(signal: models.Signal) -> SignalShown:
    return {"code": str(signal.code), "severity": str(signal.severity), "message": signal.message}


def _describe_existing(result: Result | None) -> Existing | None:
    """Return what stands there, in short."""
    if result is None:
        return None
    return document_of(Existing, result, id=result.pk, url=result.get_absolute_url(), system=result.system.name)


def refused_rows(rows: Iterable[SubmittedRow]) -> list[ErrorPart]:
    """Return why rows are refused, in the shape that errors have: the line stands before the message."""
    parts: list[tuple[int, ErrorPart]] = [(row.line, one) for row in rows for one in row.rejections]
    return [{**one, "message": f"row {line}: {one['message']}"} for line, one in parts]
