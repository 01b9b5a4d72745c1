"""What can be followed: everything that is public. What is not there is 404."""

from django.core import signing
from django.http import Http404

from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard
from registry.core.http import must_exist
from registry.following.models import KINDS, Followable, Following
from registry.results.access import get_by_number
from registry.results.models import Model

_SALT = "registry.following.stop"


def get_followable(kind: str, pk: int) -> Followable:
    """The collection, leaderboard, system, paper or model with this id; of one that was merged, what took it in."""
    if kind not in KINDS:
        raise Http404(f"Nobody can follow a {kind}.")
    if kind == "leaderboard":
        return must_exist(Leaderboard.objects.with_names().filter(pk=pk).first(), f"No leaderboard has the id {pk}.")
    if kind == "collection":
        return must_exist(Collection.objects.filter(pk=pk).first(), f"No collection has the id {pk}.")
    if kind == "model":
        return must_exist(Model.objects.filter(pk=pk).first(), f"No model has the id {pk}.")
    thing = get_by_number(kind, pk)
    return thing.merged_into or thing


def get_own_following(user: User, kind: str, pk: int) -> Following | None:
    """How somebody follows this; None where they don't."""
    return Following.objects.filter(user=user, **{f"{kind}_id": pk}).first()


def stop_token(user_id: int) -> str:
    """What a link must carry to end somebody's digests without signing in: signed, and for this alone."""
    return signing.dumps(user_id, salt=_SALT)


def read_stop_token(token: str) -> int:
    """The id of the person whose digests are to end."""
    try:
        user_id: int = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise Http404("This link is not complete. Copy the whole of it from the mail.") from error
    return user_id
