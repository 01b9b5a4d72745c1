"""What answers on training keep about a person: for the export of the account, and what its deletion erases."""

from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.curation.lineage.models import TrainingDeclaration


def export_training_answers(user: User) -> list[dict[str, Any]]:
    """Everything that somebody said of training, taken back or not."""
    return [
        {
            "system": one.system.name,
            "collection": one.collection.slug if one.collection else None,
            "dataset": one.dataset,
            "declared": one.declared,
            "split": one.split,
            "text": one.quotation,
            "url": one.source,
            "created": to_the_second(one.recorded_at),
            "withdrawn": to_the_second(one.ended_at),
        }
        for one in TrainingDeclaration.objects.filter(person=user).select_related("system", "collection")
    ]


def erase_training_answers(user: User) -> None:
    """Take all of it back, and delete what it says, on earlier days as well."""
    answers = TrainingDeclaration.objects.filter(person=user)
    answers.update(quotation="", source="", ended_at=Coalesce(F("ended_at"), timezone.now()))
