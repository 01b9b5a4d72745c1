"""Large requests are there for whoever sent them alone."""

import uuid

from django.http import Http404, HttpRequest

from registry.accounts.models import Errand

_ERRANDS = "errands"
#: Large requests of one visitor that can be waited for at a time.
_MAX_ERRANDS = 5


def remember_errand(request: HttpRequest, errand: Errand) -> None:
    """Have a visitor find again what they sent: their session knows it."""
    request.session[_ERRANDS] = [*request.session.get(_ERRANDS, []), str(errand.pk)][-_MAX_ERRANDS:]


def get_own_errand(pk: uuid.UUID, request: HttpRequest) -> Errand:
    """The large request, to whoever sent it; its body and its answer are read when they are asked for."""
    errand = Errand.objects.defer("body", "answer").filter(pk=pk).first()
    if errand and errand.user_id is None and str(pk) in request.session.get(_ERRANDS, []):
        return errand
    if errand and errand.user_id is not None and errand.user_id == request.user.pk:
        return errand
    raise Http404("There is nothing here any more. What large requests were answered is kept for a day.")
