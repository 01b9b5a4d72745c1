"""Tiers in place of ranks, and whether the run in first place is verified.

The first tier holds the runs that may be the best, those below it runs that can be told from those above.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import numpy as np

from analysis._resampling import RandomSource, as_generator
from analysis._validation import check_count, check_labels
from analysis.best import BestRunSet, confidence_set_for_best
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE, Contrasts, contrasts
from analysis.errors import ArgumentError
from analysis.ranks._rank_intervals import critical_value_of_all_pairs
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import independent_scores


@dataclass(frozen=True, slots=True)
class TierEntry(Result):
    """The tier of one run."""

    system: Annotated[str, "Label of the run."]
    mean: Annotated[float, "Its mean score."]
    tier: Annotated[int, "1 for the runs that may be the best."]
    leader: Annotated[str, "Label of the run that leads the tier."]


@dataclass(frozen=True, slots=True)
class TieTiers(Result):
    """Runs in tiers: the first may be the best, the others can be told from the leaders of the tiers between."""

    entries: Annotated[tuple[TierEntry, ...], "One for each contender, in the order of the matrix; none without a set."]
    n_tiers: Annotated[int, "Number of tiers."]
    best_set: Annotated[BestRunSet, "The set that is tier 1, with its caution or why there is none."]
    critical_value: Annotated[
        float | None, "Standard errors behind the leader of a lower tier that tell a run from it, if there are tiers."
    ]
    confidence_level: Annotated[float, "Of the set, and of all separations of the lower tiers together."]
    n_resamples: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_systems: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_topics: Annotated[int, "Simulated draws, runs of the matrix, topics."]


def tie_tiers(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    families: Sequence[str] | None = None,
    contenders: Sequence[str] | None = None,
    topic_groups: Sequence[str] | None = None,
    higher_is_better: bool = True,
) -> TieTiers:
    """Return the runs in tiers: first those that may be the best, then down to where a tier's leader is surely better.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems. On fewer than 10 topics there are no tiers, on fewer than 25 a caution.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed, for which :func:`analysis.best.confidence_set_for_best` gives the first tier.
    confidence_level : float, default 0.95
        Of the set, and of all separations of the lower tiers together, between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the critical values; at least 10 / (1 - confidence_level).
    families : sequence of str, optional
        As for :func:`analysis.best.confidence_set_for_best`.
    contenders : sequence of str, optional
        The systems that are put into tiers; the others still count as attempts. Default: all.
    topic_groups : sequence of str, optional
        As for :func:`analysis.best.confidence_set_for_best`.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    TieTiers
        The set, and for each run its tier and the tier's leader.

    Raises
    ------
    ArgumentError
        As for :func:`analysis.best.confidence_set_for_best`.

    Warns
    -----
    DegenerateWarning
        If most pairs of runs differ by the same amount on every topic: there are no tiers then.

    Notes
    -----
    Tier 1 is the set of runs that may be the best. Then, until no run is left, the best run without a tier leads the
    next one, and the tier reaches down to the last run that is not significantly worse than it, by one critical value
    for all pairs of runs. Every run below a lower tier is thus significantly worse than its leader, all of these
    separations right at once with probability ``confidence_level``; together with the set at least twice as far from
    certainty (90 % for 95 %). Two runs of one tier may be separable, and tier 1 need not be the first ranks. Formulas:
    ``docs/methods/tie-tiers.md``.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), "Inference for ranks", Review of Economic Studies 91,
    doi:10.1093/restud/rdad006: simultaneous decisions on pairs. The tiers are Plumbline's own.
    """
    generator = as_generator(rng)
    best_set = confidence_set_for_best(
        matrix,
        generator,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        families=families,
        contenders=contenders,
        topic_groups=topic_groups,
        higher_is_better=higher_is_better,
    )
    leaders: dict[str, str] = {}
    critical = None
    if best_set.why_no_set is None:
        columns, n_topics = independent_scores(matrix, topic_groups)
        compared = contrasts(columns, higher_is_better=higher_is_better, floored=True, n_independent=n_topics)
        critical = critical_value_of_all_pairs(compared, confidence_level, n_resamples, generator)
        leaders = _leaders(matrix, compared, best_set, critical)
    tiers = {leader: tier for tier, leader in enumerate(dict.fromkeys(leaders.values()), start=1)}
    return TieTiers(
        entries=tuple(
            TierEntry(entry.system, entry.mean, tiers[leaders[entry.system]], leaders[entry.system])
            for entry in best_set.entries
        ),
        n_tiers=len(tiers),
        best_set=best_set,
        critical_value=critical,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
    )


def _leaders(matrix: ScoreMatrix, compared: Contrasts, best_set: BestRunSet, critical: float) -> dict[str, str]:
    """Return the leader of each contender's tier, tier by tier."""
    leaders = dict.fromkeys(best_set.members, best_set.members[0])
    best_first = sorted(best_set.entries, key=lambda entry: (entry.behind, entry.system))
    waiting = [matrix.systems.index(entry.system) for entry in best_first if not entry.is_member]
    while waiting:
        behind = -compared.statistics[waiting[0], waiting]
        last = int(np.flatnonzero(behind <= critical)[-1])
        leaders |= dict.fromkeys((matrix.systems[row] for row in waiting[: last + 1]), matrix.systems[waiting[0]])
        waiting = waiting[last + 1 :]
    return leaders


class WhyNotVerified(StrEnum):
    """A reason for not verifying the run in first place."""

    #: There is no set of runs that may be the best.
    NO_SET = "no-set"
    #: Fewer than 25 topics: the confidence of the set has not been shown to hold on every collection.
    TOO_FEW_TOPICS = "too-few-topics"
    #: Others may be the best too.
    NOT_ALONE = "not-alone"
    #: Its scores are doubted.
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class VerifiedLeader(Result):
    """The run in first place, verified or not, or at least its family."""

    leader: Annotated[str | None, "The first member. None where there is no set."]
    is_verified: Annotated[bool, "Whether it is better than every other run, at the confidence of the set."]
    verified_family: Annotated[str | None, "The family that surely has the best run: that of all members."]
    why_not: Annotated[WhyNotVerified | None, "Why the leader is not verified; None if it is."]


def verified_leader(
    members: Sequence[str], *, n_topics: int, families: Mapping[str, str] | None = None, flagged: Sequence[str] = ()
) -> VerifiedLeader:
    """Say whether the run in first place is better than every other: alone in the set of those that may be the best.

    Parameters
    ----------
    members : sequence of str
        The set by scores on the same topics (:func:`analysis.best.confidence_set_for_best`), best first; empty where
        there is none. Sets from published means verify nothing.
    n_topics : int
        Number of these topics, 1 or more.
    families : mapping of str to str, optional
        The family of each system that has one with others. Default: each is a family of its own.
    flagged : sequence of str, default ()
        Systems whose scores are doubted, for example as outliers or trained on the test topics: they verify nothing.

    Returns
    -------
    VerifiedLeader

    Raises
    ------
    ArgumentError
        If the arguments are of another type.

    Notes
    -----
    There is no second test: if the truly best run is in the set with 95 % confidence and the set has one member, that
    run is the best with the same confidence. If all members are of one family, so is the best run, whichever it is:
    the family is verified, and the leading run is not. Nothing is verified on fewer than 25 topics, where the set comes
    with a caution.

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251. The set of one.
    """
    runs = check_labels(members, "members")
    check_count(n_topics, "n_topics")
    known = {} if families is None else _check_families(families)
    doubted = set(check_labels(flagged, "flagged"))
    leader = runs[0] if runs else None
    why = None
    if leader is None:
        why = WhyNotVerified.NO_SET
    elif n_topics < MIN_TOPICS_FOR_BADGE:
        why = WhyNotVerified.TOO_FEW_TOPICS
    elif doubted & set(runs):
        why = WhyNotVerified.FLAGGED
    elif len(runs) > 1:
        why = WhyNotVerified.NOT_ALONE
    of_members = {known.get(system, system) for system in runs}
    is_family_sure = why in (None, WhyNotVerified.NOT_ALONE) and len(of_members) == 1
    return VerifiedLeader(
        leader=leader,
        is_verified=why is None,
        verified_family=of_members.pop() if is_family_sure else None,
        why_not=why,
    )


def _check_families(families: Mapping[str, str]) -> dict[str, str]:
    is_text = isinstance(families, Mapping) and all(isinstance(part, str) for pair in families.items() for part in pair)
    if not is_text:
        raise ArgumentError("families", families, "must map systems to families, both as text")
    return dict(families)
