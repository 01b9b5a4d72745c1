"""One answer from several: effects measured on topics, or on collections, combined by their precision.

Every topic (or collection) is a test of its own, with an effect and a standard error; what differs between them beyond
chance is heterogeneity. Cormack & Lynam (2006) propose this instead of treating topics as a sample of like ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from analysis._validation import FloatArray, check_choice, check_probability, check_vector
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.errors import ArgumentError
from analysis.results import Interval, Result

Model = Literal["random", "fixed"]
Estimator = Literal["REML", "PM", "DL"]
Inference = Literal["hartung-knapp", "normal"]

_ESTIMATORS = ("REML", "PM", "DL")
#: Squares of weights that are made of it can be multiplied with squares of effects of any size that is taken.
_SMALLEST_ERROR = 1e-40


@dataclass(frozen=True, slots=True)
class MetaAnalysis(Result):
    """Effects combined."""

    estimate: Annotated[float, "Weighted mean of the effects."]
    standard_error: Annotated[float, "Its standard error."]
    statistic: Annotated[float, "Estimate divided by its standard error."]
    pvalue: Annotated[float, "Two-sided p-value of the hypothesis that the effect is 0."]
    interval: Annotated[Interval, "Limits of the mean effect."]
    prediction_interval: Annotated[
        Interval | None, "Limits of the effect of a further test; None if fixed or below three tests."
    ]
    why_no_prediction: Annotated[str | None, "Why there is none."]
    tau_squared: Annotated[float, "Variance of the true effects between tests, 0 or more."]
    tau_squared_interval: Annotated[Interval, "Its limits by the Q profile, 0 or more."]
    truncated: Annotated[bool, "Whether ``tau_squared`` is 0 because the tests differ no more than chance makes them."]
    q: Annotated[float, "Cochran's Q."]
    q_pvalue: Annotated[float, "Its chi-squared p-value on ``n_effects - 1`` degrees of freedom."]
    i_squared: Annotated[float, "Share of the variance of the effects that is not chance, 0 to 1."]
    weights: Annotated[tuple[float, ...], "Share of each effect in the estimate; they add up to 1."]
    n_effects: Annotated[int, "Number of effects combined."]
    model: Annotated[Model, '"random", "fixed". The model.']
    estimator: Annotated[Estimator | None, "How ``tau_squared`` was estimated; None for the fixed model."]
    inference: Annotated[Inference, '"hartung-knapp", "normal". How standard error, p-value and interval were found.']


def meta_analysis(
    effects: ArrayLike,
    standard_errors: ArrayLike,
    *,
    model: Model = "random",
    estimator: Estimator = "REML",
    inference: Inference | None = None,
    confidence_level: float = 0.95,
) -> MetaAnalysis:
    """Return the effect that several tests agree on, and how much they differ.

    Parameters
    ----------
    effects : array_like of float, shape (n_effects,)
        One for each test, at least two, all in one unit: differences in logit AP by topic, differences in mean score
        by collection.
    standard_errors : array_like of float, shape (n_effects,)
        Their standard errors, in the same unit, 1e-40 or more.
    model : {"random", "fixed"}, default "random"
        "fixed": every test has the same true effect. "random": true effects are normal around a mean.
    estimator : {"REML", "PM", "DL"}, default "REML"
        Variance between tests, for the random model: restricted maximum likelihood, Paule & Mandel, or
        DerSimonian & Laird. Never below 0.
    inference : {"hartung-knapp", "normal"}, optional
        "normal": the standard error takes the weights as known. "hartung-knapp": it comes from the spread of the
        effects, with Student's t on n_effects - 1 degrees of freedom, and never falls below the normal one. By
        default "hartung-knapp" for the random and "normal" for the fixed model.
    confidence_level : float, default 0.95
        Level of all intervals, between 0 and 1.

    Returns
    -------
    MetaAnalysis
        The prediction interval uses Student's t on n_effects - 2 degrees of freedom.

    Raises
    ------
    ArgumentError
        If there are fewer than two effects, lengths differ, a number is not finite, a standard error is below 1e-40
        (a topic that no resample changes has none: leave it out, and say so), or "hartung-knapp" is asked of the
        fixed model.

    Notes
    -----
    Heterogeneity is truncated: where Q does not exceed its degrees of freedom the variance is 0; statsmodels 0.15 lets
    the negative value through. I^2 is tau^2 / (tau^2 + s^2), s^2 being the typical sampling variance. The larger of the
    Hartung-Knapp and the normal error is used: effects may happen to lie close together. The fixed-effect weights 1 /
    se^2 answer for these tests alone; where tests differ, the random model answers for tests like these.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262. DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2.
    Paule & Mandel (1982), doi:10.6028/jres.087.022. Knapp & Hartung (2003), doi:10.1002/sim.1482. Higgins, Thompson &
    Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x (prediction). Viechtbauer (2007), doi:10.1002/sim.2514
    (Q profile). Viechtbauer (2010), doi:10.18637/jss.v036.i03 (the example).
    """
    check_choice(model, "model", ("random", "fixed"))
    check_choice(estimator, "estimator", _ESTIMATORS)
    inference = inference or ("hartung-knapp" if model == "random" else "normal")
    check_choice(inference, "inference", ("hartung-knapp", "normal"))
    if model == "fixed" and inference == "hartung-knapp":
        raise ArgumentError("inference", inference, "must be 'normal' for the fixed model")
    check_probability(confidence_level, "confidence_level")
    values, variances = _checked(effects, standard_errors)
    count = values.size
    degrees = count - 1 if inference == "hartung-knapp" else None
    tau_squared = between_variance(effects, standard_errors, estimator=estimator) if model == "random" else 0.0
    weights = 1.0 / (variances + tau_squared)
    estimate = float(np.sum(weights * values) / weights.sum())
    error = float(_standard_error(values, weights, estimate, inference))
    statistic = estimate / error
    q = _generalized_q(0.0, values, variances)
    return MetaAnalysis(
        estimate,
        error,
        statistic,
        _two_sided(statistic, degrees),
        _interval(estimate, error, degrees, confidence_level),
        *_prediction(estimate, error, tau_squared, count, model, confidence_level),
        tau_squared,
        _q_profile(values, variances, confidence_level),
        model == "random" and tau_squared == 0.0,
        q,
        max(float(special.chdtrc(count - 1, q)), SMALLEST_PVALUE),
        _i_squared(tau_squared if model == "random" else _dersimonian_laird(values, variances), variances),
        tuple((weights / weights.sum()).tolist()),
        count,
        model,
        estimator if model == "random" else None,
        inference,
    )


def between_variance(effects: ArrayLike, standard_errors: ArrayLike, *, estimator: Estimator = "REML") -> float:
    """Return variance of the true effects between tests, tau^2, in the squared unit of the effects, truncated at 0.

    DL is the truncated moment estimator max(0, (Q - (k - 1)) / (sum w - sum w^2 / sum w)), w = 1 / se^2. PM solves
    Q(tau^2) = k - 1. REML takes the largest maximum of the restricted likelihood, found on a grid and refined, so that
    it can't fail to converge.

    >>> [round(between_variance([0.0, 1.0, 3.0], [0.5, 0.5, 0.5], estimator=name), 4) for name in ("DL", "PM", "REML")]
    [2.0833, 2.0833, 2.0833]
    """
    check_choice(estimator, "estimator", _ESTIMATORS)
    values, variances = _checked(effects, standard_errors)
    if estimator == "DL":
        return _dersimonian_laird(values, variances)
    if estimator == "PM":
        return _solve_q(values.size - 1.0, values, variances)
    return _restricted_maximum(values, variances)


def _checked(effects: ArrayLike, standard_errors: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return effects and their sampling variances."""
    values = check_vector(effects, "effects", minimum=2)
    errors = check_vector(standard_errors, "standard_errors", minimum=2)
    if values.size != errors.size:
        raise ArgumentError("standard_errors", standard_errors, f"must hold {values.size} values, one for each effect")
    bad = np.flatnonzero(errors < _SMALLEST_ERROR)
    if bad.size:
        first = int(bad[0])
        reason = f"must be {_SMALLEST_ERROR:g} or more, but number {first + 1} is not"
        raise ArgumentError("standard_errors", float(errors[first]), reason)
    return values, errors**2


def _generalized_q(tau_squared: float, values: FloatArray, variances: FloatArray) -> float:
    weights = 1.0 / (variances + tau_squared)
    mean = np.sum(weights * values) / weights.sum()
    return float(np.sum(weights * (values - mean) ** 2))


def _solve_q(target: float, values: FloatArray, variances: FloatArray) -> float:
    """Return the tau^2 at which the generalized Q, which falls in it, equals the target; 0 where it starts below."""
    if target <= 0.0 or _generalized_q(0.0, values, variances) <= target:
        return 0.0
    # Q(t) <= sum (y - mean)^2 / t for any weights, so the root is not beyond this.
    highest = float(np.sum((values - values.mean()) ** 2)) / target
    return _root(lambda tau_squared: _generalized_q(tau_squared, values, variances) - target, 0.0, highest)


def _dersimonian_laird(values: FloatArray, variances: FloatArray) -> float:
    weights = 1.0 / variances
    excess = _generalized_q(0.0, values, variances) - (values.size - 1)
    return max(0.0, float(excess / (weights.sum() - np.sum(weights**2) / weights.sum())))


def _restricted_maximum(values: FloatArray, variances: FloatArray) -> float:
    """Return the tau^2 of the highest restricted likelihood, which may have several maxima and one at 0."""
    spread = float(np.sum((values - values.mean()) ** 2))
    grid = np.concatenate([[0.0], np.geomspace(1e-8, 1.0, 400) * spread])
    best = int(np.argmax(_restricted_likelihoods(grid, values, variances)))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    slopes = [_restricted_slope(end, values, variances) for end in (low, high)]
    if slopes[0] <= 0.0 or slopes[1] >= 0.0:
        return float(grid[best])
    return _root(lambda tau_squared: _restricted_slope(tau_squared, values, variances), low, high)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    # brentq's tolerance is absolute by default, and effects may be small.
    return float(optimize.brentq(function, low, high, xtol=max(high * 1e-15, SMALLEST_PVALUE), rtol=1e-14))


def _restricted_likelihoods(grid: FloatArray, values: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the restricted log-likelihood at each tau^2 of the grid, without its constant."""
    weights = 1.0 / (variances + grid[:, np.newaxis])
    total = weights.sum(axis=1)
    deviations = values - (weights @ values / total)[:, np.newaxis]
    logs = np.log(weights).sum(axis=1) - np.log(total) - np.sum(weights * deviations**2, axis=1)
    return np.asarray(0.5 * logs)


def _restricted_slope(tau_squared: float, values: FloatArray, variances: FloatArray) -> float:
    """Return the derivative of the restricted log-likelihood with respect to tau^2."""
    weights = 1.0 / (variances + tau_squared)
    mean = np.sum(weights * values) / weights.sum()
    squares = weights**2
    return float(0.5 * (np.sum(squares * (values - mean) ** 2) - weights.sum() + squares.sum() / weights.sum()))


def _standard_error(values: FloatArray, weights: FloatArray, estimate: float, inference: Inference) -> float:
    known = 1.0 / weights.sum()
    if inference == "normal":
        return float(np.sqrt(known))
    scatter = np.sum(weights * (values - estimate) ** 2) / (values.size - 1)
    return float(np.sqrt(known * max(1.0, scatter)))


def _two_sided(statistic: float, degrees: int | None) -> float:
    lower = special.ndtr(-abs(statistic)) if degrees is None else special.stdtr(degrees, -abs(statistic))
    return max(2.0 * float(lower), SMALLEST_PVALUE)


def _interval(centre: float, error: float, degrees: int | None, confidence_level: float) -> Interval:
    upper = (1.0 + confidence_level) / 2.0
    reach = error * float(special.ndtri(upper) if degrees is None else special.stdtrit(degrees, upper))
    return Interval(centre - reach, centre + reach, confidence_level)


def _prediction(
    estimate: float, error: float, tau_squared: float, count: int, model: Model, confidence_level: float
) -> tuple[Interval | None, str | None]:
    if model == "fixed":
        return None, "in the fixed model every test has the same effect"
    if count < 3:
        return None, "needs at least three effects"
    return _interval(estimate, float(np.sqrt(tau_squared + error**2)), count - 2, confidence_level), None


def _q_profile(values: FloatArray, variances: FloatArray, confidence_level: float) -> Interval:
    """Return values of tau^2 for which the generalized Q is not extreme, cut at 0."""
    tail = (1.0 - confidence_level) / 2.0
    low, high = (
        _solve_q(float(special.chdtri(values.size - 1, probability)), values, variances)
        for probability in (tail, 1.0 - tail)
    )
    return Interval(low, high, confidence_level)


def _i_squared(tau_squared: float, variances: FloatArray) -> float:
    weights = 1.0 / variances
    typical = (weights.size - 1) * weights.sum() / (weights.sum() ** 2 - np.sum(weights**2))
    return float(tau_squared / (tau_squared + typical))
