"""Judging the rows of a board by evidence: the set of those that may be the best, its tiers, and the value."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from analysis.best import (
    LEAST_WIDENING,
    BestSet,
    CorrectedMean,
    CorrectedRun,
    HiddenTries,
    WhyNoInterval,
    WhyNoSet,
    WhyNotCorrected,
    best_set_from_errors,
    corrected_best,
    corrected_best_from_means,
)
from analysis.boards._competitors import Competitors, family_of, group_families, group_name
from analysis.boards._evidence import (
    MIN_TOPICS,
    cap_of_variance,
    choose_evidence,
    n_averaged,
    value_range,
    why_no_set_from_means,
)
from analysis.boards._findings import Contest, Corrected, Distance, Evidence, Family, MayBeBest
from analysis.boards._inputs import BoardInputs
from analysis.boards._margins import WHY_TOO_FEW, contest_of
from analysis.boards._methods import METHODS
from analysis.boards._plain import decimals_of
from analysis.errors import DegenerateWarning
from analysis.ranks import tie_tiers
from analysis.reliability import near_copies
from analysis.scores import MeasureKind

_WHY_NO_SET = {
    WhyNoSet.TOO_FEW_TOPICS: "too few topics",
    WhyNoSet.NO_VARIATION: "most differences are the same on every topic, so that nothing says how scores vary",
}
_WHY_NOT_CORRECTED = {
    WhyNotCorrected.TOO_FEW_RESULTS: WHY_TOO_FEW["results"],
    WhyNotCorrected.TOO_FEW_FAMILIES: WHY_TOO_FEW["groups"],
    WhyNotCorrected.TOO_FEW_TOPICS: "there are fewer than 25 topics",
    WhyNotCorrected.NO_VARIATION: "nothing says how scores vary",
}
_WHY_NO_INTERVAL = {
    WhyNoInterval.NOT_CORRECTED: "there is no corrected score",
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
    contest: Contest
    set: MayBeBest | None
    why_no_set: str
    corrected: Corrected | None
    why_no_value: str
    tiers: tuple[tuple[int, ...], ...] = ()

    @property
    def view_fields(self) -> dict[str, Any]:
        """Return the fields of a view that follow from it, by name."""
        values = {name: getattr(self, name) for name in ("set", "why_no_set", "corrected", "why_no_value")}
        return values | {field.name: getattr(self.contest, field.name) for field in fields(Contest)}


def without_set(families: tuple[Family, ...], evidence: Evidence, contest: Contest, why: str) -> Judged:
    """Return what can be said where there is no set."""
    return Judged(
        families=families, evidence=evidence, contest=contest, set=None, why_no_set=why, corrected=None,
        why_no_value=why,
    )  # fmt: skip


def judge_again(inputs: BoardInputs, judged: Judged, competitors: Competitors) -> Judged:
    """Return where others may be the best; of the same rows families and evidence are the same."""
    rows = {row for family in judged.families for row in family.results}
    is_same = len(rows) == len(competitors.rows)
    return judge_board(inputs, competitors, (judged.families, judged.evidence) if is_same else None)


def judge_board(
    inputs: BoardInputs, competitors: Competitors, known: tuple[tuple[Family, ...], Evidence] | None = None
) -> Judged:
    """Return the set, the value and the tiers of the rows that compete, with families and evidence where these are
    known."""
    families, evidence = known or _families_and_evidence(inputs, competitors)
    contest = contest_of(inputs, competitors, families, evidence)
    if contest.too_few:
        return without_set(families, evidence, contest, WHY_TOO_FEW[contest.too_few])
    if evidence.kind == "own-topics":
        best_set, why_no_set, tiers = _from_topics(inputs, competitors, families)
    else:
        best_set, why_no_set = set_from_means(inputs, competitors, evidence)
        tiers = () if best_set is None else (best_set.members,)
    if best_set is None:
        return without_set(families, evidence, contest, why_no_set)
    return with_set(inputs, competitors, families, evidence, contest, best_set, tiers)


def with_set(
    inputs: BoardInputs, competitors: Competitors, families: tuple[Family, ...], evidence: Evidence, contest: Contest,
    best_set: MayBeBest, tiers: tuple[tuple[int, ...], ...],
) -> Judged:  # fmt: skip
    """Return what follows from a set, its groups counted."""
    best_set = in_groups(best_set, competitors, families)
    corrected, why_no_value = correct(inputs, competitors, families, evidence, best_set)
    return Judged(
        families=families,
        evidence=evidence,
        contest=contest,
        set=best_set,
        why_no_set="",
        corrected=corrected,
        why_no_value=why_no_value,
        tiers=tiers,
    )


def in_groups(best_set: MayBeBest, competitors: Competitors, families: Sequence[Family]) -> MayBeBest:
    """Return the set with the number of groups that its members are of, and the name of the one that several are of."""
    numbers = family_of(families)
    groups = {numbers[member] for member in best_set.members}
    is_one = len(groups) == 1 and best_set.n_members > 1
    members = set(best_set.members) if is_one else set()
    name = group_name([row for row in competitors.rows if row.id in members]) if is_one else ""
    return replace(best_set, n_groups=len(groups), group=name)


def _from_topics(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family]
) -> tuple[MayBeBest | None, str, tuple[tuple[int, ...], ...]]:
    """Return the set and the tiers that topic scores of every contender give."""
    assert competitors.matrix is not None
    matrix, numbers = competitors.matrix, family_of(families)
    contending = [str(row.id) for row in competitors.contending]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by why_no_set.
        tiers = tie_tiers(
            matrix,
            METHODS.seed,
            confidence_level=METHODS.confidence_level,
            n_resamples=METHODS.n_resamples,
            families=[str(numbers[int(system)]) for system in matrix.systems],
            contenders=contending,
            topic_groups=competitors.topic_groups,
            higher_is_better=inputs.measure.higher_is_better,
        )
    best_set = tiers.best_set
    if best_set.why_no_set is not None:
        return None, _WHY_NO_SET[best_set.why_no_set], ()
    members = _in_order(competitors, best_set.members)
    may_be_best = MayBeBest(
        members=members,
        n_members=len(members),
        confidence_level=METHODS.confidence_level,
        margin=None,
        method="max-t-two-step",
        is_telling=is_telling(len(members), len(contending)),
        n_rows=len(contending),
        distances=tuple(
            Distance(result=int(entry.system), behind=entry.behind_rival, margin=entry.margin, rival=int(entry.rival))
            for entry in best_set.entries
        ),
    )
    systems: dict[int, list[str]] = {}
    for entry in tiers.entries:
        systems.setdefault(entry.tier, []).append(entry.system)
    return may_be_best, "", tuple(_in_order(competitors, systems[number]) for number in sorted(systems))


def _in_order(competitors: Competitors, systems: Iterable[str]) -> tuple[int, ...]:
    """Return result ids, best first."""
    wanted = set(map(int, systems))
    return tuple(row.id for row in competitors.rows if row.id in wanted)


def is_telling(n_members: int, n_rows: int) -> bool:
    """Return whether a set leaves out a tenth of the rows or more; otherwise it tells next to nothing."""
    return n_rows < 2 or 10 * n_members <= 9 * n_rows


#: For so many times as many rows as compete is the constant of a set that is read once, or every week.
_LOOKS = {"": 1, "weekly": 2}


def set_from_means(inputs: BoardInputs, competitors: Competitors, evidence: Evidence) -> tuple[MayBeBest | None, str]:
    """Return the set that published means give with a variance from elsewhere."""
    why_not = why_no_set_from_means(inputs, evidence)
    if why_not:
        return None, why_not
    n_topics = n_averaged(inputs)
    assert n_topics
    assert evidence.variance_of_set is not None
    assert evidence.degrees_of_freedom is not None
    best_set = best_set_from_errors(
        [row.value for row in competitors.rows],
        error_variance=evidence.variance_of_set / n_topics,
        degrees_of_freedom=evidence.degrees_of_freedom,
        contenders=competitors.contenders,
        confidence_level=METHODS.confidence_level,
        n_counted=_LOOKS[competitors.looks] * len(competitors.rows),
        higher_is_better=inputs.measure.higher_is_better,
    )
    if best_set.why_no_set is not None or best_set.margin is None:
        return None, _WHY_NO_SET[best_set.why_no_set or WhyNoSet.NO_VARIATION]
    return set_by_margin(best_set, competitors, higher_is_better=inputs.measure.higher_is_better), ""


def set_by_margin(
    best_set: BestSet,
    competitors: Competitors,
    *,
    higher_is_better: bool,
    method: str = "gupta-means",
    confidence_level: float = METHODS.confidence_level,
) -> MayBeBest:
    """Return a set as verdicts have it, about all of which one margin decides."""
    assert best_set.margin is not None
    margin, contending, sign = best_set.margin, competitors.contending, 1.0 if higher_is_better else -1.0
    best = contending[0]
    return MayBeBest(
        members=tuple(competitors.rows[place].id for place in best_set.members),
        n_members=best_set.n_members,
        confidence_level=confidence_level,
        margin=margin,
        method=method,
        is_telling=is_telling(best_set.n_members, len(contending)),
        n_rows=len(contending),
        looks=competitors.looks,
        distances=tuple(
            Distance(result=row.id, behind=sign * (best.value - row.value), margin=margin, rival=best.id)
            for row in contending
        ),
    )


#: What is said beside every value: what it would be if each row were the best of so many tries that nobody listed.
TEN_TRIES = HiddenTries(n_tries=10)


def correct(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family], evidence: Evidence, best_set: MayBeBest
) -> tuple[Corrected | None, str]:
    """Return the best score without the luck of coming first, or why that can't be said."""
    if evidence.audited is not None:
        return None, "predictions are off by more than a factor of 2 by what runs of this collection show"
    limits = value_range(inputs)
    cap = cap_of_variance(inputs, [row.value for row in competitors.rows], limits)
    run = _correct(inputs, competitors, families, evidence, best_set, (limits, cap), competitors.tries)
    if run.estimate is None or run.luck is None or run.half_width is None or run.interval is None:
        return None, _WHY_NOT_CORRECTED[run.why_not_corrected or WhyNotCorrected.NO_VARIATION]
    has_middle = evidence.kind != "predicted-without-density"
    other = run.interval_other_topics if isinstance(run, CorrectedRun) else None
    why = run.why_no_interval if isinstance(run, CorrectedRun) else None
    at_ten = None
    if has_middle and competitors.tries is None and inputs.members is None:
        at_ten = _correct(inputs, competitors, families, evidence, best_set, (limits, cap), TEN_TRIES).estimate
    corrected = Corrected(
        value=run.estimate if has_middle else None,
        luck=run.luck.amount if has_middle else None,
        half_width=run.half_width if has_middle else None,
        decimals=decimals_of(run.half_width),
        low=run.interval.low,
        high=run.interval.high,
        confidence_level=run.interval.confidence_level,
        method=run.luck.bound,
        low_other_topics=other.low if other else None,
        high_other_topics=other.high if other else None,
        why_no_interval=_WHY_NO_INTERVAL[why] if why else "",
        at_ten_tries=at_ten,
        n_tries=competitors.tries.n_tries if competitors.tries else None,
    )
    return corrected, ""


def _units(inputs: BoardInputs, n_topics: int, n_counted: int) -> float:
    """Return topics for each of those that are counted, where these are needs with several wordings; else 1."""
    groups = inputs.topic_groups
    return n_topics / n_counted if groups and groups.kind == "need" else 1.0


def _correct(
    inputs: BoardInputs,
    competitors: Competitors,
    families: Sequence[Family],
    evidence: Evidence,
    best_set: MayBeBest,
    bounds: tuple[tuple[float, float] | None, float | None],
    tries: HiddenTries | None,
) -> CorrectedMean | CorrectedRun:
    numbers, n_topics, (limits, cap) = family_of(families), n_averaged(inputs), bounds
    assert n_topics
    assert evidence.residual_variance is not None
    assert evidence.degrees_of_freedom is not None
    if evidence.kind == "own-topics" and competitors.matrix is not None:
        return corrected_best(
            competitors.matrix.select([str(row.id) for row in competitors.contending]),
            kind=MeasureKind.KNOWN_ITEM if inputs.task == "known-item" else inputs.measure.nature.kind,
            families=[str(numbers[row.id]) for row in competitors.contending],
            n_in_set=best_set.n_members,
            topic_groups=competitors.topic_groups,
            residual_variance=evidence.residual_variance * _units(inputs, competitors.matrix.n_topics, n_topics),
            value_range=limits,
            tries=tries,
            confidence_level=METHODS.confidence_level,
            higher_is_better=inputs.measure.higher_is_better,
        )
    widened = max(evidence.widening, LEAST_WIDENING) * evidence.residual_variance
    return corrected_best_from_means(
        [row.value for row in competitors.rows],
        error_variance=evidence.residual_variance / n_topics,
        degrees_of_freedom=evidence.degrees_of_freedom,
        families=[str(numbers[row.id]) for row in competitors.rows],
        n_in_set=best_set.n_members,
        interval_variance=(widened if cap is None else min(widened, cap)) * evidence.of_groups / n_topics,
        margin=best_set.margin,
        value_range=limits,
        tries=tries,
        contenders=competitors.contenders,
        confidence_level=METHODS.confidence_level,
        higher_is_better=inputs.measure.higher_is_better,
    )
