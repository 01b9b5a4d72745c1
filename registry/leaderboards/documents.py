"""What a leaderboard says: one object that the page, its JSON and CSV twins and the API all show.

Frozen and typed. What was found stands in it as :mod:`analysis.boards` names it; a name that only the site has, such
as the state of an analysis, stands here.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal

import msgspec
from django.urls import reverse

from analysis.boards import (
    CAUTION_CODES,
    METHODS,
    BoardInputs,
    BoardRow,
    Caution,
    Distance,
    EqualMeans,
    Findings,
    MeasureFacts,
    Question,
    RankRange,
    Standing,
    Verdict,
    describe_evidence,
    headline,
    rank_ranges,
    read_snapshot,
)
from registry.catalog.documents import (
    CollectionBrief,
    Document,
    MeasureBrief,
    describe_collection,
    describe_leaderboard,
)
from registry.catalog.models import Leaderboard
from registry.cautions.documents import AnswerDocument, DecisionDocument, describe_answers, describe_decisions
from registry.cautions.queries import Said, places_of, said_of
from registry.core.days import end_of
from registry.core.scores import PrintedScore
from registry.core.templatetags.formatting import plural
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries import Board, RowFacts, read_board
from registry.leaderboards.studies import Headline, obstacle_of, study_board
from registry.leaderboards.verification import is_readable
from registry.results.models import Result

#: Columns that are sorted from the largest value downwards; the others go upwards.
DESCENDING_SORTS = frozenset({"year", "z", "topic_z"})

_ROLE_LABELS = {value: str(label) for value, label in Result.Role.choices}
_PROVENANCE_LABELS = {value: str(label) for value, label in Result.Provenance.choices}


@dataclass(frozen=True, slots=True, kw_only=True)
class CautionDocument(Caution):
    """Something to know before the verdict is used, with what people say to it.

    Attributes
    ----------
    answers : tuple of AnswerDocument
        What authors and others say to it, in the order of its rows.
    decisions : tuple of DecisionDocument
        What curators decided about it.
    """

    answers: tuple[AnswerDocument, ...] = ()
    decisions: tuple[DecisionDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictDocument(Verdict):
    """The one verdict of a leaderboard, with its words.

    Attributes
    ----------
    cautions : tuple of CautionDocument
    cleared_cautions : tuple of CautionDocument
        Those that a curator cleared for some rows, with the reason; the verdict is found without them.
    sentence : str
        The verdict in a sentence, the same wherever it is told.
    evidence_sentence : str
        What it rests on, in words.
    """

    cautions: tuple[CautionDocument, ...] = ()
    cleared_cautions: tuple[CautionDocument, ...] = ()
    sentence: str
    evidence_sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisState:
    """How the analysis stands to the results.

    Attributes
    ----------
    state : str
        stale: results changed since, it is being made again; queued: never made yet; none: there can't be one; past:
        as of another day.
    obstacle : str
        Why there can't be one; else blank.
    message : str
        The same for people.
    """

    state: Literal["current", "stale", "queued", "none", "past"]
    obstacle: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotBrief:
    """A snapshot as leaderboards mention it.

    Attributes
    ----------
    id : str
        Start of the SHA-256 of its content.
    url : str
    created : str
        When it was made, ISO 8601.
    """

    id: str
    url: str
    created: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSetBrief:
    """A frozen set of systems that z and percentile are taken against.

    Attributes
    ----------
    basis : str
        Published means, or scores by topic (of which topic_z is).
    name : str
    n_systems : int
    frozen : str
        The day.
    """

    basis: Literal["published-means", "topic-scores"]
    name: str
    n_systems: int
    frozen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """What is shown and does not compete, by reason.

    Attributes
    ----------
    reason : str
    n : int
    """

    reason: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDocument:
    """A result on a leaderboard.

    Attributes
    ----------
    id : int
    rank : int or None
        1-2-2-4 among the rows that compete; null for the others.
    rank_low, rank_high : int or None
        The best and the worst rank that it may truly have among them; null where that is not known, and under filters.
    tier : int or None
        1: can't be told from the best; null where there are no tiers.
    can_be_best : bool or None
        Whether it is in the set; null where there is no set, or the row does not compete.
    can_be_best_unflagged : bool or None
        The same without the rows that a caution holds back; null where none is held back.
    behind : float or None
        Distance from the row that decides about it, in the unit of the measure.
    margin : float or None
        From which distance on it would be ruled out.
    rival : int or None
        The row that decides: the best from means, the one that it is most clearly behind with topic scores.
    family : int or None
        Number of its family, 1 for that of the best row; null for rows that do not compete.
    plausible : bool
        In the range that equal systems would cover (Carterette 2015), on the scale asked for.
    is_counted : bool
        Whether it is a counted result of that analysis.
    is_original : bool
        Whether somebody tried a system, rather than a toolkit running a known one.
    why_not_comparable : str
        Why it does not compete; blank where it does.
    system : str
    system_id : int
    team : str
    value : float
    printed : str
        The score exactly as its source gives it.
    unit : str
        Of what is printed, where it is not that of the measure: percent.
    year : int or None
    role : str
    role_label : str
    run_type : str
    provenance : str
        How the score came to be recorded.
    provenance_label : str
    declared_training : str
        Whether a published list of its training data names this collection.
    is_self_reported : bool
        Whether nobody but its maker is known to have run it.
    cautions : tuple of str
        Codes of the cautions that name it.
    is_disputed : bool
        Somebody calls the score into question, and nobody has decided yet.
    z : float or None
        Against the means of the reference set.
    percentile : float or None
        Among the means of the reference set, 0 to 100.
    topic_z : float or None
        Mean of the z-scores by topic, where there are scores by topic.
    paper : str or None
    paper_id : int or None
    source : str
    notes : str
    """

    id: int
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: int | None
    can_be_best: bool | None
    can_be_best_unflagged: bool | None
    behind: float | None
    margin: float | None
    rival: int | None
    family: int | None
    plausible: bool
    is_counted: bool
    is_original: bool
    why_not_comparable: str
    system: str
    system_id: int
    team: str
    value: float
    printed: str
    unit: str
    year: int | None
    role: str
    role_label: str
    run_type: str
    provenance: str
    provenance_label: str
    declared_training: str
    is_self_reported: bool
    cautions: tuple[str, ...]
    is_disputed: bool
    z: float | None
    percentile: float | None
    topic_z: float | None
    paper: str | None
    paper_id: int | None
    source: str
    notes: str

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDocument:
    """Everything about a leaderboard under the reader's choices.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
    as_of, published_by : str or None
        The day asked for.
    n_undated : int or None
        Results left out because nobody knows when they were published.
    selection : dict of str to str
        The choices that were made in the address.
    analysis : AnalysisState
    verdict : VerdictDocument or None
        What the page leads with.
    n_results : int or None
        Counted results, the N of `best_result`: original, comparable, one a system. The verdict's number of tries is
        `verdict.tries.n_results`, which counts what toolkits reran as well.
    mean, sd, max : float or None
        Of the counted results; sd with ddof 1.
    best_result : EqualMeans or None
        What equal systems would have shown (Carterette 2015), on the scale asked for; null where it is not in `scales`.
    scales : dict of str to EqualMeans
        The same on every scale that there is.
    why_no_best_result : str
        The reason where there is none.
    reference_sets : tuple of ReferenceSetBrief
    n_with_topic_scores : int
        Comparable results with a score on every topic, 0 or at least 2; `pairs.json` compares them topic by topic.
    snapshot : SnapshotBrief or None
    not_comparable : tuple of NotComparable
    facets : dict of str to dict
        How many rows have each role, run type and provenance.
    count : int
        Results under these choices, on all pages.
    next_page : str or None
        Token for `page`; null on the last one.
    results : tuple of RowDocument
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    as_of: str | None
    published_by: str | None
    n_undated: int | None
    selection: dict[str, str]
    analysis: AnalysisState
    verdict: VerdictDocument | None
    n_results: int | None
    mean: float | None
    sd: float | None
    max: float | None
    best_result: EqualMeans | None
    scales: dict[str, EqualMeans]
    why_no_best_result: str
    reference_sets: tuple[ReferenceSetBrief, ...]
    n_with_topic_scores: int
    snapshot: SnapshotBrief | None
    not_comparable: tuple[NotComparable, ...]
    facets: dict[str, dict[str, int]]
    count: int
    next_page: str | None
    results: tuple[RowDocument, ...]

    def by_id(self) -> dict[int, RowDocument]:
        """The rows by result."""
        return {row.id: row for row in self.results}

    @property
    def name(self) -> str:
        """What titles call it."""
        return self.collection["name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A leaderboard in a list, with the headline of its verdict; null where it has none.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
    analysis : AnalysisState
    n_recorded : int or None
        Results, comparable or not, when it was analysed last.
    headline : Headline or None
    snapshot : SnapshotBrief or None
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    analysis: AnalysisState
    n_recorded: int | None
    headline: Headline | None
    snapshot: SnapshotBrief | None


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown of a board: its inputs as they entered, what was found, and the snapshot of it if there is one."""

    inputs: BoardInputs
    findings: Findings | None
    snapshot: Snapshot | None
    obstacle: Analysis.Obstacle
    said: Said


def leaderboard_document(leaderboard: Leaderboard, selection: Selection) -> BoardDocument:
    """Everything about the leaderboard under the reader's choices.

    The stored snapshot answers where the choices leave the study alone; filters, and days of which no snapshot has the
    same results, are studied on the spot, from the same inputs by the same methods.
    """
    moment = end_of(selection.as_of) if selection.as_of else None
    board = read_board(leaderboard.pk, known_at=moment, published_by=selection.published_by)
    snapshot, state = _standing(leaderboard, moment)
    shown = _shown(board, selection, snapshot)
    rows = _rows(board, selection, shown)
    is_filtered = not selection.question.is_default
    described = describe_leaderboard(board.leaderboard)
    described["collection"]["n_topics"] = shown.inputs.n_topics
    return BoardDocument(
        **described,
        **_findings(shown, selection),
        as_of=selection.as_of.isoformat() if selection.as_of else None,
        published_by=selection.published_by.isoformat() if selection.published_by else None,
        n_undated=board.n_undated if selection.published_by else None,
        selection=selection.query,
        analysis=_past_state(selection, board, shown.obstacle)
        if selection.is_past
        else _state(state, shown.obstacle, is_filtered=is_filtered),
        reference_sets=_reference_sets(shown.inputs),
        n_with_topic_scores=len(shown.inputs.topic_scores.results) if shown.inputs.topic_scores else 0,
        snapshot=describe_snapshot(shown.snapshot) if shown.snapshot else None,
        not_comparable=_not_comparable(rows),
        facets=_facets(board.inputs.rows),
        count=len(rows),
        next_page=None,
        results=sorted_rows(rows, selection.sort)[: selection.top],
    )


def _shown(board: Board, selection: Selection, snapshot: Snapshot | None) -> _Shown:
    stored = read_snapshot(snapshot.content) if snapshot and is_readable(snapshot) else None
    if stored and selection.is_past:
        board = replace(board, inputs=_with_facts_of(board.inputs, stored.inputs))
    question, obstacle = selection.question, obstacle_of(board, selection.question)
    if stored and question.is_default and (not selection.is_past or _is_of(stored.inputs, board.inputs)):
        return _Shown(stored.inputs, stored.findings, snapshot, obstacle, board.said)
    if obstacle or (question.is_default and not selection.is_past):
        return _Shown(board.inputs, None, None, obstacle, board.said)
    return _Shown(board.inputs, study_board(board, question), None, obstacle, board.said)


def _with_facts_of(inputs: BoardInputs, then: BoardInputs) -> BoardInputs:
    """The inputs with what the catalog said when a snapshot was made: topics, variances, reference sets."""
    return replace(
        inputs,
        n_topics=then.n_topics,
        n_topics_at_least=then.n_topics_at_least,
        variances=then.variances,
        references=then.references,
    )


def _is_of(stored: BoardInputs, asked: BoardInputs) -> bool:
    """Whether a snapshot of these inputs is a study of exactly these results, topic scores and cleared cautions."""
    is_same = {row.id for row in stored.rows} == {row.id for row in asked.rows}
    return is_same and (stored.topic_scores, stored.cleared) == (asked.topic_scores, asked.cleared)


def _findings(shown: _Shown, selection: Selection) -> dict[str, Any]:
    """What was found, by the names of the document."""
    found = shown.findings
    counted = found.counted if found else None
    scales: dict[str, EqualMeans] = {one.scale: one for one in found.equal_means} if found else {}
    return {
        "verdict": _verdict(shown, found, selection.question) if found else None,
        "n_results": counted.n_results if counted else None,
        "mean": counted.mean if counted else None,
        "sd": counted.sd if counted else None,
        "max": counted.max if counted else None,
        "best_result": scales.get(selection.scale or "published"),
        "scales": scales,
        "why_no_best_result": found.why_no_equal_means if found else "",
    }


def _verdict(shown: _Shown, found: Findings, question: Question) -> VerdictDocument:
    told = {one.name: getattr(found.verdict, one.name) for one in fields(found.verdict)}
    cleared: dict[str, list[int]] = {}
    for one in shown.inputs.cleared:
        cleared.setdefault(one.code, []).append(one.result)
    cautions = [
        {name: getattr(one, name) for name in ("code", "message", "results", "is_flag")} for one in told["cautions"]
    ]
    without = [{"code": code, "message": CAUTION_CODES[code], "results": tuple(rows)} for code, rows in cleared.items()]
    return VerdictDocument(
        **told
        | {
            "cautions": tuple(_caution(one, shown.said) for one in cautions),
            "cleared_cautions": tuple(_caution(one, shown.said) for one in without),
        },
        sentence=headline(shown.inputs, found, question),
        evidence_sentence=describe_evidence(shown.inputs, found),
    )


def _caution(caution: dict[str, Any], said: Said) -> CautionDocument:
    about = (said, caution["code"], caution["results"])
    return CautionDocument(**caution, answers=describe_answers(*about), decisions=describe_decisions(*about))


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDocument:
    """One analysis of one leaderboard, kept for good.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
        Of the leaderboard.
    snapshot : SnapshotBrief
    verdict : VerdictDocument or None
        Null for a snapshot by an earlier release, which alone can read it.
    n_results : int or None
    mean, sd, max : float or None
    best_result : EqualMeans or None
    scales : dict of str to EqualMeans
    why_no_best_result : str
        As of leaderboards.
    content : dict
        Inputs, methods, libraries and findings as they were hashed.
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    snapshot: SnapshotBrief
    verdict: VerdictDocument | None
    n_results: int | None
    mean: float | None
    sd: float | None
    max: float | None
    best_result: EqualMeans | None
    scales: dict[str, EqualMeans]
    why_no_best_result: str
    content: Document

    @property
    def name(self) -> str:
        """What titles call it."""
        return self.collection["name"]


def snapshot_document(snapshot: Snapshot) -> SnapshotDocument:
    """A snapshot as it can be cited: what was found, with id, address and date, and its content."""
    stored = read_snapshot(snapshot.content) if is_readable(snapshot) else None
    content = json.loads(snapshot.content)
    board = snapshot.leaderboard
    assert board is not None
    described = describe_leaderboard(board)
    if stored:
        described["collection"] = describe_collection(board.collection, stored.inputs.n_topics)
    inputs = stored.inputs if stored else BoardInputs(collection="", measure=MeasureFacts(name=""), rows=())
    named = {row for one in stored.findings.verdict.cautions for row in one.results} if stored else set()
    said = said_of(places_of(named | {one.result for one in inputs.cleared}))
    shown = _Shown(inputs, stored.findings if stored else None, snapshot, Analysis.Obstacle.NONE, said)
    return SnapshotDocument(
        **described, **_findings(shown, Selection()), snapshot=describe_snapshot(snapshot), content=content
    )


def leaderboard_summary(leaderboard: Leaderboard) -> BoardSummary:
    """A leaderboard as lists show it, from its headline; for leaderboards with analysis and snapshot at hand."""
    analysis = getattr(leaderboard, "analysis", None)
    return BoardSummary(
        **describe_leaderboard(leaderboard),
        analysis=_state(_state_of(leaderboard, analysis), analysis.obstacle if analysis else "", is_filtered=False),
        n_recorded=analysis.n_results if analysis else None,
        headline=msgspec.convert(analysis.headline, Headline) if analysis and analysis.headline else None,
        snapshot=describe_snapshot(analysis.snapshot) if analysis and analysis.snapshot else None,
    )


def describe_snapshot(snapshot: Snapshot) -> SnapshotBrief:
    """A snapshot as leaderboards mention it."""
    return SnapshotBrief(
        id=snapshot.pk,
        url=reverse("leaderboards:snapshot-detail", args=[snapshot.pk]),
        created=snapshot.created_at.isoformat(timespec="seconds"),
    )


def _standing(leaderboard: Leaderboard, moment: datetime | None) -> tuple[Snapshot | None, str]:
    """The snapshot to show, and the state of the analysis."""
    if moment is not None:
        past = Snapshot.objects.filter(leaderboard=leaderboard, created_at__lte=moment).order_by("-created_at").first()
        return past, "past"
    analysis = Analysis.objects.select_related("snapshot").filter(leaderboard=leaderboard).first()
    return analysis.snapshot if analysis else None, _state_of(leaderboard, analysis)


def _state_of(leaderboard: Leaderboard, analysis: Analysis | None) -> str:
    if analysis is None:
        return "queued" if leaderboard.results_version else "none"
    is_current = (analysis.results_version, analysis.methods_version) == (leaderboard.results_version, METHODS.version)
    if not is_current:
        return "stale"
    return "current" if analysis.snapshot_id else "none"


_STATE_MESSAGES = {
    "current": "The analysis covers every result recorded here.",
    "stale": "Results changed since this analysis; it is being made again.",
    "queued": "This leaderboard has not been analysed yet; it is about to be.",
}


def _state(state: Any, obstacle: str, *, is_filtered: bool) -> AnalysisState:
    reason = str(Analysis.Obstacle(obstacle).label) if obstacle else ""
    message = _STATE_MESSAGES.get(state, "")
    if reason and (state in {"current", "none"} or is_filtered):
        message = f"No analysis: {reason}."
    return AnalysisState(state=state, obstacle=obstacle, message=message)


def _past_state(selection: Selection, board: Board, obstacle: str) -> AnalysisState:
    """What is shown of an earlier day: of the registry, of the world, or of both."""
    sentences = []
    if selection.as_of and not board.inputs.rows:
        sentences.append("The registry knew none of these results on that day.")
    elif selection.as_of:
        sentences.append("The results as the registry knew them on that day, with their analysis.")
    if selection.published_by:
        sentences.append(f"Only results that were published by {selection.published_by}, analysed by themselves.")
    if board.n_undated:
        left_out = plural(board.n_undated, "result is left out because its,results are left out because their")
        sentences.append(f"{left_out} year is not known.")
    if obstacle and board.inputs.rows:
        sentences.append(f"No analysis: {Analysis.Obstacle(obstacle).label}.")
    return AnalysisState(state="past", obstacle=obstacle, message=" ".join(sentences))


def _reference_sets(inputs: BoardInputs) -> tuple[ReferenceSetBrief, ...]:
    return tuple(
        ReferenceSetBrief(basis=one.basis, name=one.name, n_systems=one.n_systems, frozen=one.frozen)
        for one in inputs.references
    )


def _not_comparable(rows: Sequence[RowDocument]) -> tuple[NotComparable, ...]:
    """What is shown and does not compete, by reason, the most frequent first."""
    reasons = Counter(row.why_not_comparable for row in rows if row.why_not_comparable)
    return tuple(NotComparable(reason=reason, n=n) for reason, n in reasons.most_common())


def _facets(rows: Sequence[BoardRow]) -> dict[str, dict[str, int]]:
    return {
        name: dict(Counter(getattr(row, name) for row in rows if getattr(row, name)).most_common())
        for name in ("role", "run_type", "provenance")
    }


def _rows(board: Board, selection: Selection, shown: _Shown) -> list[RowDocument]:
    """The rows that pass the filters, best first."""
    marks = _Marks.of(shown, selection)
    question = selection.question
    competing = [row for row in board.inputs.rows if row.id in marks.families]
    ranks = competition_ranks((row.id, row.value) for row in competing)
    return [
        _row(row, board.facts[row.id], marks, ranks.get(row.id))
        for row in board.inputs.rows
        if (not question.role or row.role == question.role)
        and (not question.run_type or row.run_type == question.run_type)
        and (not question.provenance or row.provenance == question.provenance)
    ]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What findings say of single rows, by id."""

    has_set: bool
    members: frozenset[int]
    members_unflagged: frozenset[int] | None
    ranges: dict[int, RankRange]
    distances: dict[int, Distance]
    tiers: dict[int, int]
    families: dict[int, int]
    plausible: frozenset[int]
    standing: dict[int, Standing]
    cautions: dict[int, tuple[str, ...]]
    failed: frozenset[int]

    @classmethod
    def of(cls, shown: _Shown, selection: Selection) -> "_Marks":
        """Without findings, of nothing."""
        found = shown.findings
        if found is None:
            return cls(False, frozenset(), None, {}, {}, {}, {}, frozenset(), {}, {}, frozenset())
        best, other = found.verdict.set, found.verdict.best_unflagged
        scale = selection.scale or "published"
        cautions: dict[int, tuple[str, ...]] = {}
        for caution in found.verdict.cautions:
            for result in caution.results:
                cautions[result] = (*cautions.get(result, ()), caution.code)
        return cls(
            has_set=best is not None,
            members=frozenset(best.members if best else ()),
            members_unflagged=frozenset(other.set.members) if other and other.set else None,
            # Under filters the set is of the contenders alone, and ranks are among all that compete.
            ranges={} if selection.question.has_filters else rank_ranges(shown.inputs, found),
            distances={one.result: one for one in best.distances} if best else {},
            tiers={result: number for number, tier in enumerate(found.tiers, start=1) for result in tier},
            families={result: number for number, one in enumerate(found.families, start=1) for result in one.results},
            plausible=frozenset(result for one in found.equal_means if one.scale == scale for result in one.plausible),
            standing={one.result: one for one in found.standing},
            cautions=cautions,
            failed=frozenset(
                result for one in found.verdict.cautions if one.code == "failed-runs" for result in one.results
            ),
        )


def _row(row: BoardRow, facts: RowFacts, marks: _Marks, rank: int | None) -> RowDocument:
    distance, standing, ranks = marks.distances.get(row.id), marks.standing.get(row.id), marks.ranges.get(row.id)
    return RowDocument(
        id=row.id,
        rank=rank,
        rank_low=ranks.low if ranks else None,
        rank_high=ranks.high if ranks else None,
        tier=marks.tiers.get(row.id),
        can_be_best=row.id in marks.members if marks.has_set and row.id in marks.distances else None,
        can_be_best_unflagged=None if marks.members_unflagged is None else row.id in marks.members_unflagged,
        behind=distance.behind if distance else None,
        margin=distance.margin if distance else None,
        rival=distance.rival if distance else None,
        family=marks.families.get(row.id),
        plausible=row.id in marks.plausible,
        is_counted=row.is_counted and row.id not in marks.failed,
        is_original=row.is_original,
        why_not_comparable=_why_not_comparable(row, marks),
        system=row.system,
        system_id=facts.system_id,
        team=row.team,
        value=row.value,
        printed=row.printed,
        unit=row.unit,
        year=row.year,
        role=row.role,
        role_label=_ROLE_LABELS[row.role],
        run_type=row.run_type,
        provenance=row.provenance,
        provenance_label=_PROVENANCE_LABELS[row.provenance],
        declared_training=row.declared_training,
        is_self_reported=row.is_self_reported,
        cautions=marks.cautions.get(row.id, ()),
        is_disputed=facts.is_disputed,
        z=standing.z if standing else None,
        percentile=standing.percentile if standing else None,
        topic_z=standing.topic_z if standing else None,
        paper=facts.paper or facts.paper_url or None,
        paper_id=facts.paper_id,
        source=facts.source,
        notes=facts.notes,
    )


def _why_not_comparable(row: BoardRow, marks: _Marks) -> str:
    """Why the row does not compete; blank where it does."""
    if not row.is_comparable:
        return str(Result.Comparability(row.comparability).label)
    if row.id in marks.failed:
        return "failed run"
    if row.replicate_of is not None:
        return "another execution; the mean of all competes"
    return ""


def competition_ranks(scores: Iterable[tuple[int, float]]) -> dict[int, int]:
    """1-2-2-4 ranks by id of scores that stand best first; equal ones share a rank."""
    ranks: dict[int, int] = {}
    previous: tuple[float, int] | None = None
    for position, (row_id, value) in enumerate(scores, start=1):
        rank = previous[1] if previous and previous[0] == value else position
        ranks[row_id] = rank
        previous = (value, rank)
    return ranks


def sorted_rows(rows: Sequence[RowDocument], sort: str) -> tuple[RowDocument, ...]:
    """The rows by one column, the other way round with a minus before it.

    What is missing comes last either way, and rows that are equal keep the order of the scores.
    """
    name, is_reversed = sort.removeprefix("-"), sort.startswith("-")
    if name == "rank":
        return tuple(rows[::-1] if is_reversed else rows)
    is_descending = (name in DESCENDING_SORTS) != is_reversed
    with_value = [row for row in rows if getattr(row, name) not in (None, "")]
    without = [row for row in rows if getattr(row, name) in (None, "")]

    def key(row: RowDocument) -> Any:
        value = getattr(row, name)
        return value.casefold() if isinstance(value, str) else value

    return (*sorted(with_value, key=key, reverse=is_descending), *without)
