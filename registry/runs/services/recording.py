"""Putting what a run scored behind the result that it is the run of."""

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.catalog.models import Collection, Topic
from registry.results.models import Result
from registry.results.services.endings import Change, replace_result
from registry.results.services.mass_changes import MOST_CHANGES, room_left
from registry.runs.models import Upload
from registry.runs.pipeline.packing import unpack_scores
from registry.runs.queries import agreement_of


@transaction.atomic
def record_recomputed(*, upload: Upload, actor: User | None = None) -> Result:
    """The claimed result as it stands now: recomputed from a run, with the run's topic scores behind it.

    Raises
    ------
    ValidationError
        If the mean is not the printed one, the topics are others than those on record, or the account has changed as
        much within the hour as it may without being asked.
    """
    assert upload.claimed is not None
    if actor and not room_left(actor):
        message = f"An account changes {MOST_CHANGES} results within an hour here; go on later."
        raise ValidationError(message, code="too_many")
    result = Result.objects.select_for_update().get(pk=upload.claimed.pk)
    agreement = agreement_of(upload)
    if agreement is None or not agreement.is_same:
        raise ValidationError("The mean of the run is not the printed score.", code="differs")
    table = unpack_scores(bytes(upload.work.scores))
    scores = dict(zip(table.topics, table.scores[result.leaderboard.measure.name], strict=True))
    collection = Collection.objects.select_for_update().get(pk=result.leaderboard.collection_id)
    topics = list(Topic.objects.filter(collection=collection).values_list("label", flat=True))
    if not topics:
        topics = table.topics
        Topic.objects.bulk_create(
            Topic(collection=collection, position=place, label=label) for place, label in enumerate(topics)
        )
    if set(topics) != set(scores):
        raise ValidationError("The judgements have other topics than those on record.", code="topics")
    reason, changes = "recomputed from its run", {"provenance": Result.Provenance.RECOMPUTED.value}
    recorded = replace_result(result=result, changes=changes, actor=actor, reason=reason)
    change = Change(actor, reason)
    change.put_topic_scores({recorded.pk: [scores[topic] for topic in topics]})
    change.tell()
    Upload.objects.filter(claimed=result).update(claimed=recorded)
    return recorded
