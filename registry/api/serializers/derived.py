"""Serializers made of the documents that answers are: a name, its type and its meaning stand there alone.

They describe answers in the OpenAPI schema and are never asked to make one.
"""

import types
import typing
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache
from inspect import cleandoc, getdoc
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from django.db.models import TextChoices
from rest_framework import serializers as s
from typing_extensions import TypedDict, is_typeddict

from analysis.readers.rejections import ErrorPart

Shape = type[s.Serializer[Any]]
AnyField = s.Field[Any, Any, Any, Any]

_PLAIN: dict[Any, type[AnyField]] = {
    bool: s.BooleanField,
    float: s.FloatField,
    str: s.CharField,
    date: s.DateField,
    datetime: s.DateTimeField,
    UUID: s.UUIDField,
}


def describe(name: str, *kinds: type, meaning: str = "", **described: AnyField) -> Shape:
    """The serializer that describes documents under a name, several as the one object that they make together.

    ``kinds`` are dataclasses, typed dictionaries and what is sent; ``described`` are fields that are described already,
    or that are none of theirs; ``meaning`` says what it is, where the first document does not.
    """
    declared: dict[str, AnyField] = {}
    for kind in kinds:
        sent = msgspec.structs.fields(kind) if issubclass(kind, msgspec.Struct) else ()
        optional = {one.name for one in sent if not one.required}
        for one, hint in get_type_hints(kind, include_extras=True).items():
            declared[one] = described.get(one) or _field(hint, is_required=one not in optional)
    summary = meaning or cleandoc(getdoc(kinds[0]) or "").split("\n\n")[0]
    return type(name, (s.Serializer,), {**declared, **described, "__doc__": summary, "__module__": __name__})


@cache
def serializer_of(kind: type) -> Shape:
    """The serializer that describes a document under its own name; names of the statistics say that they are."""
    is_statistic = kind.__module__.startswith("analysis.") and not kind.__module__.startswith("analysis.readers.")
    return describe(f"Found{kind.__name__}" if is_statistic else kind.__name__, kind)


def _is_document(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or is_typeddict(hint))


def _field(hint: Any, *, is_required: bool = True) -> AnyField:
    options: dict[str, Any] = {} if is_required else {"required": False}
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
        options["required"] = False
    if meaning := _doc_of(hint):
        options["help_text"] = meaning
    hint = _shape_of(hint)
    if get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = [_shape_of(one) for one in get_args(hint) if one is not type(None)]
        options["allow_null"] = True
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint](**options)
    if hint is int:
        return s.IntegerField(min_value=0, **options)
    if _is_document(hint):
        return serializer_of(hint)(**options)
    if origin is typing.Literal:
        return s.ChoiceField(list(arguments), **options)
    if isinstance(hint, type) and issubclass(hint, TextChoices):
        return s.ChoiceField(hint.choices, allow_blank="" in hint.values, **options)
    if origin in (tuple, list):
        child = arguments[0]
        if _is_document(child):
            return serializer_of(child)(many=True, **options)
        return s.ListField(child=_field(child), **options)
    if origin is dict:
        return s.DictField(**options) if arguments[1] is Any else s.DictField(child=_field(arguments[1]), **options)
    raise TypeError(f"an answer can't hold {hint!r}")


def _shape_of(hint: Any) -> Any:
    """The type that is described: the one that an annotation names besides, if it does, such as choices of a text."""
    if get_origin(hint) is not Annotated:
        return hint
    named = [one for one in hint.__metadata__ if not isinstance(one, str)]
    return named[0] if named else hint.__origin__


def _doc_of(hint: Any) -> str:
    """What an annotation says that a field means; blank where it says nothing."""
    return next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, str)), "")


class ErrorDocument(TypedDict):
    """Every error has this shape."""

    ok: Annotated[bool, "false"]
    status: Annotated[int, "The HTTP status."]
    error: Annotated[str, "What went wrong, in a sentence."]
    errors: list[ErrorPart]


Error = describe("Error", ErrorDocument)


def paged(name: str, row: Shape, *kinds: type, meaning: str = "") -> Shape:
    """A page of a list: its rows, and where the others are; ``kinds`` are what it says besides."""
    return describe(
        name,
        *kinds,
        meaning=meaning,
        count=s.IntegerField(min_value=0, help_text="On all pages."),
        next=s.URLField(allow_null=True, help_text="Address of the next page."),
        previous=s.URLField(allow_null=True, help_text="Address of the page before."),
        results=row(many=True),
    )
