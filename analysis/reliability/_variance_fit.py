"""Fitting the coefficients that predict a variance to variances that were seen."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from analysis._validation import FloatArray, check_instances, check_positive, check_probability
from analysis.errors import ArgumentError
from analysis.reliability._variance_model import (
    _ABOVE_BEST,
    _NEAREST,
    FIRST,
    VarianceModel,
    VarianceObservation,
    _class_of,
    _Hangs,
    _q,
)
from analysis.scores import MeasureNature, measure_nature

#: How far the logarithms of the three ratios lie from what, and how much that weighs.
_RATIO, _RATIO_WEIGHT = 0.4, 0.09


def fit_variances(observations: Sequence[VarianceObservation]) -> VarianceModel:
    """Return a model of how much scores vary beyond system and topic, from variances that were seen.

    Parameters
    ----------
    observations : sequence of VarianceObservation
        Of every family of measures. Means of .02 or less, or within a fiftieth of what is possible, are left out.

    Returns
    -------
    VarianceModel

    Raises
    ------
    ArgumentError
        If an observation is of another type or out of range, or a family is missing.

    Notes
    -----
    Weighted least squares of logarithms. Observations of one group, family and class share one weight, so that many
    measures of one pool count once, and those of few systems or topics weigh less. P, R and Rprec share what one
    document is worth. The three ratios of shared tasks are drawn towards exp(.4), weakly.
    The spread of the means would predict better, and is left out: where systems are equal, it is small, and so would
    be the prediction (Carterette 2015 takes it for the error).

    References
    ----------
    B. Carterette (2015), The best published result is random, doi:10.1145/2766462.2767812, for what is left out.
    """
    seen = _observed(observations)
    names = [("first", name) for name in FIRST] + [("of_one", name) for name in ("AP", "nDCG", "hits")]
    names += [("of_many", name) for name in ("AP", "nDCG", "R", "P", "Rprec")]
    names += [("shared_task", name) for name in ("AP", "nDCG", "hits")]
    families = {nature.family for _, nature in seen}
    if missing := {"RR", "Success", "ERR", "AP", "nDCG", "R", "P", "Rprec"} - families:
        raise ArgumentError("observations", sorted(families), f"must have some of {', '.join(sorted(missing))}")
    logs = np.array([math.log(observation.variance) for observation, _ in seen])
    rests = np.array([rho * (1 - rho) for rho in (_share_of_possible(observation) for observation, _ in seen)])
    weights = _weights(seen)
    ratios = [place for place, (group, _) in enumerate(names) if group == "shared_task"]

    def model(values: FloatArray) -> VarianceModel:
        groups: dict[str, dict[str, float]] = {}
        for (group, name), value in zip(names, values, strict=False):
            groups.setdefault(group, {})[name] = math.exp(value)
        return VarianceModel(
            first=groups["first"],
            of_one=groups["of_one"],
            of_many=groups["of_many"],
            shared_task=groups["shared_task"],
            cutoff_exponent=float(values[-1]),
        )

    def residuals(values: FloatArray) -> FloatArray:
        tried = model(values)
        q = np.array(
            [_q(tried, nature, _hangs_of(observation), observation.is_shared_task) for observation, nature in seen]
        )
        drawn = [math.sqrt(_RATIO_WEIGHT) * (values[place] - _RATIO) / _RATIO for place in ratios]
        return np.concatenate([np.sqrt(weights) * (logs - np.log(q * rests)), drawn])

    start = {"first": 0.3, "of_one": 0.4, "of_many": 0.04, "shared_task": 1.5}
    fit = least_squares(residuals, [*(math.log(start[group]) for group, _ in names), 0.2], x_scale="jac")
    return model(fit.x)


def rounded_model(model: VarianceModel, of_one: int, of_many: int, shared_task: int) -> VarianceModel:
    """Round a model to so many digits: of what one document is worth, what many are, and the ratios."""
    return VarianceModel(
        first={name: round(value, of_one) for name, value in model.first.items()},
        of_one={name: round(value, of_one) for name, value in model.of_one.items()},
        # Of P, R and Rprec a digit more: they are that small.
        of_many={name: round(value, of_many - (name in model.of_one)) for name, value in model.of_many.items()},
        shared_task={name: round(value, shared_task) for name, value in model.shared_task.items()},
        cutoff_exponent=round(model.cutoff_exponent, of_one),
    )


def left_out_error(observations: Sequence[VarianceObservation], group: str) -> list[float]:
    """Return how far off the logarithms of the variances of a group are, where the model is fitted without it."""
    model = fit_variances([observation for observation in observations if observation.group != group])
    errors = []
    for observation, nature in _observed([each for each in observations if each.group == group]):
        rho = _share_of_possible(observation)
        predicted = _q(model, nature, _hangs_of(observation), observation.is_shared_task) * rho * (1 - rho)
        errors.append(math.log(observation.variance / predicted))
    return errors


def _hangs_of(observation: VarianceObservation) -> _Hangs:
    return _Hangs(observation.top_mean, observation.top_square, observation.top_square_inverse)


def _share_of_possible(observation: VarianceObservation) -> float:
    return observation.mean / max(observation.top_mean, _ABOVE_BEST * observation.best)


def _observed(observations: Sequence[VarianceObservation]) -> list[tuple[VarianceObservation, MeasureNature]]:
    seen = []
    for instance in check_instances(observations, "observations", VarianceObservation):
        check_probability(instance.mean, "observations")
        check_positive(instance.variance, "observations")
        nature = measure_nature(instance.measure)
        if nature.family in ("", "Bpref"):
            raise ArgumentError("observations", instance.measure, "must be under measures that the model is fitted on")
        if instance.mean > _NEAREST and _share_of_possible(instance) < 1 - _NEAREST:
            seen.append((instance, nature))
    return seen


def _weights(seen: Sequence[tuple[VarianceObservation, MeasureNature]]) -> FloatArray:
    """Return the weights of observations: each group, family and class counts the same, few systems or topics less."""
    keys = [
        (observation.group, nature.family, _class_of(nature, _hangs_of(observation).share))
        for observation, nature in seen
    ]
    counts = Counter(keys)
    errors = np.array([0.22 / observation.n_systems + observation.log_sd_topics**2 for observation, _ in seen])
    each = np.array([1 / counts[key] for key in keys])
    return each * 0.05 / (0.05 + 0.5 * errors)
