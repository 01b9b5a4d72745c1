"""Errors of the API, in the shape that every answer for programs shares."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.views import set_rollback

from registry.core.forms import field_errors
from registry.core.http import error_response

#: What DRF calls errors that belong to no field.
_NO_FIELD = {"detail", "non_field_errors"}


class InvalidParameters(exceptions.APIException):
    """The query of the address asks for something that is not known."""

    status_code = 400
    default_detail = "The address asks for something that is not known here."

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.errors = field_errors(form)


def handle_exception(exception: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer to an exception of a view; None for a fault of ours, which is logged and answered with 500."""
    if isinstance(exception, Http404):
        return error_response(404, str(exception))
    if isinstance(exception, PermissionDenied):
        return error_response(403, str(exception))
    if not isinstance(exception, exceptions.APIException):
        return None
    set_rollback()
    response = _describe(exception)
    if isinstance(exception, exceptions.Throttled) and exception.wait is not None:
        response["Retry-After"] = str(int(exception.wait))
    if getattr(exception, "auth_header", None):
        response["WWW-Authenticate"] = exception.auth_header
    return response


def _describe(exception: exceptions.APIException) -> HttpResponse:
    if isinstance(exception, InvalidParameters):
        return error_response(400, str(exception.detail), exception.errors)
    if isinstance(exception, exceptions.ValidationError):
        return error_response(400, "What was sent cannot be taken.", _flatten(exception.detail))
    if isinstance(exception, exceptions.NotAcceptable):
        return error_response(406)
    return error_response(exception.status_code, str(exception.detail))


def _flatten(detail: Any, field: str = "") -> list[dict[str, str]]:
    """DRF's nested details as a list; ``field`` is the way to the value, as in rows.3.value."""
    if isinstance(detail, dict):
        return [
            error
            for name, inner in detail.items()
            for error in _flatten(inner, field if name in _NO_FIELD else f"{field}.{name}".lstrip("."))
        ]
    if isinstance(detail, list):
        is_of_rows = any(isinstance(item, dict) for item in detail)
        return [
            error
            for position, inner in enumerate(detail)
            for error in _flatten(inner, f"{field}.{position}".lstrip(".") if is_of_rows else field)
        ]
    return [{"field": field, "code": detail.code, "message": str(detail)}]
