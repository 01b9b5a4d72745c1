"""The OpenAPI description: parameters from the forms that read them, responses from the serializers."""

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any

from django import forms
from django_filters import FilterSet
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from registry.api import serializers

Reader = forms.Form | FilterSet

_IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="ETag of an answer that you have: 304 while it holds."
)
_ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="Changes when the answer does."
)
_LOCATION = OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[301])

_ERRORS = {
    400: "A parameter is unknown, repeated or has a value that cannot be taken.",
    404: "There is nothing under this name or id.",
    406: "Asked for something else than JSON.",
    "default": "Any other error.",
}


def reads(
    operation_id: str, answer: type[Serializer] | Any, *, query: type[Reader] | None = None, by_name: bool = False
) -> Callable[[Any], Any]:
    """Describe a view's ``get``: what it is called, what it answers, which parameters it takes.

    ``by_name`` is for addresses that hold names, which redirect when the name is not the canonical one.
    """

    def describe(get: Any) -> Any:
        has_names = len(signature(get).parameters) > 2
        responses: dict[Any, Any] = {200: OpenApiResponse(answer, description="What was asked for.")}
        if by_name:
            where = "Location has the address with the canonical names, or of what this was merged into."
            responses[301] = OpenApiResponse(description=where)
        responses[304] = OpenApiResponse(description="You have it already.")
        responses |= {
            status: OpenApiResponse(serializers.Error, description=description)
            for status, description in _ERRORS.items()
            if has_names or status != 404
        }
        parameters = [*parameters_of(query), _IF_NONE_MATCH, _ETAG, *([_LOCATION] if by_name else [])]
        return extend_schema(operation_id=operation_id, parameters=parameters, responses=responses, auth=[])(get)

    return describe


def parameters_of(reader: type[Reader] | None) -> list[OpenApiParameter]:
    """The parameters that a form or a filter set reads."""
    if reader is None:
        return []
    fields = reader.base_fields if issubclass(reader, forms.Form) else _fields_of(reader)
    return [
        OpenApiParameter(name, _schema_of(field), description=str(field.help_text)) for name, field in fields.items()
    ]


def _fields_of(filters: type[FilterSet]) -> dict[str, forms.Field]:
    return {name: one.field for name, one in filters.base_filters.items()} | filters._meta.form.base_fields


def _schema_of(field: forms.Field) -> dict[str, Any]:
    # Not "required", which says that a parameter must be there: every one of them may also be blank.
    if isinstance(field, forms.TypedChoiceField):
        return {"type": "integer", "enum": [value for value, _ in field.choices]}
    if isinstance(field, forms.ChoiceField):
        return {"type": "string", "enum": [value for value, _ in field.choices if value != ""]}
    if isinstance(field, forms.IntegerField):
        return {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
    if isinstance(field, forms.DateField):
        return {"type": "string", "format": "date"}
    return {"type": "string", "maxLength": field.max_length}


@cache
def description() -> dict[str, Any]:
    """The whole description; made once, because it depends on the code alone."""
    return SchemaGenerator().get_schema(request=None, public=True)
