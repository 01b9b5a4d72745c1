"""Checks of arguments, made once at the public edge; inner functions trust their input.

Each function returns the value in the form that the statistics use (float64 arrays, plain ints and floats) and
raises :class:`analysis.errors.ArgumentError` naming the argument otherwise.
"""

import sys
import warnings
from collections.abc import Collection, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import ArgumentError, DegenerateWarning

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Kind = TypeVar("Kind")

#: Of numbers up to this size, and down to the inverse of it, fourth powers can be added up.
LARGEST = 1e70


def check_real(value: Any, argument: str) -> float:
    """Return a finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise ArgumentError(argument, value, "must be a finite number")
    try:
        number = float(value)
    except OverflowError as error:  # a whole number beyond the largest double
        raise ArgumentError(argument, value, "must be a number below 1.8e308") from error
    if not np.isfinite(number):
        raise ArgumentError(argument, value, "must be a finite number")
    return number


def check_positive(value: Any, argument: str) -> float:
    """Return a finite number above 0."""
    number = check_real(value, argument)
    if number <= 0:
        raise ArgumentError(argument, value, "must be above 0")
    return number


def check_nonnegative(value: Any, argument: str) -> float:
    """Return a finite number, 0 or more."""
    number = check_real(value, argument)
    if number < 0:
        raise ArgumentError(argument, value, "must be 0 or more")
    return number


def check_probability(value: Any, argument: str) -> float:
    """Return a number strictly between 0 and 1."""
    number = check_real(value, argument)
    if not 0 < number < 1:
        raise ArgumentError(argument, value, "must lie strictly between 0 and 1")
    return number


def check_count(value: Any, argument: str, *, minimum: int = 1) -> int:
    """Return a whole number, ``minimum`` or more. Floats are refused, even whole ones."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or int(value) < minimum:
        raise ArgumentError(argument, value, f"must be a whole number, {minimum} or more")
    return int(value)


def check_counts(values: Any, argument: str, *, minimum: int = 1) -> list[int]:
    """Return one or more whole numbers, each ``minimum`` or more."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)) or not len(values):
        raise ArgumentError(argument, values, "must be a sequence of whole numbers, at least one")
    return [check_count(value, argument, minimum=minimum) for value in values]


def check_flag(value: Any, argument: str) -> bool:
    """Return True or False; what merely counts as true, such as the text "no", is refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise ArgumentError(argument, value, "must be True or False")
    return bool(value)


def check_direction(higher_is_better: Any) -> float:
    """Return True or False, as what scores are multiplied with so that more is better: 1 or -1."""
    return 1.0 if check_flag(higher_is_better, "higher_is_better") else -1.0


def check_choice(value: Any, argument: str, choices: Sequence[str]) -> str:
    """Return one of the named choices."""
    if not isinstance(value, str) or value not in choices:
        raise ArgumentError(argument, value, f"must be one of {', '.join(map(repr, choices))}")
    return value


def check_label(value: Any, argument: str, known: Sequence[str]) -> str:
    """Return one of the labels that there are."""
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(argument, value, f"must be among {', '.join(known)[:200]}")
    return value


def check_labels(labels: Any, argument: str, size: int | None = None) -> tuple[str, ...]:
    """Return labels, repeated or not; so many, if ``size`` is given."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Collection) or size not in (None, len(labels)):
        raise ArgumentError(argument, labels, f"must hold {'any number of' if size is None else size} labels")
    if not all(isinstance(label, str) for label in labels):
        raise ArgumentError(argument, labels, "must hold text only")
    return tuple(labels)


def check_instance(value: Any, argument: str, kind: type[Kind]) -> Kind:
    """Return an object of one of our types."""
    if not isinstance(value, kind):
        raise ArgumentError(argument, value, f"must be of type {kind.__name__}")
    return value


def check_instances(values: Any, argument: str, kind: type[Kind]) -> tuple[Kind, ...]:
    """Return one or more objects of one of our types."""
    is_collection = isinstance(values, Collection) and not isinstance(values, (str, bytes))
    if not is_collection or not len(values) or not all(isinstance(value, kind) for value in values):
        raise ArgumentError(argument, values, f"must hold {kind.__name__} objects only, at least one")
    return tuple(values)


def check_vector(values: ArrayLike, argument: str, *, minimum: int = 1) -> FloatArray:
    """Return a one-dimensional array of finite numbers, at least ``minimum`` long. Always a copy."""
    array = _as_floats(values, argument)
    if array.ndim != 1:
        raise ArgumentError(argument, values, f"must be one-dimensional, not {array.ndim}-dimensional")
    if array.size < minimum:
        raise ArgumentError(argument, values, f"must hold at least {minimum} values, not {array.size}")
    return array


def check_in_range(
    values: FloatArray, argument: str, value_range: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Return the ends of the range of a measure, in which all values lie; None for a measure without bounds."""
    if value_range is None:
        return None
    ends = check_vector(value_range, "value_range")
    if ends.size != 2 or ends[0] >= ends[1]:
        raise ArgumentError("value_range", value_range, "must be the lowest and the highest possible score")
    low, high = ends.tolist()
    outside = values[(values < low) | (values > high)]
    if outside.size:
        reason = f"must lie between {low:g} and {high:g}, the range of the measure"
        if (low, high) == (0.0, 1.0):
            reason += " (percentages: divide means by 100 and variances by 10,000)"
        raise ArgumentError(argument, outside.tolist(), reason)
    return low, high


def check_vectors(
    first: ArrayLike, second: ArrayLike, arguments: tuple[str, str], *, minimum: int = 1
) -> tuple[FloatArray, FloatArray]:
    """Return two vectors of equal length, at least ``minimum`` long, with the names of their arguments."""
    left, right = check_vector(first, arguments[0], minimum=minimum), check_vector(second, arguments[1])
    if left.size != right.size:
        raise ArgumentError(arguments[1], second, f"must be as many as {arguments[0]}, {left.size}, not {right.size}")
    return left, right


def check_score_array(
    scores: ArrayLike, argument: str = "scores", *, n_systems: int = 1, n_topics: int = 2
) -> FloatArray:
    """Return a systems x topics array of finite numbers, with at least the given sizes. Always a copy."""
    array = _as_floats(scores, argument)
    if array.ndim != 2:
        raise ArgumentError(argument, scores, f"must be a systems x topics array, not {array.ndim}-dimensional")
    if array.shape[0] < n_systems:
        raise ArgumentError(argument, scores, f"must hold at least {n_systems} systems, not {array.shape[0]}")
    if array.shape[1] < n_topics:
        raise ArgumentError(argument, scores, f"must hold at least {n_topics} topics, not {array.shape[1]}")
    return array


def check_mask(mask: ArrayLike, argument: str, size: int) -> NDArray[np.bool_]:
    """Return a boolean array of the given size with at least one True."""
    array = as_array(mask, argument, f"must be {size} booleans")
    if array.dtype != np.bool_ or array.shape != (size,):
        raise ArgumentError(argument, mask, f"must be {size} booleans")
    if not array.any():
        raise ArgumentError(argument, mask, "must be True at least once")
    return array


def refuse_tiny(values: FloatArray, argument: str) -> None:
    """Refuse numbers all so small that a computer takes their squares for 0, unless they are 0."""
    largest = float(np.abs(values).max())
    if 0.0 < largest < 1 / LARGEST:
        raise ArgumentError(argument, largest, f"must hold a number of {1 / LARGEST:g} or more (choose another unit)")


def warn(message: str) -> None:
    """Warn of degenerate input, at the line outside the library that asked for the statistic."""
    frame, stacklevel = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("analysis."):
        frame, stacklevel = frame.f_back, stacklevel + 1
    warnings.warn(message, DegenerateWarning, stacklevel=stacklevel)


def warn_if_all_agree(scores: FloatArray) -> None:
    """Warn if no two systems differ on any topic."""
    if np.ptp(scores, axis=0).max() == 0:
        warn("all systems have the same score on every topic: nothing can be told apart")


def warn_without_variation(scores: FloatArray) -> None:
    """Warn if no system's score varies over topics."""
    if np.ptp(scores, axis=1).max() == 0:
        warn("every system has one and the same score on all topics: no mean has a standard error")


def as_array(values: Any, argument: str, reason: str, dtype: type[np.float64] | None = None) -> NDArray[Any]:
    """Return what was given as an array of its own, of any shape; ``reason`` is said of what can't be one.

    Masked values are refused: in the array they would be numbers like all others.
    """
    if np.ma.is_masked(values):
        raise ArgumentError(argument, values, "must hold no masked values (leave them out)")
    try:
        return np.array(values, dtype=dtype, order="C")
    except (TypeError, ValueError) as error:  # rows of unequal length
        raise ArgumentError(argument, values, reason) from error


def _as_floats(values: ArrayLike, argument: str) -> FloatArray:
    raw = as_array(values, argument, "must hold numbers only, in rows of equal length")
    if raw.dtype.kind not in "iuf":
        raise ArgumentError(argument, values, "must hold numbers only")
    array = np.asarray(raw, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ArgumentError(argument, values, "must hold finite numbers only (no NaN, no infinity)")
    if np.abs(array).max(initial=0.0) > LARGEST:
        raise ArgumentError(argument, values, f"must hold numbers within ±{LARGEST:g} (choose another unit)")
    return array
