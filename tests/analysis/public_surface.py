"""What is public in ``analysis``, discovered, and what must be refused in the place of an argument of each kind."""

import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import analysis


@dataclass(frozen=True)
class Example:
    """Arguments that are fine: those that have no default, and what else makes the example a good one.

    ``accepts`` names, by argument, bad values of :data:`BAD` that this one takes all the same; ``refuses`` adds values
    that are out of its range. ``noise`` is what Monte Carlo may add if topics or systems come in another order; None
    where topics are drawn by position, so that another order gives other draws. ``positions`` are fields that hold
    positions of the systems in the order given, ``aligned`` fields with an entry for each of them ("" is the answer).
    """

    arguments: dict[str, Any]
    accepts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refuses: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    noise: float | None = 1e-9
    positions: tuple[str, ...] = ()
    aligned: tuple[str, ...] = ()


def public_objects() -> Iterator[tuple[str, Any]]:
    """Yield what the packages offer in their ``__all__``, each once, by name."""
    seen = set()
    for entry in pkgutil.iter_modules(analysis.__path__):
        if entry.name.startswith("_") or entry.name in {"errors", "figures", "heads", "papers", "readers", "runs"}:
            continue
        module = importlib.import_module(f"analysis.{entry.name}")
        for name in module.__all__:
            public = getattr(module, name)
            if id(public) not in seen:
                seen.add(id(public))
                yield name, public


def public_classes() -> dict[str, type]:
    """Return the public classes by name."""
    return {name: public for name, public in public_objects() if inspect.isclass(public)}


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Return (name, callable) of functions, of classes that check what they are given, and of methods with arguments.

    Results are made by functions: of their classes only the methods are called.
    """
    for name, public in public_objects():
        if inspect.isfunction(public):
            yield name, public
        elif inspect.isclass(public):
            if "Raises\n" in (public.__doc__ or ""):
                yield name, public
            yield from methods_with_arguments(public)


def methods_with_arguments(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Return public methods that take arguments; class methods are bound."""
    for name, member in vars(kind).items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, classmethod)):
            continue
        bound = getattr(kind, name)
        if [parameter for parameter in inspect.signature(bound).parameters if parameter != "self"]:
            yield f"{kind.__name__}.{name}", bound


NAN, INFINITY = float("nan"), float("inf")

#: What can't stand for an argument of a kind, by name. None is added where it is not a choice.
BAD = {
    "flag": {"text": "no", "one": 1, "not a number": NAN},
    "count": {"text": "3", "a flag": True, "a fraction": 2.5, "not a number": NAN, "below all": -1, "a list": [3]},
    "number": {
        "text": "0.5",
        "a flag": True,
        "not a number": NAN,
        "an infinite number": INFINITY,
        "minus infinity": -INFINITY,
        "a list": [0.5],
        "a complex number": 1j,
    },
    "text": {"a number": 3, "a list": ["a"]},
    "choice": {"another text": "no such choice", "a number": 1, "a list": ["t"]},
    "array": {
        "text": "abc",
        "texts": ["a", "b"],
        "nothing": [],
        "one number": 0.5,
        "nested": [[[0.5, 0.5], [0.5, 0.5]]],
        "ragged": [[0.1, 0.2], [0.3]],
        "flags": [True, False],
        "not a number": [0.1, NAN, 0.2],
        "infinite": [0.1, INFINITY, 0.2],
        "complex": [1j, 0.2],
        "too large": [0.1, 1.1e70],
    },
    "counts": {"a number": 3, "text": "5", "nothing": [], "texts": ["5"], "a fraction": [2.5], "below all": [-1]},
    "numbers": {"a number": 0.5, "text": "0.5", "texts": ["a", "b"], "not a number": [0.0, NAN]},
    "labels": {"a number": 3, "text": "a", "numbers": [1, 2]},
    "mapping": {"a number": 3, "text": "a", "a list": [1]},
    "source": {"a number": 3, "nothing": "", "numbers": [1, 2]},
    "objects": {"a number": 3, "text": "a", "nothing": [], "texts": ["a"]},
    "object": {"a number": 3, "text": "a", "an array": np.ones((2, 3))},
    "rng": {"text": "seed", "below all": -1, "a fraction": 1.5, "a flag": True},
    "progress": {"text": "loud", "a number": 3},
}

#: What is out of range wherever an argument of the name occurs.
OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "confidence_level": (0.0, 1.0, -0.5, 95.0),
    "epsilon": (0.0, 0.5),
    "margin": (0.0, -0.01),
    "max_error_rate": (0.0, 1.0),
    "n_draws": (0,),
    "n_resamples": (0,),
    "n_splits": (0,),
    "n_topics": (0,),
    "power": (0.0, 1.0),
    "probability": (0.0, 1.0),
    "quantile": (0.0, 1.0),
    "residual_variance": (-1e-9,),
    "top_fraction": (0.0, 1.1),
}


def bad_values(name: str, annotation: Any, example: Example) -> dict[str, Any]:
    """Return what the argument must refuse, by a name of its own."""
    is_optional, kind = kind_of(name, annotation)
    bad = dict(BAD[kind]) if is_optional else {"None": None} | BAD[kind]
    more = (*OUT_OF_RANGE.get(name, ()), *example.refuses.get(name, ()))
    bad |= {f"{place}: {value!r}"[:60]: value for place, value in enumerate(more)}
    return {label: value for label, value in bad.items() if label not in example.accepts.get(name, ())}


def kind_of(name: str, annotation: Any) -> tuple[bool, str]:
    """Return whether None is a choice, and the kind of the argument: a key of :data:`BAD`."""
    if name in ("rng", "source", "progress"):
        return name == "progress", name
    members = typing.get_args(annotation) if isinstance(annotation, types.UnionType | typing._UnionGenericAlias) else ()
    is_optional = type(None) in members
    rest = [member for member in members if member is not type(None)]
    if is_optional and len(rest) == 1:
        return True, kind_of(name, rest[0])[1]
    if len(rest) > 1:  # ArrayLike is the only union of many
        return is_optional, "array"
    if isinstance(annotation, type) and annotation in _KINDS:
        return is_optional, _KINDS[annotation]
    return is_optional, _kind_of_container(annotation)


_KINDS = {bool: "flag", int: "count", float: "number", str: "text"}


def _kind_of_container(annotation: Any) -> str:
    origin, members = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return "choice"
    if origin is None:
        return "object"
    if issubclass(origin, typing.Mapping):
        return "mapping"
    named = {int: "counts", float: "numbers", str: "labels"}
    return named.get(members[0], "objects")
