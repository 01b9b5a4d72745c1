"""Documents document_of from what they are about."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from typing_extensions import TypedDict

from registry.core.documents import document_of


class Brief(TypedDict):
    name: str


class Full(Brief):
    notes: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Row:
    name: str
    url: str


THING = SimpleNamespace(name="AP", notes="of a ranking", more="left out")


def test_fields_are_as_said_and_else_as_the_thing_has_them_in_the_order_of_the_class():
    assert list(document_of(Full, THING, url="/measures/AP/", notes="").items()) == [
        ("name", "AP"),
        ("notes", ""),
        ("url", "/measures/AP/"),
    ]
    assert document_of(Row, THING, url="/") == Row(name="AP", url="/")


def test_what_nobody_says_is_a_fault_and_no_blank():
    with pytest.raises(AttributeError, match="url"):
        document_of(Full, THING)
    with pytest.raises(TypeError, match="notes"):
        document_of(Row, THING, url="/", notes="no field of it")
