"""The variance of scores beyond system and topic, predicted from how many documents a topic's score hangs on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import zeta

from analysis._validation import check_flag, check_instance, check_nonnegative, check_positive
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scores import MeasureNature, measure_nature

#: How many documents decide: one a topic, a few, many; ERR; Bpref; a list shorter than the relevant documents; unknown.
VarianceClass = Literal["one", "few", "many", "ERR", "Bpref", "cut-short", "unknown"]

#: Families of which only the first relevant document counts.
FIRST = ("RR", "Success", "ERR")
#: The coefficients of the others: with one deciding document, with very many, and how much more the runs of a shared
#: task vary there.
_ONE = {"AP": "AP", "Bpref": "AP", "nDCG": "nDCG", "R": "hits", "P": "hits", "Rprec": "hits"}
_MANY = {"AP": "AP", "Bpref": "AP", "nDCG": "nDCG", "R": "R", "P": "P", "Rprec": "Rprec"}
_BPREF_TO_AP = 1.35
#: What stands for no cutoff of nDCG.
_WHOLE_LIST = 1000
#: Class: how far off the logarithm is, by what a set is widened, and as surely known as from so many squares.
_CLASSES: Mapping[VarianceClass, tuple[float, float, float]] = {
    "one": (0.25, 1.0, 30.0),
    "few": (0.35, 1.2, 16.0),
    "many": (0.45, 1.3, 10.0),
    "ERR": (0.60, 1.0, 6.0),
    "cut-short": (0.65, 1.0, 6.0),
}
#: Recall's sets held least often: what widens them instead, and where very many documents decide only those of other
#: systems than the runs of a shared task.
_WIDENING_OF_RECALL: Mapping[VarianceClass, float] = {"one": 1.1, "many": 1.5}
_LOG_SD_BPREF, _DF_BPREF = 0.50, 8.0
#: Of AP outside shared tasks, where very many documents decide: eleven groups that were left out were off by so much.
_LOG_SD_AP = 0.50
#: Above these, so large a share of the deciding documents is one's own: the classes "one" and "few".
_FEW_FROM, _ONE_FROM = 0.15, 0.60
#: Of a best score closer to what is possible, nothing is known of how recall or AP is cut short.
_CUT_SHORT = 0.65
#: From this mean on of reciprocal rank and success, what is left of topics that failed is off as far as of few.
_FIRST_AS_FEW = 0.70
#: Means and their shares of what is possible closer to the ends of the scale than this were never seen.
_NEAREST = 0.02
#: The best score is at most so far from what is possible.
_ABOVE_BEST = 1.02
#: P of longer lists rests on one pool.
_LONGEST_P = 100
#: Not known any better than this is not known.
_LEAST_DF = 3.0
#: Where nobody knows how many documents are relevant: shares that one of them has, with their weights, and the weights
#: for runs of shared tasks.
_SHARES, _WEIGHTS, _WEIGHTS_SHARED = (1.0, 0.4, 0.1), (0.50, 0.25, 0.25), (0.25, 0.35, 0.40)
#: The spread of relevant documents over topics that have several.
_SPREAD = (0.25, 0.65, 2.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceObservation:
    """A residual variance that was seen."""

    collection: Annotated[str, "Whose topics."]
    group: Annotated[str, "Collections that share topics, systems or judgements go together."]
    measure: Annotated[str, "ir-measures name."]
    is_shared_task: Annotated[bool, "Whether the systems are the runs of a shared task."]
    n_systems: Annotated[int, "How many systems it was seen on."]
    mean: Annotated[float, "Of the scores of all systems, between 0 and 1."]
    best: Annotated[float, "The best of them."]
    top_mean: Annotated[float, "Mean over topics of the highest score that is possible."]
    top_square: Annotated[float, "Mean of its square."]
    top_square_inverse: Annotated[float, "Mean of its square divided by the number of documents that decide."]
    variance: Annotated[float, "Of a score beyond system and topic, above 0."]
    log_sd_topics: Annotated[float, "Standard deviation of its logarithm by the draw of topics."]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceModel:
    """The coefficients: s² = q · ρ (1 - ρ), ρ the mean as a share of the possible, q from the deciding documents."""

    first: Annotated[dict[str, float], "q of RR, Success and ERR."]
    of_one: Annotated[dict[str, float], "q where one document decides, of AP, nDCG and hits (P, R, Rprec)."]
    of_many: Annotated[dict[str, float], "q where very many do, of AP, nDCG, R, P and Rprec."]
    shared_task: Annotated[dict[str, float], "How many times that for the runs of a shared task."]
    cutoff_exponent: Annotated[float, "Of cutoff / 10, for nDCG; lowers q of longer lists."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedVariance(Result):
    """A residual variance that a model predicts."""

    value: Annotated[float, "Squared unit of the measure; as often too small as too large."]
    log_sd: Annotated[float, "Standard deviation of its logarithm."]
    degrees_of_freedom: Annotated[float, "As surely known as from so many independent squares."]
    widening: Annotated[float, "A set takes so many times the value; what is estimated takes the value."]
    variance_class: Annotated[VarianceClass, 'How many documents decide; "unknown" where nobody knows.']


@dataclass(frozen=True, slots=True)
class _Hangs:
    """The documents that scores hang on: means over topics of the top score, its square, and that over documents."""

    top: float
    square: float
    square_inverse: float

    @property
    def share(self) -> float:
        return self.square_inverse / self.square


def predict_variance(
    model: VarianceModel,
    measure: str | MeasureNature,
    *,
    mean: float,
    best: float,
    relevant: float | None = None,
    share_with_one: float | None = None,
    is_shared_task: bool = False,
) -> PredictedVariance | None:
    """Return how much scores vary beyond system and topic under a measure, as a model predicts it.

    Parameters
    ----------
    model : VarianceModel
    measure : str or MeasureNature
        ir-measures name, of a measure from 0 to 1; or what it is.
    mean, best : float
        Of the scores of all systems, between 0 and 1, and the best of them.
    relevant : float, optional
        Relevant documents of a topic, on average, as the measure counts them. Default: nobody knows.
    share_with_one : float, optional
        Share of topics with exactly one. Default: nobody knows.
    is_shared_task : bool, default False
        Whether most systems are runs of a shared task.

    Returns
    -------
    PredictedVariance or None
        None for a measure that is in no family; a mean within .02 of an end of what is possible; without the number of
        relevant documents P of more than 100 results, Rprec and Bpref, and what is known with less than 3 degrees of
        freedom.

    Raises
    ------
    ArgumentError
        If an argument is of another type or out of range.

    Notes
    -----
    A topic's score hangs on e documents, and q goes from what one document is worth to what is left with very many: s²
    = q · ρ (1 - ρ), ρ the mean as a share of what is possible. Without the number of relevant documents it is a mixture
    over one, a few and many, and its spread counts as error. Formulas: ``docs/methods/predicted-variance.md``.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, Wiley, doi:10.1002/9780470316856.
    """
    check_instance(model, "model", VarianceModel)
    nature = measure if isinstance(measure, MeasureNature) else measure_nature(measure)
    mean, best = _between(mean, "mean"), _between(best, "best")
    share = None if share_with_one is None else _between(share_with_one, "share_with_one")
    relevant = None if relevant is None else check_positive(relevant, "relevant")
    is_shared_task = check_flag(is_shared_task, "is_shared_task")
    if not nature.family or not _NEAREST <= mean <= 1 - _NEAREST:
        return None
    if nature.family in FIRST:
        hangs = _Hangs(1.0, 1.0, 1.0)
        return _predicted(model, nature, hangs, mean, best, is_shared_task)
    if relevant is None:
        return _mixture(model, nature, mean, best, is_shared_task)
    counts = relevant_counts(relevant, share)
    hangs = _hangs_on(nature, counts)
    is_cut = nature.family in ("R", "AP") and nature.cutoff is not None and nature.cutoff < relevant
    if is_cut and best > _CUT_SHORT * hangs.top:
        hangs = _Hangs(1.0, 1.0, sum(weight / min(r, nature.cutoff or r) for r, weight in counts))
    return _predicted(model, nature, hangs, mean, best, is_shared_task, is_cut=is_cut)


def relevant_counts(mean: float, share_with_one: float | None = None) -> tuple[tuple[float, float], ...]:
    """Return numbers of relevant documents with the share of topics that have each, from their mean.

    ``mean`` is above 0; without ``share_with_one``, the share is that of collections with such a mean.
    """
    share = share_with_one
    if not share and round(mean, 4) in range(2, 11):
        return ((round(mean, 4), 1.0),)
    if share is None:
        share = max(mean**-1.3 if mean <= 4.0 else 0.0, 2.0 - mean)
    if share >= 1.0:
        return ((1.0, 1.0),)
    several = max(2.0, (mean - share) / (1.0 - share))
    spread = tuple((max(2.0, factor * several), (1.0 - share) / len(_SPREAD)) for factor in _SPREAD)
    return ((1.0, share), *spread) if share else spread


def degrees_of_freedom_of(log_variance: float) -> float:
    """Return as surely as from so many squares is a variance known whose logarithm has this variance: trigamma(df /
    2)."""
    return float(brentq(lambda half: float(zeta(2.0, half)) - log_variance, 1e-3, 1e6)) * 2.0


def _between(value: float, name: str) -> float:
    share = check_nonnegative(value, name)
    if share > 1.0:
        raise ArgumentError(name, value, "must be between 0 and 1")
    return share


def _hangs_on(nature: MeasureNature, counts: Sequence[tuple[float, float]]) -> _Hangs:
    sums = [0.0, 0.0, 0.0]
    for r, weight in counts:
        k = min(r, nature.cutoff or math.inf)
        top = {"P": k / (nature.cutoff or 1), "R": k / r, "AP": k / r}.get(nature.family, 1.0)
        deciding = k if nature.family in ("nDCG", "P", "R") else r
        for place, value in enumerate((top, top**2, top**2 / deciding)):
            sums[place] += weight * value
    return _Hangs(*sums)


def _q(model: VarianceModel, nature: MeasureNature, hangs: _Hangs, is_shared_task: bool) -> float:
    if nature.family in FIRST:
        return model.first[nature.family]
    family = _ONE[nature.family]
    ratio = model.shared_task[family] if is_shared_task else 1.0
    many = model.of_many[_MANY[nature.family]] * ratio * (hangs.square - hangs.square_inverse)
    q = model.of_one[family] * hangs.square_inverse + many
    if nature.family == "nDCG":
        q *= ((nature.cutoff or _WHOLE_LIST) / 10) ** -model.cutoff_exponent
    return q * _BPREF_TO_AP if nature.family == "Bpref" else q


def _value(
    model: VarianceModel, nature: MeasureNature, hangs: _Hangs, mean: float, best: float, is_shared_task: bool
) -> float | None:
    rho = mean / min(1.0, max(hangs.top, _ABOVE_BEST * best))
    if not _NEAREST <= rho <= 1 - _NEAREST:
        return None
    return _q(model, nature, hangs, is_shared_task) * rho * (1 - rho)


def _predicted(
    model: VarianceModel,
    nature: MeasureNature,
    hangs: _Hangs,
    mean: float,
    best: float,
    is_shared_task: bool,
    *,
    is_cut: bool = False,
) -> PredictedVariance | None:
    value = _value(model, nature, hangs, mean, best, is_shared_task)
    if value is None:
        return None
    variance_class: VarianceClass = "cut-short" if is_cut else _class_of(nature, hangs.share)
    if nature.family in ("RR", "Success") and mean > _FIRST_AS_FEW:
        variance_class = "few"
    log_sd, widening, df = _CLASSES[variance_class]
    if nature.family == "Bpref":
        variance_class, log_sd, df = "Bpref", _LOG_SD_BPREF, _DF_BPREF
    if (nature.family, variance_class, is_shared_task) == ("AP", "many", False):
        log_sd = _LOG_SD_AP
    if nature.family in ("R", "Rprec") and not (variance_class == "many" and is_shared_task):
        widening = _WIDENING_OF_RECALL.get(variance_class, widening)
    return PredictedVariance(
        value=value, log_sd=log_sd, degrees_of_freedom=df, widening=widening, variance_class=variance_class
    )


def _class_of(nature: MeasureNature, share: float) -> VarianceClass:
    if nature.family == "ERR":
        return "ERR"
    if nature.family in FIRST or share > _ONE_FROM:
        return "one"
    return "few" if share > _FEW_FROM else "many"


def _mixture(
    model: VarianceModel, nature: MeasureNature, mean: float, best: float, is_shared_task: bool
) -> PredictedVariance | None:
    """Return the prediction without the number of relevant documents, from those with one, a few and many of them."""
    cutoff = nature.cutoff or math.inf
    if nature.family in ("Rprec", "Bpref") or (nature.family == "P" and cutoff > _LONGEST_P):
        return None
    tops = (1 / cutoff, min(3, cutoff) / cutoff, 1.0) if nature.family == "P" else (1.0,) * len(_SHARES)
    least = 1 / cutoff if nature.family in ("nDCG", "P") else 0.0
    sds = [_CLASSES[name][0] for name in ("one", "few", "many")]
    points = []
    for top, share, weight, sd in zip(tops, _SHARES, _WEIGHTS_SHARED if is_shared_task else _WEIGHTS, sds, strict=True):
        if top > best:
            hangs = _Hangs(top, top**2, top**2 * max(share, least))
            value = _value(model, nature, hangs, mean, best, is_shared_task)
            if value is None:
                return None
            points.append((math.log(value), weight, sd))
    if not points:
        return None
    logs, weights, errors = map(np.array, zip(*points, strict=True))
    weights = weights / weights.sum()
    middle = float(weights @ logs)
    spread = float(weights @ (errors**2 + (logs - middle) ** 2))
    df = degrees_of_freedom_of(spread)
    if df < _LEAST_DF:
        return None
    return PredictedVariance(
        value=math.exp(middle), log_sd=math.sqrt(spread), degrees_of_freedom=df, widening=1.0, variance_class="unknown"
    )
