"""The study of one leaderboard: one procedure, from which set, tier 1, verified leader and corrected value follow."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import get_args

import numpy as np

from analysis._validation import check_instance
from analysis.best import effective_n_of_scores
from analysis.boards._cautions import find_cautions
from analysis.boards._competitors import Competitors, family_of, find_competitors, has_maker, has_views
from analysis.boards._equal_means import count_results, study_equal_means, summarize_counted, why_no_equal_means
from analysis.boards._evidence import MIN_TOPICS_FOR_MEANS
from analysis.boards._findings import (
    BestRow,
    Caution,
    Evidence,
    Findings,
    SetAtTopics,
    Standing,
    Tries,
    Verdict,
    View,
    ViewName,
    WithoutFlagged,
)
from analysis.boards._inputs import BoardInputs, BoardRow, Question, ReferenceFactors, TopicScoresInput
from analysis.boards._judging import Judged, judge_again, judge_board, set_from_means
from analysis.boards._linked_rows import CONTRADICTS, tell_without
from analysis.boards._methods import METHODS
from analysis.boards._plain import rounded
from analysis.boards._suite_inputs import SuiteInputs, check_suite, complete_rows
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.ranks import verified_leader
from analysis.scales import StandardizationFactors, standardize, standardize_means
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import independent_scores

#: Numbers of topics for which a set is given where the number is not known.
_TOPICS_TO_TRY = (25, 50, 100, 250, 500, 1000)


def find_obstacle(
    inputs: BoardInputs | SuiteInputs, question: Question | None = None, topic_scores: ScoreMatrix | None = None
) -> str:
    """Return why nothing can be said about the best result of a board, or the best mean of a suite.

    Parameters
    ----------
    inputs : BoardInputs or SuiteInputs
    question : Question, optional
        Who may be the best of a board. Default: every comparable row.
    topic_scores : ScoreMatrix, optional
        As in :func:`study`: a row with the same score on every topic does not compete.

    Returns
    -------
    str
        "no_comparable_result", "doubtful_scores", "no_contender" or, for a suite, "no_complete_system", where no
        system has a score on every member; blank where something can be said.

    Raises
    ------
    ArgumentError
        If an argument is of another type, or a row of a suite has not as many scores as there are members.

    Examples
    --------
    >>> from analysis.boards import MeasureFacts
    >>> find_obstacle(BoardInputs(collection="cranfield", measure=MeasureFacts(name="AP"), rows=()))
    'no_comparable_result'
    """
    if isinstance(inputs, SuiteInputs):
        check_suite(inputs)
        return "" if complete_rows(inputs) else "no_complete_system"
    question = _check_types(inputs, question)
    if topic_scores is not None:
        check_instance(topic_scores, "topic_scores", ScoreMatrix)
    competitors = find_competitors(inputs, question, topic_scores)
    if not competitors.rows:
        return "no_comparable_result"
    if inputs.is_doubtful:
        return "doubtful_scores"
    return "" if any(competitors.contenders) else "no_contender"


def study(inputs: BoardInputs, question: Question | None = None, topic_scores: ScoreMatrix | None = None) -> Findings:
    """Return everything that can be said about the best result of one board.

    Parameters
    ----------
    inputs : BoardInputs
    question : Question, optional
        Who may be the best. Default: every comparable row.
    topic_scores : ScoreMatrix, optional
        The vectors that ``inputs.topic_scores`` is the digest of, labelled by result id; required where there is one.

    Returns
    -------
    Findings
        Every float at ten significant digits.

    Raises
    ------
    ArgumentError
        If no row competes, or ``topic_scores`` are not those of ``inputs``.

    Notes
    -----
    One procedure. The set comes from topic scores where every contender has them, else from means with the variance of
    the strongest evidence; tier 1 is the set; the leader is verified iff it is alone in a set from 25 topics or more
    and not flagged; the value is the best score less one luck number.

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251.
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts, RelevantDocuments
    >>> scores = [0.303, 0.296, 0.281, 0.245, 0.239, 0.202]
    >>> rows = tuple(
    ...     BoardRow(id=number, system=f"s{number}", printed=str(score), value=score, lineage=(f"team:{number}",))
    ...     for number, score in enumerate(scores)
    ... )
    >>> judged = RelevantDocuments(mean=70.0, known_from="judgements")
    >>> inputs = BoardInputs(collection="c", measure=MeasureFacts(name="AP"), rows=rows, n_topics=50, relevant=judged)
    >>> verdict = study(inputs).verdict
    >>> verdict.set.members, round(verdict.set.margin, 4), round(verdict.corrected.value, 4)
    ((0, 1, 2, 3), 0.063, 0.2998)
    """
    question = _check_types(inputs, question)
    check_vectors(inputs, topic_scores)
    competitors = find_competitors(inputs, question, topic_scores)
    if not competitors.contending:
        raise ArgumentError(
            "inputs", inputs.collection, f"has no row that competes: {find_obstacle(inputs, question, topic_scores)}"
        )
    judged = judge_board(inputs, competitors)
    cautions = find_cautions(inputs, competitors, judged.families, judged.evidence)
    counted = count_results(inputs, question, competitors.failed)
    why_not = why_no_equal_means(inputs, question, counted)
    verdict = verdict_of(inputs, competitors, judged, cautions, partial(judge_board, inputs))
    if not question.has_filters and has_views(competitors.rows):
        verdict = replace(verdict, views=views_of(competitors, verdict, partial(judge_again, inputs, judged)))
    findings = Findings(
        verdict=verdict,
        families=judged.families,
        tiers=judged.tiers,
        counted=summarize_counted(counted),
        equal_means=() if why_not else study_equal_means(inputs, question, counted, judged.evidence),
        why_no_equal_means=why_not,
        standing=_standing(inputs, topic_scores),
    )
    return rounded(findings)


def _check_types(inputs: BoardInputs, question: Question | None) -> Question:
    if not isinstance(inputs, BoardInputs):
        raise ArgumentError("inputs", inputs, "must be BoardInputs")
    if question is not None and not isinstance(question, Question):
        raise ArgumentError("question", question, "must be a Question")
    return question or Question()


def check_vectors(inputs: BoardInputs, topic_scores: ScoreMatrix | None) -> None:
    """Raise where topic scores are not those that the inputs are of."""
    digest = None
    if topic_scores is not None:
        digest = TopicScoresInput.of(check_instance(topic_scores, "topic_scores", ScoreMatrix))
    if digest != inputs.topic_scores:
        raise ArgumentError("topic_scores", digest, "must be the vectors that the inputs are of")


def verdict_of(
    inputs: BoardInputs,
    competitors: Competitors,
    judged: Judged,
    cautions: tuple[Caution, ...],
    judge: Callable[[Competitors], Judged],
) -> Verdict:
    """Return the verdict that follows; ``judge`` is asked again where it is to be given without flagged rows."""
    families, evidence = judged.families, judged.evidence
    contending = competitors.contending
    flagged = {result for caution in cautions if caution.is_flag for result in caution.results}
    withheld = {result for caution in cautions if caution.withholds for result in caution.results}
    contradicted = {result for caution in cautions if caution.code == CONTRADICTS for result in caution.results}
    members = judged.set.members if judged.set else ()
    numbers = family_of(families)
    verified = verified_leader(
        [str(member) for member in members] if evidence.kind == "own-topics" and not inputs.is_judged_by_model else [],
        n_topics=int(independent_scores(competitors.matrix, competitors.topic_groups).n) if competitors.matrix else 1,
        families={str(result): str(number) for result, number in numbers.items()},
        flagged=[str(result) for result in flagged | withheld],
    )
    unflagged = _without(competitors, flagged, members, judge)
    rest, shown = (competitors.without(flagged), unflagged.set) if unflagged else (competitors, judged.set)
    without_contradicted = _without(rest, contradicted, shown.members if shown else (), judge)
    n_effective = _n_effective(competitors, numbers) if evidence.kind == "own-topics" else None
    return Verdict(
        view=competitors.view,
        best=_best(contending),
        best_unflagged=unflagged,
        leader_verified=verified.is_verified,
        family_verified=verified.verified_family is not None and not verified.is_verified,
        evidence=evidence,
        tries=Tries(
            n_results=len(competitors.rows),
            n_families=len(families),
            n_effective=n_effective,
            have_makers=all(has_maker(row) for row in competitors.rows),
        ),
        cautions=tell_without(inputs, cautions, without_contradicted),
        sets_by_n_topics=() if judged.contest.too_few else _sets_by_n_topics(inputs, competitors, evidence),
        without_contradicted=without_contradicted,
        **judged.view_fields,
    )


def _n_effective(competitors: Competitors, numbers: Mapping[int, int]) -> float | None:
    """Return how many systems with uncorrelated errors the rows are worth, as their topic scores tell."""
    matrix = competitors.matrix
    if matrix is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by why_no_set.
        effective = effective_n_of_scores(
            matrix,
            METHODS.seed,
            families=[str(numbers[int(system)]) for system in matrix.systems],
            n_resamples=METHODS.n_resamples,
        )
    return effective.estimate


def _without(
    competitors: Competitors, flagged: set[int], members: Sequence[int], judge: Callable[[Competitors], Judged]
) -> WithoutFlagged | None:
    """Return the verdict without the flagged rows, where one of them is, or may be, the best."""
    concerned = {competitors.contending[0].id, *members}
    if not flagged & concerned:
        return None
    rest = competitors.without(flagged)
    if not rest.contending:
        return None
    judged = judge(rest)
    best = rest.contending[0]
    return WithoutFlagged(
        result=best.id,
        value=best.value,
        n_left_out=len(competitors.rows) - len(rest.rows),
        n_tied=_n_tied(rest.contending),
        **judged.view_fields,
    )


def _best(contending: Sequence[BoardRow]) -> BestRow:
    best = contending[0]
    return BestRow(result=best.id, value=best.value, is_original=best.is_original, n_tied=_n_tied(contending))


def views_of(competitors: Competitors, verdict: Verdict, judge: Callable[[Competitors], Judged]) -> tuple[View, ...]:
    """Return the verdict by every view of training that has rows, the one asked for among them."""
    views = []
    for name in get_args(ViewName):
        seen = competitors.seen_as(name)
        if name == verdict.view:
            views.append(_in_short(View(**{field.name: getattr(verdict, field.name) for field in fields(View)})))
        if name == verdict.view or not seen.contending:
            continue
        judged = judge(seen)
        members = judged.set.members if judged.set else ()
        view = View(
            view=name,
            best=_best(seen.contending),
            best_unflagged=_without(seen, set(verdict.flagged), members, judge),
            **judged.view_fields,
        )
        views.append(_in_short(view))
    return tuple(views)


def _in_short(view: View) -> View:
    """Return a view without distances and pairs, which the view that is asked for has."""
    other = view.best_unflagged
    if other and other.set:
        other = replace(other, set=replace(other.set, distances=()))
    if other:
        other = replace(other, pairs=())
    return replace(view, set=view.set and replace(view.set, distances=()), best_unflagged=other, pairs=())


def _n_tied(contending: Sequence[BoardRow]) -> int:
    """Return how many share the best score."""
    return sum(row.value == contending[0].value for row in contending)


def _sets_by_n_topics(inputs: BoardInputs, competitors: Competitors, evidence: Evidence) -> tuple[SetAtTopics, ...]:
    """Return how many could not be told from the best for several numbers of topics, where the number is not known."""
    is_known = inputs.n_topics is not None or inputs.members is not None
    if is_known or evidence.residual_variance is None:
        return ()
    bound = inputs.n_topics_at_least or 0
    sets = []
    for n_topics in sorted({bound, *_TOPICS_TO_TRY}):
        if n_topics >= max(bound, MIN_TOPICS_FOR_MEANS):
            best_set, _ = set_from_means(replace(inputs, n_topics=n_topics), competitors, evidence)
            if best_set is not None:
                sets.append(SetAtTopics(n_topics=n_topics, n_members=best_set.n_members))
    return tuple(sets)


def _standing(inputs: BoardInputs, topic_scores: ScoreMatrix | None) -> tuple[Standing, ...]:
    """Return z and percentile of every row among the reference means, and the mean of its z by topic where there are
    any."""
    better = inputs.measure.higher_is_better
    by_basis: dict[str, ReferenceFactors] = {reference.basis: reference for reference in inputs.references}
    z: list[float | None] = [None] * len(inputs.rows)
    percentile: list[float | None] = [None] * len(inputs.rows)
    by_means, by_topic = by_basis.get("published-means"), by_basis.get("topic-scores")
    if by_means and inputs.rows:
        values = np.array([row.value for row in inputs.rows])
        standardized = standardize_means(values, by_means.means, higher_is_better=better)
        z, percentile = list(map(float, standardized.z)), list(map(float, standardized.percentile))
    topic_z: dict[str, float] = {}
    if by_topic and topic_scores is not None:
        factors = StandardizationFactors.from_dict(
            {
                "topics": by_topic.topics,
                "means": by_topic.topic_means,
                "sds": by_topic.topic_sds,
                "n_systems": by_topic.n_systems,
            }
        )
        scores = standardize(topic_scores, factors, transform="z", higher_is_better=better)
        topic_z = dict(zip(scores.matrix.systems, map(float, scores.means), strict=True))
    return tuple(
        Standing(result=row.id, z=z[place], percentile=percentile[place], topic_z=topic_z.get(str(row.id)))
        for place, row in enumerate(inputs.rows)
    )
