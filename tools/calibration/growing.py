"""Leaderboards that grow, of equally good results: how often is the best left out on some day?"""

from typing import NamedTuple

import numpy as np

from analysis.best import gupta_constant

#: Results at first and at last, of which one comes at a time.
_FIRST, _LAST = 20, 400
#: The constant is found for so many numbers of results, and between them by the logarithm of their number.
_N_KNOTS = 25


class LeftOut(NamedTuple):
    """The share of leaderboards that leave the best out on some day: whenever it came, and if it was there first."""

    on_some_day: float
    from_the_start: float


def left_out_while_growing(
    degrees_of_freedom: float, times: int, *, n_boards: int = 20_000, seed: int = 2015
) -> LeftOut:
    """Simulate leaderboards of equally good results with the true variance and the constant of so many ``times`` their
    number, of 95 % and these degrees of freedom."""
    numbers = np.arange(_FIRST, _LAST + 1)
    knots = np.unique(np.geomspace(_FIRST, _LAST, _N_KNOTS).round().astype(int))
    constants = [gupta_constant(times * int(k), 0.95, degrees_of_freedom) for k in knots]
    margins = np.sqrt(2.0) * np.interp(np.log(numbers), np.log(knots), constants)
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((n_boards, _LAST), dtype=np.float32)
    leading = np.maximum.accumulate(scores, axis=1)[:, _FIRST - 1 :]
    came = rng.integers(_LAST, size=n_boards)
    best = scores[np.arange(n_boards), came]
    is_out = (leading - best[:, None] > margins) & (numbers > came[:, None])
    first = leading - scores[:, :1] > margins
    return LeftOut(float(is_out.any(axis=1).mean()), float(first.any(axis=1).mean()))
