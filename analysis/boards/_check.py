"""Checking a score that does not stand on a board: could it be the best, and is its baseline weak?"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Annotated

from analysis._validation import check_real
from analysis.best import maximum_distribution
from analysis.boards._competitors import find_competitors
from analysis.boards._evidence import n_averaged
from analysis.boards._findings import Evidence, ViewName
from analysis.boards._inputs import BoardInputs, BoardRow, Question, TopicScoresInput, TrainingWord
from analysis.boards._margins import RankRange, pair_error_of, planned_pairs, rank_ranges
from analysis.boards._study import check_vectors, find_obstacle, study
from analysis.errors import ArgumentError
from analysis.reliability import smallest_resolvable_difference
from analysis.scales import percentile_among
from analysis.scores import ScoreMatrix

#: Fewer than these are no field to stand in.
MIN_FIELD = 5
#: How many years count as the last ones, that of the latest paper included.
LAST_YEARS = 5
#: The most systems that a score can be the best of.
MAX_TRIED = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceAmong:
    """Where a score stands among some results of a board."""

    n: Annotated[int, "How many these are, 5 or more."]
    n_better: Annotated[int, "How many have a better score."]
    n_level: Annotated[int, "How many have the same."]
    percentile: Annotated[float, "Percentage of them that are worse, ties counting half."]
    best: Annotated[int, "Id of the best of them."]
    since: Annotated[int | None, "The year from which on they are, where not all years count."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBaseline:
    """How strong a baseline is among what was known."""

    value: Annotated[float, "Its score."]
    gain: Annotated[float, "How far the score is beyond it; positive is better whatever the direction of the measure."]
    gain_is_resolved: Annotated[
        bool | None,
        "Whether means tell the score from the baseline, as the best of ``n_tried`` comparisons; None where "
        "that can't be known. Of a loss never.",
    ]
    margin: Annotated[float | None, "From which gain on they do, for an average pair of systems."]
    runs: Annotated[
        PlaceAmong | None,
        "Among the runs originally submitted to the collection's evaluation; None for fewer than five.",
    ]
    baselines: Annotated[
        PlaceAmong | None, "Among the baselines of the last five years of papers; None for fewer than five."
    ]
    reference_implementations: Annotated[PlaceAmong | None, "Among the runs of toolkits; None for fewer than five."]
    last_year_best: Annotated[
        int | None,
        "The last year at whose end nothing recorded was better, but for rows that are held back; None where there was"
        " none, or no year is known.",
    ]
    first_year_better: Annotated[
        int | None, "The first year that has a better result that is not held back; None where none has."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedScore:
    """What published means say of a score that does not stand on the board."""

    value: Annotated[float, "The score, in the unit of the measure."]
    cautions: Annotated[
        tuple[str, ...],
        "Codes of what would keep it from being the best: ``failed-runs`` of a score of exactly 0, which enters no "
        "analysis, ``stands-apart`` of an outlier, which would be held back.",
    ]
    n_results: Annotated[int, "Results that compete on the board, one a system."]
    n_better: Annotated[int, "Those of them with a better score."]
    view: Annotated[
        ViewName, "Of training, that of the board's own verdict: the score is taken as one of a system of this view."
    ]
    n_of_view: Annotated[int, "Those of the results that are in the view."]
    best: Annotated[float, "The best of the view that no caution holds back."]
    behind: Annotated[float, "Distance from it in the unit of the measure; negative where the score is better."]
    n_held_back: Annotated[int, "How many of the view a caution holds back as the best."]
    evidence: Annotated[
        str,
        "Own-variance, own-and-predicted, predicted … or none: what is known of how scores vary. Never own-topics, as "
        "topic scores of the score itself are not at hand.",
    ]
    may_be_best: Annotated[
        bool | None, "Whether it could be the best if it stood there; None where that can't be said."
    ]
    may_be_best_unflagged: Annotated[
        bool | None,
        "The same without the rows that a caution holds back; None where none is held back, or it can't be said.",
    ]
    ranks: Annotated[
        RankRange | None,
        "The range of its true rank among those that are not held back; None where that can't be said.",
    ]
    n_rivals: Annotated[
        int | None, "How many of the others could be, without those held back; None where that can't be said."
    ]
    margin: Annotated[float | None, "How far behind the best a score is ruled out."]
    needed: Annotated[
        float | None,
        "Where too few would compete for a verdict: from which ``behind`` on, either way, the two differ significantly,"
        " as one of all pairs (Holm).",
    ]
    why_unknown: Annotated[str, "Why it can't be said, else blank."]
    n_tried: Annotated[int, "How many systems the score is the best of."]
    luck: Annotated[
        float | None,
        "How far the best of as many is expected above what it is worth, had all been equally good and "
        "their luck independent: the most that trying many explains on average. None where the variance is "
        "not known.",
    ]
    may_be_best_counted: Annotated[
        bool | None, "Whether it could still be the best without that luck, among those that are not held back."
    ]
    smallest_difference: Annotated[
        float | None,
        "True difference of two systems named beforehand that so many topics find with probability 0.8, at a "
        "level of 0.05, for an average pair. None where the variance is not known.",
    ]
    smallest_difference_range: Annotated[
        tuple[float, float] | None, "Where that lies in 9 of 10 cases, by how surely the variance is known."
    ]
    baseline: CheckedBaseline | None


def check_score(
    inputs: BoardInputs,
    score: float,
    topic_scores: ScoreMatrix | None = None,
    *,
    baseline: float | None = None,
    n_tried: int = 1,
    held_back: Collection[int] = (),
    evidence: Evidence | None = None,
) -> CheckedScore:
    """Return what a board's published means say of a score, and of the baseline that it is compared with.

    Parameters
    ----------
    inputs : BoardInputs
    score : float
        In the unit of the measure, within its range.
    topic_scores : ScoreMatrix, optional
        As in :func:`analysis.boards.study`: they tell how scores vary, though those of the score are not known.
        Default: those of the board are left aside.
    baseline : float, optional
        What the score is compared with, measured on the same topics.
    n_tried : int, default 1
        How many systems or settings were tried on these topics, of which this is the best; 1 to 100,000.
    held_back : collection of int, optional
        Rows that a caution holds back as the best, as the board's verdict names them.
    evidence : Evidence, optional
        What the board's verdict says of how scores vary, for ``smallest_difference``. Default: what is known of it
        beside a score without topic scores.

    Returns
    -------
    CheckedScore

    Raises
    ------
    ArgumentError
        If nothing on the board competes, a score is not finite or outside of the measure's range, ``n_tried`` is out of
        range, or ``topic_scores`` are not those of ``inputs``.

    Notes
    -----
    The score is added to the board as one more row, of the view of training that the board's verdict is on, and the
    board is studied by :func:`analysis.boards.study`. The luck of trying is the mean of the maximum of ``n_tried``
    independent normal errors of a mean over the topics: settings of one system have most of their errors in common, so
    that their luck is smaller.

    References
    ----------
    Carterette (2015), doi:10.1145/2766462.2767812; Armstrong, Moffat, Webber & Zobel (2009),
    doi:10.1145/1645953.1646031.

    Examples
    --------
    >>> from analysis.boards import BoardInputs, BoardRow, KnownVariance, MeasureFacts, check_score
    >>> variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
    >>> rows = [
    ...     BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v, role="trec_run", year=1990 + n)
    ...     for n, v in enumerate([0.15, 0.18, 0.20, 0.22, 0.25, 0.30])
    ... ]
    >>> board = BoardInputs(
    ...     collection="x", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, variances=(variance,)
    ... )
    >>> checked = check_score(board, 0.31, baseline=0.19, n_tried=10)
    >>> checked.n_better, checked.may_be_best, round(checked.luck, 3), round(checked.smallest_difference, 3)
    (0, True, 0.026, 0.069)
    >>> checked.baseline.runs.n_better, checked.baseline.last_year_best, checked.baseline.gain_is_resolved
    (4, 1991, True)
    """
    if not isinstance(inputs, BoardInputs):
        raise ArgumentError("inputs", inputs, "must be BoardInputs")
    score = _check_value("score", score, inputs)
    baseline = None if baseline is None else _check_value("baseline", baseline, inputs)
    if isinstance(n_tried, bool) or not isinstance(n_tried, int) or not 1 <= n_tried <= MAX_TRIED:
        raise ArgumentError("n_tried", n_tried, f"must be a whole number from 1 to {MAX_TRIED:,}")
    rows = {row.id for row in inputs.rows}
    if isinstance(held_back, str) or not isinstance(held_back, Collection) or not rows.issuperset(held_back):
        raise ArgumentError("held_back", held_back, "must be ids of rows of the board")
    if evidence is not None and not isinstance(evidence, Evidence):
        raise ArgumentError("evidence", evidence, "must be Evidence")
    if topic_scores is None:
        inputs = replace(inputs, topic_scores=None)
    obstacle = find_obstacle(inputs, topic_scores=topic_scores)
    if obstacle:
        raise ArgumentError("inputs", obstacle, "must have a result that competes")
    check_vectors(inputs, topic_scores)
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    competitors = find_competitors(inputs, Question(), topic_scores)
    others, seen, view = competitors.rows, competitors.contending, competitors.view
    rest = inputs, topic_scores
    whole = unflagged = _study_with(*rest, score, view)
    if held_back:
        rest = _without(inputs, topic_scores, held_back)
        unflagged = _study_with(*rest, score, view)
    of_score, n = unflagged.evidence, n_averaged(inputs) or 0
    luck = resolvable = None
    evidence = evidence or of_score
    if evidence.residual_variance and n > 1:
        # Of a mean over collections ``n`` are these; a test is planned over the topics of all.
        n_topics = sum(member.n_topics or 0 for member in inputs.members or ()) or n
        variance, df = evidence.residual_variance * evidence.of_groups * n_topics / n, evidence.degrees_of_freedom
        resolvable = smallest_resolvable_difference(variance, n_topics, 2, variance_degrees_of_freedom=df)
    if of_score.residual_variance is not None and n > 1:
        luck = maximum_distribution(n_tried, sd=sqrt(of_score.residual_variance / n)).mean() if n_tried > 1 else 0.0
    counted = unflagged.may_be_best
    if unflagged.may_be_best and luck:
        counted = _study_with(*rest, score - sign * luck, view).may_be_best
    best = next((row.value for row in seen if row.id not in held_back), seen[0].value)
    return CheckedScore(
        value=score,
        cautions=whole.cautions,
        n_results=len(others),
        n_better=sum(sign * row.value > sign * score for row in others),
        view=view,
        n_of_view=len(seen),
        best=best,
        behind=sign * (best - score),
        n_held_back=sum(row.id in held_back for row in seen),
        evidence=of_score.kind,
        may_be_best=whole.may_be_best,
        may_be_best_unflagged=unflagged.may_be_best if held_back else None,
        ranks=unflagged.ranks,
        n_rivals=unflagged.n_rivals,
        margin=unflagged.margin,
        needed=unflagged.needed,
        why_unknown=unflagged.why_unknown,
        n_tried=n_tried,
        luck=luck,
        may_be_best_counted=counted,
        smallest_difference=resolvable.detectable if resolvable else None,
        smallest_difference_range=resolvable.detectable_range if resolvable else None,
        baseline=None
        if baseline is None
        else _check_baseline(inputs, others, held_back, score, baseline, of_score, n_tried),
    )


def _check_value(argument: str, value: float, inputs: BoardInputs) -> float:
    number = check_real(value, argument)
    low, high = inputs.measure.low, inputs.measure.high
    if (low is not None and number < low) or (high is not None and number > high):
        raise ArgumentError(argument, value, f"must be a score that {inputs.measure.name} can have")
    return number


@dataclass(frozen=True, slots=True)
class _StudiedScore:
    evidence: Evidence
    may_be_best: bool | None
    n_rivals: int | None
    margin: float | None
    needed: float | None
    why_unknown: str
    ranks: RankRange | None
    cautions: tuple[str, ...]


#: What is said of the training of the score that is asked about, by the view that it is taken to be in.
_TRAINING: dict[ViewName, TrainingWord] = {"all": "", "declared-none": "declares_none", "trained-here": "declares"}


def _without(
    inputs: BoardInputs, topic_scores: ScoreMatrix | None, held_back: Collection[int]
) -> tuple[BoardInputs, ScoreMatrix | None]:
    """Return a board without some rows and their other executions, and the topic scores of those that are left."""
    rows = tuple(row for row in inputs.rows if row.id not in held_back and row.replicate_of not in held_back)
    if topic_scores is not None:
        left = {str(row.id) for row in rows}
        systems = [system for system in topic_scores.systems if system in left]
        topic_scores = topic_scores.select(systems) if len(systems) > 1 else None
    of_left = None if topic_scores is None else TopicScoresInput.of(topic_scores)
    return replace(inputs, rows=rows, topic_scores=of_left), topic_scores


def _study_with(inputs: BoardInputs, topic_scores: ScoreMatrix | None, score: float, view: ViewName) -> _StudiedScore:
    """Return what is found on a board with one more row, which is in this view of training."""
    added = BoardRow(
        id=min(row.id for row in inputs.rows) - 1, system="", printed=repr(score), value=score, training=_TRAINING[view]
    )
    inputs = replace(inputs, rows=(*inputs.rows, added))
    findings = study(inputs, Question(training=view), topic_scores)
    verdict = findings.verdict
    against = (caution for caution in verdict.cautions if caution.is_flag or caution.code == "failed-runs")
    codes = tuple(caution.code for caution in against if added.id in caution.results)
    if verdict.set is None:
        needed = next((pair.margin for pair in verdict.pairs if added.id in (pair.result, pair.rival)), None)
        return _StudiedScore(verdict.evidence, None, None, None, needed, verdict.why_no_set, None, codes)
    may, ranks = added.id in verdict.set.members, rank_ranges(inputs, findings).get(added.id)
    return _StudiedScore(verdict.evidence, may, verdict.set.n_members - may, verdict.set.margin, None, "", ranks, codes)


def _check_baseline(
    inputs: BoardInputs,
    rows: Sequence[BoardRow],
    held_back: Collection[int],
    score: float,
    baseline: float,
    evidence: Evidence,
    n_tried: int,
) -> CheckedBaseline:
    better = inputs.measure.higher_is_better
    sign = 1.0 if better else -1.0
    last = max((row.year for row in rows if row.role == "baseline" and row.year), default=None)
    since = None if last is None else last - LAST_YEARS + 1
    recent = [row for row in rows if row.role == "baseline" and since and row.year and row.year >= since]
    dated = [(row.year, sign * row.value) for row in rows if row.year and row.id not in held_back]
    beyond = sorted(year for year, value in dated if value > sign * baseline)
    years = sorted(year for year, _ in dated)
    before = [year for year in years if not beyond or year < beyond[0]]
    gain, error = sign * (score - baseline), pair_error_of(inputs, evidence)
    pair = planned_pairs([gain], [error], n_tried)[0] if error else None
    return CheckedBaseline(
        value=baseline,
        gain=gain,
        gain_is_resolved=None if pair is None else gain > 0 and pair.is_told_apart,
        margin=None if pair is None else pair.margin,
        runs=_field(baseline, _of_role(rows, "trec_run"), better),
        baselines=_field(baseline, recent, better, since),
        reference_implementations=_field(baseline, _of_role(rows, "reference_implementation"), better),
        last_year_best=max(before, default=None),
        first_year_better=beyond[0] if beyond else None,
    )


def _of_role(rows: Sequence[BoardRow], role: str) -> list[BoardRow]:
    return [row for row in rows if row.role == role]


def _field(value: float, rows: Sequence[BoardRow], better: bool, since: int | None = None) -> PlaceAmong | None:
    """Return where a value stands among these rows, which come best first; None among too few."""
    if len(rows) < MIN_FIELD:
        return None
    scores = [row.value for row in rows]
    return PlaceAmong(
        n=len(rows),
        n_better=sum((score > value) if better else (score < value) for score in scores),
        n_level=scores.count(value),
        percentile=float(percentile_among([value], scores, higher_is_better=better)[0]),
        best=rows[0].id,
        since=since,
    )
