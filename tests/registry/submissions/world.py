"""People, leaderboards and rows for tests of submissions."""

from collections.abc import Mapping, Sequence
from typing import Any

from registry.accounts.models import User
from registry.catalog.models import Leaderboard, Measure
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.services.drafting import create_submission, submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_question, make_user
from tests.registry.results.loading import make_robust04 as make_robust04

ROW = {
    "collection": "robust04", "measure": "MAP", "system": "Model X", "value": "0.3012", "role": "proposed",
    "paper": "Doe (SIGIR 2021)", "locator": "Table 2",
}  # fmt: skip


def make_deep_learning() -> list[Leaderboard]:
    """Make AP on two collections that both go by DL19."""
    passage = make_collection("dl-passage", name="DL 2019 passage ranking", n_topics=43, documents="passages")
    document = make_collection("dl-doc", name="DL 2019 document ranking", n_topics=43, documents="documents")
    make_question("Passage or document ranking?", ["DL19"], [passage, document])
    measure = Measure.objects.filter(name="AP").first() or make_measure("AP", aliases=["MAP"])
    return [make_leaderboard(collection, measure) for collection in (passage, document)]


def row(**cells: str) -> dict[str, str]:
    """Return a row of cells that can be taken."""
    return ROW | cells


def make_submission(
    contributor: User | None = None, rows: Sequence[Mapping[str, str]] = (), **fields: Any
) -> Submission:
    """Make a draft with one good row, or with these."""
    contributor = contributor or make_user()
    return create_submission(contributor=contributor, rows=rows or [row()], **({"way": "form"} | fields))


def make_submitted(contributor: User | None = None, **fields: Any) -> Submission:
    """Make a submission that waits for review."""
    submission = make_submission(contributor, **fields)
    return submit(submission=submission, version=submission.version, actor=submission.contributor)


def make_published(contributor: User | None = None, **fields: Any) -> Submission:
    """Make a submission whose rows are on the record."""
    submission = make_submitted(contributor, **fields)
    return publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))


def outcomes(submission: Submission) -> list[str]:
    """Return what would become of the rows, by line."""
    return list(submission.rows.order_by("line").values_list("outcome", flat=True))


def only_row(submission: Submission) -> SubmittedRow:
    return submission.rows.get()
