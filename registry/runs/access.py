"""Who sees an upload: whoever has its address. Who changes it: its owner; of what a visitor sent, whoever sees it."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from registry.accounts.access import AnyUser
from registry.catalog.access import can_edit_collection
from registry.core.http import must_exist
from registry.results.models import Result
from registry.runs.models import Study, Upload, Work

_GONE = "There is nothing here, or no longer: uploads are deleted on the day that their owner chose."


def get_upload(key: str) -> Upload:
    """The upload at this address, for anybody who has it."""
    kept = Upload.objects.filter(pk=key, forgotten_at__gt=timezone.now())
    upload = kept.select_related("collection", "measure", "work__judgements", "claimed__leaderboard__measure", "owner")
    return must_exist(upload.defer("work__content", "work__rankings", "work__judgements__content").first(), _GONE)


def get_own_upload(key: str, user: AnyUser) -> Upload:
    """The upload, to be changed by its owner; by anybody who has its address, if it has none."""
    upload = get_upload(key)
    if not may_change(user, upload):
        raise PermissionDenied("Only its owner may do this.")
    return upload


def may_change(user: AnyUser, upload: Upload) -> bool:
    """Whether somebody who has the address of an upload may delete it, keep it or have it studied."""
    return upload.owner_id is None or upload.owner_id == user.pk


def get_study(key: str, pk: int) -> Study:
    """A study of the upload at this address."""
    upload = get_upload(key)
    study = must_exist(
        upload.studies.select_related("leaderboard__collection", "leaderboard__measure").filter(pk=pk).first(), _GONE
    )
    study.upload = upload
    return study


def may_record(user: AnyUser, upload: Upload) -> bool:
    """Whether somebody may put the topic scores of an upload behind the result that it claims to be the run of."""
    work, claimed = upload.work, upload.claimed
    if claimed is None or work.kind != Work.Kind.RUN or work.state != Work.State.DONE or not work.scores:
        return False
    if claimed.ended_at or claimed.provenance == Result.Provenance.RECOMPUTED:
        return False
    return can_edit_collection(user, upload.collection)
