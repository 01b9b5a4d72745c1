"""What was done with a submission and said about it, in one list: for its contributor and its reviewers alone."""

from dataclasses import dataclass
from datetime import datetime

from registry.accounts.models import User
from registry.submissions.models import Submission
from registry.submissions.queries.changes import details_of, entries_of, is_hidden_from, shown_name, what_was_done


@dataclass(frozen=True, slots=True)
class Event:
    """Something done, with the reason for it, or something said."""

    at: datetime
    who: str
    what: str
    text: str
    is_comment: bool = False


def read_history(submission: Submission, viewer: User) -> list[Event]:
    """Everything that happened to the submission, the oldest first."""
    is_hidden = is_hidden_from(submission, viewer)
    done = [
        Event(
            entry.recorded_at,
            shown_name(submission, entry.actor) if is_hidden else entry.actor_name,
            what_was_done(entry).removeprefix("submission "),
            entry.reason or details_of(entry),
        )
        for entry in entries_of(submission)
    ]
    said = [
        Event(
            comment.created_at,
            shown_name(submission, comment.author) if is_hidden else comment.author.public_name,
            "said",
            comment.text,
            is_comment=True,
        )
        for comment in submission.comments.select_related("author")
    ]
    return sorted([*done, *said], key=lambda event: event.at)
