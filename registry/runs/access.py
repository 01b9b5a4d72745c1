"""Access to uploads: whoever has the address sees one; on a private collection, its owner alone.

Its owner changes it; what a visitor sent, anybody who sees it.
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
    """Return the upload at this address, for whoever may see it."""
    upload = must_exist(kept_uploads().select_related("owner").filter(pk=key).first(), _GONE)
    if upload.own_collection:
        _require_sight(upload.own_collection, user)
    return upload


def get_own_collection(key: str, user: AnyUser) -> OwnCollection:
    """Return the collection of somebody's own at this address, for whoever may see it."""
    kept = OwnCollection.objects.filter(pk=key, forgotten_at__gt=timezone.now()).prefetch_related("measures")
    collection = must_exist(kept.first(), _GONE)
    _require_sight(collection, user)
    return collection


def get_changeable_collection(key: str, user: AnyUser) -> OwnCollection:
    """Return the collection of somebody's own, to be changed by its owner."""
    collection = get_own_collection(key, user)
    if not may_change(user, collection):
        raise PermissionDenied("Only its owner may do this.")
    return collection


def get_own_measure(key: str, pk: int, user: AnyUser) -> OwnMeasure:
    """Return a measure of the collection of somebody's own at this address."""
    measures = get_own_collection(key, user).measures.all()
    return must_exist(next((measure for measure in measures if measure.pk == pk), None), _GONE)


def _require_sight(collection: OwnCollection, user: AnyUser) -> None:
    """Raise the same 404 for a private collection of somebody else as for one that isn't there."""
    if collection.is_private and collection.owner_id != user.pk:
        raise Http404(_GONE)


def get_own_upload(key: str, user: AnyUser) -> Upload:
    """Return the upload, to be changed by its owner; by anybody who has its address, if it has none."""
    upload = get_upload(key, user)
    if not may_change(user, upload):
        raise PermissionDenied("Only its owner may do this.")
    return upload


def get_studied_upload(key: str, user: AnyUser) -> Upload:
    """Return the upload, to be studied by its owner; one of a visitor has to be kept first."""
    upload = get_own_upload(key, user)
    if upload.owner_id is None:
        raise PermissionDenied("Keep it first: only kept runs are studied.")
    return upload


def may_change(user: AnyUser, upload: Upload | OwnCollection) -> bool:
    """Return whether somebody who sees it may delete it, keep it or have it studied."""
    return upload.owner_id is None or upload.owner_id == user.pk


def get_study(key: str, pk: int, user: AnyUser) -> Study:
    """Return a study of the upload at this address, for whoever may see that."""
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
