"""The model of instances fitted by restricted maximum likelihood, for scores of which some are absent.

The model is score = algorithm + instance + topic + algorithm x topic + residual, all but the algorithm random. Work
and memory depend on the number of instances and topics, not on the number of scores.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from analysis._validation import FloatArray, check_flag, check_instance
from analysis.errors import ArgumentError
from analysis.instances._anova import InstanceComponents
from analysis.instances._equations import COMPONENTS, Equations, instance_equations
from analysis.results import Result
from analysis.scores import InstanceScores

#: A component below this part of the residual variance is tried at 0.
_NEGLIGIBLE = 5e-4

#: Step of numerical derivatives with respect to the logarithm of a variance: truncation and rounding errors of the
#: second derivative are then both near 1e-6.
_LOG_STEP = 1e-2


@dataclass(frozen=True, slots=True)
class RemlFit(Result):
    """A fitted model of two algorithms.

    Attributes
    ----------
    difference, standard_error : float
        First minus second algorithm, and its standard error.
    df : float
        Satterthwaite's degrees of freedom, at least 1.
    components : InstanceComponents
        REML estimates; those on the boundary are 0 and named in ``truncated``.
    means : tuple of (float, float)
        Estimated means of the two algorithms.
    deviance : float
        -2 log restricted likelihood at the estimates.
    """

    difference: float
    standard_error: float
    df: float
    components: InstanceComponents
    means: tuple[float, float]
    deviance: float


def fit_reml(scores: InstanceScores, *, instance_effect: bool = True) -> RemlFit:
    """The model of instances fitted to two algorithms' scores by REML; cells may be absent.

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
    Satterthwaite's degrees of freedom are 2 V² / (g' A g), with V the variance of the difference, g its gradient
    and A the inverse information of the variance components, both by numerical differentiation; components on the
    boundary are held at 0.

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
    ratios = _maximize(equations)
    solution = equations.solve(ratios)
    residual = solution.quadratic / equations.n_free
    present = [COMPONENTS[number] for number in equations.used]
    variance = dict(zip(COMPONENTS, (ratios**2 * residual).tolist(), strict=True))
    return RemlFit(
        difference=float(solution.means[0] - solution.means[1]),
        standard_error=float(np.sqrt(residual * solution.contrast_variance)),
        df=_satterthwaite(equations, ratios, residual),
        components=InstanceComponents(
            variance["instance"] if "instance" in present else None,
            variance["topic"],
            variance["algorithm_topic"],
            residual,
            tuple(name for name in present if variance[name] == 0),
        ),
        means=(float(solution.means[0]), float(solution.means[1])),
        deviance=_deviance(equations, ratios, residual),
    )


def _deviance(equations: Equations, ratios: FloatArray, residual: float) -> float:
    """-2 log restricted likelihood."""
    solution = equations.solve(ratios)
    scaled = equations.n_free * np.log(2 * np.pi * residual) + solution.quadratic / residual
    return float(solution.log_determinants + scaled)


def _profiled(squares: FloatArray, equations: Equations) -> float:
    """The deviance with the residual variance profiled out, but for a constant.

    A function of the squared ratios: by the ratios themselves it would be flat at 0, where a search would get stuck.
    """
    solution = equations.solve(_full_ratios(squares, equations))
    if solution.quadratic <= 0:
        raise ArgumentError("scores", solution.quadratic, "must vary around algorithms, instances and topics")
    return solution.log_determinants + equations.n_free * float(np.log(solution.quadratic / equations.n_free))


def _full_ratios(squares: FloatArray, equations: Equations) -> FloatArray:
    ratios = np.zeros(3)
    ratios[equations.used] = np.sqrt(squares)
    return ratios


def _maximize(equations: Equations) -> FloatArray:
    """Standard deviations of the components in units of the residual's, at the highest restricted likelihood."""
    size = equations.used.size
    try:
        found = minimize(
            _profiled,
            np.ones(size),
            args=(equations,),
            method="L-BFGS-B",
            jac="2-point",
            bounds=[(0.0, 1e8)] * size,
            # Forward differences shift the answer by half their step.
            options={"ftol": 1e-13, "gtol": 1e-6, "maxiter": 500, "finite_diff_rel_step": 1e-6},
        )
        squares = found.x
        for number in np.flatnonzero(squares < _NEGLIGIBLE):
            without = squares.copy()
            without[number] = 0.0
            if _profiled(without, equations) <= found.fun + 1e-9 * abs(found.fun):
                squares = without
    except np.linalg.LinAlgError as error:
        raise ArgumentError("scores", equations.n_free, "must vary enough for the model to be fitted") from error
    return _full_ratios(squares, equations)


def _satterthwaite(equations: Equations, ratios: FloatArray, residual: float) -> float:
    active = np.flatnonzero(ratios > 0)
    centre = np.log(np.append(ratios[active] ** 2 * residual, residual))

    def unpack(logs: FloatArray) -> tuple[FloatArray, float]:
        variances = np.exp(logs)
        inner = np.zeros_like(ratios)
        inner[active] = np.sqrt(variances[:-1] / variances[-1])
        return inner, float(variances[-1])

    def deviance(logs: FloatArray) -> float:
        return _deviance(equations, *unpack(logs))

    def log_variance(logs: FloatArray) -> float:
        inner, last = unpack(logs)
        return float(np.log(last * equations.solve(inner).contrast_variance))

    steps = _LOG_STEP * np.eye(centre.size)
    gradient = np.array([log_variance(centre + step) - log_variance(centre - step) for step in steps]) / (2 * _LOG_STEP)
    hessian = np.empty((centre.size, centre.size))
    for i, first in enumerate(steps):
        for j, second in enumerate(steps[: i + 1]):
            corners = (
                deviance(centre + first + second)
                - deviance(centre + first - second)
                - deviance(centre - first + second)
                + deviance(centre - first - second)
            )
            hessian[i, j] = hessian[j, i] = corners / (4 * _LOG_STEP**2)
    # The covariance of the log variances is twice the inverse second derivative of the deviance.
    try:
        half = np.linalg.solve(np.linalg.cholesky(hessian), gradient)
    except np.linalg.LinAlgError as error:
        raise ArgumentError("scores", equations.n_free, "must vary enough for degrees of freedom") from error
    spread = 2 * float(half @ half)
    return max(1.0, 2 / spread) if spread > 0 else float(equations.n_free)
