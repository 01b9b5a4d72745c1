"""What is said of a leaderboard, of one of its snapshots, and of it in a list."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import msgspec
from django.urls import reverse

from analysis.boards import (
    CAUTION_CODES,
    BoardInputs,
    BoardRow,
    EqualMeans,
    Findings,
    MeasureFacts,
    Question,
    describe_evidence,
    headline,
    read_snapshot,
)
from registry.catalog.documents import (
    describe_collection,
    describe_leaderboard,
)
from registry.catalog.models import Leaderboard
from registry.cautions.documents import describe_answers, describe_decisions
from registry.cautions.queries import Said, places_of, said_of
from registry.core.days import end_of
from registry.leaderboards.documents.rows import Shown, shown_rows, sorted_rows
from registry.leaderboards.documents.shapes import (
    BoardDocument,
    BoardSummary,
    CautionDocument,
    NotComparable,
    ReferenceSetBrief,
    RowDocument,
    SnapshotBrief,
    SnapshotDocument,
    VerdictDocument,
)
from registry.leaderboards.documents.states import analysis_state, past_state, standing_snapshot, state_of
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries import Board, read_board
from registry.leaderboards.studies import Headline, obstacle_of, study_board
from registry.leaderboards.verification import is_readable


def leaderboard_document(leaderboard: Leaderboard, selection: Selection) -> BoardDocument:
    """Everything about the leaderboard under the reader's choices.

    The stored snapshot answers where the choices leave the study alone; filters, and days of which no snapshot has the
    same results, are studied on the spot, from the same inputs by the same methods.
    """
    moment = end_of(selection.as_of) if selection.as_of else None
    board = read_board(leaderboard.pk, known_at=moment, published_by=selection.published_by)
    snapshot, state = standing_snapshot(leaderboard, moment)
    shown = _shown(board, selection, snapshot)
    rows = shown_rows(board, selection, shown)
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
        analysis=past_state(selection, board, shown.obstacle)
        if selection.is_past
        else analysis_state(state, shown.obstacle, is_filtered=is_filtered),
        reference_sets=_reference_sets(shown.inputs),
        n_with_topic_scores=len(shown.inputs.topic_scores.results) if shown.inputs.topic_scores else 0,
        snapshot=describe_snapshot(shown.snapshot) if shown.snapshot else None,
        not_comparable=_not_comparable(rows),
        facets=_facets(board.inputs.rows),
        count=len(rows),
        next_page=None,
        results=sorted_rows(rows, selection.sort)[: selection.top],
    )


def _shown(board: Board, selection: Selection, snapshot: Snapshot | None) -> Shown:
    stored = read_snapshot(snapshot.content) if snapshot and is_readable(snapshot) else None
    if stored and selection.is_past:
        board = replace(board, inputs=_with_facts_of(board.inputs, stored.inputs))
    question, obstacle = selection.question, obstacle_of(board, selection.question)
    if stored and question.is_default and (not selection.is_past or _is_of(stored.inputs, board.inputs)):
        return Shown(stored.inputs, stored.findings, snapshot, obstacle, board.said)
    if obstacle or (question.is_default and not selection.is_past):
        return Shown(board.inputs, None, None, obstacle, board.said)
    return Shown(board.inputs, study_board(board, question), None, obstacle, board.said)


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


def _findings(shown: Shown, selection: Selection) -> dict[str, Any]:
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


def _verdict(shown: Shown, found: Findings, question: Question) -> VerdictDocument:
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
    shown = Shown(inputs, stored.findings if stored else None, snapshot, Analysis.Obstacle.NONE, said)
    return SnapshotDocument(
        **described, **_findings(shown, Selection()), snapshot=describe_snapshot(snapshot), content=content
    )


def leaderboard_summary(leaderboard: Leaderboard) -> BoardSummary:
    """A leaderboard as lists show it, from its headline; for leaderboards with analysis and snapshot at hand."""
    analysis = getattr(leaderboard, "analysis", None)
    return BoardSummary(
        **describe_leaderboard(leaderboard),
        analysis=analysis_state(
            state_of(leaderboard, analysis), analysis.obstacle if analysis else "", is_filtered=False
        ),
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
