"""What uploads keep about a person: for the export of the account, and what its deletion erases."""

from typing import Any

from registry.accounts.models import User
from registry.runs.models import Answer, OwnCollection, Upload, Work
from registry.runs.queries import lines_of


def export_uploads(user: User) -> list[dict[str, Any]]:
    own = Upload.objects.filter(owner=user).select_related("collection", "own_collection", "work")
    return [
        {
            "name": upload.name,
            "collection": upload.collection.slug if upload.collection else upload.place.name,
            "kind": upload.work.kind,
            "state": upload.work.state,
            "means": upload.work.means,
            "created": upload.created_at.isoformat(timespec="seconds"),
            "forgotten": upload.forgotten_at.isoformat(timespec="seconds"),
        }
        for upload in own.defer("work__content", "work__rankings")
    ]


def export_own_collections(user: User) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "visibility": one.visibility,
            "delisted_for": one.delisted_for,
            "topics": one.topics,
            "measures": one.measure_names,
            "executions": one.executions,
            "judgements": [lines_of(judgements).decode() for judgements in one.judgements.filter(ended_at=None)],
            "created": one.created_at.isoformat(timespec="seconds"),
            "forgotten": one.forgotten_at.isoformat(timespec="seconds"),
        }
        for one in OwnCollection.objects.filter(owner=user).prefetch_related("measures")
    ]


def erase_own_collections(user: User) -> None:
    Upload.objects.filter(own_collection__owner=user).delete()
    Work.objects.filter(uploads=None).delete()
    OwnCollection.objects.filter(owner=user).delete()


def erase_uploads(user: User) -> None:
    """Delete all of it; of runs held against sealed judgements stays that there was one, and no longer whose."""
    Upload.objects.filter(owner=user).delete()
    Work.objects.filter(uploads=None).delete()
    Answer.objects.filter(user=user).update(user=None)
