"""What answers to cautions keep about a person: for the export of the account, and what its deletion erases."""

from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.curation.cautions.models import CautionAnswer


def export_answers(user: User) -> list[dict[str, Any]]:
    """Everything that somebody said to cautions, taken back or not."""
    return [
        {
            "result": one.result_id,
            "caution": one.code,
            "text": one.text,
            "url": one.url,
            "created": to_the_second(one.recorded_at),
            "withdrawn": to_the_second(one.ended_at),
        }
        for one in CautionAnswer.objects.filter(person=user)
    ]


def erase_answers(user: User) -> None:
    """Take all of it back, and delete what it says, on earlier days as well."""
    answers = CautionAnswer.objects.filter(person=user)
    answers.update(text="", url="", ended_at=Coalesce(F("ended_at"), timezone.now()))
