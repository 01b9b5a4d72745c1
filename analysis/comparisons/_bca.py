"""Efron's bias-corrected and accelerated interval, from bootstrap samples and the influence of each observation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from analysis._resampling import TIE_TOLERANCE
from analysis._validation import FloatArray


@dataclass(frozen=True, slots=True)
class BcaLimits:
    """The limits, with the two corrections of the percentiles that they stand at."""

    low: float
    high: float
    bias_correction: float
    acceleration: float


def bca_limits(
    samples: FloatArray,
    estimate: float,
    influence: FloatArray,
    z: float,
    *,
    counts: NDArray[np.int64] | int = 1,
    unit: float = 1.0,
) -> BcaLimits | None:
    """Return the limits at normal quantiles ±z; None where no observation moves the estimate, or samples lie on one
    side.

    ``influence`` is the estimate less that without the observation (or anything in proportion), ``counts`` how many
    observations have each. Samples equal to the estimate count half on either side; what is no more than rounding of
    scores as large as ``unit`` is no difference.
    """
    tolerance = TIE_TOLERANCE * unit
    spread = float(np.sum(counts * influence**2))
    below = np.mean(samples < estimate - tolerance)
    above = np.mean(samples > estimate + tolerance)
    share = (below + 1.0 - above) / 2.0
    if spread <= tolerance**2 or not 0.0 < share < 1.0:
        return None
    acceleration = float(np.sum(counts * influence**3)) / (6.0 * spread**1.5)
    shift = float(ndtri(share))
    ends = shift + z * np.array([-1.0, 1.0])
    low, high = np.quantile(samples, ndtr(shift + ends / (1.0 - acceleration * ends)))
    return BcaLimits(float(low), float(high), shift, acceleration)
