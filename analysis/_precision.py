"""How the intervals of AP are formed, one list at a time; shared by :mod:`analysis.precision` and its neighbours."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from analysis._bca import bca_limits
from analysis._resampling import TIE_TOLERANCE
from analysis._results import Interval, Result
from analysis._validation import FloatArray, check_choice, check_count, check_flag, check_probability, check_real
from analysis.average_precision import (
    RankedList,
    average_precision,
    lead_balloon_limit,
    leave_one_out,
    silver_bullet_limit,
)
from analysis.document_bootstrap import bootstrap_average_precision
from analysis.errors import ArgumentError

Method = Literal["logit", "linear", "bca"]
Correction = Literal["silver bullets", "lead balloons"]
Limits = tuple[float, float]

#: AP is kept this far from 0 and 1 before its logit is taken. Cormack & Lynam's value is not legible in the text that
#: we have; this is the floor that trec_eval sets under AP for its geometric mean.
DEFAULT_EPSILON = 1e-5


@dataclass(frozen=True, slots=True)
class AveragePrecisionInterval(Result):
    """An interval for the AP of one ranked list.

    Parameters
    ----------
    estimate : float
        AP, 0 to 1.
    standard_error : float
        Standard deviation of the resampled AP.
    logit_standard_error : float
        Standard deviation of the resampled logit AP.
    interval : Interval or None
        Limits of AP.
    why_no_interval : str or None
        Why there is none.
    correction : {"silver bullets", "lead balloons"} or None
        Which small-sample limit replaced the interval of the bootstrap, if one did.
    n_relevant : int
        Number of relevant documents, R.
    method : {"logit", "linear", "bca"}
        How the interval was formed.
    epsilon : float
        Distance that AP was kept from 0 and 1 on the logit scale.
    n_resamples : int
        Number of resampled collections.
    """

    estimate: float
    standard_error: float
    logit_standard_error: float
    interval: Interval | None
    why_no_interval: str | None
    correction: Correction | None
    n_relevant: int
    method: Method
    epsilon: float
    n_resamples: int


def clipped_logit(values: ArrayLike, epsilon: float) -> FloatArray:
    """Logit of scores kept within [epsilon, 1 - epsilon]."""
    logits: FloatArray = logit(np.clip(values, epsilon, 1.0 - epsilon))
    return logits


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """How an interval is to be formed, checked once."""

    method: Method
    confidence_level: float
    n_resamples: int
    epsilon: float
    small_sample_correction: bool

    def __post_init__(self) -> None:
        check_choice(self.method, "method", ("logit", "linear", "bca"))
        check_probability(self.confidence_level, "confidence_level")
        check_count(self.n_resamples, "n_resamples", minimum=2)
        check_epsilon(self.epsilon)
        check_flag(self.small_sample_correction, "small_sample_correction")

    @property
    def z(self) -> float:
        """Normal quantile that the interval reaches to on either side."""
        return float(ndtri((1.0 + self.confidence_level) / 2.0))


def check_epsilon(epsilon: float) -> float:
    """A number above 0 and below one half."""
    if not 0.0 < check_real(epsilon, "epsilon") < 0.5:
        raise ArgumentError("epsilon", epsilon, "must lie strictly between 0 and 0.5")
    return epsilon


def list_interval(ranked: RankedList, rng: np.random.Generator, options: IntervalOptions) -> AveragePrecisionInterval:
    samples = bootstrap_average_precision(ranked, rng, n_resamples=options.n_resamples)
    logits = clipped_logit(samples, options.epsilon)
    estimate = average_precision(ranked)
    limits, why = _bootstrap_limits(ranked, estimate, samples, logits, options)
    correction: Correction | None = None
    if options.small_sample_correction:
        limits, correction = _corrected(ranked, estimate, limits, options.confidence_level)
    return AveragePrecisionInterval(
        estimate,
        _spread(samples),
        _spread(logits),
        None if limits is None else Interval(limits[0], limits[1], options.confidence_level),
        why if limits is None else None,
        correction,
        ranked.n_relevant,
        options.method,
        options.epsilon,
        options.n_resamples,
    )


def _spread(samples: FloatArray) -> float:
    """Standard deviation, exactly 0 for values that are all the same: rounding of their mean is no variation."""
    return 0.0 if np.ptp(samples) <= TIE_TOLERANCE else float(samples.std(ddof=1))


def _bootstrap_limits(
    ranked: RankedList, estimate: float, samples: FloatArray, logits: FloatArray, options: IntervalOptions
) -> tuple[Limits | None, str | None]:
    """Limits from the resampled AP, or the reason why there are none."""
    if np.ptp(samples) <= TIE_TOLERANCE:
        return None, "every resampled collection gives the same AP"
    if options.method == "bca":
        return _bca_limits(ranked, estimate, samples, options.z)
    reach = options.z * np.array([-1.0, 1.0])
    if options.method == "linear":
        low, high = np.clip(estimate + reach * _spread(samples), 0.0, 1.0)
    else:
        low, high = expit(clipped_logit(estimate, options.epsilon) + reach * _spread(logits))
    return (float(low), float(high)), None


def _bca_limits(ranked: RankedList, estimate: float, samples: FloatArray, z: float) -> tuple[Limits | None, str | None]:
    if ranked.n_relevant < 2:
        return None, "BCa leaves out each document in turn, and AP is undefined without the only relevant one"
    values, counts = leave_one_out(ranked)
    found = bca_limits(samples, estimate, estimate - values, z, counts=counts)
    if found is None:
        return None, "BCa has no bias correction or acceleration: AP never moves to one of its sides"
    return (found.low, found.high), None


def _corrected(
    ranked: RankedList, estimate: float, limits: Limits | None, confidence_level: float
) -> tuple[Limits | None, Correction | None]:
    """The wider of the given limits and those for an AP of 0 or of 1, where AP can't be told from it."""
    highest = silver_bullet_limit(ranked.n_relevant, ranked.depth, confidence_level)
    lowest = lead_balloon_limit(ranked.n_relevant, confidence_level)
    width = 0.0 if limits is None else limits[1] - limits[0]
    if estimate <= highest and highest > width:
        return (0.0, highest), "silver bullets"
    if estimate >= lowest and 1.0 - lowest > width:
        return (lowest, 1.0), "lead balloons"
    return limits, None
