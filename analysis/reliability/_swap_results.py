"""Results of the swap experiment: counts, the rates asked of them, and where rates would go with more topics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from analysis._validation import (
    IntArray,
    check_choice,
    check_count,
    check_counts,
    check_instances,
    check_probability,
    check_real,
    check_vector,
)
from analysis.errors import ArgumentError
from analysis.reliability._swap_counts import REVERSED, TIED
from analysis.results import Interval, Result

Trend = Literal["exponential", "power"]

TRENDS = ("exponential", "power")
#: Rates of fewer comparisons say nothing about the difference that is needed.
LEAST_COMPARED = 100


@dataclass(frozen=True, slots=True)
class ErrorProjection(Result):
    """An error rate projected to a number of topics."""

    n_topics: Annotated[int, "Number of topics projected to."]
    rate: Annotated[float, "Projected rate, at most 1."]
    interval: Annotated[
        Interval | None, "Prediction interval of a rate measured there, if the trend is right; None below three points."
    ]
    trend: Annotated[str, '"exponential" or "power". rate = level * exp(slope * topics), or level * topics ** slope.']
    level: Annotated[float, "The fit."]
    slope: Annotated[float, "The fit."]
    sizes: Annotated[tuple[int, ...], "Topic-set sizes of the points."]
    rates: Annotated[tuple[float, ...], "Measured rates."]


def project_error_rate(
    sizes: Sequence[int],
    rates: ArrayLike,
    n_topics: int,
    *,
    trend: Trend = "exponential",
    confidence_level: float = 0.95,
) -> ErrorProjection:
    """Return the error rate at a larger number of topics, by a trend through the measured ones.

    Parameters
    ----------
    sizes : sequence of int, shape (n_points,)
        Topic-set sizes, all different, at least two.
    rates : array_like of float, shape (n_points,)
        Error rates measured at them, as shares above 0 and at most 1. A rate of 0 has no logarithm: leave
        such sizes out.
    n_topics : int, 1 or more
        Where to project to.
    trend : {"exponential", "power"}, default "exponential"
        The paper's trend, or a power of the number of topics, which flattens as measured rates do.
    confidence_level : float in (0, 1), default 0.95
        Of the prediction interval.

    Returns
    -------
    ErrorProjection

    Raises
    ------
    ArgumentError
        If lengths differ, a size is repeated, or a number is out of range.

    Notes
    -----
    Ordinary least squares of the log rates on the sizes (Excel's GROWTH, which the paper used) or on their logarithms.
    The interval supposes that the trend is right and knows only the scatter about it. The exponential is too low far
    out: fitted to 5 to 25 topics of Robust04 (AP, disjoint sets), it says .13 for 45 topics where .17 is measured, and
    .014 for significant pairs where it is .033. The power trend says .19 and .038.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, section 3 and footnote 2. Voorhees & Buckley (2002),
    doi:10.1145/564376.564432.
    """
    checked = check_counts(sizes, "sizes")
    values = check_vector(rates, "rates", minimum=2)
    if len(set(checked)) != len(checked) or len(checked) != values.size:
        raise ArgumentError("sizes", sizes, f"must be {values.size} different sizes, one for each rate")
    if (values <= 0).any() or (values > 1).any():
        raise ArgumentError("rates", rates, "must lie above 0 and be at most 1")
    n_topics, level = check_count(n_topics, "n_topics"), check_probability(confidence_level, "confidence_level")
    check_choice(trend, "trend", TRENDS)
    x, y, target = np.array(checked, dtype=np.float64), np.log(values), float(n_topics)
    if trend == "power":
        x, target = np.log(x), float(np.log(target))
    spread = float(((x - x.mean()) ** 2).sum())
    slope = float(((x - x.mean()) * y).sum()) / spread
    intercept = float(y.mean() - slope * x.mean())
    residual = float(((y - intercept - slope * x) ** 2).sum())
    predicted = intercept + slope * target
    return ErrorProjection(
        n_topics=n_topics,
        rate=float(np.exp(min(0.0, predicted))),
        interval=_prediction_interval(predicted, residual, x.size, (target - x.mean()) ** 2 / spread, level),
        trend=trend,
        level=float(np.exp(intercept)),
        slope=slope,
        sizes=tuple(checked),
        rates=tuple(values.tolist()),
    )


def _prediction_interval(predicted: float, residual: float, n: int, leverage: float, level: float) -> Interval | None:
    """Return the interval of a new point of the line, on the scale of rates."""
    if n < 3:
        return None
    error = np.sqrt(residual / (n - 2) * (1 + 1 / n + leverage))
    half = float(-stdtrit(n - 2, (1 - level) / 2) * error)
    low, high = (float(np.exp(min(0.0, end))) for end in (predicted - half, predicted + half))
    return Interval(low, high, level)


Scale = Literal["absolute", "relative"]


@dataclass(frozen=True, slots=True)
class ErrorRate(Result):
    """The rate at which the second topic set reversed the order that the first one showed."""

    n_topics: Annotated[int, "Size of either topic set."]
    estimate: Annotated[float | None, "n_reversed / n_compared; None if nothing was compared."]
    n_compared: Annotated[int, "Pairs times splits that the first set ordered, within the classes asked for."]
    n_reversed: Annotated[int, "Of them: the other order on the second set."]
    n_tied: Annotated[int, "Of them: the same mean on the second set (not an error)."]
    standard_error: Annotated[
        float | None,
        "From the variation between splits: how far other splits of the *same* topics would give another "
        "rate. It says nothing about other topics. None for classes of differences, and with fewer than two "
        "splits.",
    ]


@dataclass(frozen=True, slots=True)
class DifferenceNeeded(Result):
    """The smallest difference from which on the order is reversed no more often than tolerated."""

    n_topics: Annotated[int, "Size of the topic set on which the difference is seen."]
    difference: Annotated[float | None, "Lower end of the first class from which on all err rarely enough."]
    why_none: Annotated[str | None, "Why there is no such difference."]
    scale: Annotated[str, 'Unit of ``difference``: of the measure ("absolute"), or the worse mean ("relative").']
    max_error_rate: Annotated[float, "Tolerated rate."]
    projected: Annotated[bool, "Whether rates were projected to ``n_topics`` rather than measured there."]


@dataclass(frozen=True, slots=True, eq=False)
class SwapRates(Result):
    """Counts of an experiment with pairs of topic sets; rates are asked of its methods."""

    design: Annotated[str, '"disjoint" or "replacement". How topic sets were drawn.']
    test: Annotated[str | None, '"t", "wilcoxon" or "sign". Test on the first topic set.']
    sizes: Annotated[tuple[int, ...], "Sizes of the topic sets."]
    n_splits: Annotated[int, "Pairs of topic sets of each size, summed over pooled collections."]
    n_systems: Annotated[int, "Systems kept, summed likewise."]
    n_pairs: Annotated[int, "Pairs of them, summed likewise."]
    pvalue_edges: Annotated[tuple[float, ...], "Edges of the classes of p-values, (low, high]."]
    absolute_edges: Annotated[tuple[float, ...], "Edges of the classes of differences, [low, high), the last one open."]
    relative_edges: Annotated[tuple[float, ...], "The same of relative differences."]
    absolute: Annotated[
        IntArray, "ndarray of int, shape (n_sizes, n_bands, n_bins, 3). Kept, reversed, tied by p and difference."
    ]
    relative: Annotated[IntArray, "ndarray of int, shape (n_sizes, n_bands, n_bins, 3). By relative difference."]
    by_split: Annotated[IntArray, "ndarray of int, shape (n_sizes, n_splits, n_bands, 3). The same by split and band."]

    def error_rate(
        self,
        n_topics: int,
        *,
        pvalues: tuple[float, float] = (0.0, 1.0),
        difference: tuple[float, float] | None = None,
        scale: Scale = "relative",
    ) -> ErrorRate:
        """Return the rate for topic sets of one size, within a band of p-values and a class of differences.

        Parameters
        ----------
        n_topics : int
            One of ``sizes``.
        pvalues : tuple of float, default (0, 1)
            Two of ``pvalue_edges``: (0, 0.05) for significant pairs, (0.01, 0.05) for barely significant ones.
        difference : tuple of float, optional
            Two edges of the scale; numpy.inf as the second for no limit. By default all differences.
        scale : {"absolute", "relative"}, default "relative"
            Of ``difference``.

        Raises
        ------
        ArgumentError
            If a size or an edge is not one of the experiment's.
        """
        if check_count(n_topics, "n_topics") not in self.sizes:
            raise ArgumentError("n_topics", n_topics, f"must be one of {', '.join(map(str, self.sizes))}")
        row = self.sizes.index(n_topics)
        bands = self._classes(pvalues, self.pvalue_edges, "pvalues")
        counts, edges = self._scale(scale)
        if difference is None:
            by_split = self.by_split[row, :, bands].sum(axis=1)
            return _rate(n_topics, by_split.sum(axis=0), by_split)
        bins = self._classes(difference, (*edges, np.inf), "difference")
        return _rate(n_topics, counts[row, bands, bins].sum(axis=(0, 1)), None)

    def curve(
        self,
        *,
        pvalues: tuple[float, float] = (0.0, 1.0),
        difference: tuple[float, float] | None = None,
        scale: Scale = "relative",
    ) -> tuple[ErrorRate, ...]:
        """Return the rates for all sizes.

        Parameters
        ----------
        pvalues, difference, scale
            As of :meth:`error_rate`.

        Raises
        ------
        ArgumentError
            If an edge is not one of the experiment's.
        """
        return tuple(self.error_rate(size, pvalues=pvalues, difference=difference, scale=scale) for size in self.sizes)

    def difference_needed(
        self,
        n_topics: int,
        *,
        max_error_rate: float = 0.05,
        pvalues: tuple[float, float] = (0.0, 1.0),
        scale: Scale = "relative",
        trend: Trend = "exponential",
    ) -> DifferenceNeeded:
        """Return the smallest difference from which on the order can be relied on.

        Parameters
        ----------
        n_topics : int
            Size of the topic set. For a size that was not measured, the rates of each class are projected (classes
            that can't be keep their last measured rate, which is too high).
        max_error_rate : float in (0, 1), default 0.05
            Tolerated rate.
        pvalues, scale
            As of :meth:`error_rate`.
        trend : {"exponential", "power"}, default "exponential"
            Of the projection; as of :func:`project_error_rate`.

        Raises
        ------
        ArgumentError
            If an argument is out of range, or an edge is not one of the experiment's.

        Notes
        -----
        Classes with fewer than 100 comparisons are passed over, and so is the open class of the largest differences: as
        in the paper, which stops at 20 % absolute and 100 % relative. There the disjoint design misleads most.
        """
        n_topics = check_count(n_topics, "n_topics")
        check_probability(max_error_rate, "max_error_rate")
        check_choice(trend, "trend", TRENDS)
        edges = self._scale(scale)[1]
        needed: float | None = None
        seen = False
        for low, high in reversed(list(pairwise(edges))):
            rate = self._class_rate(n_topics, pvalues, (low, high), scale, trend)
            if rate is None:
                continue
            seen = True
            if rate > max_error_rate:
                break
            needed = low
        why = None if needed is not None else ("no class is reliable" if seen else "too few comparisons")
        return DifferenceNeeded(n_topics, needed, why, scale, max_error_rate, n_topics not in self.sizes)

    def pooled_with(self, others: Sequence["SwapRates"]) -> "SwapRates":
        """Return the experiment over several collections: counts added up, as if a pair were drawn from all of them.

        Parameters
        ----------
        others : sequence of SwapRates
            At least one, of the same design, test, sizes and number of splits.

        Raises
        ------
        ArgumentError
            If there is none, or they differ in one of these.
        """
        checked = check_instances(others, "others", SwapRates)
        for name in ("design", "test", "sizes", "n_splits"):
            if any(getattr(other, name) != getattr(self, name) for other in checked):
                raise ArgumentError("others", [getattr(other, name) for other in checked], f"must agree in {name}")
        added = ("n_systems", "n_pairs", "absolute", "relative", "by_split")
        return replace(self, **{name: sum(getattr(rates, name) for rates in (self, *checked)) for name in added})

    def _class_rate(
        self,
        n_topics: int,
        pvalues: tuple[float, float],
        difference: tuple[float, float],
        scale: Scale,
        trend: Trend,
    ) -> float | None:
        measured = self.curve(pvalues=pvalues, difference=difference, scale=scale)
        enough = [point for point in measured if point.n_compared >= LEAST_COMPARED and point.estimate is not None]
        if n_topics in self.sizes or not enough:
            return next((point.estimate for point in enough if point.n_topics == n_topics), None)
        positive = [point for point in enough if point.n_reversed > 0]
        if len(positive) < 3:
            return enough[-1].estimate
        rates = [point.n_reversed / point.n_compared for point in positive]
        return project_error_rate([point.n_topics for point in positive], rates, n_topics, trend=trend).rate

    def _scale(self, scale: str) -> tuple[IntArray, tuple[float, ...]]:
        check_choice(scale, "scale", ("absolute", "relative"))
        if scale == "absolute":
            return self.absolute, self.absolute_edges
        return self.relative, self.relative_edges

    def _classes(self, ends: tuple[float, float], edges: tuple[float, ...], argument: str) -> slice:
        if not isinstance(ends, (tuple, list)) or len(ends) != 2:
            raise ArgumentError(argument, ends, "must be a pair of edges")
        for end in ends:
            if not isinstance(end, float) or end != np.inf:
                check_real(end, argument)
        positions = [int(np.argmin(np.abs(np.array(edges) - end))) if end != np.inf else len(edges) - 1 for end in ends]
        known = all(edges[at] == end or abs(edges[at] - end) < 1e-9 for at, end in zip(positions, ends, strict=True))
        if not known or positions[0] >= positions[1]:
            raise ArgumentError(argument, ends, f"must be two of {', '.join(f'{edge:g}' for edge in edges)}, ascending")
        return slice(*positions)


def _rate(n_topics: int, counts: IntArray, by_split: IntArray | None) -> ErrorRate:
    n_compared, n_reversed, n_tied = int(counts.sum()), int(counts[REVERSED]), int(counts[TIED])
    if n_compared == 0:
        return ErrorRate(n_topics, None, 0, 0, 0, None)
    rate = n_reversed / n_compared
    error = None
    if by_split is not None and by_split.shape[0] > 1:
        # The standard error of a ratio of sums over splits, by linearisation.
        deviations = by_split[:, REVERSED] - rate * by_split.sum(axis=1)
        n_splits = by_split.shape[0]
        error = float(np.sqrt(n_splits / (n_splits - 1) * (deviations**2).sum()) / n_compared)
    return ErrorRate(n_topics, rate, n_compared, n_reversed, n_tied, error)
