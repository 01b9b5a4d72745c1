"""Personal data in submissions: for the export of an account, and for its deletion."""

from registry.accounts.models import User
from registry.accounts.personal import Document, rows_of
from registry.submissions.models import Comment, IdempotencyKey, Submission

_OF_SUBMISSION = "id way state note created=created_at submitted=submitted_at decided=decided_at decision_reason"


def export_submissions(user: User) -> list[Document]:
    """Return all submissions of a person, drafts included, with their rows."""
    submissions = list(user.submissions.order_by("created_at").prefetch_related("rows", "papers"))
    return [
        document
        | {
            "papers": [paper.description for paper in submission.papers.all()],
            "rows": rows_of(submission.rows.all(), "line cells outcome result=result_id"),
        }
        for submission, document in zip(submissions, rows_of(submissions, _OF_SUBMISSION), strict=True)
    ]


def export_comments(user: User) -> list[Document]:
    """Return the comments of a person on submissions, own and others'."""
    return rows_of(Comment.objects.filter(author=user), "submission=submission_id created=created_at text")


def export_keys(user: User) -> list[Document]:
    """Return the keys of recent requests of a person's programs."""
    return rows_of(IdempotencyKey.objects.filter(user=user).order_by("pk"), "key created=created_at")


def erase_submissions(user: User) -> None:
    """Delete submissions that were never public and wait for nobody; the others stay, without their notes."""
    user.submissions.filter(state__in=(*Submission.OPEN, Submission.State.REFUSED)).delete()
    user.submissions.update(note="")


def erase_comments(user: User) -> None:
    """Delete the comments of a person on submissions."""
    Comment.objects.filter(author=user).delete()


def erase_keys(user: User) -> None:
    """Delete the keys of a person's requests, with the answers to these."""
    IdempotencyKey.objects.filter(user=user).delete()
