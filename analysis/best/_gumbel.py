"""The Gumbel approximation of the maximum of normals, with its error."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.special import ndtri

from analysis._validation import check_choice, check_positive, check_real
from analysis.best._extremes import standard_maximum
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True)
class GumbelApproximation(Result):
    """The Gumbel distribution that the maximum of ``n`` normals tends to, and how far it still is from it."""

    n: float
    constants: Annotated[Literal["von-mises", "quantile-matched"], "How location and scale were chosen."]
    location: Annotated[float, "Parameters of the Gumbel distribution, in the unit of the scores."]
    scale: Annotated[float, "Parameters of the Gumbel distribution, in the unit of the scores."]
    mean_error: Annotated[float, "Its mean less that of the exact distribution."]
    quantile_errors: Annotated[
        tuple[tuple[float, float], ...], "(probability, quantile less exact quantile) at 0.8, 0.95 and 0.99."
    ]
    largest_cdf_error: Annotated[float, "Largest absolute difference between the two distribution functions."]


def gumbel_approximation(
    n: float, *, mean: float = 0.0, sd: float = 1.0, constants: Literal["von-mises", "quantile-matched"] = "von-mises"
) -> GumbelApproximation:
    """The textbook Gumbel approximation with its error: to explain growth with sqrt(2 log n), not to compute with.

    Parameters
    ----------
    n : float
        Number of independent normals, 2 or more.
    mean, sd : float
        Of each of them.
    constants : {"von-mises", "quantile-matched"}, default "von-mises"
        Scale 1 / (n phi(b)) with b = Phi^-1(1 - 1/n), or Phi^-1(1 - 1/(n e)) - b. The location is mean + sd b in
        both cases; it is not the mean of the population.

    Returns
    -------
    GumbelApproximation

    Raises
    ------
    ArgumentError
        If ``n`` is below 2 or ``sd`` not above 0.

    Notes
    -----
    Convergence is of the order 1 / log n: at n = 103 the 95 % point is still 0.156 sd too high. Use
    :func:`analysis.best.maximum_distribution`, which is exact and as fast.

    References
    ----------
    David & Nagaraja (2003), Order Statistics, Wiley, doi:10.1002/0471722162.

    Examples
    --------
    >>> [(probability, round(error, 3)) for probability, error in gumbel_approximation(103).quantile_errors]
    [(0.8, 0.045), (0.95, 0.156), (0.99, 0.332)]
    """
    check_choice(constants, "constants", ("von-mises", "quantile-matched"))
    size, centre, spread = check_real(n, "n"), check_real(mean, "mean"), check_positive(sd, "sd")
    if size < 2:
        raise ArgumentError("n", n, "must be 2 or more")
    b = float(-ndtri(1.0 / size))
    log_density = -0.5 * (b * b + np.log(2.0 * np.pi))
    a = float(np.exp(-log_density) / size) if constants == "von-mises" else float(-ndtri(1.0 / (size * np.e)) - b)
    from scipy.stats import gumbel_r  # It takes as long to load as all else.

    exact, gumbel = standard_maximum(size, 0.0), gumbel_r(loc=b, scale=a)
    grid = np.linspace(b - 8.0 * a, b + 20.0 * a, 20_001)
    probabilities = np.array([0.8, 0.95, 0.99])
    errors = spread * (gumbel.ppf(probabilities) - exact.quantile(np.log(probabilities), np.log1p(-probabilities)))
    return GumbelApproximation(
        n=size,
        constants=constants,
        location=centre + spread * b,
        scale=spread * a,
        mean_error=spread * (float(gumbel.mean()) - exact.moments()[0]),
        quantile_errors=tuple(zip(probabilities.tolist(), errors.tolist(), strict=True)),
        largest_cdf_error=float(np.abs(gumbel.cdf(grid) - np.exp(exact.log_cdf(grid))).max()),
    )
