"""Numerics of the maximum of normals: standardised distributions in logarithms, and the one quadrature they need.

Everything that is integrated here is log-concave (normal densities, the distribution functions of maxima, and their
products), has no end point, and is analytic: on such functions the trapezoidal rule converges geometrically, once it
spans the region in which they differ from 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import log_ndtr, ndtr, ndtri_exp

from analysis._resampling import MAX_CELLS
from analysis._validation import FloatArray, as_array
from analysis.errors import ArgumentError

#: Logarithm of an integrand, evaluated elementwise on a grid with one row for each integral.
LogIntegrand = Callable[[FloatArray], FloatArray]

_LOG_TWO_PI = float(np.log(2.0 * np.pi))

# Integrands are cut off where they fall below exp(-45) = 3e-20 of their peak, under the rounding of a double.
_LOG_DROP = 45.0
_SEARCH_CELLS = 32
_FIRST_NODES = 64
_MOST_NODES = 4096

# The density of the largest of n spans about 50 of its scale units whatever n is, and is analytic in a strip of
# half-width pi/2 units, so that 512 steps leave an error of the order of exp(-100).
_MOMENT_NODES = 512


@dataclass(frozen=True, slots=True)
class IidMaximum:
    """The largest of ``n`` independent standard normals; ``n`` is any real number from 1, for F = Phi**n."""

    n: float

    def log_pdf(self, z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            result: FloatArray = (
                np.log(self.n) - 0.5 * (z * z + _LOG_TWO_PI) + ((self.n - 1.0) * log_ndtr(z) if self.n > 1.0 else 0.0)
            )
        return result

    def log_cdf(self, z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            result: FloatArray = self.n * log_ndtr(z)
        return result

    def log_sf(self, z: FloatArray) -> FloatArray:
        # 1 - exp(-a) with a = -n log Phi(z). Far out log Phi(z) is -Phi(-z), and 1 - exp(-a) is a: taking these in
        # logarithms keeps the tail down to where doubles end, where -log_ndtr(z) has long been 0.
        with np.errstate(over="ignore", divide="ignore"):
            log_minus_log_cdf = np.where(z > 8.0, log_ndtr(-z), np.log(-log_ndtr(np.minimum(z, 8.0))))
            log_a = np.log(self.n) + log_minus_log_cdf
            result: FloatArray = np.where(log_a > -36.0, np.log(-np.expm1(-np.exp(np.maximum(log_a, -36.0)))), log_a)
        return result

    def quantile(self, log_lower: FloatArray, log_upper: FloatArray) -> FloatArray:
        # Never cdf**(1/n) first: for n = 1e12 it is off by 7e-6, from 1e16 infinite. Far up, Phi(-z) is a - a**2/2
        # with a = -log_lower / n, and a is kept as a logarithm because it may be below the smallest double.
        with np.errstate(divide="ignore"):
            log_a = np.log(-log_lower) - np.log(self.n)
        small = np.minimum(log_a, -20.0)
        far = -ndtri_exp(small - 0.5 * np.exp(small))
        result: FloatArray = np.where(log_a < -20.0, far, ndtri_exp(log_lower / self.n))
        return result

    def moments(self) -> tuple[float, float]:
        return _iid_moments(self.n)


@dataclass(frozen=True, slots=True)
class EquicorrelatedMaximum:
    """sqrt(rho) W + sqrt(1 - rho) M: what n equally correlated normals share, plus the largest of what they don't."""

    n: float
    correlation: float

    def _parts(self) -> tuple[IidMaximum, float, IidMaximum, float]:
        """Return the two independent addends and their weights, the one with the smaller weight first.

        Integrating over the addend of smaller weight leaves a distribution function that is no steeper than the
        density: with the other one, a correlation near 0 or 1 would make it a step.
        """
        shared = IidMaximum(1.0), float(np.sqrt(self.correlation))
        own = IidMaximum(self.n), float(np.sqrt(1.0 - self.correlation))
        return (*shared, *own) if self.correlation <= 0.5 else (*own, *shared)

    def _convolve(self, z: FloatArray, tail: Callable[[IidMaximum, FloatArray], FloatArray]) -> FloatArray:
        """Return the log of the integral of (density of the first addend) x (``tail`` of the second at what is left of
        z)."""
        first, first_weight, second, second_weight = self._parts()
        z = np.asarray(z, dtype=np.float64)
        flat = z.ravel()
        reach = (np.abs(flat) + 50.0) / first_weight + 50.0  # from here on the second factor is its limit, 1 or 0

        def piece(rows: slice) -> FloatArray:
            column = flat[rows, None]

            def log_integrand(t: FloatArray) -> FloatArray:
                left: FloatArray = (column - first_weight * t) / second_weight
                product: FloatArray = first.log_pdf(t) + tail(second, left)
                return product

            return log_integral(log_integrand, -reach[rows], reach[rows])

        size = MAX_CELLS // _MOST_NODES
        pieces = [piece(slice(start, start + size)) for start in range(0, flat.size, size)]
        return np.concatenate(pieces).reshape(z.shape) if pieces else z

    def log_pdf(self, z: FloatArray) -> FloatArray:
        density = self._convolve(z, IidMaximum.log_pdf)
        shifted: FloatArray = density - np.log(self._parts()[3])
        return shifted

    def log_cdf(self, z: FloatArray) -> FloatArray:
        return np.minimum(self._convolve(z, IidMaximum.log_cdf), 0.0)

    def log_sf(self, z: FloatArray) -> FloatArray:
        return np.minimum(self._convolve(z, IidMaximum.log_sf), 0.0)

    def quantile(self, log_lower: FloatArray, log_upper: FloatArray) -> FloatArray:
        result = np.empty(log_lower.shape)
        left = log_lower <= log_upper
        result[left] = self._newton(log_lower[left], log_lower[left], self.log_cdf, 1.0)
        result[~left] = self._newton(log_lower[~left], log_upper[~left], self.log_sf, -1.0)
        return result

    def _newton(
        self, log_lower: FloatArray, log_tail: FloatArray, log_probability: LogIntegrand, direction: float
    ) -> FloatArray:
        """Return where ``log_probability`` is ``log_tail``. It is concave, so Newton's steps can't diverge."""
        mean, sd = self.moments()
        z: FloatArray = mean + sd * ndtri_exp(log_lower)
        inside = np.isfinite(z)
        for _ in range(100):
            value = log_probability(z[inside])
            with np.errstate(over="ignore"):
                slope_inverse = np.exp(value - self.log_pdf(z[inside]))
            step = direction * (log_tail[inside] - value) * slope_inverse
            z[inside] += step
            if np.all(np.abs(step) <= 1e-9 * (1.0 + np.abs(z[inside]))):  # convergence is quadratic
                break
        return z

    def moments(self) -> tuple[float, float]:
        mean, sd = _iid_moments(self.n)
        own = 1.0 - self.correlation
        return float(np.sqrt(own) * mean), float(np.sqrt(self.correlation + own * sd * sd))


#: A standardised distribution, in logarithms; ``quantile`` takes the logarithms of both tail probabilities.
Standard = IidMaximum | EquicorrelatedMaximum


def check_numbers(values: ArrayLike, argument: str) -> FloatArray:
    """Return numbers in an array of any shape. Infinity is a number here, NaN is not."""
    array = as_array(values, argument, "must hold numbers only, in rows of equal length")
    if array.dtype.kind not in "iuf" or np.isnan(array).any():
        raise ArgumentError(argument, values, "must hold numbers only")
    return array.astype(np.float64)


def log_interval(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return log(Phi(high) - Phi(low)) for low < high, without cancellation in the tails."""
    flip = low > 0.0  # the mirrored interval, so that both ends lie where Phi is small
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    with np.errstate(divide="ignore"):
        one_sided = log_ndtr(high) + np.log(-np.expm1(log_ndtr(low) - log_ndtr(high)))
        around_zero = np.log1p(-np.minimum(ndtr(low) + ndtr(-high), 1.0))
    result: FloatArray = np.where(high > 0.0, around_zero, one_sided)
    return result


def normal_reach(log_integrand: LogIntegrand) -> float:
    """Return how far from 0 the product of the normal density and a probability can matter: it stays under the
    density."""
    return float(np.sqrt(2.0 * (_LOG_DROP - log_integrand(np.array(0.0))))) + 1.0


def standard_maximum(n: float, correlation: float) -> Standard:
    """Return the distribution of the largest of ``n`` standard normals with a common correlation of 0 to 1."""
    if correlation < 1e-40:  # moves nothing by as much as a rounding error
        return IidMaximum(n)
    if correlation == 1.0:  # all are the same variable
        return IidMaximum(1.0)
    return EquicorrelatedMaximum(n, correlation)


@lru_cache(maxsize=4096)
def _iid_moments(n: float) -> tuple[float, float]:
    """Return the mean and sd of the largest of ``n`` independent standard normals, by quadrature of the density.

    The density form keeps the left tail that forming Phi**n first loses.
    """
    density = IidMaximum(n).log_pdf
    low, high = support(density, np.array([-60.0]), np.array([60.0]))
    nodes = np.linspace(low[0], high[0], _MOMENT_NODES + 1)
    weights = np.exp(density(nodes))
    weights /= weights.sum()
    mean = float(weights @ nodes)
    return mean, float(np.sqrt(weights @ (nodes - mean) ** 2))


def log_integral(log_integrand: LogIntegrand, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the log of the integral of exp(``log_integrand``), for each of the ranges [low, high], shape
    (n_integrals,).

    The integrand must be log-concave, negligible outside its range, and finite at an end of it at least.
    Its step is halved until no integral changes by more than a relative 1e-11; the last halving then has an error
    far below that, because the error of the trapezoidal rule is squared each time.
    """
    low, high = support(log_integrand, low, high)
    n_steps, previous = _FIRST_NODES, np.full(low.shape, np.inf)
    while True:
        grid = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, n_steps + 1)
        values = log_integrand(grid)
        peak = values.max(axis=1)
        total: FloatArray = peak + np.log(np.exp(values - peak[:, None]).sum(axis=1)) + np.log((high - low) / n_steps)
        if np.all(np.abs(total - previous) <= 1e-11 * (1.0 + np.abs(total))) or n_steps >= _MOST_NODES:
            return total
        n_steps, previous = 2 * n_steps, total


def adaptive_integral(log_integrand: LogIntegrand, reach: float) -> float:
    """Return the integral of exp(``log_integrand``) over [-reach, reach], also where it has steep flanks.

    For a single log-concave integrand of a single variable; slower than :func:`log_integral`, but it refines only
    where it must.
    """
    (low,), (high,) = support(log_integrand, np.array([-reach]), np.array([reach]))
    peak = float(log_integrand(np.linspace(low, high, 4 * _SEARCH_CELLS + 1)).max())

    def relative(t: float) -> float:
        return float(np.exp(log_integrand(np.array(t)) - peak))

    value, *_ = quad(relative, low, high, epsabs=0.0, epsrel=1e-11, limit=1000, full_output=1)
    return float(np.exp(peak) * value)


def support(log_integrand: LogIntegrand, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ranges shrunk to where the integrand is not negligible.

    A log-concave function exceeds any level in one interval. The cells around that interval, one more at each side,
    hold it also where no node of the grid falls into it; repeating on them closes in.
    """
    rows = np.arange(low.size)
    for _ in range(1100):  # halves at least, so that doubles end before
        grid = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _SEARCH_CELLS + 1)
        values = log_integrand(grid)
        above = values >= values.max(axis=1, keepdims=True) - _LOG_DROP
        first = np.maximum(above.argmax(axis=1) - 1, 0)
        last = np.minimum(_SEARCH_CELLS + 1 - above[:, ::-1].argmax(axis=1), _SEARCH_CELLS)
        low, high = grid[rows, first], grid[rows, last]
        if np.all(last - first > _SEARCH_CELLS // 2):
            break
    return low, high
