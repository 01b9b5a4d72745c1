"""Fields with their description, errors, pages."""

from typing import Annotated

from rest_framework import serializers as s
from typing_extensions import Doc, TypedDict

from analysis.readers.rejections import ErrorPart
from registry.api.serializers.derived import Shape, describe


class ErrorDocument(TypedDict):
    """Every error has this shape."""

    ok: Annotated[bool, Doc("false")]
    status: Annotated[int, Doc("The HTTP status.")]
    error: Annotated[str, Doc("What went wrong, in a sentence.")]
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
