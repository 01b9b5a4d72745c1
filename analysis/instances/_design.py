"""The instances and topics that an experiment with non-deterministic systems needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtr, stdtrit

from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_counts,
    check_flag,
    check_instance,
    check_nonnegative,
    check_positive,
    check_probability,
)
from analysis.comparisons._studentized_range import rejections
from analysis.errors import ArgumentError
from analysis.instances._anova import InstanceComponents
from analysis.results import Result

Goal = Literal["difference", "equivalence"]

_GOALS = ("difference", "equivalence")

#: Points at which the distribution of the estimated standard error is averaged over.
_NODES = 64


@dataclass(frozen=True, slots=True)
class PlannedDesign(Result):
    """The fewest topics that do with a number of instances."""

    n_instances: Annotated[int, "Instances of each non-deterministic algorithm."]
    n_topics: Annotated[int | None, "Fewest topics that reach the power, None if not even ``max_topics`` do."]
    power: Annotated[float, "Power with ``n_topics`` topics, or the highest that any number of topics reaches."]
    why_no_topics: Annotated[str | None, "Why there is no number of topics."]


@dataclass(frozen=True, slots=True)
class InstancePlan(Result):
    """Designs that reach the wanted power."""

    goal: Annotated[Goal, "What is to be shown."]
    size: Annotated[float, "The difference to be detected, or the margin of equivalence."]
    power: Annotated[float, "As asked for."]
    confidence_level: Annotated[float, "As asked for."]
    designs: Annotated[tuple[PlannedDesign, ...], "One for each number of instances."]


def instances_and_topics_needed(
    components: InstanceComponents,
    size: float,
    *,
    goal: Goal = "difference",
    power: float = 0.8,
    confidence_level: float = 0.95,
    n_instances: Sequence[int] = (2, 3, 5, 10, 20, 50),
    max_topics: int = 1000,
    deterministic_rival: bool = False,
) -> InstancePlan:
    """Return the fewest topics that show a difference, or equivalence, with each number of instances.

    Parameters
    ----------
    components : InstanceComponents
        Variance components of a pilot experiment, from :func:`analysis.instances.compare_algorithms`.
    size : float, above 0
        The true difference that is to be found significant, or the margin within which equal algorithms are to be
        shown equivalent, in the unit of the measure.
    goal : {"difference", "equivalence"}, default "difference"
        A two-sided t test, or two one-sided ones between algorithms that are equal in truth.
    power : float, default 0.8
        Wanted probability of success, between 0 and 1.
    confidence_level : float, default 0.95
        The tests are made at 1 - confidence_level.
    n_instances : sequence of int, default (2, 3, 5, 10, 20, 50)
        Numbers of instances of each algorithm to plan with, 2 or more each.
    max_topics : int, default 1000
        Largest number of topics that is tried.
    deterministic_rival : bool, default False
        Whether one of the two algorithms is deterministic.

    Returns
    -------
    InstancePlan

    Raises
    ------
    ArgumentError
        If a component is unknown (None), ``size`` is not above 0, or a number is out of range.

    Notes
    -----
    However many topics there are, the variance can't fall below that of the instances, 2 s²_instance / r: then more
    instances are the only way. The power is that of :func:`design_power` at the estimated components, which a small
    pilot makes uncertain.

    References
    ----------
    Jayasinghe et al. (2014), "Evaluating non-deterministic retrieval systems", doi:10.1145/2600428.2609472.
    """
    _check_question(components, size, goal, confidence_level, deterministic_rival)
    check_probability(power, "power")
    check_count(max_topics, "max_topics", minimum=2)
    check_counts(n_instances, "n_instances", minimum=2)
    topics = np.arange(2, max_topics + 1)
    designs = []
    for count in n_instances:
        powers = _powers(components, size, count, topics, goal, confidence_level, deterministic_rival)
        designs.append(_fewest_topics(count, topics, powers, power))
    return InstancePlan(
        goal=goal,
        size=float(size),
        power=power,
        confidence_level=confidence_level,
        designs=tuple(designs),
    )


def design_power(
    components: InstanceComponents,
    size: float,
    *,
    n_instances: int,
    n_topics: int,
    goal: Goal = "difference",
    confidence_level: float = 0.95,
    deterministic_rival: bool = False,
) -> float:
    """Return the probability that a design finds a difference of ``size``, or shows equal algorithms equivalent.

    Parameters
    ----------
    components : InstanceComponents
        Variance components, all known.
    size : float, above 0
        Difference or margin, in the unit of the measure.
    n_instances, n_topics : int, 2 or more
        Instances of each non-deterministic algorithm, and topics.
    goal, confidence_level, deterministic_rival
        As in :func:`instances_and_topics_needed`.

    Returns
    -------
    float
        In 0 to 1.

    Raises
    ------
    ArgumentError
        As :func:`instances_and_topics_needed`.

    Notes
    -----
    The variance of the difference is h s²_instance + 2 s²_interaction / T + h s²_residual / T, with h = 2 / r, or 1 / r
    against a deterministic rival; degrees of freedom are Satterthwaite's. "difference" is the noncentral t,
    "equivalence" an average over the estimated standard error. Both are within .02 of simulated power from three
    instances on; with two they are rougher, and too low for instances that hardly vary.

    References
    ----------
    Jayasinghe et al. (2014), doi:10.1145/2600428.2609472; Satterthwaite (1946), doi:10.2307/3002019.
    """
    _check_question(components, size, goal, confidence_level, deterministic_rival)
    check_count(n_instances, "n_instances", minimum=2)
    check_count(n_topics, "n_topics", minimum=2)
    topics = np.array([n_topics])
    return float(_powers(components, size, n_instances, topics, goal, confidence_level, deterministic_rival)[0])


def _check_question(
    components: InstanceComponents, size: float, goal: str, confidence_level: float, deterministic_rival: bool
) -> None:
    check_positive(size, "size")
    check_choice(goal, "goal", _GOALS)
    check_probability(confidence_level, "confidence_level")
    check_flag(deterministic_rival, "deterministic_rival")
    check_instance(components, "components", InstanceComponents)
    for name in ("instance", "topic", "algorithm_topic", "residual"):
        if getattr(components, name) is not None:
            check_nonnegative(getattr(components, name), f"components.{name}")
    if components.instance is None or components.algorithm_topic is None:
        raise ArgumentError("components", components, "must have an instance and an algorithm x topic variance")
    if components.instance + components.algorithm_topic + components.residual <= 0:
        raise ArgumentError("components", components, "must not all be 0: without variation one score is enough")


def _powers(
    components: InstanceComponents,
    size: float,
    n_instances: int,
    topics: NDArray[np.int_],
    goal: Goal,
    level: float,
    deterministic_rival: bool,
) -> FloatArray:
    """Return the power with each number of topics, (n_designs,)."""
    variance, df = _expected_variance(components, n_instances, topics, deterministic_rival)
    ratio = size / np.sqrt(variance)
    if goal == "difference":
        return np.minimum(1.0, rejections(stdtrit(df, (1 + level) / 2), df, ratio))
    # Given the estimated error, equivalence is shown if the difference stays within what the interval leaves over.
    shares = (np.arange(_NODES) + 0.5) / _NODES
    errors = np.sqrt(2 * gammaincinv(df[:, None] / 2, shares) / df[:, None])
    room = ratio[:, None] - stdtrit(df, level)[:, None] * errors
    shown: FloatArray = np.maximum(0.0, 2 * ndtr(room) - 1).mean(axis=1)
    return shown


def _expected_variance(
    components: InstanceComponents, n_instances: int, topics: NDArray[np.int_], deterministic_rival: bool
) -> tuple[FloatArray, FloatArray]:
    """Return variance of the difference and its degrees of freedom at the expected mean squares."""
    n_random = 1 if deterministic_rival else 2
    h = n_random / n_instances
    instance_df = n_random * (n_instances - 1)
    instance = components.residual + topics * (components.instance or 0.0)
    difference_square = 2 * (components.algorithm_topic or 0.0) + h * components.residual
    total = difference_square + h * (instance - components.residual)
    spread = (
        difference_square**2 / (topics - 1)
        + (h * instance) ** 2 / instance_df
        + (h * components.residual) ** 2 / (instance_df * (topics - 1))
    )
    return total / topics, np.maximum(1.0, total**2 / spread)


def _fewest_topics(n_instances: int, topics: NDArray[np.int_], powers: FloatArray, power: float) -> PlannedDesign:
    enough = np.flatnonzero(powers >= power)
    if enough.size:
        return PlannedDesign(n_instances, int(topics[enough[0]]), float(powers[enough[0]]), None)
    most = float(powers.max())
    why = f"{n_instances} instances reach a power of at most {most:.2f} with up to {topics[-1]} topics"
    return PlannedDesign(n_instances, None, most, why)
