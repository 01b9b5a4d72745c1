"""The base of addresses for people and their programs."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from registry.accounts.access import require_contributor
from registry.accounts.authentication import TokenHasScope, require_scope
from registry.accounts.models import ApiToken, User
from registry.api.bodies import MAX_BODY_BYTES, LeftUnread, digest_of, require_size
from registry.api.errors import Admitted, InvalidParameters
from registry.api.forms import PagedForm, page_address, paged
from registry.api.schema import query_form_of
from registry.core.forms import QueryForm
from registry.core.http import AT_HEADERS, json_response
from registry.submissions.access import charge
from registry.submissions.models import Submission
from registry.submissions.services.changing import Answer, answer_once, kept_answer

AnyForm = TypeVar("AnyForm", bound=QueryForm)


@method_decorator(cache_control(private=True, no_store=True), name="dispatch")
@method_decorator(vary_on_headers("Authorization", "Cookie"), name="dispatch")
class PrivateView(APIView):
    """An address that answers to people and their tokens, each with what they may see."""

    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticated, TokenHasScope)
    parser_classes = (LeftUnread,)
    http_method_names = ["get", "head", "post", "patch", "delete"]
    #: ``initial`` decides who may do this, before any body is read.
    answers_at_headers = True
    most_bytes = MAX_BODY_BYTES

    def require_size(self, request: Request) -> None:
        require_size(request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.require_size(request)
        super().initial(request, *args, **kwargs)
        method = "get" if request.method == "HEAD" else (request.method or "").lower()
        self.query = query_form_of(getattr(type(self), method, None))(request.GET)
        if not self.query.is_valid():
            raise InvalidParameters(self.query)
        if AT_HEADERS in request.META:
            self.require_room(request)
            raise Admitted(self.person)

    def require_room(self, request: Request) -> None:
        """Refuse a body that there would be no room for, before it is read."""

    def asked(self, form: type[AnyForm]) -> AnyForm:
        """Return the query as read by this form, with which the method is described."""
        assert isinstance(self.query, form)
        return self.query

    def page_of(self, form: PagedForm, rows: QuerySet[Any], describe: Callable[[Any], object]) -> dict[str, object]:
        """Return the page of a list that the query asks for."""
        return paged(form.window, rows, describe, partial(page_address, self.request))

    @property
    def person(self) -> User:
        return require_contributor(self.request.user)

    @property
    def token(self) -> ApiToken | None:
        """Return the token of a program; people in a browser have none."""
        return cast("ApiToken | None", self.request.auth)

    def with_scope(self, submission: Submission) -> Submission:
        """Return the submission; somebody else's takes a token of the scope ``review``."""
        if submission.contributor_id != self.person.pk:
            require_scope(self.request, ApiToken.Scope.REVIEW)
        return submission

    def answered(self, content: bytes, prepare: Callable[[], Callable[[], Answer]], *, n_rows: int = 0) -> HttpResponse:
        """Carry out the request and answer it, or repeat the answer under its key; rows are charged first.

        ``prepare`` does the part without a transaction and returns the rest, which is committed with the answer.
        """
        key, user = self.request.headers.get("Idempotency-Key"), self.person
        digest = "" if key is None else digest_of(self.request, content)
        earlier = None if key is None else kept_answer(user=user, key=key, digest=digest)
        if earlier:
            return respond(earlier)
        if n_rows:
            charge(self.request._request, n_rows)
        if key is None:
            return respond(prepare()())
        return respond(answer_once(user=user, key=key, digest=digest, act=prepare()))


def respond(answer: Answer) -> HttpResponse:
    """Return the answer over HTTP: the version as ETag where there is one, and Location where something was made."""
    if answer.body is None:
        response = HttpResponse(status=answer.status)
    else:
        # Sorted, because databases keep an answer's keys in an order of their own: once more is the same to the byte.
        response = json_response(answer.body, status=answer.status, is_sorted=True)
        if "version" in answer.body:
            response["ETag"] = f'"{answer.body["version"]}"'
        if answer.status == 201:
            response["Location"] = "/api/v1" + answer.body["url"]
    if answer.is_replayed:
        response["Idempotent-Replayed"] = "true"
    return response
