"""Baselines and improved scores of papers among the original runs, and against what was known."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, check_direction, check_real, check_vector, check_vectors
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scales import percentile_among


@dataclass(frozen=True, slots=True, eq=False)
class StandingOfPapers(Result):
    """Papers' baselines and improved scores among original runs, and what they gain."""

    n_papers: Annotated[int, "Numbers of papers and of original runs."]
    n_reference: Annotated[int, "Numbers of papers and of original runs."]
    median_baseline_percentile: Annotated[float, "Median percentage of runs that are worse; ties half."]
    median_improved_percentile: Annotated[float, "The same of the improved scores."]
    fraction_improved_above_best: Annotated[float, "Of the improved scores, those better than every run."]
    median_gain: Annotated[float, "Median of improved less baseline; positive is better in either direction."]
    fraction_gaining: Annotated[float, "Fraction of the papers whose improved score is better than their baseline."]
    threshold: Annotated[float | None, "Score that a strong baseline should reach, as given."]
    fraction_baselines_reaching: Annotated[float | None, "Fraction of the baselines at or beyond it."]


@dataclass(frozen=True, slots=True)
class KnownBest(Result):
    """The baselines of one time against the best result published before it."""

    time: Annotated[float, "Year or date."]
    best_before: Annotated[float, "Best result known at least ``lag`` before."]
    n_baselines: Annotated[int, "Baselines of that time, and those at or beyond ``best_before``."]
    n_reaching: Annotated[int, "Baselines of that time, and those at or beyond ``best_before``."]
    median_shortfall: Annotated[float, "Median of how far the baselines fall short of it; negative if beyond."]


@dataclass(frozen=True, slots=True)
class BaselinesAgainstKnown(Result):
    """Baselines against the best results known before them."""

    times: Annotated[tuple[KnownBest, ...], "Each time with baselines and something known before."]
    n_baselines: Annotated[int, "Totals over these times."]
    n_reaching: Annotated[int, "Totals over these times."]


def standing_of_papers(
    baselines: ArrayLike,
    improved: ArrayLike,
    reference_means: ArrayLike,
    *,
    threshold: float | None = None,
    higher_is_better: bool = True,
) -> StandingOfPapers:
    """Return where the baselines and the improved scores of papers stand among the original runs of a collection.

    Parameters
    ----------
    baselines, improved : array_like of float, shape (n_papers,)
        Best baseline and best proposed score of each paper, in the unit of the measure.
    reference_means : array_like of float, shape (n_reference,)
        Means, in the same unit, of the runs originally submitted to the collection's evaluation.
    threshold : float, optional
        A score that a strong baseline should reach.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    StandingOfPapers

    Raises
    ------
    ArgumentError
        If baselines and improved scores differ in number, or anything is empty or not finite.

    Notes
    -----
    Compare like with like: the same topics and judgements as the original runs had. Percentiles count ties half.

    References
    ----------
    Armstrong, Moffat, Webber & Zobel, "Improvements that don't add up: ad-hoc retrieval results since 1998", CIKM
    2009, doi:10.1145/1645953.1646031.
    """
    before, after = check_vectors(baselines, improved, ("baselines", "improved"))
    reference = check_vector(reference_means, "reference_means")
    sign = check_direction(higher_is_better)
    gains = sign * (after - before)
    median_percentiles = [
        float(np.median(percentile_among(scores, reference, higher_is_better=higher_is_better)))
        for scores in (before, after)
    ]
    reaching = None
    if threshold is not None:
        reaching = float(np.mean(sign * before >= sign * check_real(threshold, "threshold")))
    return StandingOfPapers(
        n_papers=before.size,
        n_reference=reference.size,
        median_baseline_percentile=median_percentiles[0],
        median_improved_percentile=median_percentiles[1],
        fraction_improved_above_best=float(np.mean(sign * after > (sign * reference).max())),
        median_gain=float(np.median(gains)),
        fraction_gaining=float(np.mean(gains > 0)),
        threshold=threshold,
        fraction_baselines_reaching=reaching,
    )


def baselines_against_known_best(
    times: ArrayLike,
    baselines: ArrayLike,
    improved: ArrayLike,
    *,
    known_before: ArrayLike = (),
    lag: float = 1.0,
    higher_is_better: bool = True,
) -> BaselinesAgainstKnown:
    """Say whether one year's best result is a later year's baseline.

    Parameters
    ----------
    times : array_like of float, shape (n_papers,)
        Date of each paper in years, or as another number.
    baselines, improved : array_like of float, shape (n_papers,)
        Best baseline and best proposed score of each paper, in the unit of the measure.
    known_before : array_like of float, shape (n_known,), default ()
        Scores known before all of the papers, in the same unit, such as the original runs.
    lag : float, 0 or more, default 1
        How long before a paper a result must have been published to count as known to it. With 0 results of the
        same time do not count either.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    BaselinesAgainstKnown

    Raises
    ------
    ArgumentError
        If the lengths differ, anything is not finite, the lag is negative, or nothing was known before any paper.

    References
    ----------
    Armstrong, Moffat, Webber & Zobel (2009), "Improvements that don't add up", CIKM 2009,
    doi:10.1145/1645953.1646031.
    Yang, Lu, Yang & Lin (2019), doi:10.1145/3331184.3331340.
    """
    moments = check_vector(times, "times")
    before, after = check_vector(baselines, "baselines"), check_vector(improved, "improved")
    for array, argument in ((before, "baselines"), (after, "improved")):
        if array.size != moments.size:
            raise ArgumentError(argument, array.size, f"must be as many as times, {moments.size}")
    if check_real(lag, "lag") < 0:
        raise ArgumentError("lag", lag, "must be 0 or more")
    sign = check_direction(higher_is_better)
    earlier = sign * (check_vector(known_before, "known_before", minimum=0))
    rows = []
    for time in np.unique(moments):
        usable = moments < time if lag == 0 else moments <= time - lag
        known = np.concatenate([earlier, sign * after[usable], sign * before[usable]])
        if known.size:
            rows.append(_against(float(time), sign * before[moments == time], float(known.max()), sign))
    if not rows:
        raise ArgumentError("times", times, "must leave something published before some of the papers")
    total, reaching = sum(row.n_baselines for row in rows), sum(row.n_reaching for row in rows)
    return BaselinesAgainstKnown(tuple(rows), total, reaching)


def _against(time: float, baselines: FloatArray, best: float, sign: float) -> KnownBest:
    return KnownBest(
        time=time,
        best_before=sign * best,
        n_baselines=baselines.size,
        n_reaching=int((baselines >= best).sum()),
        median_shortfall=float(np.median(best - baselines)),
    )
