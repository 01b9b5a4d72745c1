"""The study of a suite: which system has the best mean over collections, and is it the best on others like them?

A suite is a board with other rows. Two things can be asked of it. On *other collections like these*, a collection is
drawn anew with its topics, so that errors are as large as systems differ from collection to collection; on *the same
collections*, only topics are drawn anew.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import sqrt

from analysis.best import best_set_from_errors
from analysis.boards._calibration_table import suite_coverage_like
from analysis.boards._cautions import flagged_on_members, stands_apart
from analysis.boards._competitors import Competitors, default_view, has_views
from analysis.boards._evidence import evidence_of_members
from analysis.boards._families import family_of, group_families
from analysis.boards._findings import Caution, Distance, Evidence, Family, MayBeBest
from analysis.boards._inputs import BoardInputs
from analysis.boards._judging import Judged, correct, in_groups, is_telling, without_set
from analysis.boards._margins import PairError
from analysis.boards._methods import METHODS
from analysis.boards._minimum import WHY_TOO_FEW, contest_of
from analysis.boards._plain import rounded
from analysis.boards._study import verdict_of, views_of
from analysis.boards._suite_inputs import (
    Incomplete,
    SuiteFindings,
    SuiteInputs,
    SuiteMean,
    SuiteQuestion,
    SuiteRow,
    board_of,
    check_suite,
    complete_rows,
    known_scores,
    missing_members,
)
from analysis.boards._suite_rules import study_rules
from analysis.boards._suite_uplift import study_uplift
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from analysis.scores import ScoreMatrix

#: Fewer collections say too little about others.
MIN_COLLECTIONS = 8
#: What a set for other collections claims, of nominal 95 %: with few collections, not every suite reaches that
#: (:func:`suite_coverage_like`).
LEVEL_OTHER_COLLECTIONS = 0.9


def study_suite(inputs: SuiteInputs) -> SuiteFindings:
    """Everything that can be said about the best mean over the collections of a suite.

    Parameters
    ----------
    inputs : SuiteInputs

    Returns
    -------
    SuiteFindings
        Every float at ten significant digits.

    Raises
    ------
    ArgumentError
        If no system has a score on every member, or a row has not as many scores as there are members.

    Notes
    -----
    Only systems with a score on every member compete. On *other collections*, the error variance of a mean over D
    collections is s2 / D with D - 1 degrees of freedom, s2 half the variance of the difference of two systems from
    collection to collection, each pair of families weighing the same; below 8 collections there is no set. The set is
    Gupta's for 95 %; collections are few and no sample, so that it claims 90 %. How often it held the best where the
    truth was known is its ``coverage``.

    On *the same collections* it is the mean of the members' residual variances, each divided by its
    number of topics and by D, with the fewest degrees of freedom among them, 16 at most. Value, screens and what is
    said without flagged rows follow as for one leaderboard (:func:`study`).

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251.
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.boards import Evidence, MeasureFacts, SuiteMember, SuiteRow
    >>> known = Evidence(kind="predicted", residual_variance=0.02, degrees_of_freedom=10.0)
    >>> members = tuple(
    ...     SuiteMember(collection=f"c{place}", name=f"C{place}", snapshot="", n_topics=100, evidence=known)
    ...     for place in range(8)
    ... )
    >>> rows = tuple(
    ...     SuiteRow(
    ...         id=number,
    ...         system=f"s{number}",
    ...         scores=tuple(0.5 - 0.02 * number + 0.05 * float(np.sin(place * number)) for place in range(8)),
    ...         results=(None,) * 8,
    ...     )
    ...     for number in range(1, 7)
    ... )
    >>> found = study_suite(
    ...     SuiteInputs(suite="s", name="S", measure=MeasureFacts(name="AP"), members=members, rows=rows)
    ... )
    >>> found.other_collections.set.n_members, found.same_collections.set.n_members
    (3, 1)
    """
    check_suite(inputs)
    if not complete_rows(inputs):
        raise ArgumentError("inputs", inputs.suite, "has no system with a score on every member")
    board = board_of(inputs)
    view = default_view(board.rows, is_zero_shot=inputs.is_zero_shot)
    competitors = Competitors(board.rows, (), view, (), (), None).seen_as(view)
    verdicts = {}
    same = _judge(inputs, board, "same-collections", competitors)
    cautions = _cautions(inputs, board, competitors, same)
    for question in ("other-collections", "same-collections"):
        judge = partial(_judge, inputs, board, question)
        judged = same if question == "same-collections" else judge(competitors)
        verdict = verdict_of(board, competitors, judged, cautions, judge)
        views = views_of(competitors, verdict, judge) if has_views(board.rows) else ()
        verdicts[question] = replace(verdict, views=views)
    found = SuiteFindings(
        other_collections=verdicts["other-collections"],
        same_collections=verdicts["same-collections"],
        families=same.families,
        means=tuple(SuiteMean(result=row.id, value=row.value) for row in board.rows),
        incomplete=tuple(
            Incomplete(result=row.id, missing=missing) for row in inputs.rows if (missing := missing_members(row))
        ),
        rules=study_rules(inputs, family_of(same.families)),
        uplift=study_uplift(inputs, family_of(same.families)),
    )
    return rounded(found)


def _judge(inputs: SuiteInputs, board: BoardInputs, question: SuiteQuestion, competitors: Competitors) -> Judged:
    families = group_families(competitors.rows)
    if question == "same-collections":
        evidence, why_not = evidence_of_members(inputs.members)
    else:
        evidence, why_not = _between_collections(inputs, competitors, families)
    if evidence.kind != "none":
        coverage = suite_coverage_like(question, len(competitors.rows), len(inputs.members))
        evidence = replace(evidence, coverage=coverage)
    error = None
    if evidence.variance_of_set and evidence.degrees_of_freedom:
        error = PairError(sqrt(2 * evidence.variance_of_set / len(inputs.members)), evidence.degrees_of_freedom)
    contest = contest_of(board, competitors, families, evidence, error)
    if contest.too_few or why_not:
        return without_set(families, evidence, contest, WHY_TOO_FEW[contest.too_few] if contest.too_few else why_not)
    found = in_groups(_set(inputs, question, competitors, evidence), competitors, families)
    corrected, why_no_value = correct(board, competitors, families, evidence, found)
    if corrected:
        level = corrected.confidence_level if question == "same-collections" else None
        corrected = replace(corrected, confidence_level=level, at_ten_tries=None)
    return Judged(
        families=families,
        evidence=evidence,
        contest=contest,
        set=found,
        why_no_set="",
        corrected=corrected,
        why_no_value=why_no_value,
        tiers=(found.members,),
    )


def _between_collections(
    inputs: SuiteInputs, competitors: Competitors, families: Sequence[Family]
) -> tuple[Evidence, str]:
    """Return how systems differ from collection to collection, and why nothing follows from it."""
    n = len(inputs.members)
    if n < MIN_COLLECTIONS:
        return Evidence(kind="none"), f"fewer than {MIN_COLLECTIONS} collections say too little about others"
    if len(competitors.rows) < 2:
        return Evidence(kind="none"), ""
    scores = {row.id: known_scores(row) for row in inputs.rows}
    systems = [row.id for row in competitors.rows]
    matrix = ScoreMatrix(list(map(str, systems)), list(map(str, range(n))), [scores[system] for system in systems])
    numbers = family_of(families)
    labels = [str(numbers[system]) for system in systems]
    if len(set(labels)) < 2:
        labels = list(map(str, systems))  # One maker's systems: their own pairs are all there is.
    value = family_weighted_variance(matrix, labels)
    if value <= 0.0:
        return Evidence(kind="none"), "all systems differ by the same on every collection"
    evidence = Evidence(
        kind="own-variance",
        residual_variance=value,
        degrees_of_freedom=float(n - 1),
        sources=(f"the scores of {len(systems):,} systems on {n} collections",),
        n_systems=len(systems),
        n_topics=n,
    )
    return evidence, ""


def _set(inputs: SuiteInputs, question: SuiteQuestion, competitors: Competitors, evidence: Evidence) -> MayBeBest:
    assert evidence.variance_of_set is not None
    assert evidence.degrees_of_freedom is not None
    better = inputs.measure.higher_is_better
    found = best_set_from_errors(
        [row.value for row in competitors.rows],
        error_variance=evidence.variance_of_set / len(inputs.members),
        degrees_of_freedom=evidence.degrees_of_freedom,
        confidence_level=METHODS.confidence_level,
        contenders=competitors.contenders,
        higher_is_better=better,
    )
    assert found.margin is not None
    sign, best, margin = (1.0 if better else -1.0), competitors.contending[0], found.margin
    is_other = question == "other-collections"
    return MayBeBest(
        members=tuple(competitors.rows[place].id for place in found.members),
        n_members=found.n_members,
        confidence_level=LEVEL_OTHER_COLLECTIONS if is_other else METHODS.confidence_level,
        margin=margin,
        method="gupta-collections" if is_other else "gupta-means",
        is_telling=is_telling(found.n_members, len(competitors.contending)),
        n_rows=len(competitors.contending),
        distances=tuple(
            Distance(result=row.id, behind=sign * (best.value - row.value), margin=margin, rival=best.id)
            for row in competitors.contending
        ),
    )


def _cautions(inputs: SuiteInputs, board: BoardInputs, competitors: Competitors, same: Judged) -> tuple[Caution, ...]:
    """Return what to know of the systems that compete: those that stand apart, those that a member's caution holds
    back."""
    by_id = {row.id: row for row in inputs.rows}
    rows = [by_id[row.id] for row in competitors.rows]
    return (
        *stands_apart(board, competitors, same.families, same.evidence),
        *flagged_on_members([(row.id, row.system, _held_back_on(inputs, row)) for row in rows]),
        *_self_reported(by_id[competitors.contending[0].id]),
    )


def _held_back_on(inputs: SuiteInputs, row: SuiteRow) -> list[str]:
    places = sorted({flag.member for flag in row.flags if flag.code != "declared-training"})
    return [inputs.members[place].name for place in places]


def _self_reported(best: SuiteRow) -> list[Caution]:
    if not best.is_self_reported:
        return []
    message = (
        f"Nobody but its maker is known to have run {best.system} on some of these collections; a run by somebody else"
        " would confirm it."
    )
    return [Caution(code="self-reported", message=message, results=(best.id,))]
