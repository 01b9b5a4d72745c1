"""How much scores vary beyond system and topic, predicted from the measure and the mean of the scores."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize
from scipy.special import polygamma

from analysis._validation import check_instance, check_instances
from analysis.errors import ArgumentError
from analysis.reliability._measure_families import MeasureFamily, measure_family
from analysis.results import Result

FloatArray = NDArray[np.float64]

#: Families in which the length of the list tells; of the others a cutoff changes little.
_OF_LENGTH = ("P", "nDCG")
#: What stands for no cutoff there.
_WHOLE_LIST = {"P": 10, "nDCG": 1000}
#: Lists as long as this were never seen under these measures, whose variance may be ten times off.
_LONGEST = {"P": 100, "R": 100}
#: Mean scores closer to the ends of the scale than this were never seen.
_NEAREST_TO_THE_END = 0.02
#: A prediction is known no better than this, nor one for what was seen in fewer than three collections.
_MOST_DF, _MOST_DF_OF_FEW, _FEW = 10.0, 8.0, 3
#: Between these lie both variances of the logarithm; 0 could not be told from the first.
_VARIANCES_OF_LOGS = (1e-8, 1e2)
#: Pools disagree most on these.
_DF_OF_FAMILY = {"ERR": 4.0}


@dataclass(frozen=True, slots=True)
class VarianceObservation:
    """A residual variance that was seen."""

    collection: Annotated[str, "Observations of one collection go together."]
    measure: Annotated[str, "ir-measures name."]
    mean: Annotated[float, "Of the scores of all systems, between 0 and 1."]
    variance: Annotated[float, "Of a score beyond system and topic, above 0."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTerm(Result):
    """What the model says of one family of measures."""

    family: str
    intercept: Annotated[float, "Its own, on the scale of the model."]
    cutoffs: Annotated[
        tuple[tuple[int, int], ...],
        "Lengths of list that were seen, 0 for the whole, and in how many collections each.",
    ]
    n_collections: Annotated[int, "Number of collections that it was fitted on."]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceModel(Result):
    """log variance = family + slope log(m (1 - m)) + slope of its family log(cutoff / 10) + collection + rest."""

    families: tuple[FamilyTerm, ...]
    slope: Annotated[float, "For log(m (1 - m)), m the mean score."]
    cutoff_slopes: Annotated[
        tuple[tuple[str, float], ...], "For log(cutoff / 10), of the families in which the length of the list tells."
    ]
    sd_collection: Annotated[float, "Of the logarithm: between collections, and within."]
    sd_rest: Annotated[float, "Of the logarithm: between collections, and within."]
    covariance: Annotated[
        tuple[tuple[float, ...], ...], "Of the estimates: families in their order, slope, slopes of cutoffs."
    ]
    n_observations: Annotated[int, "Number of variances that it was fitted on."]
    n_collections: Annotated[int, "Number of collections of these."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedVariance(Result):
    """A residual variance that a model predicts."""

    value: Annotated[float, "Squared unit of the measure; as often too small as too large."]
    log_sd: Annotated[float, "Standard deviation of its logarithm."]
    degrees_of_freedom: Annotated[float, "As surely known as from so many independent squares."]
    n_collections: Annotated[int, "Collections behind the model."]


def fit_variances(observations: Sequence[VarianceObservation]) -> VarianceModel:
    """A model of how much scores vary beyond system and topic, from variances that were seen.

    Parameters
    ----------
    observations : sequence of VarianceObservation
        Of at least three collections. Measures that are in no family are left out.

    Returns
    -------
    VarianceModel

    Raises
    ------
    ArgumentError
        If an observation is of another type or out of range, or there are too few.

    Notes
    -----
    A mixed linear model of the logarithm, fitted by restricted maximum likelihood: the deviation of a collection is
    random, so that a family that was seen in a pool of related runs alone is not taken for one that varies little.
    The spread of the means would predict better, and is left out: where systems are equal, it is small, and so would
    be the prediction (Carterette 2015 takes it for the error).

    References
    ----------
    H. D. Patterson & R. Thompson (1971), Recovery of inter-block information when block sizes are unequal,
    doi:10.1093/biomet/58.3.545.

    Examples
    --------
    >>> seen = [
    ...     VarianceObservation(f"c{i}", measure, mean, factor * mean * (1 - mean) * (1 + 0.1 * i))
    ...     for i, mean in enumerate([0.15, 0.2, 0.3, 0.4])
    ...     for measure, factor in (("AP", 0.07), ("RR", 0.4))
    ... ]
    >>> model = fit_variances(seen)
    >>> [term.family for term in model.families], model.n_collections
    (['AP', 'RR'], 4)
    """
    seen = _check(observations)
    names = tuple(sorted({family.name for _, family in seen}))
    lengths = tuple(name for name in _OF_LENGTH if len({f.cutoff for _, f in seen if f.name == name}) > 1)
    design = np.array([_row(family, one.mean, names, lengths) for one, family in seen])
    logs = np.log([one.variance for one, _ in seen])
    collections = sorted({one.collection for one, _ in seen})
    if np.linalg.matrix_rank(design) < design.shape[1] or len(logs) <= design.shape[1] or len(collections) < _FEW:
        raise ArgumentError("observations", len(seen), "must tell families, means and collections apart")
    same = np.array([[one.collection == other.collection for other, _ in seen] for one, _ in seen], dtype=float)

    def loss(logs_of_variances: FloatArray) -> float:
        return _reml(design, logs, same, *np.exp(logs_of_variances))[0]

    ends = [tuple(np.log(_VARIANCES_OF_LOGS))] * 2
    found = minimize(
        loss, np.log([0.1, 0.1]), method="Nelder-Mead", bounds=ends, options={"xatol": 1e-6, "fatol": 1e-9}
    )
    between, within = np.exp(found.x)
    _, estimates, covariance = _reml(design, logs, same, between, within)
    return VarianceModel(
        families=tuple(_term(name, float(estimate), seen) for name, estimate in zip(names, estimates, strict=False)),
        slope=float(estimates[len(names)]),
        cutoff_slopes=tuple(zip(lengths, estimates[len(names) + 1 :].tolist(), strict=True)),
        sd_collection=math.sqrt(between),
        sd_rest=math.sqrt(within),
        covariance=tuple(map(tuple, covariance.tolist())),
        n_observations=len(seen),
        n_collections=len(collections),
    )


def predict_variance(model: VarianceModel, measure: str, mean: float) -> PredictedVariance | None:
    """How much scores vary beyond system and topic under a measure, as a model predicts it.

    Parameters
    ----------
    model : VarianceModel
    measure : str
        ir-measures name.
    mean : float
        Of the scores of all systems, between 0 and 1.

    Returns
    -------
    PredictedVariance or None
        None where the model has seen nothing like it: a family that is not in it, P or R of more than 100 results, a
        mean within .02 of an end of the scale.

    Raises
    ------
    ArgumentError
        If an argument is of another type, or the mean is not between 0 and 1.

    Notes
    -----
    The degrees of freedom nu have trigamma(nu / 2) equal to the variance of the prediction's logarithm; no more than
    10, 8 for what was seen in fewer than three collections, and 4 for ERR, on which pools disagree most.

    References
    ----------
    Patterson & Thompson (1971), "Recovery of inter-block information when block sizes are unequal", Biometrika 58,
    doi:10.1093/biomet/58.3.545.

    Examples
    --------
    >>> seen = [
    ...     VarianceObservation(f"c{i}", measure, mean, factor * mean * (1 - mean) * (1 + 0.1 * i))
    ...     for i, mean in enumerate([0.15, 0.2, 0.3, 0.4])
    ...     for measure, factor in (("AP", 0.07), ("RR", 0.4))
    ... ]
    >>> found = predict_variance(fit_variances(seen), "AP@1000", 0.25)
    >>> round(found.value, 4), found.degrees_of_freedom
    (0.0153, 10.0)
    """
    check_instance(model, "model", VarianceModel)
    if not isinstance(measure, str):
        raise ArgumentError("measure", measure, "must be a text")
    mean = _check_mean(mean, "mean")
    family = measure_family(measure)
    term = next((one for one in model.families if family is not None and one.family == family.name), None)
    if family is None or term is None or not _NEAREST_TO_THE_END <= mean <= 1 - _NEAREST_TO_THE_END:
        return None
    if (family.cutoff or 0) > _LONGEST.get(family.name, math.inf):
        return None
    names, lengths = [one.family for one in model.families], [name for name, _ in model.cutoff_slopes]
    row = np.array(_row(family, mean, names, lengths))
    estimates = [*(one.intercept for one in model.families), model.slope, *(slope for _, slope in model.cutoff_slopes)]
    spread = float(row @ np.array(model.covariance) @ row) + model.sd_collection**2 + model.sd_rest**2
    return PredictedVariance(
        value=math.exp(float(row @ np.array(estimates))),
        log_sd=math.sqrt(spread),
        degrees_of_freedom=min(_df_of(spread), _most_df(family, term)),
        n_collections=model.n_collections,
    )


def _check(observations: Sequence[VarianceObservation]) -> list[tuple[VarianceObservation, MeasureFamily]]:
    seen = []
    for one in check_instances(observations, "observations", VarianceObservation):
        _check_mean(one.mean, "observations")
        if not (math.isfinite(one.variance) and one.variance > 0.0):
            raise ArgumentError("observations", one.variance, "must have variances above 0")
        family = measure_family(one.measure)
        if family is not None:
            seen.append((one, family))
    return seen


def _check_mean(mean: float, name: str) -> float:
    if isinstance(mean, bool) or not isinstance(mean, (int, float)) or not 0.0 < mean < 1.0:
        raise ArgumentError(name, mean, "must have a mean between 0 and 1")
    return float(mean)


def _row(family: MeasureFamily, mean: float, names: Sequence[str], lengths: Sequence[str]) -> list[float]:
    cutoff = family.cutoff or _WHOLE_LIST.get(family.name, 10)
    return [
        *(float(family.name == name) for name in names),
        math.log(mean * (1.0 - mean)),
        *(math.log(cutoff / 10) if family.name == name else 0.0 for name in lengths),
    ]


def _reml(
    design: FloatArray, logs: FloatArray, same: FloatArray, between: float, within: float
) -> tuple[float, FloatArray, FloatArray]:
    """Minus the restricted log-likelihood, with the estimates and their covariance."""
    root = np.linalg.cholesky(between * same + within * np.eye(len(logs)))
    x, y = np.linalg.solve(root, design), np.linalg.solve(root, logs)
    information = x.T @ x
    estimates = np.linalg.solve(information, x.T @ y)
    rest = y - x @ estimates
    loss = np.log(np.diag(root)).sum() + 0.5 * np.linalg.slogdet(information)[1] + 0.5 * rest @ rest
    return float(loss), estimates, np.linalg.inv(information)


def _term(name: str, intercept: float, seen: Sequence[tuple[VarianceObservation, MeasureFamily]]) -> FamilyTerm:
    of_length: dict[int, set[str]] = {}
    for one, family in seen:
        if family.name == name:
            of_length.setdefault(family.cutoff or 0, set()).add(one.collection)
    return FamilyTerm(
        family=name,
        intercept=intercept,
        cutoffs=tuple((cutoff, len(found)) for cutoff, found in sorted(of_length.items())),
        n_collections=len(set().union(*of_length.values())),
    )


def _most_df(family: MeasureFamily, term: FamilyTerm) -> float:
    if family.name in _DF_OF_FAMILY:
        return _DF_OF_FAMILY[family.name]
    asked, n_seen = family.cutoff or 0, term.n_collections
    if family.name in _OF_LENGTH:
        # Lists of about this length: half of it to twice.
        n_seen = max((n for cutoff, n in term.cutoffs if asked <= 2 * cutoff and cutoff <= 2 * asked), default=0)
    return _MOST_DF if n_seen >= _FEW else _MOST_DF_OF_FEW


def _df_of(spread: float) -> float:
    """The degrees of freedom of a variance whose logarithm has this variance."""
    return float(brentq(lambda half: float(polygamma(1, half)) - spread, 1e-3, 1e6)) * 2.0
