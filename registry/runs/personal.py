"""What uploads keep about a person: for the export of the account, and what its deletion erases."""

from typing import Any

from registry.accounts.models import User
from registry.runs.models import Answer, Upload, Work


def export_uploads(user: User) -> list[dict[str, Any]]:
    """Everything that somebody handed in and that is still kept, with what was found."""
    own = Upload.objects.filter(owner=user).select_related("collection", "work")
    return [
        {
            "name": upload.name,
            "collection": upload.collection.slug,
            "kind": upload.work.kind,
            "state": upload.work.state,
            "means": upload.work.means,
            "created": upload.created_at.isoformat(timespec="seconds"),
            "forgotten": upload.forgotten_at.isoformat(timespec="seconds"),
        }
        for upload in own.defer("work__content", "work__rankings")
    ]


def erase_uploads(user: User) -> None:
    """Delete all of it; of runs held against sealed judgements stays that there was one, and no longer whose."""
    Upload.objects.filter(owner=user).delete()
    Work.objects.filter(uploads=None).delete()
    Answer.objects.filter(user=user).update(user=None)
