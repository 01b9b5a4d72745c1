"""What people say of the training of systems: each answer is a statement beside those of other sources."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.catalog.services import mark_leaderboards_changed
from registry.curation.lineage.models import TrainingDeclaration
from registry.curation.lineage.queries import boards_of_systems
from registry.curation.lineage.training import UNSPECIFIED, Confidence, Declared, Evidence
from registry.journal.services import record
from registry.results.models import Confirmation, Result, System
from registry.results.services.confirming import why_not
from registry.results.services.endings import required_reason

ANSWERED = "results.training.answered"
WITHDRAWN = "results.training.answer_withdrawn"


@transaction.atomic
def answer_training(
    *,
    system: System,
    person: User,
    declared: str,
    text: str,
    url: str,
    dataset: str = "",
    collection: Collection | None = None,
    split: str = "",
) -> TrainingDeclaration:
    """The answer, which takes the place of an earlier one by the same person on the same data set.

    Of somebody who is known to be an author of the system's paper, its confidence is high; else it is low, which is
    shown and holds nothing back. The log says that there is an answer, and not what it says: it can be taken back.
    """
    if declared == Declared.YES and not (dataset or collection):
        raise ValidationError({"dataset": "say on which data set it was trained"}, code="required")
    system = System.objects.select_for_update().get(pk=system.merged_into_id or system.pk)
    facts = {
        "declared": declared,
        "split": (split or UNSPECIFIED) if declared == Declared.YES else "",
        "quotation": text,
        "source": url,
        "confidence": Confidence.HIGH if _is_author(system, person) else Confidence.LOW,
    }
    earlier = TrainingDeclaration.objects.standing().filter(
        system=system, collection=collection, dataset=dataset, person=person
    )
    same: TrainingDeclaration | None = earlier.filter(**facts).first()
    if same:
        return same
    moment = timezone.now()
    earlier.update(ended_at=moment)
    answer: TrainingDeclaration = TrainingDeclaration.objects.create(
        system=system,
        collection=collection,
        dataset=dataset,
        person=person,
        evidence=Evidence.ANSWER,
        date=moment.date().isoformat(),
        recorded_at=moment,
        **facts,
    )
    record(action=ANSWERED, subject=system, actor=person, after={"answer": answer.pk})
    _mark_boards(answer)
    return answer


@transaction.atomic
def withdraw_training_answer(*, answer: TrainingDeclaration, actor: User, reason: str) -> TrainingDeclaration:
    """The answer, taken back by who gave it or removed by an editor; doing it twice does nothing."""
    reason = required_reason(reason)
    answer = TrainingDeclaration.objects.select_for_update().get(pk=answer.pk)
    if answer.ended_at is None:
        answer.ended_at = timezone.now()
        answer.save(update_fields=["ended_at"])
        subject, before = ("system", answer.system_id), {"answer": answer.pk}
        record(action=WITHDRAWN, subject=subject, actor=actor, reason=reason, before=before)
        _mark_boards(answer)
    return answer


def _is_author(system: System, person: User) -> bool:
    """Whether the person is known, by ORCID iD, as an author of a paper that the system's results are taken from."""
    results = Result.objects.standing().filter(system=system, paper__isnull=False).select_related("paper")
    return any(not why_not(result, person, Confirmation.Kind.AUTHOR) for result in results)


def _mark_boards(answer: TrainingDeclaration) -> None:
    """Have the leaderboards that an answer decides studied again; one of low confidence decides none."""
    if answer.confidence != Confidence.LOW:
        collections = {answer.collection_id} if answer.collection_id else None
        if answer.collection_id or not answer.dataset:
            boards = boards_of_systems({answer.system_id}, collections)
            mark_leaderboards_changed(leaderboard_ids=boards)
