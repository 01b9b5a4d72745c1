"""How many rows of submissions are what."""

import uuid
from collections import Counter
from collections.abc import Iterable

from django.db.models import Count

from registry.submissions.models import Submission, SubmittedRow

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
