"""What the docstrings of the library must say, read from their numpydoc sections; ``python -m`` prints how many do.

Every array that a public function takes or gives back says its shape and, where it holds floats, the unit of its
numbers; every public function says where its method comes from.
"""

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from analysis.results import Result
from tests.analysis.public_surface import public_callables, public_classes, public_objects

#: The words by which an entry says what its numbers are counted in.
UNIT = re.compile(
    r"\bunits?\b|\b0 to 1\b|\b[Pp]robabilit|\bp-values?\b|\bshares?\b|\b[Pp]ercent|\byears?\b|\bstandard deviations\b"
    r"|\bstandard errors\b|\bhow often\b"
)
SHAPE = re.compile(r"\bshape \(|\bany shape\b")
#: Where the work is found that a method is from; that its author and year stand before it, test_references.py sees.
SOURCE = re.compile(r"\bdoi:10\.\d{4,9}/\S+")
NO_FLOATS = re.compile(r"\bof (?:bool|int|str)\b")
#: Works that a function may name instead: they have no DOI.
WITHOUT_DOI = ("Holm (1979)", "Glick (1978)", "trec_eval")


@dataclass(frozen=True)
class Entry:
    """One array of the library: where it is described, and how."""

    place: str
    text: str

    @property
    def has_shape(self) -> bool:
        return bool(SHAPE.search(self.text))

    @property
    def has_unit(self) -> bool:
        return bool(UNIT.search(self.text) or NO_FLOATS.search(self.text))


def sections(public: Any) -> dict[str, list[str]]:
    """Return the sections of a docstring: the lines below each underlined title."""
    lines = (inspect.getdoc(public) or "").split("\n")
    starts = [at for at, line in enumerate(lines[1:]) if re.fullmatch(r"-{3,}", line) and lines[at]]
    ends = [*starts, len(lines)][1:]
    return {lines[start]: lines[start + 2 : end] for start, end in zip(starts, ends, strict=True)}


def entries(lines: list[str]) -> dict[str, str]:
    """Return what a section says of each name in it: ``name, name : type`` and the lines indented below."""
    described: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if line and not line[0].isspace():
            names = [name.strip(" *") for name in line.split(" : ")[0].split(",")]
            described |= dict.fromkeys(names, "")
        for name in names:
            described[name] += f" {line.strip()}"
    return described


def holds_array(annotation: Any) -> bool:
    """Return whether a value of this type is an array, or may be one."""
    return "ndarray" in str(annotation) or "ArrayLike" in str(annotation) or "_SupportsArray" in str(annotation)


def array_parameters() -> Iterator[Entry]:
    """Yield the arrays that public functions, constructors and methods take."""
    for name, public in public_callables():
        described = entries(sections(public).get("Parameters", []))
        for argument, parameter in inspect.signature(public).parameters.items():
            if holds_array(parameter.annotation):
                yield Entry(f"{name}: {argument}", described.get(argument, ""))


def array_results() -> Iterator[Entry]:
    """Yield the arrays that they give back, and those in what they give back."""
    for name, public in public_callables():
        if inspect.isfunction(public) and holds_array(inspect.signature(public).return_annotation):
            yield Entry(f"{name}: what it returns", " ".join(sections(public).get("Returns", [])))
    for name, kind in public_classes().items():
        if is_dataclass(kind) and issubclass(kind, Result):
            yield from (Entry(f"{name}.{field}", text) for field, text in array_fields(kind))


def array_fields(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a result that are arrays, with what is said of each, by its annotation or as a parameter."""
    taken = entries(sections(kind).get("Parameters", []))
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        if holds_array(hints[field.name]):
            yield field.name, meaning_of(hints[field.name]) or taken.get(field.name, "")


def meaning_of(hint: Any) -> str:
    """Return what an annotation says of its field; blank where it says nothing."""
    return " ".join(getattr(hint, "__metadata__", ()))


def functions() -> dict[str, Callable[..., Any]]:
    """Return the public functions by name."""
    return {name: public for name, public in public_objects() if inspect.isfunction(public)}


def says_its_source(public: Callable[..., Any]) -> bool:
    """Return whether a function names the work that its method is from."""
    text = " ".join(sections(public).get("References", []))
    return bool(SOURCE.search(text)) or any(work in text for work in WITHOUT_DOI)


def without_shape() -> list[str]:
    return [array.place for array in (*array_parameters(), *array_results()) if not array.has_shape]


def without_unit() -> list[str]:
    return [array.place for array in (*array_parameters(), *array_results()) if not array.has_unit]


def without_source() -> list[str]:
    return sorted(name for name, public in functions().items() if not says_its_source(public))


def counts() -> list[str]:
    """Return the figures, in lines."""
    n_arrays = len([*array_parameters(), *array_results()])
    n_functions, n_sources = len(functions()), len(functions()) - len(without_source())
    n_results = len([kind for kind in public_classes().values() if issubclass(kind, Result)])
    return [
        f"{n_functions} public functions; {n_sources} say their source ({100 * n_sources / n_functions:.1f} %)",
        f"{n_arrays} arrays taken or given; {n_arrays - len(without_shape())} say their shape,"
        f" {n_arrays - len(without_unit())} their unit",
        f"{n_results} result classes",
    ]


if __name__ == "__main__":
    lacking = (("shape", without_shape()), ("unit", without_unit()), ("source", without_source()))
    print("\n".join([*counts(), *(f"no {what}: {place}" for what, places in lacking for place in places)]))
