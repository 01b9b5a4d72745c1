"""Who sees an upload: whoever has its address; on a private collection of somebody's own, they alone.

Who changes it: its owner; of what a visitor sent, whoever sees it.
"""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from registry.accounts.access import AnyUser
from registry.catalog.access import can_edit_collection
from registry.core.http import must_exist
from registry.results.models import Result
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.queries import kept_uploads

_GONE = "There is nothing here, or no longer: uploads are deleted on the day that their owner chose."


def get_upload(key: str, user: AnyUser) -> Upload:
    """The upload at this address, for whoever may see it."""
    found = must_exist(kept_uploads().select_related("owner").filter(pk=key).first(), _GONE)
    if found.own_collection:
        _require_sight(found.own_collection, user)
    return found


def get_own_collection(key: str, user: AnyUser) -> OwnCollection:
    """The collection of somebody's own at this address, for whoever may see it."""
    kept = OwnCollection.objects.filter(pk=key, forgotten_at__gt=timezone.now()).prefetch_related("measures")
    found = must_exist(kept.first(), _GONE)
    _require_sight(found, user)
    return found


def get_changeable_collection(key: str, user: AnyUser) -> OwnCollection:
    """The same, to be changed by its owner."""
    found = get_own_collection(key, user)
    if not may_change(user, found):
        raise PermissionDenied("Only its owner may do this.")
    return found


def get_own_measure(key: str, pk: int, user: AnyUser) -> OwnMeasure:
    """A measure of the collection of somebody's own at this address."""
    collection = get_own_collection(key, user)
    return must_exist(next((one for one in collection.measures.all() if one.pk == pk), None), _GONE)


def _require_sight(collection: OwnCollection, user: AnyUser) -> None:
    """Others are told of a private collection what they are told of one that isn't there."""
    if collection.is_private and collection.owner_id != user.pk:
        raise Http404(_GONE)


def get_own_upload(key: str, user: AnyUser) -> Upload:
    """The upload, to be changed by its owner; by anybody who has its address, if it has none."""
    upload = get_upload(key, user)
    if not may_change(user, upload):
        raise PermissionDenied("Only its owner may do this.")
    return upload


def get_studied_upload(key: str, user: AnyUser) -> Upload:
    """The upload, to be studied by its owner, beside what else they sent; what a visitor sent is kept first."""
    upload = get_own_upload(key, user)
    if upload.owner_id is None:
        raise PermissionDenied("Keep it first: only kept runs are studied.")
    return upload


def may_change(user: AnyUser, upload: Upload | OwnCollection) -> bool:
    """Return whether somebody who sees it may delete it, keep it or have it studied."""
    return upload.owner_id is None or upload.owner_id == user.pk


def get_study(key: str, pk: int, user: AnyUser) -> Study:
    """A study of the upload at this address, for whoever may see that."""
    upload = get_upload(key, user)
    study = must_exist(
        upload.studies.select_related("leaderboard__collection", "leaderboard__measure", "own_measure__collection")
        .filter(pk=pk)
        .first(),
        _GONE,
    )
    study.upload = upload
    return study


def may_record(user: AnyUser, upload: Upload) -> bool:
    """Return whether somebody may put the topic scores of an upload behind the result that it claims."""
    work, claimed = upload.work, upload.claimed
    if claimed is None or work.kind != Work.Kind.RUN or work.state != Work.State.DONE or not work.scores:
        return False
    if claimed.ended_at or claimed.provenance == Result.Provenance.RECOMPUTED:
        return False
    return can_edit_collection(user, claimed.leaderboard.collection)
