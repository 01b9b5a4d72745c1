"""The same arguments with systems and topics in another order, and answers put back into the first one."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from analysis.comparisons import ComparisonFamily
from analysis.scores import ScoreMatrix
from tests.analysis.public_surface import Example
from tests.analysis.simulated import labelled, shuffled

#: Vectors with an entry for each of the systems (or tests, or topics) that are compared.
_VECTORS = (
    ("means", "sds", "loadings"),
    ("means", "covariances_with_winner"),
    ("means",),
    ("first", "second"),
    ("effects", "standard_errors"),
    ("times", "baselines", "improved"),
    ("baselines", "improved"),
)


@dataclass(frozen=True)
class Reordering:
    """Changed arguments, and the old position of each new one along the axis that answers may be aligned with."""

    arguments: dict[str, Any]
    old_positions: tuple[int, ...]

    def restored(self, answer: Any, example: Example, field: str = "") -> Any:
        """Return the answer (as lists and dicts) with positions and aligned lists as if nothing had been moved."""
        if field in example.positions:
            positions = [answer] if isinstance(answer, int) else answer
            back = sorted(self.old_positions[position] for position in positions)
            return back[0] if isinstance(answer, int) else back
        if field in example.aligned:
            return [answer[self.old_positions.index(position)] for position in range(len(answer))]
        if isinstance(answer, dict):
            return {key: self.restored(item, example, key) for key, item in answer.items()}
        if isinstance(answer, list):
            return [self.restored(item, example) for item in answer]
        return answer


def reordered(example: Example) -> Reordering | None:
    """Return the example with systems and topics in another order; None where it has none, or is not to be compared."""
    arguments = example.arguments
    if example.noise is None:
        return None
    changed: dict[str, Any] = {}
    rows: tuple[int, ...] = ()
    for name, value in arguments.items():
        if isinstance(value, ScoreMatrix):
            changed[name] = shuffled(value)
        elif isinstance(value, np.ndarray) and value.ndim == 2:
            changed[name] = shuffled(labelled(value)).scores
    for names in _VECTORS:
        if not changed and all(_is_vector(arguments.get(name)) for name in names):
            rows = tuple(np.random.default_rng(8).permutation(len(arguments[names[0]])).tolist())
            changed = {name: [arguments[name][row] for row in rows] for name in names}
    return Reordering(changed, rows) if changed else None


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, (int, float)) for item in value)


def by_label(answer: Any) -> Any:
    """Return what is said about systems and topics sorted by their labels."""
    if isinstance(answer, ComparisonFamily):
        labels = [
            (answer.systems[left], answer.systems[right])
            for left, right in zip(answer.first, answer.second, strict=True)
        ]
        return [answer.pair(*pair) for pair in sorted(labels if answer.baseline else map(sorted, labels))]
    if not is_dataclass(answer):
        return answer
    values = {field.name: getattr(answer, field.name) for field in fields(answer)}
    labels = getattr(answer, "systems", getattr(values.get("matrix"), "systems", ())), getattr(answer, "topics", ())
    return {name: _sorted(by_label(value), [names for names in labels if names]) for name, value in values.items()}


def _sorted(value: Any, labels: list[tuple[str, ...]]) -> Any:
    """Sort a list of entries by system, or lists and arrays along each axis that is as long as the labels are many."""
    if isinstance(value, tuple) and value and hasattr(value[0], "system"):
        return sorted(value, key=lambda entry: entry.system)
    if not isinstance(value, (tuple, np.ndarray)):
        return value
    array = np.array(value, dtype=object)
    for names in labels:
        for axis in range(array.ndim):
            if array.shape[axis] == len(names):
                array = np.take(array, np.argsort(np.array(names)), axis=axis)
    return array.tolist()


def approximately(value: Any, noise: float) -> Any:
    """Return the value with every fraction in it compared up to noise."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-9, abs=noise)
    if isinstance(value, dict):
        return {key: approximately(item, noise) for key, item in value.items()}
    if isinstance(value, list):
        return [approximately(item, noise) for item in value]
    return value
