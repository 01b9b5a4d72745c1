"""What the analyses of published means share: who competes, who is best, how the means spread."""

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis._validation import FloatArray, check_flag, check_mask
from analysis.errors import DegenerateWarning


def contender_mask(contenders: ArrayLike | None, size: int) -> NDArray[np.bool_]:
    """Return who competes: the given mask, or everybody."""
    return np.ones(size, dtype=np.bool_) if contenders is None else check_mask(contenders, "contenders", size)


def mean_and_sd(values: FloatArray) -> tuple[float, float | None]:
    """Mean and sd (ddof = 1; None for one value). Equal values are compared, as their sd would not come out as 0."""
    lowest = float(values.min())
    if lowest == values.max():
        return lowest, None if values.size == 1 else 0.0
    return float(values.mean()), float(values.std(ddof=1))


def find_best(values: FloatArray, mask: NDArray[np.bool_], higher_is_better: bool) -> tuple[int, int]:
    """Index of the first best contender, and the number of contenders that share its score."""
    signed = np.where(mask, values if check_flag(higher_is_better, "higher_is_better") else -values, -np.inf)
    index = int(signed.argmax())
    return index, int((signed == signed[index]).sum())


def warn_without_error(error: float) -> None:
    """Warn the caller of a public function, if its standard error or variance is 0."""
    if error == 0.0:
        warnings.warn(
            "the standard error is 0: the scores are taken as exact, and nothing is left to chance",
            DegenerateWarning,
            stacklevel=3,
        )
