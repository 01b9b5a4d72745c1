"""What can be done with a submission; each atomic, with an entry in the journal."""

from registry.results.services.undoing import undo_batch
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.services.checks import check_submission
from registry.submissions.services.drafting import (
    add_rows,
    create_submission,
    prepare_submission,
    remove_rows,
    take_in_percent,
    update_row,
)
from registry.submissions.services.idempotency import answer_once, kept_answer
from registry.submissions.services.reviewing import (
    RowsRefused,
    add_comment,
    check_again,
    delete_draft,
    publish_due,
    publish_submission,
    refuse_submission,
    return_submission,
    start_review,
    submit,
    take_back,
)
from registry.submissions.services.second_readings import count_second_readings
from registry.submissions.services.unmasking import unmask_contributor

__all__ = [
    "Conflict",
    "RowsRefused",
    "WrongState",
    "add_comment",
    "add_rows",
    "answer_once",
    "check_again",
    "check_submission",
    "count_second_readings",
    "create_submission",
    "delete_draft",
    "kept_answer",
    "prepare_submission",
    "publish_due",
    "publish_submission",
    "refuse_submission",
    "remove_rows",
    "return_submission",
    "start_review",
    "submit",
    "take_back",
    "take_in_percent",
    "undo_batch",
    "unmask_contributor",
    "update_row",
]
