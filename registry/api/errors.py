"""Errors of the API, in the shape that every answer for programs shares."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import Form
from django.http import Http404, HttpResponse
from rest_framework import exceptions

from registry.accounts.models import User
from registry.core.forms import WrongQuery, field_errors
from registry.core.http import Ambiguous, error_response, go_on
from registry.submissions.answers import refused_rows
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.services.idempotency import InProgress, MalformedKey, ReusedKey
from registry.submissions.services.reviewing import RowsRefused

_OF_IDENTITY = (exceptions.NotAuthenticated, exceptions.AuthenticationFailed, exceptions.PermissionDenied)


class Admitted(Exception):
    """Who asks may do what the request is for; only that was asked."""

    def __init__(self, user: User) -> None:
        self.user = user


class Refusal(exceptions.APIException):
    """A request that is refused with this status, and with what is wrong with each part of it."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: Sequence[Mapping[str, object]] = (),
        *,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status_code = status
        self.errors = errors
        self.headers = headers or {}


class InvalidParameters(Refusal):
    """The query of the address asks for something that is not known."""

    def __init__(
        self, form: Form, message: str = "What this address asks for is not known here, or can’t be read."
    ) -> None:
        super().__init__(400, message, field_errors(form))


def refusal(status: int, field: str, code: str, message: str, *, headers: dict[str, str] | None = None) -> Refusal:
    """A request that is refused for one part of it."""
    return Refusal(status, message, [{"field": field, "code": code, "message": message}], headers=headers)


def _of_service(exception: Exception) -> Refusal | None:
    """What a service says that did nothing, as an answer; None for other exceptions."""
    message = str(exception)
    if isinstance(exception, Conflict):
        parts = [{"field": "If-Match", "code": "conflict", "message": one} for one in exception.changes or [message]]
        return Refusal(412, message, parts, headers={"ETag": f'"{exception.submission.version}"'})
    if isinstance(exception, WrongState):
        return refusal(409, "", "wrong_state", message, headers={"ETag": f'"{exception.submission.version}"'})
    if isinstance(exception, RowsRefused):
        return Refusal(422, message.capitalize(), refused_rows(exception.submission.rows.refused()))
    if isinstance(exception, (MalformedKey, ReusedKey, InProgress)):
        status = {MalformedKey: 400, ReusedKey: 422, InProgress: 409}[type(exception)]
        code = {400: "malformed", 422: "reused", 409: "in_progress"}[status]
        wait = {"Retry-After": "1"} if status == 409 else None
        return refusal(status, "Idempotency-Key", code, message, headers=wait)
    if isinstance(exception, ValidationError):
        return _of_validation(exception)
    return None


def _of_validation(error: ValidationError) -> Refusal:
    parts = [{"field": "", "code": one.code or "invalid", "message": one.messages[0]} for one in error.error_list]
    is_early = any(part["code"] == "unchecked" for part in parts)
    # What is checked at present can be changed a moment later: it is not the request that is wrong.
    message = f"This cannot be done: {parts[0]['message']}."
    return Refusal(409 if is_early else 400, message, parts, headers={"Retry-After": "2"} if is_early else None)


def handle_exception(exception: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer to an exception of a view; None for a fault of ours, which is logged and answered with 500."""
    if isinstance(exception, Admitted):
        return go_on(exception.user)
    if isinstance(exception, WrongQuery):
        exception = InvalidParameters(exception.form)
    if isinstance(exception, Ambiguous):
        return error_response(404, str(exception), exception.errors)
    if isinstance(exception, Http404):
        return error_response(404, str(exception))
    if isinstance(exception, PermissionDenied):
        return error_response(403, str(exception))
    exception = _of_service(exception) or exception
    if not isinstance(exception, exceptions.APIException):
        return None
    response = _describe(exception)
    for name, value in getattr(exception, "headers", {}).items():
        response[name] = value
    if (wait := getattr(exception, "wait", None)) is not None:
        response["Retry-After"] = str(int(wait))
    if header := getattr(exception, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _describe(exception: exceptions.APIException) -> HttpResponse:
    if isinstance(exception, Refusal):
        return error_response(exception.status_code, str(exception.detail), exception.errors)
    if isinstance(exception, exceptions.NotAcceptable):
        return error_response(406)
    if isinstance(exception, _OF_IDENTITY):
        return _about_identity(exception)
    return error_response(exception.status_code, str(exception.detail))


def _about_identity(exception: exceptions.APIException) -> HttpResponse:
    """Who asks is nobody, or may not do this: with the code, for programs."""
    message = str(exception.detail)
    if isinstance(exception, exceptions.NotAuthenticated):
        message = "Send a token: Authorization: Bearer plumb_…; they are made under your account."
    code = str(exception.get_codes())
    return error_response(
        exception.status_code, message, [{"field": "Authorization", "code": code, "message": message}]
    )
