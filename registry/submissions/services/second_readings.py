"""Rows that say what stands already: once their contributor read them in the source, the record is double-checked."""

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.readers.scores import parse_unit
from registry.accounts.models import User
from registry.results.models import Confirmation, Result
from registry.results.services.confirming import confirm_result
from registry.results.services.mass_changes import MOST_CHANGES, room_left
from registry.submissions.models import Submission, SubmittedRow

KIND = Confirmation.Kind.SECOND_TRANSCRIPTION


@transaction.atomic
def count_second_readings(*, submission: Submission, actor: User) -> int:
    """How many results rose because the contributor's rows say the same; ``actor`` is the contributor or a reviewer.

    One account has at most as many counted within an hour as it may change without being asked.

    Raises
    ------
    ValidationError
        Where the submission was refused or is kept back, which this would tell of, or the hour is used up.
    """
    if submission.is_embargoed:
        raise ValidationError("this submission is kept back; have it counted once that is over", code="embargo")
    if submission.state == Submission.State.REFUSED:
        raise ValidationError("this submission was refused", code="refused")
    room = room_left(actor)
    if not room:
        raise ValidationError(f"an account has {MOST_CHANGES} counted within an hour; go on later", code="too_many")
    rows = submission.rows.second_readings(submission.contributor).select_related("existing")
    return sum(_count(row, row.existing, submission.contributor, actor) for row in rows[:room] if row.existing)


def _count(row: SubmittedRow, existing: Result, reader: User, actor: User) -> bool:
    try:
        with transaction.atomic():
            result = confirm_result(
                result=existing,
                user=reader,
                kind=KIND,
                printed=row.cells["value"],
                unit=parse_unit(row.cells.get("unit", "")),
                actor=actor,
            )
    except ValidationError:
        return False
    row.existing = result
    row.save(update_fields=["existing"])
    return True
