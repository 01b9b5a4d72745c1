"""Submissions and their rows as answers for programs show them; ``documents`` has them for pages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from registry.accounts.models import User
from registry.results.models import Result
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.checking import CheckedRow, GivenRow
from registry.submissions.queries.changes import is_hidden_from
from registry.submissions.queries.places import find_places

Document = dict[str, Any]

_OUTCOMES = [outcome.name.lower() for outcome in SubmittedRow.Outcome]


def submission_document(submission: Submission, viewer: User) -> Document:
    """A submission without its rows; for submissions ``with_counts``."""
    return {
        "id": str(submission.pk),
        "url": submission.get_absolute_url(),
        "state": submission.state,
        "version": submission.version,
        "way": submission.way,
        "contributor": None if is_hidden_from(submission, viewer) else submission.contributor.public_name,
        "note": submission.note,
        "embargo_until": _iso(submission.embargo_until),
        "is_anonymous": submission.is_anonymous,
        "created": submission.created_at.isoformat(timespec="seconds"),
        "submitted": _iso(submission.submitted_at, timespec="seconds"),
        "decided": _iso(submission.decided_at, timespec="seconds"),
        "decision_reason": submission.decision_reason,
        "counts": {"rows": submission.n_rows} | {name: getattr(submission, f"n_{name}") for name in _OUTCOMES},
    }


def row_document(row: SubmittedRow) -> Document:
    """A row with what its last check found; for rows ``with_existing``."""
    return {
        "line": row.line,
        "cells": row.cells,
        "outcome": row.outcome or "unchecked",
        "rejections": row.rejections,
        "signals": [_describe_signal(signal) for signal in row.signals.all()],
        "existing": _describe_existing(row.existing),
        "result": row.result_id,
    }


def check_document(given: Sequence[GivenRow], checked: dict[int, CheckedRow]) -> Document:
    """What would become of rows that are not stored, and where each would stand."""
    existing = Result.objects.with_names().in_bulk({one.existing_id for one in checked.values() if one.existing_id})
    places = find_places(checked.values())
    outcomes = Counter(one.outcome for one in checked.values())
    return {
        "dry_run": True,
        "counts": {"rows": len(given)} | {name: outcomes[name] for name in _OUTCOMES if name != "unchecked"},
        "results": [
            {
                "line": row.line,
                "cells": dict(row.cells),
                "outcome": str(checked[row.line].outcome),
                "rejections": checked[row.line].rejections,
                "signals": [_describe_signal(signal) for signal in checked[row.line].signals],
                "existing": _describe_existing(existing.get(checked[row.line].existing_id)),
                "place": asdict(places[row.line]) if row.line in places else None,
            }
            for row in given
        ],
    }


def _describe_signal(signal: Any) -> Document:
    return {"code": str(signal.code), "severity": str(signal.severity), "message": signal.message}


def _describe_existing(result: Result | None) -> Document | None:
    """What stands there, in short."""
    if result is None:
        return None
    return {
        "id": result.pk,
        "url": result.get_absolute_url(),
        "system": result.system.name,
        "printed": result.printed,
        "unit": result.unit,
        "source": result.source,
    }


def _iso(moment: Any, **options: str) -> str | None:
    return moment.isoformat(**options) if moment else None


def refused_rows(rows: Iterable[CheckedRow | SubmittedRow]) -> list[dict[str, Any]]:
    """Why rows are refused, in the shape that errors have: the line stands before the message."""
    return [one | {"message": f"row {row.line}: {one['message']}"} for row in rows for one in row.rejections]
