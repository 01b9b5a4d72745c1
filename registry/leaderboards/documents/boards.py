"""The documents of a leaderboard, of one of its snapshots, and of leaderboards in a list."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db.models import TextChoices
from django.urls import reverse

from analysis.boards import (
    METHODS,
    BoardInputs,
    EqualMeans,
    Findings,
    MeasureFacts,
    Question,
    TopicScoresInput,
    describe_evidence,
    study,
)
from analysis.boards import Snapshot as StoredStudy
from registry.catalog.documents import describe_collection, describe_leaderboard
from registry.catalog.models import Leaderboard
from registry.core.documents import document_of
from registry.core.messages import say
from registry.core.querysets import end_of
from registry.curation.lineage.training import training_of
from registry.leaderboards.documents.rows import Shown, shown_rows, sorted_rows
from registry.leaderboards.documents.shapes import (
    AnalysisState,
    BoardDocument,
    BoardSummary,
    NotComparable,
    ReferenceSetBrief,
    SnapshotBrief,
    SnapshotDocument,
    VerdictDocument,
    ViewDocument,
)
from registry.leaderboards.forms import Selection
from registry.leaderboards.headlines import Claimed, claimed
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries.boards import (
    Board,
    RecordedRows,
    read_board,
    read_kept,
    read_rows,
    read_topic_scores,
)
from registry.leaderboards.studies import obstacle_of, shown_headline
from registry.leaderboards.traits import results_with


def standing_snapshot(leaderboard: Leaderboard, moment: datetime | None) -> tuple[Snapshot | None, str]:
    """Return the snapshot to show, and the state of the analysis."""
    if moment is not None:
        past = Snapshot.objects.filter(leaderboard=leaderboard, created_at__lte=moment).order_by("-created_at").first()
        return past, "past"
    analysis: Analysis | None = getattr(leaderboard, "analysis", None)
    return analysis.snapshot if analysis else None, state_of(leaderboard, analysis)


def state_of(leaderboard: Leaderboard, analysis: Analysis | None) -> str:
    if analysis is None:
        return "queued" if leaderboard.results_version else "none"
    is_current = (analysis.results_version, analysis.methods_version) == (leaderboard.results_version, METHODS.version)
    if not is_current:
        return "stale"
    return "current" if analysis.snapshot_id else "none"


def analysis_state(
    state: Any,
    obstacle: str,
    *,
    is_filtered: bool = False,
    row: str = "result",
    obstacles: type[TextChoices] = Analysis.Obstacle,
) -> AnalysisState:
    """Return a state with its message, which says why there is no analysis where something is in its way."""
    message = say(f"state-{state}", rows=row) if state in {"current", "stale", "queued"} else ""
    if obstacle and (state in {"current", "none"} or is_filtered):
        message = say("state-obstacle", why=str(obstacles(obstacle).label))
    return AnalysisState(state=state, obstacle=obstacle, message=message)


def past_state(
    selection: Selection, recorded: RecordedRows, obstacle: str, *, has_snapshot: bool = True
) -> AnalysisState:
    """Return what is shown of an earlier day: of the registry, of the world, or of both.

    What the catalog said then is known by a snapshot until then; without one it is as of today, which is said.
    """
    sentences = []
    if selection.as_of:
        sentences.append(say("past-as-known" if recorded.rows else "past-nothing"))
        if recorded.rows and not (has_snapshot or obstacle):
            sentences.append(say("past-made-anew"))
    if selection.published_by:
        sentences.append(say("past-published-by", day=str(selection.published_by)))
    if recorded.n_undated:
        sentences.append(say("past-undated", n=recorded.n_undated))
    if obstacle and recorded.rows:
        sentences.append(say("state-obstacle", why=str(Analysis.Obstacle(obstacle).label)))
    return AnalysisState(state="past", obstacle=obstacle, message=" ".join(sentences))


def leaderboard_document(
    leaderboard: Leaderboard, selection: Selection, read: Callable[[Leaderboard], RecordedRows] = read_rows
) -> BoardDocument:
    """Return everything about the leaderboard under the reader's choices.

    The standing snapshot answers where the choices leave the study alone, with the rows as they are called today.
    Filters are studied on the spot, by the same methods and, while it is current, from the inputs that it has;
    so are days of which no snapshot has the same results. ``read`` reads the results that stand.
    """
    moment = end_of(selection.as_of) if selection.as_of else None
    if selection.traits:
        only = results_with(leaderboard, selection.traits, moment)
        selection = replace(selection, question=replace(selection.question, only=only))
    snapshot, state = standing_snapshot(leaderboard, moment)
    stored = read_kept(snapshot, StoredStudy)
    is_filtered = not selection.question.is_default
    recorded, shown = None, None
    if snapshot and stored and not selection.is_past and (state == "current" or not is_filtered):
        recorded = read(leaderboard)
        shown = _as_stored(recorded, selection.question, snapshot, stored, is_current=state == "current")
    if recorded is None or shown is None:
        recorded = board = read_board(leaderboard.pk, known_at=moment, published_by=selection.published_by)
        shown = _on_the_spot(board, selection, snapshot, stored)
    rows = shown_rows(recorded, selection, shown)
    described = describe_leaderboard(leaderboard)
    described["collection"]["n_topics"] = shown.inputs.n_topics
    reasons = Counter(row.why_not_comparable for row in rows if row.why_not_comparable)
    return BoardDocument(
        **described,
        **_findings(shown, selection, described["collection"]["name"]),
        as_of=selection.as_of.isoformat() if selection.as_of else None,
        published_by=selection.published_by.isoformat() if selection.published_by else None,
        n_undated=recorded.n_undated if selection.published_by else None,
        selection=selection.query,
        analysis=past_state(selection, recorded, shown.obstacle, has_snapshot=stored is not None)
        if selection.is_past
        else analysis_state(state, shown.obstacle, is_filtered=is_filtered),
        reference_sets=tuple(document_of(ReferenceSetBrief, reference) for reference in shown.inputs.references),
        n_with_topic_scores=len(shown.inputs.topic_scores.results) if shown.inputs.topic_scores else 0,
        snapshot=describe_snapshot(shown.snapshot) if shown.snapshot else None,
        not_comparable=tuple(NotComparable(reason=reason, n=n) for reason, n in reasons.most_common()),
        facets=_facets(recorded, shown.findings),
        count=len(rows),
        next_page=None,
        results=sorted_rows(rows, selection.sort)[: selection.top],
    )


def _as_stored(
    recorded: RecordedRows, question: Question, snapshot: Snapshot, stored: StoredStudy, *, is_current: bool
) -> Shown | None:
    """Return what the standing snapshot says, or its inputs under a question; None where topic scores changed
    meanwhile."""
    inputs, findings, obstacle = stored.inputs, stored.findings, Analysis.Obstacle.NONE
    trained = inputs.rows
    if not is_current:
        training = training_of(recorded.facts.values(), recorded.leaderboard.collection)
        trained = tuple(
            replace(row, declared_training=known.answer, training=known.word, training_split=known.split)
            for row in recorded.rows
            for known in [training[row.id]]
        )
        obstacle = obstacle_of(replace(inputs, rows=recorded.rows))
    if question.is_default:
        return Shown(inputs, findings, snapshot, obstacle, trained)
    of_topics = inputs.topic_scores
    scores = read_topic_scores(recorded.leaderboard, list(of_topics.results)) if of_topics else None
    if scores and TopicScoresInput.of(scores) != of_topics:
        return None
    obstacle = obstacle_of(inputs, question, scores)
    if obstacle:
        return Shown(inputs, None, None, obstacle, trained)
    return Shown(inputs, study(inputs, question, scores), None, obstacle, trained)


def _on_the_spot(board: Board, selection: Selection, snapshot: Snapshot | None, stored: StoredStudy | None) -> Shown:
    """Return what is found on the spot, or what a snapshot says of an earlier day with the same results."""
    inputs = board.inputs
    if stored and selection.is_past:
        inputs = _with_facts_of(inputs, stored.inputs)
    question = selection.question
    obstacle = obstacle_of(inputs, question, board.topic_scores)
    if stored and question.is_default:
        # The snapshot is a study of these, if it is of exactly these results and topic scores.
        is_same = {row.id for row in stored.inputs.rows} == {row.id for row in inputs.rows}
        if is_same and stored.inputs.topic_scores == inputs.topic_scores:
            return Shown(stored.inputs, stored.findings, snapshot, obstacle, inputs.rows)
    findings = None
    if not obstacle and (selection.is_past or not question.is_default):
        findings = study(inputs, question, board.topic_scores)
    return Shown(inputs, findings, None, obstacle, inputs.rows)


def _with_facts_of(inputs: BoardInputs, then: BoardInputs) -> BoardInputs:
    """Return the inputs with what the catalog said then: topics, variances, reference sets, suites."""
    names = (
        "n_topics", "n_topics_at_least", "task", "relevant", "members", "is_zero_shot", "variances", "references",
        "is_judged_by_model",
    )  # fmt: skip
    return replace(inputs, **{name: getattr(then, name) for name in names})


def _findings(shown: Shown, selection: Selection, name: str) -> dict[str, Any]:
    """Return what was found, by the names of the document."""
    inputs, findings = shown.inputs, shown.findings
    verdict, scales = None, dict[str, EqualMeans]()
    if findings:
        claim = claimed(inputs, findings, selection.question, name)
        verdict = verdict_in_words(claim, describe_evidence(inputs, findings))
        scales = {mean.scale: mean for mean in findings.equal_means}
    return {
        "verdict": verdict,
        **{key: getattr(findings and findings.counted, key, None) for key in ("n_results", "mean", "sd", "max")},
        "best_result": scales.get(selection.scale or "published"),
        "scales": scales,
        "why_no_best_result": findings.why_no_equal_means if findings else "",
    }


def verdict_in_words(claim: Claimed, evidence_sentence: str) -> VerdictDocument:
    """Return a verdict with its words, and those of each of its views."""
    verdict = claim.verdict
    seen = {view.view: claim if view.view == verdict.view else claim.seen_as(view) for view in verdict.views}
    return document_of(
        VerdictDocument,
        verdict,
        views=tuple(
            document_of(ViewDocument, view, sentence=seen[view.view].sentence, n_rows=view.n_rows or claim.n_rows)
            for view in verdict.views
        ),
        headline=claim.headline,
        sentence=claim.sentence,
        of_leader=claim.of_leader,
        leader=claim.leader,
        best_kind=claim.best_kind,
        n_ranked=claim.n_rows,
        evidence_sentence=evidence_sentence,
    )


def snapshot_document(snapshot: Snapshot) -> SnapshotDocument:
    """Return a snapshot as it can be cited: what was found, with id, address and date, and its content."""
    stored = read_kept(snapshot, StoredStudy)
    content = json.loads(snapshot.content)
    board = snapshot.leaderboard
    assert board is not None
    described = describe_leaderboard(board)
    if stored:
        described["collection"] = describe_collection(board.collection, stored.inputs.n_topics)
    inputs = stored.inputs if stored else BoardInputs(collection="", measure=MeasureFacts(name=""), rows=())
    shown = Shown(inputs, stored.findings if stored else None, snapshot, Analysis.Obstacle.NONE, ())
    return SnapshotDocument(
        **described,
        **_findings(shown, Selection(), described["collection"]["name"]),
        snapshot=describe_snapshot(snapshot),
        content=content,
    )


def leaderboard_summary(leaderboard: Leaderboard) -> BoardSummary:
    """Return a leaderboard as lists show it, from its headline; for leaderboards with analysis and snapshot at hand."""
    analysis = getattr(leaderboard, "analysis", None)
    return BoardSummary(
        **describe_leaderboard(leaderboard),
        analysis=analysis_state(state_of(leaderboard, analysis), analysis.obstacle if analysis else ""),
        n_recorded=analysis.n_results if analysis else None,
        headline=shown_headline(analysis),
        snapshot=describe_snapshot(analysis.snapshot) if analysis and analysis.snapshot else None,
    )


def describe_snapshot(snapshot: Snapshot) -> SnapshotBrief:
    """Return a snapshot as leaderboards mention it."""
    return SnapshotBrief(
        id=snapshot.pk,
        url=reverse("leaderboards:snapshot-detail", args=[snapshot.pk]),
        created=snapshot.created_at.isoformat(timespec="seconds"),
    )


def _facets(recorded: RecordedRows, findings: Findings | None) -> dict[str, dict[str, int]]:
    """Return how many rows have each role, run type and provenance, and each role of those ranked; and how many that
    compete were computed on each revision of the data set, and by each evaluator."""
    held_back = findings.verdict.held_back if findings else frozenset()
    ranked = {row for family in findings.families for row in family.results} - held_back if findings else set()
    facts = [recorded.facts[row.id] for row in recorded.rows if row.is_comparable]
    values: dict[str, Iterable[str]] = {
        name: map(attrgetter(name), recorded.rows) for name in ("role", "run_type", "provenance")
    }
    values["ranked_role"] = (row.role for row in recorded.rows if row.id in ranked)
    values |= {name: map(attrgetter(name), facts) for name in ("dataset_revision", "evaluator")}
    return {name: dict(Counter(filter(None, texts)).most_common()) for name, texts in values.items()}
