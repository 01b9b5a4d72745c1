"""The exact distribution of the largest or smallest of N normals: how extreme is expected from N tries alone.

The distribution of the maximum has a closed form, Phi((x - mean) / sd)**N, for every N; only its moments need a
quadrature. Simulating it, or replacing it by a Gumbel distribution, loses accuracy for nothing;
the Gumbel approximation is here with its error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from analysis._validation import FloatArray, check_choice, check_positive, check_real
from analysis.best._extremes import (
    IidMaximum,
    Standard,
    adaptive_integral,
    check_numbers,
    log_interval,
    normal_reach,
    standard_maximum,
)
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True)
class ExtremeDistribution(Result):
    """Distribution of the largest or the smallest of ``n`` normal variables.

    Made by :func:`maximum_distribution` and :func:`minimum_distribution`. Its methods take a number or an array of
    any shape and return the same; they are exact to rounding (relative error under 1e-10, in the tails too).
    """

    extreme: Annotated[Literal["maximum", "minimum"], "Which of the variables it is about."]
    n: Annotated[float, "Number of variables, 1 or more; need not be whole."]
    population_mean: Annotated[float, "Mean of each of the variables, in the unit of the scores."]
    population_sd: Annotated[float, "Standard deviation of each of the variables, in the unit of the scores."]
    correlation: Annotated[float, "Correlation of every two of them, 0 to 1."]

    def pdf(self, x: ArrayLike) -> Any:
        """Return the probability density at ``x``, per unit of the scores.

        Parameters
        ----------
        x : array_like of float, any shape
            Values, in the unit of the scores.

        Raises
        ------
        ArgumentError
            If ``x`` holds anything but numbers.
        """
        return self._at(x, lambda standard, z: standard.log_pdf(z), 1.0 / self.population_sd)

    def cdf(self, x: ArrayLike) -> Any:
        """Return the probability that the extreme is at most ``x``.

        Parameters
        ----------
        x : array_like of float, any shape
            Values, in the unit of the scores.

        Raises
        ------
        ArgumentError
            If ``x`` holds anything but numbers.
        """
        return self._at(x, lambda s, z: s.log_cdf(z) if self._sign > 0 else s.log_sf(z), 1.0)

    def sf(self, x: ArrayLike) -> Any:
        """Return the probability that the extreme exceeds ``x``, exact also where it is tiny.

        Parameters
        ----------
        x : array_like of float, any shape
            Values, in the unit of the scores.

        Raises
        ------
        ArgumentError
            If ``x`` holds anything but numbers.
        """
        return self._at(x, lambda s, z: s.log_sf(z) if self._sign > 0 else s.log_cdf(z), 1.0)

    def ppf(self, q: ArrayLike) -> Any:
        """Return the value that the extreme stays below with probability ``q``.

        Parameters
        ----------
        q : array_like of float, any shape
            Probabilities, 0 to 1.

        Raises
        ------
        ArgumentError
            If ``q`` holds anything but numbers from 0 to 1.
        """
        return self._quantile(q, lower=self._sign > 0)

    def isf(self, q: ArrayLike) -> Any:
        """Return the value that the extreme exceeds with probability ``q``, exact also where that is tiny.

        Parameters
        ----------
        q : array_like of float, any shape
            Probabilities, 0 to 1.

        Raises
        ------
        ArgumentError
            If ``q`` holds anything but numbers from 0 to 1.
        """
        return self._quantile(q, lower=self._sign < 0)

    def mean(self) -> float:
        """Return the expected value of the extreme."""
        return self.population_mean + self._sign * self.population_sd * self._standard.moments()[0]

    def sd(self) -> float:
        """Return the standard deviation of the extreme."""
        return self.population_sd * self._standard.moments()[1]

    def median(self) -> float:
        """Return the value that the extreme exceeds with probability 1/2."""
        return float(self.ppf(0.5))

    @property
    def _sign(self) -> float:
        # The minimum is treated as minus the maximum of the mirrored variables.
        return 1.0 if self.extreme == "maximum" else -1.0

    @property
    def _standard(self) -> Standard:
        return standard_maximum(self.n, self.correlation)

    def _at(self, x: ArrayLike, log_function: Callable[[Standard, FloatArray], FloatArray], unit: float) -> Any:
        values = check_numbers(x, "x")
        z = self._sign * (values - self.population_mean) / self.population_sd
        # Beyond 1e30 sd every answer is 0 or 1; cut off there, squares do not overflow.
        result = np.exp(log_function(self._standard, np.clip(z, -1e30, 1e30))) * unit
        return float(result) if values.ndim == 0 else result

    def _quantile(self, q: ArrayLike, *, lower: bool) -> Any:
        values = check_numbers(q, "q")
        if ((values < 0) | (values > 1)).any():
            raise ArgumentError("q", q, "must lie between 0 and 1")
        with np.errstate(divide="ignore"):
            tails = np.log(values), np.log1p(-values)
        z = self._standard.quantile(*(tails if lower else tails[::-1]))
        result = self.population_mean + self._sign * self.population_sd * z
        return float(result) if values.ndim == 0 else result


def maximum_distribution(
    n: float, *, mean: float = 0.0, sd: float = 1.0, correlation: float = 0.0
) -> ExtremeDistribution:
    """Return the distribution of the largest of ``n`` normal variables with one mean, one sd and one correlation.

    Parameters
    ----------
    n : float
        Number of variables, 1 or more, without upper limit. It need not be whole: an effective number of
        independent results is not (see :func:`effective_n`), and Phi**n is a distribution for every n.
    mean : float, default 0.0
        Mean of each variable, in the unit of the scores.
    sd : float, default 1.0
        Standard deviation of each variable (for mean scores: their standard error), above 0.
    correlation : float, default 0.0
        Correlation of every two variables, 0 to 1. At 1 they are one variable.

    Returns
    -------
    ExtremeDistribution

    Raises
    ------
    ArgumentError
        If ``n`` is below 1, ``sd`` not above 0, ``correlation`` outside 0 to 1, or a number is not finite.

    Notes
    -----
    Independent: F(x) = Phi((x - mean) / sd)**n. Equally correlated: given the common part W, the variables are
    independent, so F(z) is the integral of phi(w) Phi((z - sqrt(rho) w) / sqrt(1 - rho))**n, taken by an adaptive
    rule (a fixed 80-node Gauss-Hermite rule is off by 1e-3 at rho = 0.9). Assumes normal variables with equal means
    and variances; see :func:`scores_maximum_cdf` otherwise.

    References
    ----------
    H. A. David and H. N. Nagaraja (2003), Order Statistics, 3rd ed., Wiley, doi:10.1002/0471722162.
    B. Carterette (2015), The best published result is random, SIGIR, doi:10.1145/2766462.2767812, section 2.
    """
    return extreme_distribution("maximum", n, mean, sd, correlation)


def minimum_distribution(
    n: float, *, mean: float = 0.0, sd: float = 1.0, correlation: float = 0.0
) -> ExtremeDistribution:
    """Return the distribution of the smallest of ``n`` normal variables with one mean, one sd and one correlation.

    Parameters
    ----------
    n, mean, sd, correlation : float
        As for :func:`maximum_distribution`, of which this is the mirror image.

    Returns
    -------
    ExtremeDistribution

    Raises
    ------
    ArgumentError
        As for :func:`maximum_distribution`.

    References
    ----------
    Carterette (2015), "The best published result is random", SIGIR 2015, doi:10.1145/2766462.2767812.
    David & Nagaraja (2003), Order Statistics, Wiley, doi:10.1002/0471722162.

    Examples
    --------
    >>> round(minimum_distribution(103, mean=0.2, sd=0.08 / 50**0.5).ppf(0.05), 4)
    0.1628
    """
    return extreme_distribution("minimum", n, mean, sd, correlation)


def extreme_distribution(
    extreme: Literal["maximum", "minimum"], n: float, mean: float, sd: float, correlation: float
) -> ExtremeDistribution:
    if check_real(n, "n") < 1:
        raise ArgumentError("n", n, "must be 1 or more")
    if not 0 <= check_real(correlation, "correlation") <= 1:
        raise ArgumentError("correlation", correlation, "must lie between 0 and 1")
    return ExtremeDistribution(
        extreme, float(n), check_real(mean, "mean"), check_positive(sd, "sd"), float(correlation)
    )


def range_probability(
    lower: float, upper: float, n: float, *, mean: float = 0.0, sd: float = 1.0, correlation: float = 0.0
) -> float:
    """Return the probability that the smallest of ``n`` normals is at least ``lower`` and the largest at most
    ``upper``.

    Parameters
    ----------
    lower, upper : float
        Ends of the range, ``lower`` below ``upper``, in the unit of the scores.
    n, mean, sd, correlation : float
        As for :func:`maximum_distribution`.

    Returns
    -------
    float
        (Phi(b) - Phi(a))**n for independent variables, one quadrature for correlated ones.

    Raises
    ------
    ArgumentError
        If ``lower`` is not below ``upper``, or as for :func:`maximum_distribution`.

    References
    ----------
    David & Nagaraja (2003), Order Statistics, Wiley, doi:10.1002/0471722162.

    Examples
    --------
    The range that the largest of 103 stays below, and the smallest above, with probability 0.8 each:

    >>> z = maximum_distribution(103).ppf(0.8)
    >>> round(range_probability(-z, z, 103), 4)
    0.6397
    """
    distribution = extreme_distribution("maximum", n, mean, sd, correlation)
    low, high = ((check_real(value, name) - mean) / sd for value, name in ((lower, "lower"), (upper, "upper")))
    if low >= high:
        raise ArgumentError("lower", lower, f"must be below upper = {upper!r}")
    if correlation in (0.0, 1.0):
        return float(np.exp((1.0 if correlation else distribution.n) * log_interval(np.array(low), np.array(high))))
    shared, own = np.sqrt(correlation), np.sqrt(1.0 - correlation)

    def log_integrand(w: FloatArray) -> FloatArray:
        inside = distribution.n * log_interval((low - shared * w) / own, (high - shared * w) / own)
        product: FloatArray = IidMaximum(1.0).log_pdf(w) + inside
        return product

    return adaptive_integral(log_integrand, normal_reach(log_integrand))


@dataclass(frozen=True, slots=True)
class GumbelApproximation(Result):
    """The Gumbel distribution that the maximum of ``n`` normals tends to, and how far it still is from it."""

    n: float
    constants: Annotated[Literal["von-mises", "quantile-matched"], "How location and scale were chosen."]
    location: Annotated[float, "Parameters of the Gumbel distribution, in the unit of the scores."]
    scale: Annotated[float, "Parameters of the Gumbel distribution, in the unit of the scores."]
    mean_error: Annotated[float, "Its mean less that of the exact distribution."]
    quantile_errors: Annotated[tuple[tuple[float, float], ...], "(probability, quantile less the exact one) of three."]
    largest_cdf_error: Annotated[float, "Largest absolute difference between the two distribution functions."]


def gumbel_approximation(
    n: float, *, mean: float = 0.0, sd: float = 1.0, constants: Literal["von-mises", "quantile-matched"] = "von-mises"
) -> GumbelApproximation:
    """Return the textbook Gumbel approximation with its error: it explains growth with sqrt(2 log n), no more.

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
