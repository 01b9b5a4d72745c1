"""Screens for best scores that stand apart: from the others on the board, or from what their systems score elsewhere.

A screen says that a score is unusual, never why: other topics in training, another protocol, an error and a
breakthrough look the same.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc

from analysis._validation import FloatArray, as_array, check_count, check_flag, check_positive, check_vector
from analysis.errors import ArgumentError
from analysis.results import Result

MIN_FAMILIES = 15
GAP_LEVEL = 0.05
N_AFTER = 10
LOGIT_CLIP = (0.01, 0.995)
MIN_SCORE = 0.05
MIN_DATASETS_ELSEWHERE = 3
N_COMPARED = 80
Z_FLAG = 5.0
Z_NOTE = 4.0
#: From which a score is noted whose system has a flag on another board of the suite.
Z_NOTE_FLAGGED = 3.5
_BIWEIGHT = 4.685
_MAD_TO_SD = 1.4826
_N_STEPS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GapScreen(Result):
    """The screen for top families that stand apart from the rest."""

    pvalue: Annotated[float, "Three times the smallest of three, at most 1."]
    n_apart: Annotated[
        int,
        "Families at the top that stand apart: 0 where the gap is not significant, or no larger than three margins.",
    ]
    threshold: Annotated[float | None, "Score of the last family that stands apart; None where none does."]


def screen_gap(
    family_bests: ArrayLike, *, n_topics: int | None, residual_variance: float | None, higher_is_better: bool = True
) -> GapScreen | None:
    """Return whether one, two or three families at the top stand further apart than an exponential tail would let them.

    Parameters
    ----------
    family_bests : array_like of float, shape (n_families,)
        The best score of each family, in the unit of the measure and any order.
    n_topics : int or None
    residual_variance : float or None
        Where both are known, a gap counts only if it is more than 3 sqrt(2 residual_variance / n_topics): ceilings and
        rounding make gaps that are significant and mean nothing.
    higher_is_better : bool, default True

    Returns
    -------
    GapScreen or None
        None with fewer than 15 families: untestable.

    Raises
    ------
    ArgumentError
        If an argument is out of range or not finite.

    Notes
    -----
    With exponential spacings i (x_(i) - x_(i+1)) are alike, so that each over the mean of the next ten follows
    F(2, 20). The p-value supposes these spacings: with the tails of Student's t of 5 degrees of freedom 8 % of boards
    with 100 families are flagged at the level of 5 %. Its power is low: of a family among the best ten whose score is
    raised by half of what is left to 1, 18 % are found.

    References
    ----------
    David & Nagaraja (2003), Order Statistics, Wiley, doi:10.1002/0471722162. Exponential spacings.

    Examples
    --------
    >>> screen = screen_gap([0.6] + [0.3 - 0.005 * place for place in range(20)], n_topics=1000, residual_variance=0.1)
    >>> screen.n_apart, screen.threshold, screen.pvalue < 0.01
    (1, 0.6, True)
    """
    values = check_vector(family_bests, "family_bests")
    check_flag(higher_is_better, "higher_is_better")
    if n_topics is not None:
        check_count(n_topics, "n_topics")
    if residual_variance is not None:
        check_positive(residual_variance, "residual_variance")
    if values.size < MIN_FAMILIES:
        return None
    ordered = np.sort(values if higher_is_better else -values)[::-1]
    spacings = np.arange(1, values.size) * (ordered[:-1] - ordered[1:])
    pvalues = np.array([_gap_pvalue(spacings, j) for j in range(3)])
    pvalue = min(1.0, 3.0 * float(pvalues.min()))
    needed = 0.0
    if n_topics is not None and residual_variance is not None:
        needed = 3.0 * np.sqrt(2.0 * residual_variance / n_topics)
    apart = int(np.argmin(pvalues)) + 1
    is_apart = pvalue < GAP_LEVEL and ordered[apart - 1] - ordered[apart] > needed
    sign = 1.0 if higher_is_better else -1.0
    return GapScreen(
        pvalue=pvalue,
        n_apart=apart if is_apart else 0,
        threshold=sign * float(ordered[apart - 1]) if is_apart else None,
    )


def _gap_pvalue(spacings: FloatArray, j: int) -> float:
    following = spacings[j + 1 : j + 1 + N_AFTER].mean()
    if following == 0.0:
        return 1.0  # What follows is one score over and over: rounded or capped, no tail to compare with.
    return float(fdtrc(2, 2 * N_AFTER, spacings[j] / following))


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereScreen(Result):
    """The distance of a score from what the same system's scores on other datasets predict."""

    z: Annotated[
        float,
        "Prediction errors, positive where the score is better than predicted: by the mean, or by the median plus 1 if"
        " that is less.",
    ]
    z_by_mean: Annotated[float, "The same by the mean over the other datasets."]
    z_by_median: Annotated[float, "The same by the median over them, which one broken score there cannot move."]
    predicted: Annotated[float, "The score that the mean of its others predicts."]
    n_compared: Annotated[int, "Systems that the line was fitted to."]

    @property
    def is_flag(self) -> bool:
        """Return whether it is so unusual that it holds back a certificate."""
        return self.z >= Z_FLAG


def screen_elsewhere(scores: ArrayLike, elsewhere: ArrayLike) -> tuple[ElsewhereScreen | None, ...]:
    """Return how far each score on a dataset lies from what its system's scores on other datasets predict.

    Parameters
    ----------
    scores : array_like of float, shape (n_systems,)
        On this dataset, 0 to 1, higher is better.
    elsewhere : array_like of float, shape (n_systems, n_datasets)
        On the other datasets of the suite, 0 to 1; NaN where a system has no score.

    Returns
    -------
    tuple of ElsewhereScreen or None, of length n_systems
        None for a score below .05, for a system with fewer than three scores elsewhere, and where fewer than 80 other
        systems have scores on all the datasets that it has, or these have all the same.

    Raises
    ------
    ArgumentError
        If the shapes do not fit, a score is missing or outside of [0, 1].

    Notes
    -----
    Logits of scores clipped to .01 to .995; scores of 0 elsewhere count as missing. For each system, the mean over the
    other datasets that it has; of the other systems that have these, the 80 whose mean over them is nearest; through
    them a line of the logit on this dataset on that mean, by biweight (4.685 robust standard deviations, 20 steps). Its
    error takes the larger of the robust standard deviation and the weighted root mean square. The same again with the
    median over the other datasets of the distance from the median of these other systems there: one broken score
    elsewhere makes every healthy one look high by the mean. The answer is the first, or the second plus 1 if that is
    less: a flag at 5 takes 4 by the median. A note is at 4. Of 1,248 honest scores of 51 configurations on 31 datasets
    .1 % lie above 4, none above 5. A model that was trained on every dataset predicts itself: a small z clears nobody.

    References
    ----------
    Beaton & Tukey (1974), "The fitting of power series, meaning polynomials, illustrated on band-spectroscopic data",
    Technometrics 16, doi:10.1080/00401706.1974.10489171: the biweight.

    Examples
    --------
    >>> import numpy as np
    >>> ability = np.linspace(0.3, 0.6, 100)
    >>> elsewhere = np.column_stack([ability, ability + 0.02, ability - 0.02])
    >>> scores = ability + 0.01 * np.cos(np.arange(100))
    >>> scores[50] = 0.9
    >>> screen = screen_elsewhere(scores, elsewhere)[50]
    >>> screen.z > 5, round(screen.predicted, 2)
    (True, 0.45)
    """
    own = check_vector(scores, "scores")
    others = as_array(elsewhere, "elsewhere", "must be numbers, NaN where a system has no score", np.float64)
    if others.ndim != 2 or others.shape[0] != own.size:
        raise ArgumentError("elsewhere", others.shape, f"must have a row for each of {own.size} scores")
    if np.isinf(others).any() or not _are_unit(own) or not _are_unit(others[~np.isnan(others)]):
        name = "scores" if not _are_unit(own) else "elsewhere"
        raise ArgumentError(name, "a value", "must lie in [0, 1]")
    logits, levels = _logit(own), _logit(np.where(others == 0.0, np.nan, others))
    is_usable = own >= MIN_SCORE
    nearby = {place: near for place in range(own.size) if (near := _nearby(levels, is_usable, place)) is not None}
    if not nearby:
        return (None,) * own.size
    by_mean, by_median = (
        _predict(logits, [(place, *near[which]) for place, near in nearby.items()]) for which in range(2)
    )
    return tuple(
        _screened(by_mean[place], by_median[place]) if place in by_mean and place in by_median else None
        for place in range(own.size)
    )


#: Prediction errors, and the logit predicted.
_Prediction = tuple[float, float]


def _screened(by_mean: _Prediction, by_median: _Prediction) -> ElsewhereScreen:
    (z, predicted), (z_by_median, _) = by_mean, by_median
    return ElsewhereScreen(
        z=min(z, z_by_median + Z_FLAG - Z_NOTE),
        z_by_mean=z,
        z_by_median=z_by_median,
        predicted=float(1.0 / (1.0 + np.exp(-predicted))),
        n_compared=N_COMPARED,
    )


#: Of a system: the 80 that it is compared with, and what predicts them; first what predicts its own score.
_Near = tuple[NDArray[np.intp], FloatArray]


def _nearby(levels: FloatArray, is_usable: NDArray[np.bool_], place: int) -> tuple[_Near, _Near] | None:
    """Return those whose mean over the datasets of a system is nearest, and whose median there is; None with too
    few."""
    known = ~np.isnan(levels[place])
    if not is_usable[place] or known.sum() < MIN_DATASETS_ELSEWHERE:
        return None
    there = levels[:, known]
    others = np.flatnonzero(is_usable & ~np.isnan(there).any(axis=1) & (np.arange(len(there)) != place))
    if others.size < N_COMPARED:
        return None
    there = there[np.r_[place, others]]
    centred = there - np.median(there[1:], axis=0)
    return _nearest(there.mean(axis=1), others), _nearest(np.median(centred, axis=1), others)


def _nearest(x: FloatArray, others: NDArray[np.intp]) -> _Near:
    order = np.argsort(np.abs(x[1:] - x[0]), kind="stable")[:N_COMPARED]
    return others[order], np.r_[x[0], x[1:][order]]


def _predict(logits: FloatArray, nearby: list[tuple[int, NDArray[np.intp], FloatArray]]) -> dict[int, _Prediction]:
    """Return for each place how far its logit lies from the line of those near, and what that gives; none without a
    line."""
    x = np.array([values for _, _, values in nearby])
    lines = _biweight_lines(x[:, 1:], logits[np.array([rows for _, rows, _ in nearby])])
    predictions = {}
    for (place, _, _), row, (intercept, slope, scale) in zip(nearby, x, lines, strict=True):
        if np.isnan(scale):
            continue
        predicted = intercept + slope * row[0]
        centred = row[1:] - row[1:].mean()
        distance = row[0] - row[1:].mean()
        spread = scale * np.sqrt(1.0 + 1.0 / N_COMPARED + distance**2 / float(centred @ centred))
        predictions[place] = float((logits[place] - predicted) / spread), float(predicted)
    return predictions


def _biweight_lines(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return intercept, slope and residual scale of a line for each row; NaN where the residuals have no spread."""
    weights = np.ones_like(x)
    is_line = np.ones(len(x), dtype=np.bool_)
    for _ in range(_N_STEPS):
        total = weights.sum(axis=1)
        centred = x - ((weights * x).sum(axis=1) / total)[:, None]
        spread = (weights * centred**2).sum(axis=1)
        is_line &= spread > 0.0
        slope = (weights * centred * y).sum(axis=1) / np.where(is_line, spread, 1.0)
        intercept = ((weights * y).sum(axis=1) - slope * (weights * x).sum(axis=1)) / total
        residuals = y - intercept[:, None] - slope[:, None] * x
        mad = _MAD_TO_SD * np.median(np.abs(residuals), axis=1)
        is_line &= mad > 0.0
        reach = _BIWEIGHT * np.where(is_line, mad, 1.0)
        weights = np.clip(1.0 - (residuals / reach[:, None]) ** 2, 0.0, None) ** 2
        weights[~is_line] = 1.0
    weighted_rms = np.sqrt((weights * residuals**2).sum(axis=1) / weights.sum(axis=1))
    lines = np.column_stack([intercept, slope, np.maximum(mad, weighted_rms)])
    lines[~is_line] = np.nan
    return lines


def _are_unit(values: FloatArray) -> bool:
    return not values.size or bool(values.min() >= 0.0 and values.max() <= 1.0)


def _logit(values: FloatArray) -> FloatArray:
    clipped: FloatArray = np.clip(values, *LOGIT_CLIP)
    return np.log(clipped) - np.log1p(-clipped)
