"""Serializers made of the frozen values that answers are: a name, its type and its meaning stand there alone.

They describe answers in the OpenAPI schema and are never asked to make one.
"""

import re
import types
import typing
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import cleandoc, getdoc
from typing import Any, get_args, get_origin, get_type_hints

from rest_framework import serializers as s

_PLAIN: dict[Any, type[s.Field]] = {
    bool: s.BooleanField,
    int: s.IntegerField,
    float: s.FloatField,
    str: s.CharField,
}


def describe(kind: type, name: str, **described: s.Field) -> type[s.Serializer]:
    """The serializer that describes a dataclass under a name; ``described`` are fields that are described already."""
    hints, meanings = get_type_hints(kind), _meanings(kind)
    declared = {
        one.name: described.get(one.name) or _field(hints[one.name], meanings.get(one.name, "")) for one in fields(kind)
    }
    summary = cleandoc(getdoc(kind) or "").split("\n\n")[0]
    return type(name, (s.Serializer,), {**declared, "__doc__": summary, "__module__": __name__})


#: The names of attributes in a numpydoc section, and what is said of them.
_ATTRIBUTE = re.compile(r"^    ([\w, ]+?)(?: : [^\n]+)?\n((?:        [^\n]*\n?|\n)*)", re.MULTILINE)


@cache
def serializer_of(kind: type) -> type[s.Serializer]:
    """The serializer that describes a dataclass under its own name; names of the statistics say that they are."""
    is_statistic = kind.__module__.startswith("analysis.")
    return describe(kind, f"Found{kind.__name__}" if is_statistic else kind.__name__)


def _field(hint: Any, meaning: str) -> s.Field:
    options: dict[str, Any] = {"help_text": meaning} if meaning else {}
    if get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = [one for one in get_args(hint) if one is not type(None)]
        options["allow_null"] = True
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint](**options)
    if is_dataclass(hint) and isinstance(hint, type):
        return serializer_of(hint)(**options)
    if origin is typing.Literal:
        return s.ChoiceField(list(arguments), **options)
    if origin in (tuple, list):
        child = arguments[0]
        if is_dataclass(child) and isinstance(child, type):
            return serializer_of(child)(many=True, **options)
        return s.ListField(child=_field(child, ""), **options)
    if origin is dict:
        return s.DictField(child=None if arguments[1] is Any else _field(arguments[1], ""), **options)
    raise TypeError(f"an answer can't hold {hint!r}")


def _meanings(kind: type) -> dict[str, str]:
    """What the docstrings say of the attributes, those of a base class included."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not is_dataclass(base):
            continue
        text = (base.__doc__ or "").partition("----------\n")[2]
        for names, _, meaning in re.findall(
            r"^    ([\w, ]+?)(?: : ([^\n]+))?\n((?:        [^\n]*\n?|\n)*)", text, re.M
        ):
            for name in names.split(", "):
                found[name.strip()] = " ".join(meaning.split())
    return found
