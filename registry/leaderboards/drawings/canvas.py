"""What drawings of boxes and lines share: an inner picture, stretched to the width that there is, with axes around it.

Texts stand around the picture and are not stretched.
"""

from dataclasses import dataclass

import numpy as np

#: Size of the inner picture in its own units; upright, one unit is one pixel.
WIDTH, HEIGHT = 1000.0, 300.0

#: Where the inner picture stands in the drawing: percent of its width from the left, and pixels from the top.
LEFT_PERCENT, SPAN_PERCENT, TOP = 9.0, 89.0, 24.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the inner picture."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on an axis: percent from the left on the lower axis, pixels from the top on the left one."""

    at: float
    label: str


def round_numbers(low: float, high: float, n_at_most: int) -> list[float]:
    """Round numbers between two others, at equal distances: a 1, 2 or 5 with zeros."""
    raw = (high - low) / n_at_most
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [round(float(step * number), 12) for number in range(first, last + 1)]
