"""Everything public in ``analysis``: what it refuses, what it gives back, and what stands in its docstring.

Callables are discovered (``public_surface.py``), and called with the examples of ``public_examples.py``.
"""

import inspect
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from analysis.errors import ArgumentError, DegenerateWarning, FormatError
from analysis.results import Result
from tests.analysis.public_examples import EXAMPLES, REFUSED_TOGETHER
from tests.analysis.public_surface import bad_values, kind_of, public_callables, public_classes
from tests.analysis.reordering import approximately, by_label, reordered

CALLABLES = dict(public_callables())
SIGNATURES = {name: inspect.signature(public) for name, public in CALLABLES.items()}
ARGUMENTS = [(name, argument) for name, signature in SIGNATURES.items() for argument in signature.parameters]
REORDERED = sorted(name for name in CALLABLES if name[0].islower() and reordered(EXAMPLES[name]))
#: How other libraries and other programs hand numbers in.
FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "lists": np.ndarray.tolist,
    "single precision": lambda array: array.astype(np.float32),
    "the other byte order": lambda array: array.astype(array.dtype.newbyteorder()),
    "columns first": np.asfortranarray,
    "every other cell": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "read only": lambda array: np.broadcast_to(array, array.shape),
    "no value masked": lambda array: np.ma.masked_array(array, mask=np.zeros(array.shape, dtype=bool)),
    "pandas": lambda array: {1: pandas.Series, 2: pandas.DataFrame}.get(array.ndim, np.array)(array),
}
CHECKED = [(name, argument) for name, argument in ARGUMENTS if argument not in ("self", "options")]
#: What each says to whatever it refuses.
REFUSALS = Path(__file__).with_name("refusals.txt")


def call(name: str, **changed: Any) -> Any:
    """Return the answer to the example, with some arguments changed; degenerate answers are answers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        return CALLABLES[name](**(EXAMPLES[name].arguments | changed))


@cache
def answer(name: str) -> Any:
    """Return the answer to the example as it stands, which nobody changes: ``TestAnswers`` sees to that."""
    return call(name)


def test_everything_public_has_an_example_and_nothing_else_has():
    assert set(EXAMPLES) == set(CALLABLES)


def test_every_public_result_comes_out_of_an_example():
    """What none of them gives back would be swept by nothing below."""
    seen = set()
    for name in CALLABLES:
        seen |= classes_in(answer(name))
    results = {kind for kind in public_classes().values() if issubclass(kind, Result)}
    assert {kind.__name__ for kind in results if not any(issubclass(seen_kind, kind) for seen_kind in seen)} == set()


class TestRefusals:
    def test_a_bad_argument_is_refused_by_its_name(self, subtests):
        for name, argument in CHECKED:
            with subtests.test(f"{name}: {argument}"):
                annotation = SIGNATURES[name].parameters[argument].annotation
                bad = bad_values(argument, annotation, EXAMPLES[name])
                assert not [
                    f"{label}: {what}" for label, value in bad.items() if (what := wrong_answer(name, argument, value))
                ]

    def test_each_says_what_was_approved(self, pytestconfig):
        """``./test --approve`` writes what they say now."""
        text = "".join(f"{line}\n" for line in dict.fromkeys(refusals()))
        if pytestconfig.getoption("--approve"):
            REFUSALS.write_text(text, encoding="utf-8")
        assert text == REFUSALS.read_text(encoding="utf-8")

    def test_a_masked_value_is_refused(self, subtests):
        for name, argument in CHECKED:
            value = EXAMPLES[name].arguments.get(argument)
            kind = kind_of(argument, SIGNATURES[name].parameters[argument].annotation)[1]
            if kind != "array" or np.ndim(value) == 0:
                continue
            with subtests.test(f"{name}: {argument}"):
                masked = np.ma.masked_array(value, mask=np.zeros(np.shape(value), dtype=bool))
                masked.mask.flat[-1] = True
                with pytest.raises(ArgumentError, match=f"^{argument} "):
                    call(name, **{argument: masked})


def refusals() -> Iterator[str]:
    """Yield what is said to each bad argument, and to arguments that don't go together."""
    asked = list(REFUSED_TOGETHER)
    for name, argument in CHECKED:
        bad = bad_values(argument, SIGNATURES[name].parameters[argument].annotation, EXAMPLES[name])
        asked += [(name, {argument: value}) for value in bad.values()]
    for name, changed in sorted(asked, key=lambda case: case[0]):
        with pytest.raises((ArgumentError, FormatError)) as refused:
            call(name, **changed)
        why = getattr(refused.value, "reason", "")
        yield f"{name}: {refused.value.argument} {why}" if why else f"{name}: {str(refused.value).splitlines()[0]}"


def wrong_answer(name: str, argument: str, value: Any) -> str | None:
    """Return what came out instead of a refusal that names the argument, or None."""
    try:
        answer = call(name, **{argument: value})
    except FormatError as error:
        return None if argument in ("source", "topics") else f"refused as if it were a file: {error}"
    except ArgumentError as error:
        return None if error.argument.split(".")[0] == argument else f"refused as {error.argument}"
    except Exception as error:  # noqa: BLE001 - what else may come out is the question
        return f"{type(error).__name__}: {error}"
    return f"taken, with the answer {answer!r:.100}"


class TestAnswers:
    def test_it_can_be_stored_and_holds_no_nan(self, subtests):
        for name in sorted(CALLABLES):
            with subtests.test(name):
                for part in parts_of(answer(name)):
                    json.dumps(part.to_dict() if isinstance(part, Result) else part, allow_nan=False)

    def test_it_is_frozen(self, subtests):
        for name in sorted(CALLABLES):
            with subtests.test(name):
                for part in parts_of(answer(name), arrays=True):
                    if is_dataclass(part):
                        with pytest.raises((FrozenInstanceError, AttributeError)):
                            setattr(part, fields(part)[0].name, None)
                        for field in fields(part):
                            value = getattr(part, field.name)
                            assert not (isinstance(value, np.ndarray) and value.flags.writeable), (
                                f"{field.name} can be changed"
                            )

    def test_the_same_again_gives_the_same_answer_and_leaves_arguments_as_they_are(self, subtests):
        for name in sorted(CALLABLES):
            with subtests.test(name):
                before = plain(EXAMPLES[name].arguments)
                assert plain(call(name)) == plain(answer(name))
                assert plain(EXAMPLES[name].arguments) == before

    @pytest.mark.parametrize("form", FORMS)
    def test_numbers_may_come_in_any_form(self, form, subtests):
        for name, argument in CHECKED:
            value = EXAMPLES[name].arguments.get(argument)
            kind = kind_of(argument, SIGNATURES[name].parameters[argument].annotation)[1]
            array = np.asarray(value) if kind == "array" else np.array(None)
            if array.ndim and array.dtype == float:
                with subtests.test(f"{name}: {argument}"):
                    expected = answer(name)
                    if form == "single precision":
                        expected = call(name, **{argument: array.astype(np.float32).astype(float)})
                    assert plain(call(name, **{argument: FORMS[form](array)})) == plain(expected)

    def test_a_generator_serves_as_well_as_its_seed(self):
        names = [name for name, signature in SIGNATURES.items() if "rng" in signature.parameters]
        assert len(names) > 20
        for name in names:
            assert plain(answer(name)) == plain(call(name, rng=np.random.default_rng(1))), name


class TestOrder:
    """Systems and topics come in any order: what is said about each of them stays."""

    def test_it_does_not_matter(self, subtests):
        for name in REORDERED:
            with subtests.test(name):
                order = reordered(EXAMPLES[name])
                moved = order.restored(plain(by_label(call(name, **order.arguments))), EXAMPLES[name])
                assert moved == approximately(plain(by_label(answer(name))), EXAMPLES[name].noise)


def parts_of(answer: Any, *, arrays: bool = False) -> Iterator[Any]:
    """Yield the results in an answer, or the answer itself as what JSON knows."""
    if isinstance(answer, tuple) and any(is_dataclass(part) for part in answer):
        for part in answer:
            yield from parts_of(part, arrays=arrays)
    elif isinstance(answer, Result) or (arrays and is_dataclass(answer)):
        yield answer
    else:
        yield plain(answer)


def classes_in(value: Any) -> set[type]:
    """Return the classes of the dataclasses in an answer, however deep."""
    if is_dataclass(value) and not isinstance(value, type):
        classes = {type(value)}
        return classes.union(*(classes_in(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return set().union(*map(classes_in, value))
    return set()


def plain(value: Any) -> Any:
    """Return the value in lists, dicts and numbers, with the class of each object: equal if and only if all is."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"class": type(value).__name__} | {
            field.name: plain(getattr(value, field.name)) for field in fields(value)
        }
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
