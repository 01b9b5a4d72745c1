"""Submissions and their rows as pages and the API show them: rows beside the record, related results, the history."""

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
from registry.submissions.pipeline.checking import last_read_rows
from registry.submissions.pipeline.signals import read_boards
from registry.submissions.queries import PlaceShown, details_of, entries_of, find_ranks, what_was_done

Outcome, State = SubmittedRow.Outcome, Submission.State

#: The fields of a result that may change, in the order of the page; the rest identifies it.
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
    """A field that differs from the record; blank for nothing."""

    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as its page shows it, with the fields that differ from the record.

    ``place`` is its expected rank, and ``system`` what is on record under its name; None where nothing is.
    """

    row: SubmittedRow
    differences: tuple[Difference, ...]
    place: PlaceShown | None
    system: System | None
    signals: Sequence[Signal]


def differences(new: ResultRow, old: Result) -> tuple[Difference, ...]:
    """Return the fields of a result that differ from the record."""
    # A single reading does not lower the provenance that several readings earned (results.services.recording).
    content = [(label, name) for label, name in _CONTENT if name != "provenance" or old.provenance not in EARNED]
    pairs = [
        (label, _in_words(name, getattr(old, name)), _in_words(name, getattr(new, name))) for label, name in content
    ]
    return tuple(Difference(label, was, is_now) for label, was, is_now in pairs if was != is_now)


def _in_words(name: str, value: Any) -> str:
    return str(_LABELS[name].get(value, value)) if name in _LABELS else "" if value is None else str(value)


def describe_rows(rows: Iterable[SubmittedRow]) -> list[ShownRow]:
    """Return the rows of a page as it shows them; for rows ``with_existing``."""
    rows = list(rows)
    parsed = last_read_rows(
        [row for row in rows if row.outcome in {Outcome.NEW, Outcome.DIFFERS} and not row.result_id]
    )
    olds = {row.line: row.existing for row in rows if row.outcome == Outcome.DIFFERS and row.existing}
    changed = {line: differences(parsed[line], old) for line, old in olds.items() if line in parsed}
    places = find_ranks([row for row in rows if row.line in parsed])
    systems = _systems_of(parsed)
    return [
        ShownRow(row, changed.get(row.line, ()), places.get(row.line), systems.get(row.line), _signals_of(row))
        for row in rows
    ]


def _signals_of(row: SubmittedRow) -> Sequence[Signal]:
    """Return the signals of a stored row, or those of the check of one that is not stored."""
    return row.found_signals if row.pk is None else list(row.signals.all())


def _systems_of(parsed: Mapping[int, ResultRow]) -> dict[int, System]:
    """Return the systems on record that the rows name, by line, under their names of today."""
    known = System.objects.filter(name_key__in={row.name_key for row in parsed.values()})
    by_key = {
        (system.name_key, system.team_key): system.merged_into or system
        for system in known.select_related("model", "merged_into__model")
    }
    keys = {line: (row.name_key, row.team_key) for line, row in parsed.items()}
    return {line: by_key[key] for line, key in keys.items() if key in by_key}


@dataclass(frozen=True, slots=True)
class Event:
    """An action with its reason, or a comment."""

    at: datetime
    who: str
    what: str
    text: str
    is_comment: bool = False


def read_history(submission: Submission) -> list[Event]:
    """Return everything that happened to the submission, the oldest first."""
    actions = [
        Event(
            entry.recorded_at,
            entry.actor_name,
            what_was_done(entry).removeprefix("submission "),
            entry.reason or details_of(entry),
        )
        for entry in entries_of(submission)
    ]
    comments = [
        Event(comment.created_at, comment.author.public_name, "said", comment.text, is_comment=True)
        for comment in submission.comments.select_related("author")
    ]
    return sorted([*actions, *comments], key=lambda event: event.at)


_ABOUT_OTHERS = {Signal.Code.DUPLICATE, Signal.Code.CONTESTED}
_MAX_SHOWN = 12


def read_related(rows: Iterable[SubmittedRow]) -> dict[int, list[Result]]:
    """Return, by line, the results of its system that the signals of each row compare it with.

    For rows with their signals prefetched; the result that a row would supersede is not among them.
    """
    compared = {row.line: row for row in rows if any(signal.code in _ABOUT_OTHERS for signal in row.signals.all())}
    parsed = last_read_rows(list(compared.values()))
    boards = read_boards({(row.collection_id, row.measure_id) for row in parsed.values()})
    ids = {}
    for line, row in parsed.items():
        named = boards[row.collection_id, row.measure_id].by_name.get(row.name_key, ())
        ids[line] = [recorded.id for recorded in named if recorded.id != compared[line].existing_id][:_MAX_SHOWN]
    results = Result.objects.for_listing().in_bulk({pk for pks in ids.values() for pk in pks})
    return {line: [results[pk] for pk in pks] for line, pks in ids.items()}


def group_by_source(submissions: Iterable[Submission]) -> dict[str, list[Submission]]:
    """Return the submissions by the paper or source of their first row, in the order of the first of each.

    For submissions with their ``first_rows``.
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
    """Rows that one person submits together."""

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
    """Return a submission without its rows; for submissions ``with_counts``."""
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
    """Return a row with the findings of its last check; for rows ``with_existing``."""
    return _row_answer(StoredRow, row, row.signals.all(), row.existing, result=row.result_id)


def _row_answer(
    kind: type[Answer], row: SubmittedRow, signals: Iterable[models.Signal], existing: Result | None, **fields: object
) -> Answer:
    return document_of(
        kind,
        row,
        outcome=_OUTCOMES[row.outcome],
        signals=[document_of(SignalShown, signal) for signal in signals],
        existing=_describe_existing(existing),
        **fields,
    )


def check_document(checked: Sequence[SubmittedRow]) -> DryRun:
    """Return the outcome and expected rank of rows that are not stored."""
    existing = Result.objects.with_names().in_bulk({row.existing_id for row in checked if row.existing_id})
    ranks = find_ranks(checked)
    outcomes = Counter(_OUTCOMES[row.outcome] for row in checked)
    results = [
        _row_answer(
            CheckedAnswer, row, row.found_signals, existing.get(row.existing_id or 0), place=ranks.get(row.line)
        )
        for row in checked
    ]
    counts = {name: outcomes[name] for name in fields_of(Counts)} | {"rows": len(checked)}
    return document_of(DryRun, None, dry_run=True, counts=counts, results=results)


def _describe_existing(result: Result | None) -> Existing | None:
    if result is None:
        return None
    return document_of(Existing, result, id=result.pk, url=result.get_absolute_url(), system=result.system.name)


def refused_rows(rows: Iterable[SubmittedRow]) -> list[ErrorPart]:
    """Return why rows are refused, as parts of an error whose messages begin with the line."""
    parts: list[tuple[int, ErrorPart]] = [(row.line, part) for row in rows for part in row.rejections]
    return [{**part, "message": f"row {line}: {part['message']}"} for line, part in parts]
