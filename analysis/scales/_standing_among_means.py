"""Published means among the means of reference systems, for want of scores by topic."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, check_direction, check_vector
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True, eq=False)
class MeansStandardization(Result):
    """Means among reference means: the weaker standardization, for want of per-topic scores."""

    z: Annotated[FloatArray, "Of shape (n_means,). In standard deviations (ddof=1) above the mean of reference means."]
    percentile: Annotated[FloatArray, "Of shape (n_means,). Percentage of reference means that are worse; ties half."]
    reference_mean: Annotated[float, "Mean and sd (ddof=1) of the reference means, in the unit of the measure."]
    reference_sd: Annotated[float, "Mean and sd (ddof=1) of the reference means, in the unit of the measure."]
    n_reference: Annotated[int, "Number of reference means."]


def standardize_means(
    means: ArrayLike, reference_means: ArrayLike, *, higher_is_better: bool = True
) -> MeansStandardization:
    """Return the z and the percentile of published means among the means of reference systems.

    Parameters
    ----------
    means : array_like of float, shape (n_means,)
        Published means, in the unit of the measure.
    reference_means : array_like of float, shape (n_reference,)
        Means of the reference systems on the same topics, in the same unit; at least two, not all equal.
    higher_is_better : bool, default True
        Direction of the measure. With False the sign of z is turned and low means get high percentiles.

    Returns
    -------
    MeansStandardization

    Raises
    ------
    ArgumentError
        If there are fewer than two reference means, or all of them are equal.

    Notes
    -----
    This is *not* score standardization: hard topics still count for less than easy ones, and the sd is that between
    system means, not that of a mean. It says where a mean stands among others, and nothing about significance.
    A mean that is itself among the reference means counts half for its own tie.

    References
    ----------
    Armstrong, Moffat, Webber & Zobel, "Improvements that don't add up: ad-hoc retrieval results since 1998", CIKM
    2009, doi:10.1145/1645953.1646031, place published scores among the original TREC runs by percentile.
    """
    values = check_vector(means, "means")
    reference = check_vector(reference_means, "reference_means", minimum=2)
    if np.ptp(reference) == 0:
        raise ArgumentError("reference_means", reference_means, "must not all be equal: there is no scale")
    centre, spread = float(reference.mean()), float(reference.std(ddof=1))
    sign = check_direction(higher_is_better)
    return MeansStandardization(
        z=sign * (values - centre) / spread,
        percentile=percentile_among(values, reference, higher_is_better=higher_is_better),
        reference_mean=centre,
        reference_sd=spread,
        n_reference=reference.size,
    )


def percentile_among(means: ArrayLike, reference_means: ArrayLike, *, higher_is_better: bool = True) -> FloatArray:
    """Return the percentage of reference means that are worse than each mean, ties counting half: 0 to 100.

    Parameters
    ----------
    means : array_like of float, shape (n_means,)
        Means to place, in the unit of the measure.
    reference_means : array_like of float, shape (n_reference,)
        Means to place them among, in the same unit, for instance those of the original TREC runs. At least one.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    ndarray of float, shape (n_means,)
        Percentages: 100 is better than all of them, 0 worse than all of them.

    Raises
    ------
    ArgumentError
        If an argument is empty or not finite.

    References
    ----------
    Armstrong, Moffat, Webber & Zobel (2009), "Improvements that don't add up", CIKM 2009,
    doi:10.1145/1645953.1646031.

    Examples
    --------
    >>> percentile_among([0.05, 0.2, 0.4], [0.1, 0.2, 0.2, 0.3]).tolist()
    [0.0, 50.0, 100.0]
    """
    sign = check_direction(higher_is_better)
    values = sign * check_vector(means, "means")
    ranked = np.sort(sign * check_vector(reference_means, "reference_means"))
    below = np.searchsorted(ranked, values)
    not_above = np.searchsorted(ranked, values, side="right")
    percentile: FloatArray = 50.0 * (below + not_above) / ranked.size
    return percentile
