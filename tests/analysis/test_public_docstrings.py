"""Everything public in ``analysis`` says what it takes, gives back and refuses, and shows it by an example."""

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from tests.analysis.public_surface import public_callables, public_classes

CALLABLES = dict(public_callables())
SIGNATURES = {name: inspect.signature(public) for name, public in CALLABLES.items()}

every_callable = pytest.mark.parametrize("name", sorted(CALLABLES))


@every_callable
def test_it_describes_every_argument(name):
    described = section(CALLABLES[name], "Parameters")
    names = {word.strip(" *") for line in described if re.match(r"[\w*]", line) for word in names_of(line)}
    expected = set(SIGNATURES[name].parameters) - {"self"}
    assert names == expected


@every_callable
def test_it_has_its_sections(name):
    public = CALLABLES[name]
    assert re.fullmatch(r".+[.?]\)?(  A test of .+)?", inspect.getdoc(public).split("\n\n")[0].replace("\n", " "))
    sections = ["Raises"] if "." in name else ["Raises", "Examples"]
    if inspect.isfunction(public) and "." not in name:
        sections += ["Returns"]
    assert [title for title in sections if not section(public, title)] == []


@pytest.mark.parametrize("name", sorted(public_classes()))
def test_the_fields_of_a_result_are_described(name):
    kind = public_classes()[name]
    if is_dataclass(kind):
        text = "\n".join(inspect.getdoc(base) or "" for base in kind.__mro__ if is_dataclass(base))
        assert [field.name for field in fields(kind) if not re.search(rf"\b{field.name}\b", text)] == []


@every_callable
def test_it_is_annotated(name):
    signature = SIGNATURES[name]
    empty = inspect.Signature.empty
    assert [key for key, one in signature.parameters.items() if key != "self" and one.annotation is empty] == []
    assert inspect.isclass(CALLABLES[name]) or signature.return_annotation is not empty


def section(public: Any, title: str) -> list[str]:
    """Lines of a section of a docstring."""
    lines = (inspect.getdoc(public) or "").split("\n")
    starts = [number for number, line in enumerate(lines[:-1]) if line == title and set(lines[number + 1]) == {"-"}]
    if not starts:
        return []
    rest = lines[starts[0] + 2 :]
    ends = [number for number, line in enumerate(rest[:-1]) if rest[number + 1] and set(rest[number + 1]) == {"-"}]
    return rest[: ends[0]] if ends else rest


def names_of(line: str) -> list[str]:
    """The names that a line of a Parameters section is about."""
    return line.split(" : ")[0].split(",")
