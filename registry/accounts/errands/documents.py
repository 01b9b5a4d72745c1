"""Large requests as programs are told of them."""

from typing import Annotated

from typing_extensions import Doc, TypedDict

from registry.accounts.errands.queries import ErrandState, read_errand_progress
from registry.accounts.models import Errand
from registry.core.documents import Moment, Uuid, document_of


class ErrandAnswer(TypedDict):
    """A large request that a worker answers."""

    id: Uuid
    url: Annotated[str, Doc("Where its answer will be, as it would have come at once.")]
    state: ErrandState
    message: Annotated[str, Doc("What somebody who waits should know; blank while all is well.")]
    created: Moment


def errand_document(errand: Errand, address: str) -> ErrandAnswer:
    """A large request that is not answered yet; its answer will be at ``address``."""
    created = errand.created_at.isoformat(timespec="seconds")
    return document_of(ErrandAnswer, read_errand_progress(errand), id=str(errand.pk), url=address, created=created)
