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
from registry.results.services.endings import MassChange
from registry.submissions.documents import refused_rows
from registry.submissions.services.changing import Conflict, KeyRefused, RowsRefused, WrongState


class Admitted(Exception):
    """The person may do what the request is for, which is all that was asked."""

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
    """Refuse a request for one part of it."""
    return Refusal(status, message, [{"field": field, "code": code, "message": message}], headers=headers)


def _refusal_of(exception: Exception) -> Refusal | None:
    """Return the refusal that answers an exception; None for a fault of ours."""
    message = str(exception)
    match exception:
        case Refusal():
            return exception
        case WrongQuery():
            return InvalidParameters(exception.form)
        case Ambiguous():
            return Refusal(404, message, exception.errors)
        case Http404() | PermissionDenied():
            return Refusal(404 if isinstance(exception, Http404) else 403, message)
        case Conflict():
            parts = [
                {"field": "If-Match", "code": "conflict", "message": change}
                for change in exception.changes or [message]
            ]
            return Refusal(412, message, parts, headers={"ETag": f'"{exception.submission.version}"'})
        case WrongState():
            return refusal(409, "", "wrong_state", message, headers={"ETag": f'"{exception.submission.version}"'})
        case RowsRefused():
            return Refusal(422, message.capitalize(), refused_rows(exception.submission.rows.refused()))
        case MassChange():
            return refusal(409, "confirmed_rows", "mass_change", message)
        case KeyRefused():
            status = {"malformed": 400, "reused": 422, "in_progress": 409}[exception.code]
            headers = {"Retry-After": "1"} if status == 409 else {}
            return refusal(status, "Idempotency-Key", exception.code, message, headers=headers)
        case ValidationError():
            parts = [
                {"field": "", "code": error.code or "invalid", "message": error.messages[0]}
                for error in exception.error_list
            ]
            is_large = any(part["code"] == "too_many_rows" for part in parts)
            return Refusal(413 if is_large else 400, f"This cannot be done: {parts[0]['message']}.", parts)
        case exceptions.NotAcceptable():
            return Refusal(406, "")
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed() | exceptions.PermissionDenied():
            if isinstance(exception, exceptions.NotAuthenticated):
                message = "Send a token: Authorization: Bearer plumb_…; they are made under your account."
            return refusal(exception.status_code, "Authorization", str(exception.get_codes()), message)
        case exceptions.APIException():
            return Refusal(exception.status_code, message)
    return None


def handle_exception(exception: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer an exception of a view; None for a fault of ours, which is logged and answered with 500."""
    if isinstance(exception, Admitted):
        return go_on(exception.user)
    refused = _refusal_of(exception)
    if refused is None:
        return None
    response = error_response(refused.status_code, str(refused.detail), refused.errors)
    for name, value in refused.headers.items():
        response[name] = value
    if (wait := getattr(exception, "wait", None)) is not None:
        response["Retry-After"] = str(int(wait))
    if header := getattr(exception, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response
