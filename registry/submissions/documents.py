"""Submissions and their rows in words: what is new against what is recorded, what stands beside it, what happens next,
what was done and said.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from registry.catalog.queries import CatalogNames
from registry.results.models import EARNED, Result, System
from registry.results.pipeline.rows import ResultRow
from registry.submissions.models import Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import what_they_say
from registry.submissions.pipeline.signals import Surroundings
from registry.submissions.queries.changes import details_of, entries_of, what_was_done
from registry.submissions.queries.ranks import PlaceShown, find_ranks

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

    ``place`` is where its score would stand, and ``system`` what is on record under its name; None where nothing is.
    """

    row: SubmittedRow
    differences: tuple[Difference, ...]
    place: PlaceShown | None
    system: System | None


def differences(new: ResultRow, old: Result) -> tuple[Difference, ...]:
    """What of a result would be another than is recorded."""
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
    return [ShownRow(row, found.get(row.line, ()), places.get(row.line), systems.get(row.line)) for row in rows]


def _systems_of(said: Mapping[int, ResultRow]) -> dict[int, System]:
    """Return the systems on record of these names and teams, by line, under their names of today."""
    known = System.objects.filter(name_key__in={one.name_key for one in said.values()})
    by_key = {
        (one.name_key, one.team_key): one.merged_into or one
        for one in known.select_related("model", "merged_into__model")
    }
    keys = {line: (one.name_key, one.team_key) for line, one in said.items()}
    return {line: by_key[key] for line, key in keys.items() if key in by_key}


_NEXT = {
    State.DRAFT: "Nobody but you sees it. Look it over and submit it; an editor checks it before anything is public.",
    State.SUBMITTED: "It waits for an editor, or a curator of its collections. Until one begins, you can take it back.",
    State.IN_REVIEW: "Somebody is checking it. You hear here what they find, and can answer below.",
    State.RETURNED: "It came back to you. Change what the reviewer asks for, and submit it again.",
    State.PUBLISHED: "Its results are on the record. What is wrong with one of them is corrected on its own page.",
    State.REFUSED: "It was refused, and nothing of it is public. The reason is below.",
}


def what_happens_next(submission: Submission) -> str:
    """What its contributor can expect, in a sentence or two."""
    return _NEXT[State(submission.state)]


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
        Event(
            comment.created_at,
            comment.author.public_name,
            "said",
            comment.text,
            is_comment=True,
        )
        for comment in submission.comments.select_related("author")
    ]
    return sorted([*done, *said], key=lambda event: event.at)


_ABOUT_OTHERS = {Signal.Code.DUPLICATE, Signal.Code.NEAR_DUPLICATE, Signal.Code.CONTESTED}
_MAX_SHOWN = 12


def read_related(rows: Iterable[SubmittedRow]) -> dict[int, list[Result]]:
    """The results that the signals of each row compare it with, by its line, those of its own leaderboard alone.

    For rows with their signals at hand; what a row would take the place of is not among them.
    """
    wanted = {row.line: row for row in rows if any(one.code in _ABOUT_OTHERS for one in row.signals.all())}
    if not wanted:
        return {}
    said = what_they_say(list(wanted.values()))
    surroundings = Surroundings(CatalogNames())
    surroundings.read(list(said.values()))
    ids = {line: surroundings.related(one, wanted[line].existing_id)[:_MAX_SHOWN] for line, one in said.items()}
    results = Result.objects.for_listing().in_bulk({pk for some in ids.values() for pk in some})
    return {line: [results[pk] for pk in some] for line, some in ids.items()}
