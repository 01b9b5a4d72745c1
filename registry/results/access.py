"""Access to systems, papers and results. All of it is public: what is not there is a 404.

Results are corrected by editors and by the curators of their collection, systems and papers by editors; for others it
is a 403 with the reason.
"""

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404

from registry.accounts.access import AnyUser, is_editor, require_second_factor
from registry.accounts.models import User
from registry.catalog.access import can_edit_collection
from registry.core.http import must_exist
from registry.journal.models import Entry
from registry.results.models import CorrectionRequest, Paper, Result, Source, System
from registry.results.queries import as_known, before_confirmations, is_handed_in_by
from registry.results.querysets import CorrectionRequestQuerySet


def get_visible_system(slug: str) -> System:
    """Return the system at this address."""
    system = System.objects.filter(slug=slug).select_related("model", "merged_into").first()
    return must_exist(system, f"No system has the address “{slug}”.")


def get_visible_paper(slug: str) -> Paper:
    """Return the paper at this address."""
    paper = Paper.objects.filter(slug=slug).select_related("merged_into").first()
    return must_exist(paper, f"No paper has the address “{slug}”.")


def get_by_number(kind: str, pk: int) -> System | Paper:
    """Return the system or paper with this id, which stood in its address once."""
    message = f"No {kind} has the id {pk}."
    if kind == "system":
        return must_exist(System.objects.filter(pk=pk).first(), message)
    return must_exist(Paper.objects.filter(pk=pk).first(), message)


def get_visible_source(name: str) -> Source:
    """Return the source of this name."""
    return must_exist(Source.objects.filter(name=name).first(), f"No source is called {name!r} here.")


def get_visible_result(pk: int) -> Result:
    """Return the result with this id, ended or not, with its names at hand."""
    result = Result.objects.for_listing().select_related("recorded_by").filter(pk=pk).first()
    return must_exist(result, f"No result has the id {pk}.")


def get_version_at(result: Result, versions: Sequence[Result], moment: datetime) -> Result:
    """Return the version of a result that was on the record at that moment, or the last before it."""
    by_id = {version.pk: version for version in versions}
    version = by_id[result.pk]
    if version.recorded_at > moment:
        earlier = [version for version in versions if version.recorded_at <= moment]
        if not earlier:
            first = versions[0].recorded_at
            raise Http404(f"Result {result.pk} was not on the record then; it was recorded on {first:%Y-%m-%d}.")
        # Follow what it superseded: results that were joined with it since were others then.
        before = {version.superseded_by_id: version for version in versions}
        while version.recorded_at > moment and version.pk in before:
            version = before[version.pk]
        version = version if version.recorded_at <= moment else earlier[-1]
    while version.superseded_by_id and version.ended_at and version.ended_at <= moment:
        version = by_id[version.superseded_by_id]
    return version


def get_result_at(result: Result, moment: datetime | None) -> tuple[Result, list[Result]]:
    """Return the result and all its versions; with a moment, the version and those until then, as known then."""
    versions = list(Result.objects.versions_of(result))
    if moment is None:
        return result, versions
    then = get_version_at(result, versions, moment)
    (then,) = as_known([result if then.pk == result.pk else get_visible_result(then.pk)], moment)
    return then, as_known([version for version in versions if version.recorded_at <= moment], moment)


def get_visible_entry(pk: int) -> Entry:
    """Return the entry of the public log with this id."""
    return must_exist(Entry.objects.public().filter(pk=pk).first(), f"The public log has no entry {pk}.")


def may_correct(user: AnyUser, result: Result) -> bool:
    """Return whether the user may correct the result and decide on requests to correct it."""
    return can_edit_collection(user, result.leaderboard.collection)


def may_withdraw(user: AnyUser, result: Result) -> bool:
    """Return whether the user may withdraw the result: who may correct it, or submitted it and nobody corrected it."""
    if result.ended_at:
        return False
    # Confirmations by others change nothing.
    return may_correct(user, result) or (isinstance(user, User) and is_handed_in_by(user, before_confirmations(result)))


def get_withdrawable_result(pk: int, user: User) -> Result:
    """Return the result if this person may withdraw it."""
    result = get_visible_result(pk)
    if may_correct(user, result) or not may_withdraw(user, result):
        require_corrector(
            user, result, "Only who handed a result in and who looks after it may withdraw it. You can dispute it."
        )
    return result


def require_corrector(user: User, result: Result, refusal: str) -> None:
    """Refuse (403) those who may not correct the result, in these words."""
    if not may_correct(user, result):
        raise PermissionDenied(refusal)
    require_second_factor(user)


def corrections_to_decide(user: User) -> CorrectionRequestQuerySet:
    """Return the open requests on which the user may decide."""
    requests = CorrectionRequest.objects.for_listing().open()
    if is_editor(user):
        return requests
    return requests.filter(result__leaderboard__collection__curators__user=user)


def visible_corrections(user: User) -> CorrectionRequestQuerySet:
    """Return the open requests on which the user may decide, and everything that the user asked for."""
    open_ids = corrections_to_decide(user).order_by().values("pk")
    return CorrectionRequest.objects.for_listing().filter(Q(pk__in=open_ids) | Q(requester=user))


def get_visible_correction(pk: int, user: User) -> CorrectionRequest:
    """Return the request, for its requester and for those who look after the result."""
    request = CorrectionRequest.objects.for_listing().filter(pk=pk).first()
    if request is None or not (request.requester_id == user.pk or may_correct(user, request.result)):
        raise Http404("There is no such request.")
    return request
