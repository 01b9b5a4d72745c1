"""The OpenAPI description: parameters from the forms that read them, bodies and answers from the documents."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from inspect import signature
from typing import Any

from django import forms
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.fields import empty

from registry.api.bodies import PASTED, SentDecision
from registry.api.forms import FileForm
from registry.api.shapes import CELLS, ERROR, RESULTS_BODY, RESULTS_FILE, ROWS_BODY, Schema, describe, schema_of
from registry.core.forms import QueryForm, choices_of
from registry.runs.documents import OwnCollectionDocument, UploadDocument
from registry.submissions.documents import DryRun, SubmissionWithRows

RUN = describe("Run", UploadDocument)
OWN_COLLECTION = describe("OwnCollection", OwnCollectionDocument)
DRY_RUN = describe("DryRun", DryRun)
SUBMISSION = describe("SubmissionWithRows", SubmissionWithRows)


def _header(name: str, meaning: str = "", pattern: str = "", **options: Any) -> OpenApiParameter:
    """Describe a header that is sent, or that an answer has where ``response`` lists the statuses with it."""
    kind = {"type": "string", "pattern": pattern} if pattern else str
    return OpenApiParameter(name, kind, OpenApiParameter.HEADER, description=meaning, **options)


_IF_NONE_MATCH = _header("If-None-Match", "ETag of an answer that you have: 304 while it holds.")
_ETAG = _header("ETag", "Changes when the answer does.", response=[200, 304])
_LOCATION = _header("Location", response=[301])
_VERSION = _header("ETag", "The version, to send as If-Match.", response=[200, 201])
_MADE = _header("Location", "Of what was made, or of the answer.", response=[201, 202])
_IF_MATCH = _header(
    "If-Match",
    "The version that you change, as ETag and `version` have it: nothing is overwritten unseen.",
    '^"[0-9]{1,9}"$',
    required=True,
)
_KEY = _header(
    "Idempotency-Key",
    "A name of your choice for this request: sent again, it has no second effect and the same answer.",
    "^[!-~]{1,255}$",
)
_REPLAYED = _header("Idempotent-Replayed", "`true` where this was answered before.", response=[200, 201])

_ERRORS: dict[int | str, str] = {
    400: "Address, headers or body cannot be taken; `errors` says what.",
    401: "No token where one is needed, or one that opens nothing.",
    403: "The token lacks the scope that is named, or you may not do this.",
    404: "There is nothing at this address, or nothing that you may see.",
    406: "Asked for something other than JSON.",
    408: "The body did not arrive in time.",
    409: "Not in its present state; or the request with this key is still being answered.",
    411: "The body does not say how long it is.",
    412: "It has changed since that version.",
    413: "The body is too large.",
    415: "The body is of a type that is not read here.",
    422: "Rows are refused; or the key was used for another request.",
    428: "If-Match is missing.",
    429: "Too often; Retry-After says when again.",
    "default": "Any other error.",
}
_OF_READING: frozenset[int | str] = frozenset({400, 401, 404, 406, "default"})
_OF_BODIES: frozenset[int | str] = frozenset({408, 411, 413, 415, 429})
_OF_PEOPLE = _OF_READING | {403, 408, 411, 413}
_OF_WRITING = _OF_PEOPLE | _OF_BODIES | {409, 422}

_HERE = OpenApiResponse(description="You have it already.")
_NAMED = OpenApiResponse(
    description="Location has the address with the canonical names, or of what this was merged into."
)
_GONE = {204: OpenApiResponse(description="It is gone.")}


def _described(
    operation_id: str,
    responses: dict[Any, Any],
    errors: Collection[int | str],
    *,
    query: type[forms.Form] | None = None,
    headers: Sequence[OpenApiParameter] = (),
    request: Any = empty,
    is_open: bool = False,
    has_names: bool | None = None,
) -> Callable[[Any], Any]:
    """Describe a method: with 404 if its address has names; without a token if it ``is_open``."""

    def describe(method: Any) -> Any:
        named = len(signature(method).parameters) > 2 if has_names is None else has_names
        wrong = {
            status: OpenApiResponse(ERROR, description=_ERRORS[status])
            for status in _ERRORS
            if status in errors and (named or status != 404)
        }
        described = extend_schema(
            operation_id=operation_id,
            parameters=[*parameters_of(query), *headers],
            request=request,
            responses=responses | wrong,
            auth=[] if is_open else None,
        )(method)
        described.query_form = query
        return described

    return describe


def query_form_of(method: Any) -> type[QueryForm]:
    """Return the form that reads a method's query: that of its description, else one without fields."""
    return getattr(method, "query_form", None) or QueryForm


def _answers_with(answer: Schema) -> dict[Any, Any]:
    return {200: OpenApiResponse(answer, description="What was asked for.")}


def reads(
    operation_id: str, answer: Schema, *, query: type, names: Sequence[str] = (), by_name: bool = False
) -> Callable[[Any], Any]:
    """Describe a view's ``get``; ``names`` are those in its address, ``by_name`` redirects to the canonical one."""
    responses = _answers_with(answer) | ({301: _NAMED} if by_name else {}) | {304: _HERE}
    headers = [_IF_NONE_MATCH, _ETAG, *([_LOCATION] if by_name else [])]
    return _described(
        operation_id, responses, _OF_READING, query=query, headers=headers, is_open=True, has_names=bool(names)
    )


_AS_TEXT = dict.fromkeys(("text/csv", "application/yaml", *PASTED), OpenApiTypes.STR)
_BODIES: dict[str, Any] = {
    "results": {"application/json": RESULTS_BODY} | _AS_TEXT,
    "rows": {"application/json": ROWS_BODY} | _AS_TEXT,
    "cells": {"application/json": CELLS},
    "decision": {"application/json": schema_of(describe("Decision", SentDecision))},
}


class TokenScheme(OpenApiAuthenticationExtension):
    """The way in which a token is sent, for the description."""

    target_class = "registry.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer plumb_…`"}


def reads_own(
    operation_id: str, answer: type, *, query: type | None = None, is_open: bool = False
) -> Callable[[Any], Any]:
    """Describe a ``get`` that answers to people and their tokens alone, or with ``is_open`` to whoever has it."""
    return _described(operation_id, _answers_with(schema_of(answer)), _OF_PEOPLE, query=query, is_open=is_open)


def forgets(operation_id: str) -> Callable[[Any], Any]:
    """Describe a ``delete`` that takes no version: its subject never changes."""
    return _described(operation_id, _GONE, _OF_PEOPLE)


def asks(operation_id: str, body: type, answer: type) -> Callable[[Any], Any]:
    """Describe a ``post`` that anybody may send, and that is answered and forgotten."""
    sent = {"application/json": schema_of(body)}
    answers = _answers_with(schema_of(answer))
    return _described(operation_id, answers, _OF_READING | _OF_BODIES, request=sent, is_open=True)


def takes_run(operation_id: str, *, query: type) -> Callable[[Any], Any]:
    """Describe a ``post`` of a run, which is the body as it is."""
    created = OpenApiResponse(schema_of(RUN), description="It waits for a worker, or was scored before.")
    sent, headers = {"application/octet-stream": OpenApiTypes.BINARY}, [_MADE, _KEY, _REPLAYED]
    return _described(operation_id, {201: created}, _OF_WRITING, query=query, headers=headers, request=sent)


def changes_own(operation_id: str, body: type | None, *, status: int = 200) -> Callable[[Any], Any]:
    """Describe a method that changes a collection of one's own, by JSON; or without a ``body`` by a file as it is."""
    changed = OpenApiResponse(schema_of(OWN_COLLECTION), description="The collection as it stands now.")
    sent = {"application/json": schema_of(body)} if body else {"application/octet-stream": OpenApiTypes.BINARY}
    headers = [_MADE] if status == 201 else []
    return _described(operation_id, {status: changed}, _OF_PEOPLE | _OF_BODIES, headers=headers, request=sent)


def gives_files(operation_id: str, *, is_private: bool = False) -> Callable[[Any], Any]:
    """Describe a ``get`` that answers results in one of the formats of exchange."""
    ours = OpenApiResponse(RESULTS_FILE, description="The results; formats of one run in an archive.")
    responses: dict[Any, Any] = {
        (200, "application/json"): ours,
        (200, "text/csv"): OpenApiTypes.STR,
        (200, "application/yaml"): OpenApiTypes.ANY,
        (200, "application/zip"): OpenApiTypes.BINARY,
    }
    errors = (_OF_PEOPLE | {409} if is_private else _OF_READING) - {406}
    if is_private:
        return _described(operation_id, responses, errors, query=FileForm)
    headers = [_IF_NONE_MATCH, _ETAG, _LOCATION]
    responses |= {301: _NAMED, 304: _HERE}
    return _described(operation_id, responses, errors, query=FileForm, headers=headers, is_open=True)


def writes(
    operation_id: str, *, query: type | None = None, body: str = "", creates: bool = False, deletes: bool = False
) -> Callable[[Any], Any]:
    """Describe a method that writes: ``body`` is "results", "rows", "cells", "decision", or blank for none."""
    answered = [] if deletes else [_VERSION, _REPLAYED, *([_MADE] if creates else [])]
    return _described(
        operation_id,
        _GONE if deletes else _CREATED if creates else {200: _AFTER},
        _OF_WRITING if creates else _OF_WRITING | {412, 428},
        query=query,
        headers=[_KEY, *([] if creates else [_IF_MATCH]), *answered],
        request=_BODIES[body] if body else None,
    )


_AFTER = OpenApiResponse(schema_of(SUBMISSION), description="The submission as it stands now.")
_CREATED = {
    200: OpenApiResponse(
        schema_of(DRY_RUN, SUBMISSION), description="What a dry run found; or the submission that these rows are."
    ),
    201: OpenApiResponse(schema_of(SUBMISSION), description="The new submission."),
}


def parameters_of(query: type[forms.Form] | None) -> list[OpenApiParameter]:
    """Describe the fields of a form, which reads the query."""
    fields: dict[str, forms.Field] = query.base_fields if query else {}
    return [
        OpenApiParameter(name, _schema_of(field), description=str(field.help_text)) for name, field in fields.items()
    ]


def _schema_of(field: forms.Field) -> dict[str, Any]:
    # Not "required", which says that a parameter must be there: every one of them may also be blank.
    if isinstance(field, forms.TypedChoiceField):
        return {"type": "integer", "enum": [value for value, _ in choices_of(field)]}
    if isinstance(field, forms.ChoiceField):
        return {"type": "string", "enum": [value for value, _ in choices_of(field) if value != ""]}
    if isinstance(field, forms.IntegerField):
        limits = {"minimum": field.min_value, "maximum": field.max_value}
        kind = "number" if isinstance(field, forms.FloatField) else "integer"
        return {"type": kind} | {name: limit for name, limit in limits.items() if limit is not None}
    if isinstance(field.widget, forms.MultipleHiddenInput):
        return {"type": "array", "items": {"type": "string"}}
    if isinstance(field, forms.DateField):
        return {"type": "string", "format": "date"}
    return {"type": "string", "maxLength": getattr(field, "max_length", None)}


@cache
def description() -> dict[str, Any]:
    """Return the whole description; made once, because it depends on the code alone."""
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return described
