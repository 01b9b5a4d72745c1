"""What evidence comes to for the rows of a board: the set of those that may be the best, its tiers, and the value."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.best import (
    Luck,
    WhyNoInterval,
    WhyNoSet,
    WhyNotCorrected,
    best_set_from_errors,
    corrected_best,
    corrected_best_from_means,
)
from analysis.boards._competitors import Competitors
from analysis.boards._evidence import MIN_TOPICS, choose_evidence, n_averaged, why_no_set_from_means
from analysis.boards._families import family_of, group_families
from analysis.boards._findings import Corrected, Distance, Evidence, Family, MayBeBest
from analysis.boards._inputs import BoardInputs, MeasureFacts
from analysis.boards._methods import METHODS
from analysis.errors import DegenerateWarning
from analysis.ranks import tie_tiers
from analysis.reliability import near_copies
from analysis.results import Interval
from analysis.scores import MeasureKind

_WHY_NO_SET = {
    WhyNoSet.TOO_FEW_TOPICS: "too few topics",
    WhyNoSet.NO_VARIATION: "most differences are the same on every topic, so that nothing says how scores vary",
}
_WHY_NOT_CORRECTED = {
    WhyNotCorrected.TOO_FEW_FAMILIES: "fewer than four families are recorded",
    WhyNotCorrected.NO_VARIATION: "nothing says how scores vary",
}
_WHY_NO_INTERVAL = {
    WhyNoInterval.NOT_CORRECTED: "there is no corrected score",
    WhyNoInterval.TOO_FEW_TOPICS: "there are too few topics",
    WhyNoInterval.COARSE_MEASURE: "the measure takes few values on a topic, so that intervals hold too seldom",
    WhyNoInterval.CONSTANT_SCORES: "the best row has the same score on every topic",
}


def _families_and_evidence(inputs: BoardInputs, competitors: Competitors) -> tuple[tuple[Family, ...], Evidence]:
    matrix = competitors.matrix
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by why_no_set.
        groups = near_copies(matrix).groups if matrix is not None and matrix.n_topics >= MIN_TOPICS else ()
        families = group_families(competitors.rows, [[int(system) for system in group] for group in groups])
        return families, choose_evidence(inputs, competitors, families)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The set, the value and the tiers that follow from one piece of evidence."""

    families: tuple[Family, ...]
    evidence: Evidence
    set: MayBeBest | None
    why_no_set: str
    corrected: Corrected | None
    why_no_value: str
    tiers: tuple[tuple[int, ...], ...] = ()


def without_rivals(families: tuple[Family, ...], evidence: Evidence) -> Judged:
    """What can be said of a row that has nothing to be compared with."""
    why = "there is nothing to compare it with"
    return Judged(families=families, evidence=evidence, set=None, why_no_set=why, corrected=None, why_no_value=why)


def judge_again(inputs: BoardInputs, judged: Judged, competitors: Competitors) -> Judged:
    """Where others may be the best; of the same rows families and evidence are the same."""
    rows = {row for family in judged.families for row in family.results}
    is_same = len(rows) == len(competitors.rows)
    return judge_board(inputs, competitors, (judged.families, judged.evidence) if is_same else None)


def judge_board(
    inputs: BoardInputs, competitors: Competitors, known: tuple[tuple[Family, ...], Evidence] | None = None
) -> Judged:
    """The set, the value and the tiers of the rows that compete, with families and evidence where these are known."""
    families, evidence = known or _families_and_evidence(inputs, competitors)
    if len(competitors.rows) == 1:
        return without_rivals(families, evidence)
    if evidence.kind == "own-topics":
        found, why_no_set, tiers = _from_topics(inputs, competitors, families)
    else:
        found, why_no_set = set_from_means(inputs, competitors, evidence)
        tiers = () if found is None else (found.members,)
    corrected, why_no_value = None, why_no_set
    if found is not None or evidence.kind == "own-topics":
        corrected, why_no_value = correct(inputs, competitors, families, evidence)
    return Judged(
        families=families,
        evidence=evidence,
        set=found,
        why_no_set=why_no_set,
        corrected=corrected,
        why_no_value=why_no_value,
        tiers=tiers,
    )


def _from_topics(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]
) -> tuple[MayBeBest | None, str, tuple[tuple[int, ...], ...]]:
    """The set and the tiers that topic scores of every contender give."""
    assert competitors.matrix is not None
    matrix, numbers = competitors.matrix, family_of(families)
    contending = [str(row.id) for row in competitors.contending]
    if len(contending) == 1:
        only = (int(contending[0]),)
        return _alone(only), "", (only,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by why_no_set.
        tiers = tie_tiers(
            matrix,
            METHODS.seed,
            confidence_level=METHODS.confidence_level,
            n_resamples=METHODS.n_resamples,
            families=[str(numbers[int(system)]) for system in matrix.systems],
            contenders=contending,
            higher_is_better=inputs.measure.higher_is_better,
        )
    found = tiers.best_set
    if found.why_no_set is not None:
        return None, _WHY_NO_SET[found.why_no_set], ()
    members = _in_order(competitors, found.members)
    made = MayBeBest(
        members=members,
        n_members=len(members),
        confidence_level=METHODS.confidence_level,
        margin=None,
        method="max-t-two-step",
        is_telling=is_telling(len(members), len(contending)),
        n_rows=len(contending),
        distances=tuple(
            Distance(result=int(entry.system), behind=entry.behind_rival, margin=entry.margin, rival=int(entry.rival))
            for entry in found.entries
        ),
    )
    systems: dict[int, list[str]] = {}
    for entry in tiers.entries:
        systems.setdefault(entry.tier, []).append(entry.system)
    return made, "", tuple(_in_order(competitors, systems[number]) for number in sorted(systems))


def _in_order(competitors: Competitors, systems: Iterable[str]) -> tuple[int, ...]:
    """Result ids, best first."""
    wanted = set(map(int, systems))
    return tuple(row.id for row in competitors.rows if row.id in wanted)


def is_telling(n_members: int, n_rows: int) -> bool:
    """Whether a set leaves out a tenth of the rows or more; otherwise it tells next to nothing."""
    return n_rows < 2 or 10 * n_members <= 9 * n_rows


def _alone(members: tuple[int, ...]) -> MayBeBest:
    return MayBeBest(
        members=members,
        n_members=1,
        confidence_level=METHODS.confidence_level,
        margin=None,
        method="only-contender",
        n_rows=1,
    )


def set_from_means(inputs: BoardInputs, competitors: Competitors, evidence: Evidence) -> tuple[MayBeBest | None, str]:
    """The set that published means give with a variance from elsewhere."""
    why_not = why_no_set_from_means(inputs, evidence)
    if why_not:
        return None, why_not
    n_topics = n_averaged(inputs)
    assert n_topics
    assert evidence.variance_of_set is not None
    assert evidence.degrees_of_freedom is not None
    found = best_set_from_errors(
        [row.value for row in competitors.rows],
        error_variance=evidence.variance_of_set / n_topics,
        degrees_of_freedom=evidence.degrees_of_freedom,
        contenders=competitors.contenders,
        confidence_level=METHODS.confidence_level,
        higher_is_better=inputs.measure.higher_is_better,
    )
    if found.why_no_set is not None or found.margin is None:
        return None, _WHY_NO_SET[found.why_no_set or WhyNoSet.NO_VARIATION]
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    best = competitors.contending[0]
    return (
        MayBeBest(
            members=tuple(competitors.rows[place].id for place in found.members),
            n_members=found.n_members,
            confidence_level=METHODS.confidence_level,
            margin=found.margin,
            method="gupta-means",
            is_telling=is_telling(found.n_members, len(competitors.contending)),
            n_rows=len(competitors.contending),
            distances=tuple(
                Distance(result=row.id, behind=sign * (best.value - row.value), margin=found.margin, rival=best.id)
                for row in competitors.contending
            ),
        ),
        "",
    )


def correct(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family], evidence: Evidence
) -> tuple[Corrected | None, str]:
    """What the best score is probably worth, or why that can't be said."""
    if evidence.audited is not None:
        return None, "predictions are off by more than a factor of 2 where matrices of this collection tell it"
    n_topics = n_averaged(inputs)
    assert n_topics
    assert evidence.residual_variance is not None
    numbers = family_of(families)
    better = inputs.measure.higher_is_better
    if evidence.kind == "own-topics" and competitors.matrix is not None and len(competitors.contending) > 1:
        matrix = competitors.matrix.select([str(row.id) for row in competitors.contending])
        run = corrected_best(
            matrix,
            kind=MeasureKind.KNOWN_ITEM if inputs.task == "known-item" else inputs.measure.nature.kind,
            families=[str(numbers[row.id]) for row in competitors.contending],
            residual_variance=evidence.residual_variance,
            confidence_level=METHODS.confidence_level,
            higher_is_better=better,
        )
        if run.estimate is None or run.luck is None:
            return None, _WHY_NOT_CORRECTED[run.why_not_corrected or WhyNotCorrected.NO_VARIATION]
        why = "" if run.why_no_interval is None else _WHY_NO_INTERVAL[run.why_no_interval]
        return _corrected(inputs, evidence, run.estimate, run.luck, run.interval, why), ""
    found = corrected_best_from_means(
        [row.value for row in competitors.rows],
        error_variance=evidence.residual_variance / n_topics,
        families=[str(numbers[row.id]) for row in competitors.rows],
        contenders=competitors.contenders,
        higher_is_better=better,
    )
    if found.estimate is None or found.luck is None:
        return None, _WHY_NOT_CORRECTED[found.why_not_corrected or WhyNotCorrected.NO_VARIATION]
    why = "means alone do not tell how much it varies with the topics"
    return _corrected(inputs, evidence, found.estimate, found.luck, None, why), ""


def _decimals_of_worth(measure: MeasureFacts, evidence: Evidence, value: float, luck: Luck) -> int:
    """Digits of what the best is worth that are printed: fewer than of scores, unless they put it beyond the best."""
    sign = 1.0 if measure.higher_is_better else -1.0
    few = max(measure.decimals - (2 if evidence.log_sd else 1), 0)
    best = sign * value + luck.amount
    return next((n for n in range(few, measure.decimals) if sign * round(value, n) <= best), measure.decimals)


def _corrected(
    inputs: BoardInputs, evidence: Evidence, value: float, luck: Luck, interval: Interval | None, why: str
) -> Corrected:
    return Corrected(
        value=value,
        luck=luck.amount,
        decimals=_decimals_of_worth(inputs.measure, evidence, value, luck),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        confidence_level=interval.confidence_level if interval else None,
        method=f"tweedie-{luck.bound}",
        why_no_interval=why,
    )
