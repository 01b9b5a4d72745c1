"""Fields with their description, errors, pages."""

from typing import Any

from rest_framework import serializers as s

from registry.results.models import Result


def number(help_text: str = "") -> s.FloatField:
    return s.FloatField(help_text=help_text)


def number_or_null(help_text: str = "") -> s.FloatField:
    return s.FloatField(allow_null=True, help_text=help_text)


def count(help_text: str = "", **options: Any) -> s.IntegerField:
    return s.IntegerField(min_value=0, help_text=help_text, **options)


def text(help_text: str = "", **options: Any) -> s.CharField:
    return s.CharField(help_text=help_text, allow_blank=not options.get("allow_null"), **options)


def address(help_text: str = "Path of its page on this site.") -> s.CharField:
    return s.CharField(help_text=help_text)


def printed_unit() -> s.ChoiceField:
    return s.ChoiceField(
        Result.Unit.choices, allow_blank=True, help_text="What `printed` is in: percent, or blank as its measure."
    )


class Candidate(s.Serializer):
    """What an ambiguous name may stand for."""

    value = text("The name to write instead.")
    label = text("As people know it.")
    detail = text("What tells it from the others.")


class ErrorPart(s.Serializer):
    """One thing that is wrong."""

    field = text("The parameter or field; blank where none is to blame.")
    code = text("For programs.")
    message = text("For people.")
    candidates = Candidate(many=True, required=False, help_text="What to write instead, where that is known.")


class Error(s.Serializer):
    """Every error has this shape."""

    ok = s.BooleanField(help_text="false")
    status = count("The HTTP status.")
    error = text("What went wrong, in a sentence.")
    errors = ErrorPart(many=True)


class Paged(s.Serializer):
    count = count("On all pages.")
    next = s.URLField(allow_null=True, help_text="Address of the next page.")
    previous = s.URLField(allow_null=True, help_text="Address of the page before.")


class Index(s.Serializer):
    """Where everything is; the parts in braces are to be filled in."""

    version = text()
    documentation = text()
    addresses = s.DictField(child=s.CharField())
