"""Personal data in submissions: for the export of an account, and for its deletion."""

from typing import Any

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.submissions.models import Comment, IdempotencyKey, Submission

Document = dict[str, Any]


def export_submissions(user: User) -> list[Document]:
    """Return all submissions of a person, drafts included, with their rows."""
    submissions = Submission.objects.by(user).order_by("created_at").prefetch_related("rows", "papers")
    return [_describe(submission) for submission in submissions]


def export_comments(user: User) -> list[Document]:
    """Return the comments of a person on submissions, own and others'."""
    return [
        {"submission": str(comment.submission_id), "created": to_the_second(comment.created_at), "text": comment.text}
        for comment in Comment.objects.filter(author=user)
    ]


def export_keys(user: User) -> list[Document]:
    """Return the keys of recent requests of a person's programs."""
    keys = IdempotencyKey.objects.filter(user=user).order_by("pk")
    return [{"key": key.key, "created": to_the_second(key.created_at)} for key in keys]


def erase_submissions(user: User) -> None:
    """Delete submissions that were never public and wait for nobody; the others stay, without their notes."""
    own = Submission.objects.by(user)
    own.filter(state__in=(*Submission.OPEN, Submission.State.REFUSED)).delete()
    own.update(note="")


def erase_comments(user: User) -> None:
    """Delete the comments of a person on submissions."""
    Comment.objects.filter(author=user).delete()


def erase_keys(user: User) -> None:
    """Delete the keys of a person's requests, with the answers to these."""
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
