"""The study of a suite: which system has the best mean over collections, and is it the best on others like them?

A suite is a board with other rows. Two things can be asked of it. On *other collections like these*, a collection is
drawn anew with its topics, so that errors are as large as systems differ from collection to collection; on *the same
collections*, only topics are drawn anew. Beside both stands the uplift of declaring training on a member: scores there
beyond what the system's others suggest.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis._validation import FloatArray
from analysis.best import best_set_from_errors
from analysis.boards._calibration_table import suite_coverage_like
from analysis.boards._cautions import flagged_on_members, stands_apart
from analysis.boards._competitors import Competitors, default_view, family_of, group_families, has_views
from analysis.boards._evidence import evidence_of_members
from analysis.boards._findings import Caution, Evidence, Family, MayBeBest
from analysis.boards._inputs import BoardInputs
from analysis.boards._judging import Judged, set_by_margin, with_set, without_set
from analysis.boards._margins import WHY_TOO_FEW, PairError, contest_of
from analysis.boards._methods import METHODS
from analysis.boards._plain import rounded
from analysis.boards._study import verdict_of, views_of
from analysis.boards._suite_inputs import (
    Incomplete,
    SuiteFindings,
    SuiteInputs,
    SuiteMean,
    SuiteQuestion,
    SuiteRow,
    SuiteUplift,
    UpliftOnMember,
    board_of,
    check_suite,
    complete_rows,
    known_scores,
    missing_members,
)
from analysis.boards._suite_rules import study_rules
from analysis.comparisons import meta_analysis
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import independent_scores, n_of_equal_size

#: Fewer collections say too little about others.
MIN_COLLECTIONS = 8
#: Tasks of several collections each are worth fewer where one has most of them.
MIN_OF_EQUAL_SIZE = 5
#: What a set for other collections claims, of nominal 95 %: with few collections, not every suite reaches that
#: (:func:`suite_coverage_like`).
LEVEL_OTHER_COLLECTIONS = 0.9


def study_suite(inputs: SuiteInputs) -> SuiteFindings:
    """Return everything that can be said about the best mean over the collections of a suite.

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
    collection to collection, each pair of families weighing the same; below 8 collections there is no set. Members of
    one task count together: the error variance is cluster-robust, its degrees of freedom those of as many tasks of
    equal size, less 1; below 8 tasks, or 5 of equal size, there is no set. The set is Gupta's for 95 %;
    collections are few and no sample, so that it claims 90 %. How often it held the best where the truth was known is
    its ``coverage``.

    On *the same collections* it is the mean of the members' residual variances, each divided by its
    number of topics and by D, with the fewest degrees of freedom among them, 16 at most. Value, screens and what is
    said without flagged rows follow as for one leaderboard (:func:`study`).

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251.
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.
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
    findings = SuiteFindings(
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
    return rounded(findings)


def _judge(inputs: SuiteInputs, board: BoardInputs, question: SuiteQuestion, competitors: Competitors) -> Judged:
    families = group_families(competitors.rows)
    if question == "same-collections":
        evidence, why_not = evidence_of_members(inputs.members)
    else:
        evidence, why_not = _between_collections(inputs, competitors, families)
    if evidence.kind != "none":
        n_drawn = len(inputs.members) if question == "same-collections" else int(evidence.degrees_of_freedom or 0) + 1
        coverage = suite_coverage_like(question, len(competitors.rows), n_drawn)
        evidence = replace(evidence, coverage=coverage)
    error = None
    if evidence.variance_of_set and evidence.degrees_of_freedom:
        error = PairError(sqrt(2 * evidence.variance_of_set / len(inputs.members)), evidence.degrees_of_freedom)
    contest = contest_of(board, competitors, families, evidence, error)
    if contest.too_few or why_not:
        return without_set(families, evidence, contest, WHY_TOO_FEW[contest.too_few] if contest.too_few else why_not)
    best_set = _set(inputs, question, competitors, evidence)
    judged = with_set(board, competitors, families, evidence, contest, best_set, (best_set.members,))
    if corrected := judged.corrected:
        level = corrected.confidence_level if question == "same-collections" else None
        judged = replace(judged, corrected=replace(corrected, confidence_level=level, at_ten_tries=None))
    return judged


def _between_collections(
    inputs: SuiteInputs, competitors: Competitors, families: Sequence[Family]
) -> tuple[Evidence, str]:
    """Return how systems differ from collection to collection, and why nothing follows from it."""
    n, tasks = len(inputs.members), inputs.tasks
    if n < MIN_COLLECTIONS:
        return Evidence(kind="none"), f"fewer than {MIN_COLLECTIONS} collections say too little about others"
    if why_not := _why_tasks_are_too_few(tasks):
        return Evidence(kind="none"), why_not
    if len(competitors.rows) < 2:
        return Evidence(kind="none"), ""
    scores = {row.id: known_scores(row) for row in inputs.rows}
    systems = [row.id for row in competitors.rows]
    matrix = ScoreMatrix(list(map(str, systems)), list(map(str, range(n))), [scores[system] for system in systems])
    numbers = family_of(families)
    labels = [str(numbers[system]) for system in systems]
    if len(set(labels)) < 2:
        labels = list(map(str, systems))  # One maker's systems: their own pairs are all there is.
    columns, n_independent = independent_scores(matrix, tasks)
    value = family_weighted_variance(columns, labels)
    if value <= 0.0:
        return Evidence(kind="none"), "all systems differ by the same on every collection"
    of_tasks = f" of {columns.n_topics} tasks" if tasks else ""
    evidence = Evidence(
        kind="own-variance",
        residual_variance=value,
        degrees_of_freedom=n_independent - 1.0,
        sources=(f"the scores of {len(systems):,} systems on {n} collections{of_tasks}",),
        n_systems=len(systems),
        n_topics=n,
    )
    if tasks:  # Per collection, as all variances of suites are.
        value *= n / columns.n_topics
        effect = value / family_weighted_variance(matrix, labels)
        evidence = replace(evidence, residual_variance=value, group_effect=effect)
    return evidence, ""


def _why_tasks_are_too_few(tasks: tuple[str, ...] | None) -> str:
    """Return why members of so few tasks say too little about others; blank where they do not."""
    if tasks is None:
        return ""
    sizes = np.array(list(Counter(tasks).values()))
    if len(sizes) >= MIN_COLLECTIONS and n_of_equal_size(sizes) >= MIN_OF_EQUAL_SIZE:
        return ""
    of = "one task" if len(sizes) == 1 else f"{len(sizes)} tasks"
    return f"its {len(tasks)} collections are of {of}, too few to say much about others"


def _set(inputs: SuiteInputs, question: SuiteQuestion, competitors: Competitors, evidence: Evidence) -> MayBeBest:
    assert evidence.variance_of_set is not None
    assert evidence.degrees_of_freedom is not None
    best_set = best_set_from_errors(
        [row.value for row in competitors.rows],
        error_variance=evidence.variance_of_set / len(inputs.members),
        degrees_of_freedom=evidence.degrees_of_freedom,
        confidence_level=METHODS.confidence_level,
        contenders=competitors.contenders,
        higher_is_better=inputs.measure.higher_is_better,
    )
    is_other = question == "other-collections"
    return set_by_margin(
        best_set,
        competitors,
        higher_is_better=inputs.measure.higher_is_better,
        method="gupta-collections" if is_other else "gupta-means",
        confidence_level=LEVEL_OTHER_COLLECTIONS if is_other else METHODS.confidence_level,
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
        f"Only its maker is known to have run {best.system} on some of these data sets. Runs by another team would"
        " confirm it."
    )
    return [Caution(code="self-reported", message=message, results=(best.id,))]


#: So many systems that declare training on a member, and as many that don't, give it an uplift of its own.
MIN_EACH_UPLIFT = 8
#: Fewer families say too little about others.
MIN_FAMILIES_UPLIFT = 10
LEVEL_UPLIFT = 0.9


def study_uplift(inputs: SuiteInputs, families: Mapping[int, int]) -> SuiteUplift | None:
    """Return the uplift of declared training over the members, and on each where enough declare it and enough do not.

    Of systems with a score on every member and something said of their training on each. None with fewer than ten
    families, two members, or where nobody, or everybody, declares training. ``families`` has the number of each
    system's family.
    """
    rows = [row for row in complete_rows(inputs) if row.training and not {"", "says_nothing"} & set(row.training)]
    labels = np.array([families[row.id] for row in rows], dtype=np.intp)
    trained = np.array([[word == "declares" for word in row.training] for row in rows], dtype=np.float64)
    if len(set(labels.tolist())) < MIN_FAMILIES_UPLIFT or len(inputs.members) < 2:
        return None
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    scores = _centred(sign * np.array([row.scores for row in rows], dtype=np.float64))
    whole = _centred(trained)
    if np.square(whole).sum() < 1.0:
        return None
    (estimate,), (error,) = _fit(scores, [whole], labels)
    counts = trained.sum(axis=0)
    own = [place for place, n in enumerate(counts) if min(n, len(rows) - n) >= MIN_EACH_UPLIFT]
    return SuiteUplift(
        estimate=estimate,
        standard_error=error,
        n_systems=len(rows),
        n_families=len(set(labels.tolist())),
        members=_by_member(scores, trained, labels, own) if len(own) > 1 else (),
    )


def _by_member(
    scores: FloatArray, trained: FloatArray, labels: NDArray[np.intp], own: Sequence[int]
) -> tuple[UpliftOnMember, ...]:
    parts = [_centred(np.where(np.arange(trained.shape[1]) == place, trained, 0.0)) for place in own]
    rest = trained.copy()
    rest[:, list(own)] = 0.0
    estimates, errors = _fit(scores, [*parts, _centred(rest)] if rest.any() else parts, labels)
    estimates, errors = estimates[: len(own)], errors[: len(own)]
    pooled = meta_analysis(estimates, errors, estimator="PM", inference="normal")
    between, width = pooled.tau_squared, float(-ndtri((1 - LEVEL_UPLIFT) / 2))
    members = []
    for place, estimate, error in zip(own, estimates, errors, strict=True):
        weight = between / (between + error**2)
        value = pooled.estimate + weight * (estimate - pooled.estimate)
        half = width * sqrt(weight * error**2 + ((1 - weight) * pooled.standard_error) ** 2)
        members.append(
            UpliftOnMember(
                member=place,
                value=value,
                low=value - half,
                high=value + half,
                n_declare=int(trained[:, place].sum()),
                n_others=int(len(trained) - trained[:, place].sum()),
            )
        )
    return tuple(members)


def _centred(table: FloatArray) -> FloatArray:
    return np.asarray(table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean())


def _fit(scores: FloatArray, parts: Sequence[FloatArray], labels: NDArray[np.intp]) -> tuple[list[float], list[float]]:
    """Return slopes by least squares, with standard errors that let a family's systems and scores err together."""
    columns = np.stack([part.ravel() for part in parts], axis=1)
    inverse = np.linalg.pinv(columns.T @ columns)
    slopes = inverse @ columns.T @ scores.ravel()
    errors = scores - sum(slope * part for slope, part in zip(slopes, parts, strict=True))
    per_system = np.stack([(part * errors).sum(axis=1) for part in parts], axis=1)
    per_family = np.stack([per_system[labels == label].sum(axis=0) for label in np.unique(labels)])
    n = len(per_family)
    covariance = n / (n - 1) * inverse @ per_family.T @ per_family @ inverse
    return slopes.tolist(), np.sqrt(np.diag(covariance)).tolist()
