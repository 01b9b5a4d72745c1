"""Comparing algorithms whose scores differ from execution to execution.

The linear mixed model of Jayasinghe et al. has a score for each algorithm, instance (execution) and topic. Where no
score is absent everything has a closed form; otherwise :func:`analysis.instances.fit_reml` fits the model. A parametric
bootstrap checks its t distribution.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.special import stdtr, stdtrit

from analysis._resampling import TIE_TOLERANCE, RandomSource, as_generator, monte_carlo_pvalue
from analysis._validation import FloatArray, check_choice, check_count, check_probability, warn
from analysis.comparisons import Alternative
from analysis.comparisons._difference_tests import ALTERNATIVES, SMALLEST_PVALUE, two_tails
from analysis.errors import ArgumentError
from analysis.instances._anova import InstanceComponents, algorithm_strata, components_of
from analysis.instances._reml import fit_reml
from analysis.results import Interval, Result
from analysis.scores import InstanceScores
from analysis.scores._instances import select_pair


@dataclass(frozen=True, slots=True)
class AlgorithmComparison(Result):
    """The difference between two algorithms, with the variation of instances and of topics in its error."""

    first: Annotated[str, "The algorithms; differences are first minus second."]
    second: Annotated[str, "The algorithms; differences are first minus second."]
    estimate: Annotated[float, "Difference of their means, in the unit of the measure."]
    standard_error: Annotated[float, "Its standard error."]
    df: Annotated[float, "Degrees of freedom of the t distribution that judges it."]
    statistic: Annotated[float, "t = estimate / standard_error, and its p-value in (0, 1]."]
    pvalue: Annotated[float, "t = estimate / standard_error, and its p-value in (0, 1]."]
    alternative: Annotated[str, '"two-sided", "less" or "greater". Which departures from no difference count.']
    interval: Annotated[Interval, "Two-sided t interval of the difference, whatever the alternative."]
    model: Annotated[str, '"instances" (they have an effect of their own: model 3) or "repeats" (model 2).']
    method: Annotated[str, '"anova" or "reml". Closed form on complete data, or a fit where scores are absent.']
    components: Annotated[InstanceComponents, "The variance components behind the standard error."]
    n_instances: Annotated[tuple[int, int], "Instances of either algorithm."]
    n_topics: Annotated[int, "Topics, and instance x topic cells without a score."]
    n_absent: Annotated[int, "Topics, and instance x topic cells without a score."]


@dataclass(frozen=True, slots=True, eq=False)
class InstanceTests(Result):
    """Paired t tests of single instances: the danger of reporting one execution."""

    first: Annotated[str, "The algorithms; differences are first minus second."]
    second: Annotated[str, "The algorithms; differences are first minus second."]
    differences: Annotated[FloatArray, "Of shape (n_first, n_second). Mean difference of each, in the measure's unit."]
    pvalues: Annotated[FloatArray, "ndarray of float, shape (n_first, n_second). Their two-sided paired t p-values."]
    fraction_first_better: Annotated[float, "Share of the pairs in which it is significantly better, at .05."]
    fraction_second_better: Annotated[float, "Fraction of the pairs in which the second is."]


def compare_algorithms(
    scores: InstanceScores,
    first: str,
    second: str,
    *,
    model: Literal["instances", "repeats"] = "instances",
    variances: Literal["equal", "separate"] = "equal",
    degrees_of_freedom: Literal["satterthwaite", "topics"] = "satterthwaite",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> AlgorithmComparison:
    """Return the difference between two algorithms, judged against both the choice of topics and that of instances.

    Parameters
    ----------
    scores : InstanceScores
        Scores of the algorithms' instances on topics. An algorithm named as deterministic has no instance effect.
    first, second : str
        Two different algorithms of ``scores``.
    model : {"instances", "repeats"}, default "instances"
        "instances": each has an effect of its own, shared by its topics (Jayasinghe's model 3). "repeats": they are
        repeats of a topic's measurement (model 2): on complete data the paired t test of the topic means, and
        anticonservative if instances differ.
    variances : {"equal", "separate"}, default "equal"
        One instance variance and one residual variance for the two algorithms, as the model says, or one each
        (Welch). Complete data only.
    degrees_of_freedom : {"satterthwaite", "topics"}, default "satterthwaite"
        "topics" takes n_topics - 1, as in the paper; with two or three instances it is anticonservative.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        "greater" asks whether ``first`` scores higher.
    confidence_level : float, default 0.95
        Level of the interval, between 0 and 1.

    Returns
    -------
    AlgorithmComparison

    Raises
    ------
    ArgumentError
        If an algorithm is unknown or both are the same, an option is unknown or does not fit the data, or the
        difference is the same, not 0, wherever it is seen: there is no variation to judge it by.

    Warns
    -----
    DegenerateWarning
        If the algorithms agree everywhere; the p-value is then 1.

    Notes
    -----
    With D_t the difference of the algorithms' mean scores on topic t, T topics and h = 1/r1 + 1/r2 (r instances; 0 for
    a deterministic one), Var = [S²_D + h (MS_S - MS_E)] / T. A component that would be negative is 0, its mean square
    pooled with the residual, as REML has it; topics are blocks. Assumes effects that are independent and near normal,
    topics and instances that are samples of those the statement is about. Actual error at .05 with 50 topics and 2, 3,
    5, 10 instances: .058, .053, .050, .048. With both algorithms deterministic it is the paired t test (model 1).

    References
    ----------
    Jayasinghe, Webber, Sanderson, Dharmasena & Culpepper, "Evaluating non-deterministic retrieval systems", SIGIR
    2014, doi:10.1145/2600428.2609472, equations 1 to 3. Model 2 is that of Robertson &
    Kanoulas, "On per-topic variance in IR evaluation", SIGIR 2012. Satterthwaite (1946), doi:10.2307/3002019.
    """
    check_choice(model, "model", ("instances", "repeats"))
    check_choice(variances, "variances", ("equal", "separate"))
    check_choice(degrees_of_freedom, "degrees_of_freedom", ("satterthwaite", "topics"))
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_probability(confidence_level, "confidence_level")
    pair = select_pair(scores, first, second)
    separate, has_effect = variances == "separate", model == "instances"
    if pair.n_absent and separate:
        raise ArgumentError("scores", pair.n_absent, "must have no absent cells for variances='separate'")
    estimate, error, df, components = judged(pair, first, second, instance_effect=has_effect, separate=separate)
    if degrees_of_freedom == "topics":
        df = float(pair.n_topics - 1)
    statistic, pvalue = _t_test(estimate, error, df, alternative)
    half = float(stdtrit(df, (1 + confidence_level) / 2)) * error
    return AlgorithmComparison(
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        df=df,
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        interval=Interval(estimate - half, estimate + half, confidence_level),
        model=model,
        method="reml" if pair.n_absent else "anova",
        components=components,
        n_instances=(pair.n_instances_of(first), pair.n_instances_of(second)),
        n_topics=pair.n_topics,
        n_absent=pair.n_absent,
    )


def compare_instances(scores: InstanceScores, first: str, second: str) -> InstanceTests:
    """Return what each pair of single instances would have said by a paired t test.

    Parameters
    ----------
    scores : InstanceScores
        Scores without absent cells for the two algorithms.
    first, second : str
        Two different algorithms of ``scores``.

    Returns
    -------
    InstanceTests

    Raises
    ------
    ArgumentError
        If an algorithm is unknown, both are the same, or a cell is absent.

    Notes
    -----
    Table 1 of the paper: the fractions of executions from which one would have concluded one thing, and another. A
    description, not a test. Two instances that agree on every topic have p-value 1.

    References
    ----------
    Jayasinghe et al., SIGIR 2014, doi:10.1145/2600428.2609472, Table 1.
    """
    pair = select_pair(scores, first, second)
    if pair.n_absent:
        raise ArgumentError("scores", pair.n_absent, "must have no absent cells; complete_topics() leaves them out")
    n_topics = pair.n_topics
    gaps = pair.scores[pair.rows_of(first)][:, None] - pair.scores[pair.rows_of(second)][None]
    means = gaps.mean(axis=2)
    errors = gaps.std(axis=2, ddof=1) / np.sqrt(n_topics)
    # Equal differences leave a mean or an error of rounding size.
    rounding = 1e-12 * float(np.abs(pair.scores).max())
    means[np.abs(means) <= rounding] = 0.0
    errors[np.ptp(gaps, axis=2) <= rounding] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.where(means == 0, 0.0, np.abs(means) / errors)
    pvalues = np.maximum(2 * stdtr(n_topics - 1, -statistics), SMALLEST_PVALUE)
    significant = pvalues <= 0.05
    return InstanceTests(
        first=first,
        second=second,
        differences=means,
        pvalues=pvalues,
        fraction_first_better=float(np.mean(significant & (means > 0))),
        fraction_second_better=float(np.mean(significant & (means < 0))),
    )


def judged(
    scores: InstanceScores, first: str, second: str, *, instance_effect: bool = True, separate: bool = False
) -> tuple[float, float, float, InstanceComponents]:
    """Return the difference, its standard error and degrees of freedom, and the components behind them."""
    if scores.n_absent:
        fit = fit_reml(scores, instance_effect=instance_effect)
        return fit.difference, fit.standard_error, fit.df, fit.components
    strata = algorithm_strata(scores, first, second, instance_effect=instance_effect, separate=separate)
    return strata.estimate, float(np.sqrt(strata.variance)), strata.df, components_of(strata)


def _t_test(estimate: float, error: float, df: float, alternative: str) -> tuple[float, float]:
    if error == 0:
        if estimate != 0:
            raise ArgumentError("scores", estimate, "must not differ by the same amount everywhere: nothing varies")
        warn("the algorithms agree everywhere: the p-value is 1")
        return 0.0, 1.0
    statistic = estimate / error
    return statistic, float(two_tails(stdtr(df, statistic), stdtr(df, -statistic), alternative))


@dataclass(frozen=True, slots=True)
class BootstrapComparison(Result):
    """A parametric bootstrap test of two algorithms."""

    first: Annotated[str, "The algorithms; differences are first minus second."]
    second: Annotated[str, "The algorithms; differences are first minus second."]
    estimate: Annotated[float, "Difference, and difference over standard error."]
    statistic: Annotated[float, "Difference, and difference over standard error."]
    pvalue: Annotated[float, "Two-sided: (1 + simulated |statistics| at least as large) / (1 + n_resamples)."]
    n_resamples: Annotated[int, "Number of simulated data sets."]


def bootstrap_comparison(
    scores: InstanceScores,
    first: str,
    second: str,
    rng: RandomSource,
    *,
    n_resamples: int = 499,
) -> BootstrapComparison:
    """Return the parametric bootstrap p-value of no difference between two algorithms.

    Parameters
    ----------
    scores : InstanceScores
        Scores of the algorithms; cells may be absent.
    first, second : str
        Two different algorithms of ``scores``.
    rng : numpy Generator or int
        Source of randomness, or a seed.
    n_resamples : int, default 499
        Number of simulated data sets, 19 or more. With absent cells each needs a fit.

    Returns
    -------
    BootstrapComparison

    Raises
    ------
    ArgumentError
        If an algorithm is unknown, both are the same or deterministic, or nothing varies.

    Notes
    -----
    Scores are simulated from the model with the estimated variance components, no difference, and the same absent
    cells. A check on the t distribution of :func:`analysis.instances.compare_algorithms` where instances are few.

    References
    ----------
    Halekoh & Højsgaard (2014), doi:10.18637/jss.v059.i09.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> table = rng.normal(0, 0.1, 20) + rng.normal(0, 0.02, (2, 3, 1)) + rng.normal(0.4, 0.05, (2, 3, 20))
    >>> bootstrap_comparison(InstanceScores.from_array(table), "A", "B", 7, n_resamples=199).pvalue
    0.4
    """
    check_count(n_resamples, "n_resamples", minimum=19)
    generator = as_generator(rng)
    pair = select_pair(scores, first, second)
    if len(pair.deterministic) == 2:
        raise ArgumentError("scores", pair.deterministic, "must hold an algorithm that varies; a paired test does it")
    estimate, error, _, components = judged(pair, first, second)
    if error == 0:
        raise ArgumentError("scores", error, "must vary")
    statistic = estimate / error
    exceeding = 0
    for _ in range(n_resamples):
        value, spread, *_ = judged(_simulated(pair, components, generator), first, second)
        exceeding += abs(value) >= (abs(statistic) - TIE_TOLERANCE) * spread
    return BootstrapComparison(
        first=first,
        second=second,
        estimate=estimate,
        statistic=statistic,
        pvalue=float(monte_carlo_pvalue(exceeding, n_resamples)),
        n_resamples=n_resamples,
    )


def _simulated(pair: InstanceScores, components: InstanceComponents, generator: np.random.Generator) -> InstanceScores:
    """Return scores of the model without a difference, where ``pair`` has scores."""
    owner = np.array([pair.algorithms.index(name) for name, _ in pair.instances])
    varying = np.array([name not in pair.deterministic for name, _ in pair.instances])
    shape = pair.scores.shape

    def normal(variance: float | None, size: tuple[int, ...]) -> FloatArray:
        return generator.normal(0.0, float(np.sqrt(variance or 0.0)), size)

    table = normal(components.topic, (1, shape[1])) + normal(components.algorithm_topic, (2, shape[1]))[owner]
    table = table + (normal(components.instance, (shape[0], 1)) + normal(components.residual, shape)) * varying[:, None]
    return pair.with_scores(table)
