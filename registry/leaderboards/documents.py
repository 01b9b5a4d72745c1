"""What a leaderboard says: one object that the page, its JSON and CSV twins and the API all show."""

import json
from collections import Counter
from datetime import datetime
from typing import Any

from django.urls import reverse

from registry.catalog.documents import describe_collection, describe_leaderboard
from registry.catalog.models import Leaderboard
from registry.core.days import end_of
from registry.core.templatetags.formatting import plural
from registry.leaderboards.canonical import rounded
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.pipeline import METHODS_VERSION, Question, analyse, describe_matrix, find_obstacle
from registry.leaderboards.queries import Evidence, Row, read_evidence, with_facts_of
from registry.results.models import Result

Document = dict[str, Any]

#: Columns that are sorted from the largest value downwards; the others go upwards.
DESCENDING_SORTS = frozenset({"year", "z", "topic_z"})

_ROLE_LABELS = {value: str(label) for value, label in Result.Role.choices}
_EVIDENCE_LABELS = {value: str(label) for value, label in Result.Evidence.choices}


def leaderboard_document(leaderboard: Leaderboard, selection: Selection) -> Document:
    """Everything about the leaderboard under the reader's choices.

    The stored snapshot answers where the choices leave the analysis alone; filters, and days of which no snapshot has
    the same results, are analysed on the spot, from the same evidence with the same methods.
    """
    moment = end_of(selection.as_of) if selection.as_of else None
    evidence = read_evidence(leaderboard.pk, known_at=moment, published_by=selection.published_by)
    snapshot, state = _standing(leaderboard, moment)
    content = json.loads(snapshot.content) if snapshot else {"results": {}}
    if snapshot and moment:
        evidence = with_facts_of(evidence, content)
    found = content["results"]
    obstacle = find_obstacle(evidence, selection.question)
    results, references = found, _reference_set(snapshot)
    is_other_day = selection.is_past and not _is_of(content, evidence)
    if is_other_day:
        snapshot = None
    if is_other_day or not selection.question.is_default:
        results = {} if obstacle else rounded(analyse(evidence, selection.question))
    rows = _describe_rows(evidence, selection, results, found.get("standing", {}))
    n_contenders = None if selection.question.is_default else sum(not row["why_not_counted"] for row in rows)
    return {
        **describe_leaderboard(evidence.leaderboard),
        "as_of": selection.as_of.isoformat() if selection.as_of else None,
        "published_by": selection.published_by.isoformat() if selection.published_by else None,
        "n_undated": evidence.n_undated if selection.published_by else None,
        "selection": selection.query,
        "analysis": _describe_past(selection, evidence, obstacle)
        if selection.is_past
        else _describe_state(state, snapshot, obstacle, is_filtered=not selection.question.is_default),
        **_describe_findings(results, selection, n_contenders),
        "reference_set": references,
        "snapshot": describe_snapshot(snapshot) if snapshot else None,
        "left_out": _left_out(evidence, selection.question),
        "facets": _facets(evidence),
        "count": len(rows),
        "next_page": None,
        "results": rows,
    }


def leaderboard_summary(leaderboard: Leaderboard) -> Document:
    """A leaderboard as lists show it, from its headline; for leaderboards with analysis and snapshot at hand."""
    analysis = getattr(leaderboard, "analysis", None)
    snapshot = analysis.snapshot if analysis else None
    headline = analysis.headline if analysis else {}
    obstacle = analysis.obstacle if analysis else ""
    return {
        **describe_leaderboard(leaderboard),
        "analysis": _describe_state(_state_of(leaderboard, analysis), snapshot, obstacle, is_filtered=False),
        "n_recorded": analysis.n_results if analysis else None,
        "n_results": analysis.n_counted if analysis else None,
        **{name: headline.get(name) for name in _HEADLINE},
        "snapshot": describe_snapshot(snapshot) if snapshot else None,
    }


_HEADLINE = (
    "mean",
    "sd",
    "best",
    "adjusted_mean",
    "lower",
    "upper",
    "inflation",
    "n_plausible",
    "n_best_set",
    "best_set_basis",
    "winner_estimate",
)


def snapshot_document(snapshot: Snapshot) -> Document:
    """A snapshot as it can be cited: its content with id, address and date."""
    content = json.loads(snapshot.content)
    board = snapshot.leaderboard
    results = content["results"]
    document = {
        **describe_leaderboard(board),
        "collection": describe_collection(board.collection, content["leaderboard"]["n_topics"]),
        **_describe_findings(results, Selection()),
    }
    return {"snapshot": describe_snapshot(snapshot), **document, "content": content}


def describe_snapshot(snapshot: Snapshot) -> Document:
    """A snapshot as leaderboards mention it."""
    return {
        "id": snapshot.pk,
        "url": reverse("leaderboards:snapshot-detail", args=[snapshot.pk]),
        "created": snapshot.created_at.isoformat(timespec="seconds"),
    }


def _standing(leaderboard: Leaderboard, moment: datetime | None) -> tuple[Snapshot | None, str]:
    """The snapshot to show, and the state of the analysis."""
    if moment is not None:
        past = Snapshot.objects.filter(leaderboard=leaderboard, created_at__lte=moment).order_by("-created_at").first()
        return past, "past"
    analysis = Analysis.objects.select_related("snapshot").filter(leaderboard=leaderboard).first()
    return analysis.snapshot if analysis else None, _state_of(leaderboard, analysis)


def _state_of(leaderboard: Leaderboard, analysis: Analysis | None) -> str:
    """Whether the analysis is "current", "stale", "queued" (never made), or "none" because there can't be one."""
    if analysis is None:
        return "queued" if leaderboard.results_version else "none"
    is_current = (analysis.results_version, analysis.methods_version) == (leaderboard.results_version, METHODS_VERSION)
    if not is_current:
        return "stale"
    return "current" if analysis.snapshot_id else "none"


_STATE_MESSAGES = {
    "current": "The analysis covers every result recorded here.",
    "stale": "Results changed since this analysis; it is being made again.",
    "queued": "This leaderboard has not been analysed yet; it is about to be.",
}


def _describe_state(state: str, snapshot: Snapshot | None, obstacle: str, *, is_filtered: bool) -> Document:
    reason = str(Analysis.Obstacle(obstacle).label) if obstacle else ""
    message = _STATE_MESSAGES.get(state, "")
    if reason and (state in {"current", "none"} or is_filtered):
        message = f"No analysis: {reason}."
    return {"state": state, "obstacle": obstacle, "message": message}


def _is_of(content: Document, evidence: Evidence) -> bool:
    """Whether a snapshot with this content is an analysis of exactly these results and per-topic scores."""
    inputs = content.get("inputs", {"results": (), "topic_scores": None})
    is_same = {row["id"] for row in inputs["results"]} == {row.id for row in evidence.rows}
    return is_same and inputs["topic_scores"] == describe_matrix(evidence.topic_matrix)


def _describe_past(selection: Selection, evidence: Evidence, obstacle: str) -> Document:
    """What is shown of an earlier day: of the registry, of the world, or of both."""
    sentences = []
    if selection.as_of and not evidence.rows:
        sentences.append("The registry knew none of these results on that day.")
    elif selection.as_of:
        sentences.append("The results as the registry knew them on that day, with their analysis.")
    if selection.published_by:
        sentences.append(f"Only results that were published by {selection.published_by}, analysed by themselves.")
    if evidence.n_undated:
        left_out = plural(evidence.n_undated, "result is left out because its,results are left out because their")
        sentences.append(f"{left_out} year is not known.")
    if obstacle and evidence.rows:
        sentences.append(f"No analysis: {Analysis.Obstacle(obstacle).label}.")
    return {"state": "past", "obstacle": obstacle, "message": " ".join(sentences)}


_FINDINGS = (
    "n_results",
    "mean",
    "sd",
    "max",
    "best_result",
    "recommended_scale",
    "best_set",
    "winner",
    "topic_scores",
    "residual_variance",
)


def _describe_findings(results: Document, selection: Selection, n_contenders: int | None = None) -> Document:
    """The findings under the reader's choices; ``n_contenders`` is None where everything that counts may be best."""
    if not results:
        return dict.fromkeys(_FINDINGS) | {"scales": {}, "cautions": []}
    scales = results["best_result"]
    recommended = next((scale for scale in ("residual", "borrowed") if scale in scales), "published")
    summary, variance, among = results["summary"], results["residual_variance"], results["topic_scores"]
    return {
        "n_results": summary["n_results"],
        "mean": summary["mean"],
        "sd": summary["sd"],
        "max": summary["max"],
        "best_result": scales.get(selection.scale or "published"),
        "scales": scales,
        "recommended_scale": recommended,
        "best_set": _describe_best_set(results["best_set"], variance, n_contenders or summary["n_results"]),
        "winner": _describe_winner(results["winner"]),
        "topic_scores": among
        and {
            "n_systems": among["n_systems"],
            "best_set": _describe_best_set(among["best_set"], variance, among["n_systems"]),
            "winner": _describe_winner(among["winner"]),
        },
        "residual_variance": variance,
        "cautions": results.get("cautions", []),  # Snapshots that were made before there were any are kept too.
    }


def _describe_best_set(found: Document, variance: Document | None, n_contenders: int) -> Document:
    """The best set with the same keys whatever it was made from; None where a method has no such number."""
    return {
        "basis": found["basis"],
        "method": found["method"],
        "why_none": found.get("why_none"),
        "confidence_level": found.get("confidence_level"),
        "n_contenders": n_contenders,
        "n_members": found["n_members"],
        "members": found["members"],
        "threshold": found.get("threshold"),
        "pvalues": found.get("pvalues"),
        "why_no_badge": found.get("why_no_badge"),
        "leader": found.get("leader"),
        "residual_variance": variance,
    }


def _describe_winner(found: Document) -> Document:
    """The winner with the same keys whatever its score was estimated from."""
    return {
        "result": found["result"],
        "n_tied": 1 + len(found["tied"]) if "tied" in found else found.get("n_tied"),
        "raw": found["raw"],
        "estimate": found["estimate"],
        "method": found["method"],
        "shrinkage": found.get("shrinkage"),
        "standard_error": found.get("standard_error"),
        "interval": found["interval"],
        "why_no_interval": found.get("why_no_interval") or found.get("why_none"),
        "alternatives": [
            {name: other[name] for name in ("method", "estimate", "interval", "why_no_interval", "why_unbounded")}
            for other in found.get("alternatives", ())
        ],
    }


def _reference_set(snapshot: Snapshot | None) -> Document | None:
    """The set that z and percentile are taken against, with the one for per-topic scores inside."""
    if snapshot is None:
        return None
    sets = json.loads(snapshot.content)["inputs"]["reference_sets"]
    described = {
        basis: {"name": one["name"], "n_systems": one["n_systems"], "frozen": one["frozen"], "basis": basis}
        for basis, one in sets.items()
    }
    by_topic = described.get("topic-scores")
    by_means = described.get("published-means")
    first = by_means or by_topic
    return first and first | {"topic_scores": by_topic}


def _why_not_counted(row: Row, question: Question) -> str:
    """Why the row does not count towards N under the reader's choices; blank when it does."""
    if row.is_counted and question.family and row.role not in question.family:
        return "of a role that is left out by choice"
    return row.why_not_counted


def _left_out(evidence: Evidence, question: Question) -> list[Document]:
    """What is shown and not counted, by reason, the most frequent first."""
    reasons = Counter(_why_not_counted(row, question) for row in evidence.rows)
    del reasons[""]
    return [{"reason": reason, "n": n} for reason, n in reasons.most_common()]


def _facets(evidence: Evidence) -> dict[str, dict[str, int]]:
    """How many rows have each role, run type and evidence."""
    return {
        name: dict(Counter(getattr(row, name) for row in evidence.rows if getattr(row, name)).most_common())
        for name in ("role", "run_type", "evidence")
    }


def _describe_rows(evidence: Evidence, selection: Selection, results: Document, standing: Document) -> list[Document]:
    """The rows that pass the filters, in the reader's order."""
    bounds = (results.get("best_result") or {}).get(selection.scale or "published") or {}
    plausible = set(bounds.get("plausible", ()))
    members = set((results.get("best_set") or {}).get("members", ()))
    tiers = results.get("tiers") or {}
    reasons = [_why_not_counted(row, selection.question) for row in evidence.rows]
    ranks = competition_ranks([row for row, reason in zip(evidence.rows, reasons, strict=True) if not reason])
    shown = selection.question.contender_mask(evidence.rows)
    described = [
        {
            "id": row.id,
            "rank": ranks.get(row.id),
            "tier": tiers.get(str(row.id)),
            "in_best_set": row.id in members,
            "plausible": row.id in plausible,
            **describe_row(row),
            "why_not_counted": reason,
            "z": standing.get(str(row.id), {}).get("z"),
            "percentile": standing.get(str(row.id), {}).get("percentile"),
            "topic_z": standing.get(str(row.id), {}).get("topic_z"),
        }
        for row, reason, is_shown in zip(evidence.rows, reasons, shown, strict=True)
        if is_shown
    ]
    return sorted_rows(described, selection.sort)


def describe_row(row: Row) -> Document:
    """A result as tables list it."""
    return {
        "system": row.system,
        "system_id": row.system_id,
        "team": row.team,
        "value": row.value,
        "printed": row.printed,
        "year": row.year,
        "role": row.role,
        "role_label": _ROLE_LABELS[row.role],
        "run_type": row.run_type,
        "evidence": row.evidence,
        "evidence_label": _EVIDENCE_LABELS[row.evidence],
        "is_disputed": row.is_disputed,
        "why_not_counted": row.why_not_counted,
        "paper": row.paper or row.paper_url or None,
        "paper_id": row.paper_id,
        "source": row.source,
        "notes": row.notes,
    }


def competition_ranks(rows: list[Row]) -> dict[int, int]:
    """1-2-2-4 ranks by id of rows that stand best first; equal scores share a rank."""
    ranks: dict[int, int] = {}
    previous: tuple[float, int] | None = None
    for position, row in enumerate(rows, start=1):
        rank = previous[1] if previous and previous[0] == row.value else position
        ranks[row.id] = rank
        previous = (row.value, rank)
    return ranks


def sorted_rows(rows: list[Document], sort: str) -> list[Document]:
    """The rows by one column, the other way round with a minus before it.

    What is missing comes last either way, and rows that are equal keep the order of the scores.
    """
    name, is_reversed = sort.removeprefix("-"), sort.startswith("-")
    if name == "rank":
        return rows[::-1] if is_reversed else rows
    is_descending = (name in DESCENDING_SORTS) != is_reversed
    with_value = [row for row in rows if row[name] not in (None, "")]
    without = [row for row in rows if row[name] in (None, "")]

    def key(row: Document) -> Any:
        value = row[name]
        return value.casefold() if isinstance(value, str) else value

    return sorted(with_value, key=key, reverse=is_descending) + without
