"""The model of instances fitted by restricted maximum likelihood, for scores of which some are absent.

The model is score = algorithm + instance + topic + algorithm x topic + residual, all but the algorithm random.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.optimize import minimize

from analysis._validation import FloatArray, check_flag, check_instance
from analysis.errors import ArgumentError
from analysis.instances._anova import InstanceComponents
from analysis.instances._equations import COMPONENTS, Equations, instance_equations
from analysis.results import Result
from analysis.scores import InstanceScores

#: A component below this part of the residual variance is tried at 0; one at the limit has no maximum.
_NEGLIGIBLE, _LARGEST = 5e-4, 1e8

#: Step of numerical derivatives by the logarithm of a variance: truncation and rounding errors are then near 1e-6.
_LOG_STEP = 1e-2


@dataclass(frozen=True, slots=True)
class RemlFit(Result):
    """A fitted model of two algorithms."""

    difference: Annotated[float, "First minus second algorithm, and its standard error."]
    standard_error: Annotated[float, "First minus second algorithm, and its standard error."]
    df: Annotated[float, "Satterthwaite's degrees of freedom, at least 1."]
    components: Annotated[InstanceComponents, "REML estimates; those on the boundary are 0 and named in ``truncated``."]
    means: Annotated[tuple[float, float], "Estimated means of the two algorithms."]
    deviance: Annotated[float, "-2 log restricted likelihood at the estimates."]


def fit_reml(scores: InstanceScores, *, instance_effect: bool = True) -> RemlFit:
    """Return the model of instances fitted to two algorithms' scores by REML; cells may be absent.

    Parameters
    ----------
    scores : InstanceScores
        Scores of exactly two algorithms.
    instance_effect : bool, default True
        Whether instances have an effect of their own (model 3) or are mere repeats (model 2). Deterministic
        algorithms never have one.

    Returns
    -------
    RemlFit

    Raises
    ------
    ArgumentError
        If there are not two algorithms, both are deterministic, nothing varies, or the likelihood has no maximum
        that can be found.

    Notes
    -----
    Absent cells are taken as absent at random: a topic that failed because it was hard biases the difference.
    Satterthwaite's degrees of freedom are 2 V² / (g' A g), with V the variance of the difference, g its gradient and A
    the inverse information of the components, by numerical differentiation; those on the boundary are held at 0.

    References
    ----------
    Bates, Mächler, Bolker & Walker (2015), doi:10.18637/jss.v067.i01, for the profiled criterion (equation 41).
    Kuznetsova, Brockhoff & Christensen (2017), doi:10.18637/jss.v082.i13, for the degrees of freedom.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> table = rng.normal(0, 0.1, 20) + rng.normal(0, 0.02, (2, 3, 1)) + rng.normal(0.4, 0.05, (2, 3, 20))
    >>> fit = fit_reml(InstanceScores.from_array(table))
    >>> bool(abs(fit.difference - (table[0].mean() - table[1].mean())) < 1e-9)
    True
    """
    check_instance(scores, "scores", InstanceScores)
    check_flag(instance_effect, "instance_effect")
    if len(scores.algorithms) != 2:
        raise ArgumentError("scores", scores.algorithms, "must hold exactly two algorithms")
    if len(scores.deterministic) == 2:
        raise ArgumentError(
            "scores", scores.deterministic, "must hold an algorithm that varies: complete_topics() and a t test do"
        )
    equations = instance_equations(scores, instance_effect)
    try:
        ratios = _maximize(equations)
        df = _satterthwaite(equations, ratios)
    except np.linalg.LinAlgError as error:
        raise ArgumentError("scores", equations.n_free, "must vary enough for the model to be fitted") from error
    solution = equations.solve(ratios)
    residual = solution.quadratic / equations.n_free
    present = [COMPONENTS[number] for number in equations.used]
    variance = dict(zip(COMPONENTS, (ratios * residual).tolist(), strict=True))
    return RemlFit(
        difference=float(solution.means[0] - solution.means[1]),
        standard_error=float(np.sqrt(residual * solution.contrast_variance)),
        df=df,
        components=InstanceComponents(
            variance["instance"] if "instance" in present else None,
            variance["topic"],
            variance["algorithm_topic"],
            residual,
            tuple(name for name in present if variance[name] == 0),
        ),
        means=(float(solution.means[0]) + equations.centre, float(solution.means[1]) + equations.centre),
        deviance=float(solution.log_determinants + equations.n_free * (np.log(2 * np.pi * residual) + 1)),
    )


def _maximize(equations: Equations) -> FloatArray:
    """Return variances of the components in units of the residual's, at the highest restricted likelihood: searched in
    logarithms of mean squares, of which with all cells present the deviance is a sum of functions of one each."""
    used, counts = equations.used, equations.scores_of_effects

    def ratios_of(logs: FloatArray) -> FloatArray:
        ratios = np.zeros(3)
        ratios[used] = np.expm1(logs) / counts
        return ratios

    def profiled(logs: FloatArray) -> float:
        """Return the deviance with the residual variance profiled out, but for a constant."""
        solution = equations.solve(ratios_of(logs))
        if solution.quadratic <= 0:
            raise ArgumentError("scores", solution.quadratic, "must vary around algorithms, instances and topics")
        return solution.log_determinants + equations.n_free * float(np.log(solution.quadratic / equations.n_free))

    lowest = minimize(
        profiled,
        np.log1p(counts),
        method="L-BFGS-B",
        jac="2-point",
        bounds=[(0.0, limit) for limit in np.log1p(_LARGEST * counts)],
        # Forward differences shift the answer by half their step.
        options={"ftol": 1e-13, "gtol": 1e-6, "finite_diff_rel_step": 1e-6},
    )
    logs = lowest.x
    for number in np.flatnonzero(np.expm1(logs) < _NEGLIGIBLE * counts):
        without = logs.copy()
        without[number] = 0.0
        if profiled(without) <= lowest.fun + 1e-9 * abs(lowest.fun):
            logs = without
    return ratios_of(logs)


def _satterthwaite(equations: Equations, ratios: FloatArray) -> float:
    """Return degrees of freedom from derivatives with respect to the logarithms of the variances: the deviance is
    L + n log(v) + Q / v with v the residual variance, where L, Q and the variance of the difference over v depend on
    the ratios alone."""
    active = np.flatnonzero(ratios > 0)
    size = active.size

    def at(*steps: tuple[int, float]) -> FloatArray:
        """Return the log determinant, quadratic form and log contrast variance, so many steps away."""
        moved = ratios.copy()
        for number, direction in steps:
            moved[active[number]] *= np.exp(direction * _LOG_STEP)
        solution = equations.solve(moved)
        return np.array([solution.log_determinants, solution.quadratic, np.log(solution.contrast_variance)])

    centre = at()
    forward, backward = (np.array([at((i, sign)) for i in range(size)]).reshape(size, 3) for sign in (1.0, -1.0))
    slopes = (forward - backward) / (2 * _LOG_STEP)
    curvature = np.empty((size, size, 3))
    for i in range(size):
        curvature[i, i] = (forward[i] - 2 * centre + backward[i]) / _LOG_STEP**2
        for j in range(i):
            same, opposite = at((i, 1), (j, 1)) + at((i, -1), (j, -1)), at((i, 1), (j, -1)) + at((i, -1), (j, 1))
            curvature[i, j] = curvature[j, i] = (same - opposite) / (4 * _LOG_STEP**2)
    residual = centre[1] / equations.n_free
    gradient = np.append(slopes[:, 2], 1 - slopes[:, 2].sum())
    hessian = np.empty((size + 1, size + 1))
    hessian[:-1, :-1] = curvature[:, :, 0] + curvature[:, :, 1] / residual
    pull = slopes[:, 1] / residual
    hessian[-1, :-1] = hessian[:-1, -1] = -hessian[:-1, :-1].sum(axis=1) - pull
    hessian[-1, -1] = hessian[:-1, :-1].sum() + 2 * pull.sum() + equations.n_free
    # The covariance of the log variances is twice the inverse second derivative of the deviance.
    half = np.linalg.solve(np.linalg.cholesky(hessian), gradient)
    spread = 2 * float(half @ half)
    return max(1.0, 2 / spread) if spread > 0 else float(equations.n_free)
