"""Mean squares of algorithm x instance x topic scores, and the variance of a difference that they give."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._validation import FloatArray
from analysis.results import Result
from analysis.scores import InstanceScores


@dataclass(frozen=True, slots=True)
class InstanceComponents(Result):
    """Variance components of the model of instances, in squared units of the measure."""

    instance: Annotated[float | None, "Variance between instances of an algorithm. None if none can be estimated."]
    topic: Annotated[float, "Variance between topics, shared by the algorithms."]
    algorithm_topic: Annotated[float | None, "Of algorithm x topic. None where both are deterministic."]
    residual: Annotated[float, "Variance of a single score around all this."]
    truncated: Annotated[tuple[str, ...], "Components whose estimate was negative and is reported as 0."]


@dataclass(frozen=True, slots=True)
class InstanceStratum:
    """Mean squares of the instances and of the residual of some algorithms, and their weight in the difference."""

    weight: float  # the sum of 1 / (number of instances) over the compared algorithms among them
    instance: float
    instance_df: int
    residual: float
    residual_df: int


@dataclass(frozen=True, slots=True)
class Strata:
    """The parts of the difference of two algorithms and of its variance, before anything is truncated.

    ``difference_square`` is the variance over topics of the difference of the algorithms' topic means (ddof=1);
    ``instance_strata`` is empty if no algorithm has an instance effect or residual of its own.
    """

    estimate: float
    n_topics: int
    difference_square: float
    difference_df: int
    instance_strata: tuple[InstanceStratum, ...]
    topic_covariance: float
    instance_effect: bool

    @property
    def terms(self) -> list[tuple[float, int]]:
        """Signed (term, df) that add up to n_topics times the variance of the difference."""
        absorbed, parts = _pool(self)
        if absorbed:
            return [(part.weight * part.instance, part.instance_df) for part in parts]
        terms = [(self.difference_square, self.difference_df)]
        for part in parts:
            if part.instance > part.residual:
                terms += [(part.weight * part.instance, part.instance_df)]
                terms += [(-part.weight * part.residual, part.residual_df)]
        return terms

    @property
    def variance(self) -> float:
        """Return variance of the estimated difference."""
        return sum(term for term, _ in self.terms) / self.n_topics

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom of that variance, at least 1."""
        spread = sum(term**2 / df for term, df in self.terms)
        return max(1.0, (self.variance * self.n_topics) ** 2 / spread) if spread > 0 else float(self.difference_df)


def algorithm_strata(
    scores: InstanceScores, first: str, second: str, *, instance_effect: bool = True, separate: bool = False
) -> Strata:
    """Return the strata of the difference first - second of the two algorithms in ``scores``."""
    tables = {name: scores.scores[scores.rows_of(name)] for name in scores.algorithms}
    topic_means = {name: table.mean(axis=0) for name, table in tables.items()}
    random = [name for name in scores.algorithms if name not in scores.deterministic]
    weights = {name: 1.0 / len(tables[name]) for name in random}
    square = float(np.var(topic_means[first] - topic_means[second], ddof=1))
    groups = [[name] for name in random] if separate else [random]
    parts = [_stratum(group, tables, weights) for group in groups if group]
    estimate = float(topic_means[first].mean() - topic_means[second].mean())
    return Strata(
        estimate=0.0 if estimate**2 <= _rounding(tables) else estimate,
        n_topics=scores.n_topics,
        difference_square=0.0 if square <= _rounding(tables) else square,
        difference_df=scores.n_topics - 1,
        instance_strata=tuple(part if instance_effect else _without_instances(part) for part in parts),
        topic_covariance=_mean_covariance(np.array(list(topic_means.values()))),
        instance_effect=instance_effect,
    )


def components_of(strata: Strata) -> InstanceComponents:
    """Return the variance components, 0 where the estimate is negative. Separate strata give their averages."""
    absorbed, parts = _pool(strata)
    topic = max(0.0, strata.topic_covariance)
    truncated = ["topic"] if strata.topic_covariance < 0 else []
    if not parts:
        return InstanceComponents(None, topic, None, strata.difference_square / 2, tuple(truncated))
    interaction = (strata.difference_square - sum(part.weight * part.residual for part in parts)) / 2
    truncated += ["algorithm_topic"] if absorbed or interaction < 0 else []
    instance: float | None = None
    if strata.instance_effect:
        instance = float(np.mean([part.instance - part.residual for part in parts])) / strata.n_topics
        truncated += ["instance"] if any(part.instance == part.residual for part in parts) else []
    residual = float(np.mean([part.residual for part in parts]))
    return InstanceComponents(instance, topic, 0.0 if absorbed else max(0.0, interaction), residual, tuple(truncated))


def _stratum(group: list[str], tables: dict[str, FloatArray], weights: dict[str, float]) -> InstanceStratum:
    n_topics = next(iter(tables.values())).shape[1]
    instance = residual = 0.0
    instance_df = 0
    for name in group:
        table = tables[name]
        means = table.mean(axis=1, keepdims=True)
        instance += n_topics * float(((means - means.mean()) ** 2).sum())
        residual += float(((table - means - table.mean(axis=0) + means.mean()) ** 2).sum())
        instance_df += len(table) - 1
    residual_df = instance_df * (n_topics - 1)
    floor = _rounding(tables)
    return InstanceStratum(
        weight=sum(weights[name] for name in group),
        instance=0.0 if instance <= floor else instance / instance_df,
        instance_df=instance_df,
        residual=0.0 if residual <= floor else residual / residual_df,
        residual_df=residual_df,
    )


def _without_instances(part: InstanceStratum) -> InstanceStratum:
    """Return instances as mere repeats: what varies between them belongs to the residual."""
    joint = _joint(part.residual, part.residual_df, part.instance, part.instance_df)
    df = part.residual_df + part.instance_df
    return InstanceStratum(part.weight, joint, df, joint, df)


def _pool(strata: Strata) -> tuple[bool, tuple[InstanceStratum, ...]]:
    """Say whether the interaction is absorbed by the residual, and the strata, pooled where REML would: none
    negative."""
    parts = strata.instance_strata
    if not strata.instance_effect:
        return False, parts
    pooled = tuple(_pool_instance(part) for part in parts)
    if strata.difference_square >= sum(part.weight * part.residual for part in pooled):
        return False, pooled
    if len(parts) > 1:
        return True, pooled
    # One residual: the interaction joins it, and then the instances only if they still vary less.
    part = parts[0]
    residual = _joint(part.residual, part.residual_df, strata.difference_square / part.weight, strata.difference_df)
    df = part.residual_df + strata.difference_df
    return True, (_pool_instance(InstanceStratum(part.weight, part.instance, part.instance_df, residual, df)),)


def _pool_instance(part: InstanceStratum) -> InstanceStratum:
    """Return instances joined to the residual where they vary less than it does: their component is 0."""
    return part if part.instance >= part.residual else _without_instances(part)


def _joint(first: float, first_df: int, second: float, second_df: int) -> float:
    return (first * first_df + second * second_df) / (first_df + second_df)


def _mean_covariance(topic_means: FloatArray) -> float:
    """Return the covariance over topics of two algorithms' topic means: an unbiased estimate of the topic variance."""
    return float(np.cov(topic_means)[0, 1])


def _rounding(tables: dict[str, FloatArray]) -> float:
    """Return a square below which only rounding of the scores speaks."""
    return float((1e-12 * max(float(np.abs(table).max()) for table in tables.values())) ** 2)
