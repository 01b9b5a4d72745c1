"""What submissions keep about a person: for the export of the account, and what its deletion erases."""

from typing import Any

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.submissions.models import Comment, IdempotencyKey, Submission

Document = dict[str, Any]


def export_submissions(user: User) -> list[Document]:
    """Everything that somebody handed in or is still working on, rows and all."""
    submissions = Submission.objects.by(user).order_by("created_at").prefetch_related("rows", "papers")
    return [_describe(submission) for submission in submissions]


def export_comments(user: User) -> list[Document]:
    """Return what somebody said about submissions, own and others'."""
    return [
        {"submission": str(comment.submission_id), "created": to_the_second(comment.created_at), "text": comment.text}
        for comment in Comment.objects.filter(author=user)
    ]


def export_keys(user: User) -> list[Document]:
    """The names that somebody's programs gave to their requests lately."""
    keys = IdempotencyKey.objects.filter(user=user).order_by("pk")
    return [{"key": key.key, "created": to_the_second(key.created_at)} for key in keys]


def erase_submissions(user: User) -> None:
    """Delete what was never public and waits for nobody; what was handed in stays for its rows, without the note."""
    own = Submission.objects.by(user)
    own.filter(state__in=(*Submission.OPEN, Submission.State.REFUSED)).delete()
    own.update(note="")


def erase_comments(user: User) -> None:
    """Delete everything that somebody said about submissions."""
    Comment.objects.filter(author=user).delete()


def erase_keys(user: User) -> None:
    """Forget the requests of somebody's programs, and what was answered to them."""
    IdempotencyKey.objects.filter(user=user).delete()


def _describe(submission: Submission) -> Document:
    return {
        "id": str(submission.pk),
        "way": submission.way,
        "state": submission.state,
        "note": submission.note,
        "created": to_the_second(submission.created_at),
        "submitted": to_the_second(submission.submitted_at),
        "decided": to_the_second(submission.decided_at),
        "decision_reason": submission.decision_reason,
        "papers": [paper.description for paper in submission.papers.all()],
        "rows": [
            {"line": row.line, "cells": row.cells, "outcome": row.outcome, "result": row.result_id}
            for row in submission.rows.all()
        ],
    }
