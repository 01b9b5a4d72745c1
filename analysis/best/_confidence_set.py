"""Sets that hold the truly best run with a stated confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import RandomSource, as_generator
from analysis._validation import check_count, check_label, check_labels, check_nonnegative, check_probability
from analysis.best._contrasts import (
    MIN_TOPICS_FOR_BADGE,
    Contrasts,
    WhyNoSet,
    contrasts,
    exceedance_rank,
    t_from_normal,
)
from analysis.best._drawn_differences import DrawnDifferences
from analysis.best._set_from_means import gupta_constant
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from analysis.reliability._families import check_families
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix, independent_scores

#: Below this many topics there is no set.
MIN_TOPICS = 10

#: Below this many topics the set is united with that of the pooled variance: the max-t set alone holds too seldom.
_MIN_TOPICS_OF_MAX_T = 30

#: Scores are skewed, which first moves the tails of a studentized mean by as much over the square root of the topics:
#: with it, sets of equal systems hold in 95 % on the tables that ship, and without in 94 % (docs/methods/calibration).
SKEWNESS_ALLOWANCE = 0.4

#: Share of the error rate that the first of the two steps is given (Romano, Shaikh & Wolf, 2014).
_FIRST_STEP_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class BestRunEntry(Result):
    """One run in, or outside of, the confidence set."""

    system: Annotated[str, "Label of the run."]
    mean: Annotated[float, "Its mean score."]
    is_member: Annotated[bool, "Whether the run may be the best: ``behind_rival <= margin``."]
    behind: Annotated[float, "How far its mean is behind the best mean, 0 or more, in the unit of the measure."]
    rival: Annotated[
        str, "The run that speaks most clearly against its being the best: not always the best, but often one like it."
    ]
    behind_rival: Annotated[float, "How far its mean is behind the rival's; below 0 for a run that leads alone."]
    margin: Annotated[
        float, "How far it may be behind this rival and still be the best, 0 or more. Each run has its own."
    ]
    rule: Annotated[
        Literal["max-t", "pooled"],
        "What the margin stems from: the differences of the two runs themselves, or one variance for all "
        "pairs (on fewer than 30 topics, where a run stays if either rule keeps it).",
    ]


@dataclass(frozen=True, slots=True)
class BestRunSet(Result):
    """The runs that may be the best, with what decided it."""

    entries: Annotated[tuple[BestRunEntry, ...], "One for each contender, in the order of the matrix, or none."]
    members: Annotated[tuple[str, ...], "Labels of the runs in the set, best mean first; none where there is no set."]
    n_members: Annotated[int, "Their number: 1 or more, or 0 where there is no set."]
    why_no_set: Annotated[WhyNoSet | None, "Why there is no set; None where there is one."]
    caution: Annotated[str | None, "What to say beside a set on few topics."]
    confidence_level: Annotated[float, "Probability, at least approximately, that the truly best run is in the set."]
    n_resamples: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_systems: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_topics: Annotated[int, "Simulated draws, runs of the matrix, topics."]


def confidence_set_for_best(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    families: Sequence[str] | None = None,
    contenders: Sequence[str] | None = None,
    topic_groups: Sequence[str] | None = None,
    skewness_allowance: float = SKEWNESS_ALLOWANCE,
    higher_is_better: bool = True,
) -> BestRunSet:
    """Return the runs that may be the best on topics like these: a set that holds the truly best run with confidence.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems. On fewer than 10 topics there is no set, on fewer than 25 a caution.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the margins; at least 10 / (1 - confidence_level).
    families : sequence of str, optional
        The family of each system, in the order of the matrix, for the pooled variance on fewer than 30 topics
        (:func:`analysis.reliability.family_weighted_variance`). Default: each is a family of its own.
    contenders : sequence of str, optional
        The systems that compete, at least two. The others are no one's rivals, and still count as attempts: they
        widen the margins as before. Default: all.
    topic_groups : sequence of str, optional
        The group of each topic, in the order of the matrix, where topics come in groups
        (turns of a conversation, wordings of one need). Then groups count in place of topics in every limit.
    skewness_allowance : float, default 0.4
        From 30 topics on, critical values are 1 + this / sqrt(n_topics) times those of normal differences; 0 or more.
        0 is the procedure as published.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    BestRunSet
        For each run whether it is a member, how far it is behind, and how far it may be.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 contenders, a contender is unknown, labels of families don't fit, or a number is out
        of range.

    Warns
    -----
    DegenerateWarning
        If most pairs of runs differ by the same amount on every topic: there is no set then.

    Notes
    -----
    Run i stays if T_i = max_j (y_j - y_i) / s_ij is not above what the largest difference would reach by chance if i
    were the best (Gupta; Hsu; Mogstad et al.), in two steps (Romano et al.). Only the truly best one must survive: no
    correction over the runs is needed. s_ij² is at least a tenth of its median over all pairs; on 10 to 29 topics a run
    also stays by Gupta's rule with one variance for all pairs. The guarantee is asymptotic in the topics, which count
    as independent draws; differences are skewed (Hall), hence the allowance, which was chosen on the tables that ship.
    With groups there is a normal draw for each, on as many degrees of freedom as groups of equal size would have; that
    was not simulated. Formulas: ``docs/methods/confidence-set-for-the-best-run.md``.

    References
    ----------
    Gupta (1965), doi:10.1080/00401706.1965.10490251. Hsu (1984), doi:10.1214/aos/1176346732. Romano, Shaikh & Wolf
    (2014), doi:10.3982/ECTA11011. Mogstad, Romano, Shaikh & Wilhelm (2024), doi:10.1093/restud/rdad006. Hall (1987),
    Annals of Probability 15(3), 920-931.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (4, 50)) + [[0.0], [0.01], [0.1], [0.11]]
    >>> matrix = ScoreMatrix(["a", "b", "c", "d"], [str(topic) for topic in range(50)], scores)
    >>> best_set = confidence_set_for_best(matrix, rng=1)
    >>> best_set.members
    ('d', 'c')
    >>> b = best_set.entries[1]
    >>> b.rival, round(b.behind_rival, 3), round(b.margin, 3)
    ('d', 0.106, 0.042)
    """
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    allowance = check_nonnegative(skewness_allowance, "skewness_allowance")
    exceedance_rank(1 - (1 - level) * _FIRST_STEP_SHARE, n_resamples)
    generator = as_generator(rng)
    check_matrix(matrix)
    labels = check_families(families, matrix)
    competing = _competing(matrix, contenders)
    columns, n_topics = independent_scores(matrix, topic_groups)
    compared = contrasts(columns, higher_is_better=higher_is_better, floored=True, n_independent=n_topics)
    why = None
    if n_topics < MIN_TOPICS:
        why = WhyNoSet.TOO_FEW_TOPICS
    elif not compared.has_variation:
        why = WhyNoSet.NO_VARIATION
    entries: tuple[BestRunEntry, ...] = ()
    if why is None:
        draws = DrawnDifferences.draw(compared.scores, n_resamples, generator)
        is_few = n_topics < _MIN_TOPICS_OF_MAX_T
        wider = 1.0 if is_few else 1.0 + allowance / n_topics**0.5
        critical = {
            row: wider * _critical_value(compared, draws, row, level, n_resamples) for row in competing.tolist()
        }
        pooled = _pooled_margin(columns, labels, level, n_topics) if is_few else None
        entries = tuple(_entry(matrix, compared, competing, row, critical[row], pooled) for row in critical)
    best_first = sorted((entry for entry in entries if entry.is_member), key=lambda entry: (entry.behind, entry.system))
    return BestRunSet(
        entries=entries,
        members=tuple(entry.system for entry in best_first),
        n_members=len(best_first),
        why_no_set=why,
        caution=_caution(n_topics) if why is None else None,
        confidence_level=level,
        n_resamples=n_resamples,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
    )


def _competing(matrix: ScoreMatrix, contenders: Sequence[str] | None) -> NDArray[np.intp]:
    """Return the rows of those that compete, in the order of the matrix."""
    if contenders is None:
        return np.arange(matrix.n_systems)
    chosen = {check_label(name, "contenders", matrix.systems) for name in check_labels(contenders, "contenders")}
    if len(chosen) != len(contenders) or len(chosen) < 2:
        raise ArgumentError("contenders", contenders, "must be at least two different systems")
    return np.array([row for row, system in enumerate(matrix.systems) if system in chosen])


def _critical_value(compared: Contrasts, draws: DrawnDifferences, row: int, level: float, n_resamples: int) -> float:
    """Return how many standard errors a run may be behind and still be the best, 0 or more: the two steps, in t
    units."""
    weights, df = compared.inverse_errors[row], compared.df
    spent = (1 - level) * _FIRST_STEP_SHARE
    first_rank, rank = (exceedance_rank(p, n_resamples) for p in (1 - spent, level + spent))
    largest, _ = draws.largest(row, weights, rank)
    first = float(t_from_normal(largest[first_rank - 1], df))
    # A rival that is behind this run even at the lower confidence limit of its distance is no full rival.
    shifts = np.minimum(0.0, compared.statistics[row] + first)
    if shifts.any():
        # Shifted by more than the largest difference of all draws, a rival can't set a critical value above 0.
        shifts[shifts < -largest[0]] = -np.inf
        largest, _ = draws.largest(row, weights, rank, shifts)
    return max(0.0, float(t_from_normal(largest[rank - 1], df)))


def _pooled_margin(matrix: ScoreMatrix, families: Sequence[str], level: float, n_independent: float) -> float:
    """Return how far a run may be behind the best by Gupta's rule, one variance for all pairs."""
    variance = family_weighted_variance(matrix, families if len(set(families)) > 1 else None)
    constant = gupta_constant(matrix.n_systems, level, n_independent - 1.0)
    return constant * float(np.sqrt(2 * variance / matrix.n_topics))


def _entry(
    matrix: ScoreMatrix,
    compared: Contrasts,
    competing: NDArray[np.intp],
    row: int,
    critical: float,
    pooled: float | None,
) -> BestRunEntry:
    others = competing[competing != row]
    gaps = compared.gaps[row]
    best, rival = (int(others[values[others].argmax()]) for values in (gaps, compared.statistics[row]))
    margin = critical / compared.inverse_errors[row, rival]
    rule: Literal["max-t", "pooled"] = "max-t"
    # It stays if either rule keeps it, so that the rule with more room decides.
    if pooled is not None and gaps[best] - pooled < gaps[rival] - margin:
        rule, rival, margin = "pooled", best, pooled
    return BestRunEntry(
        system=matrix.systems[row],
        mean=float(matrix.means[row]),
        is_member=bool(gaps[rival] <= margin),
        behind=max(0.0, float(gaps[best])),
        rival=matrix.systems[rival],
        behind_rival=float(gaps[rival]),
        margin=float(margin),
        rule=rule,
    )


def _caution(n_topics: float) -> str | None:
    if n_topics >= MIN_TOPICS_FOR_BADGE:
        return None
    return (
        f"{n_topics:.0f} topics are few: below {MIN_TOPICS_FOR_BADGE} the stated confidence held on average of the"
        " collections tried, and not on each"
    )
