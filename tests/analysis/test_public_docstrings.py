"""Everything public in ``analysis`` says what it takes, gives back and refuses; an example shows it, or a page does."""

import inspect
import re
import typing
from dataclasses import fields, is_dataclass
from pathlib import Path

from tests.analysis.documentation import (
    Entry,
    array_parameters,
    array_results,
    entries,
    functions,
    meaning_of,
    says_its_source,
    sections,
    without_source,
)
from tests.analysis.public_surface import public_callables, public_classes
from tests.analysis.test_method_pages import PYTHON_BLOCK

DOCS = Path(__file__).parents[2] / "docs"
CALLABLES = dict(public_callables())
#: What an example of a page calls is shown there.
SHOWN = {
    name
    for path in DOCS.rglob("*.md")
    for block in PYTHON_BLOCK.findall(path.read_text(encoding="utf-8"))
    for name in re.findall(r"\b(\w+)\(", block)
}
SIGNATURES = {name: inspect.signature(public) for name, public in CALLABLES.items()}


def test_it_describes_every_argument(subtests):
    for name in sorted(CALLABLES):
        with subtests.test(name):
            described = entries(sections(CALLABLES[name]).get("Parameters", []))
            assert described.keys() == set(SIGNATURES[name].parameters) - {"self"}


def test_it_has_its_sections(subtests):
    for name in sorted(CALLABLES):
        with subtests.test(name):
            public = CALLABLES[name]
            assert re.fullmatch(
                r".+[.?]\)?(  A test of .+)?", inspect.getdoc(public).split("\n\n")[0].replace("\n", " ")
            )
            needed = {"Raises"} if "." in name or name in SHOWN else {"Raises", "Examples"}
            if inspect.isfunction(public) and "." not in name:
                needed |= {"Returns"}
            assert needed - sections(public).keys() == set()


def test_the_fields_of_a_result_are_described(subtests):
    for name in sorted(public_classes()):
        with subtests.test(name):
            kind = public_classes()[name]
            if is_dataclass(kind):
                text = "\n".join(inspect.getdoc(base) or "" for base in kind.__mro__ if is_dataclass(base))
                hints = typing.get_type_hints(kind, include_extras=True)
                # What is of another class of ours is described there.
                described = {field for field, hint in hints.items() if meaning_of(hint) or "analysis." in str(hint)}
                left = [field.name for field in fields(kind) if field.name not in described]
                assert [field for field in left if not re.search(rf"\b{field}\b", text)] == []


def test_it_is_annotated(subtests):
    for name in sorted(CALLABLES):
        with subtests.test(name):
            signature = SIGNATURES[name]
            empty = inspect.Signature.empty
            assert [key for key, arg in signature.parameters.items() if key != "self" and arg.annotation is empty] == []
            assert inspect.isclass(CALLABLES[name]) or signature.return_annotation is not empty


def test_every_array_says_its_shape():
    arrays = [*array_parameters(), *array_results()]
    assert len(arrays) > 90
    assert [array.place for array in arrays if not array.has_shape] == []


def test_every_array_says_its_unit():
    assert [array.place for array in (*array_parameters(), *array_results()) if not array.has_unit] == []


#: Functions that compute nothing that somebody published: they say something in words, or read a table of our own.
WITHOUT_A_SOURCE = {"describe_evidence", "find_obstacle", "parse_score_cells", "parse_score_table"}


def test_every_function_says_its_source():
    assert set(without_source()) == WITHOUT_A_SOURCE
    assert len(WITHOUT_A_SOURCE) <= 0.05 * len(functions())


class TestTheChecks:
    """They see what is missing."""

    def test_an_array_without_a_shape_or_a_unit(self):
        described = entries(sections(with_faults)["Parameters"])
        assert not Entry("first", described["first"]).has_shape
        assert Entry("first", described["first"]).has_unit
        assert Entry("second", described["second"]).has_shape
        assert not Entry("second", described["second"]).has_unit

    def test_a_source_is_an_author_with_a_doi(self):
        assert not says_its_source(with_faults)
        assert says_its_source(with_a_source)


def with_faults(first, second):
    """Nothing.

    Parameters
    ----------
    first : array_like of float
        In the unit of the measure.
    second : array_like of float, shape (n,)
        Of something.

    References
    ----------
    A well-known book.
    """


def with_a_source():
    """Nothing.

    References
    ----------
    Student (1908), doi:10.1093/biomet/6.1.1.
    """
