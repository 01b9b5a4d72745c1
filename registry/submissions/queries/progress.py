"""How many rows of submissions are what, and how far the check of a long table is."""

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from registry.core.models import Job
from registry.core.queries import read_workload
from registry.submissions.models import Submission, SubmittedRow

CHECK_SUBMISSION = "submissions.check_submission"


@dataclass(frozen=True, slots=True)
class Progress:
    """How many rows are checked, and whether somebody is at it: with no worker they wait for one."""

    n_rows: int
    n_checked: int
    is_worker_alive: bool
    is_given_up: bool

    @property
    def message(self) -> str:
        """What somebody who waits should know; blank while all is well."""
        if self.is_given_up:
            return "The check failed. Start it again; if it fails again, tell whoever runs this site."
        if not self.is_worker_alive:
            return "Nobody is at work on it just now. The rows are safe, and checked as soon as a worker is back."
        return ""


def read_progress(submission: Submission) -> Progress | None:
    """How far the check is; None when it is done."""
    n_unchecked = submission.rows.unchecked().count()
    if not n_unchecked:
        return None
    n_rows = submission.rows.count()
    jobs = Job.objects.filter(key=Job.key_for(CHECK_SUBMISSION, {"submission_id": str(submission.pk)}))
    newest = jobs.order_by("-created_at").first()
    return Progress(
        n_rows=n_rows,
        n_checked=n_rows - n_unchecked,
        is_worker_alive=read_workload().is_worker_alive,
        is_given_up=newest is None or newest.state in {Job.State.FAILED, Job.State.DONE},
    )


_NAMES = {outcome.value: f"n_{outcome.name.lower()}" for outcome in SubmittedRow.Outcome}


def with_row_counts(submissions: Iterable[Submission]) -> list[Submission]:
    """The submissions of a page, each with the number of its rows, of those by outcome, and of those to look at.

    The same names as ``with_counts`` gives, and ``n_warned``. For whole lists that would count every row before the
    page is known; this takes two queries, which count the rows of these submissions alone.
    """
    found = list(submissions)
    rows = SubmittedRow.objects.filter(submission__in=[submission.pk for submission in found]).order_by()
    counts: dict[uuid.UUID, Counter[str]] = {submission.pk: Counter() for submission in found}
    for pk, outcome, n in rows.values_list("submission", "outcome").annotate(n=Count("pk")):
        counts[pk][_NAMES[outcome]] = n
        counts[pk]["n_rows"] += n
    for pk, n in rows.warned().values_list("submission").annotate(n=Count("pk")):
        counts[pk]["n_warned"] = n
    for submission in found:
        for name in ("n_rows", "n_warned", *_NAMES.values()):
            setattr(submission, name, counts[submission.pk][name])
    return found
