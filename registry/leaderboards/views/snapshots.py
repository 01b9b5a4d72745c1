"""Pages of snapshots, of leaderboards and of suites: what was found, how to cite it, and how to compute it again."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import analysis.boards as boards
from registry.core.forms import QueryForm, asked
from registry.core.http import as_download, must_exist, negotiated, site_address
from registry.core.messages import say
from registry.core.templatetags.formatting import percent, score
from registry.leaderboards import wording
from registry.leaderboards.access import get_visible_snapshot
from registry.leaderboards.documents.rows import Marks
from registry.leaderboards.documents.shapes import SnapshotDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import SuiteSnapshotDocument
from registry.leaderboards.documents.suites import any_snapshot_document
from registry.leaderboards.drawings.pages import DESCRIBED, draw_plumb_line, drawn_snapshot
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.citing import (
    CITATIONS,
    RESULT_CITATIONS,
    bibtex,
    cited_result,
    snapshot_sentences,
    snippet,
)
from registry.leaderboards.exports.files import bundle_of
from registry.leaderboards.exports.metadata import signposts_of, with_links_of
from registry.leaderboards.exports.pictures import for_everybody, picture_response
from registry.leaderboards.models import Analysis, Snapshot, SuiteAnalysis
from registry.leaderboards.pages import SCALES, Context, caution_context, cite_context
from registry.leaderboards.verification import Stored, read_any, topic_scores_of
from registry.results.access import get_visible_result

#: Of more rows that may be the best the page names the first.
MOST_MEMBERS = 30

AnySnapshotDocument = SnapshotDocument | SuiteSnapshotDocument

#: How sets are found that one margin decides.
_BY_MARGIN = ("gupta-means", "gupta-collections")


def snapshot_context(document: AnySnapshotDocument, snapshot: Snapshot, file: str = DESCRIBED) -> Context:
    """Return what the template of a snapshot needs beside its document."""
    stored = read_any(snapshot)
    if stored is None:
        return {"stored": None}
    drawn = drawn_snapshot(document, stored)
    context = {
        "stored": stored,
        "rows_of_verdict": drawn.results,
        "drawn": {"plumb_line": draw_plumb_line(drawn, document.row, source=file and f"{document.snapshot.url}{file}")},
        **cite_context(document),
        "bib": f"{document.snapshot.url.rstrip('/')}.bib",
        **caution_context(document.verdict, stored.inputs.rows, has_links=False),
    }
    if document.verdict:
        context |= _of_members(document.verdict, document, stored, drawn.results)
        context["method"] = _method(document.verdict, document)
    return context | (_of_results(document, stored) if isinstance(stored, boards.Snapshot) else {})


def _of_members(
    verdict: VerdictDocument, document: AnySnapshotDocument, stored: Stored, rows: Sequence[Any]
) -> Context:
    """Return those that are tied for first, in two columns; none where the set tells nothing."""
    best_set = verdict.shown.set
    if best_set is None or not best_set.is_telling:
        return {}
    may = set(best_set.members)
    ranked = sorted((row for row in rows if row.id in may), key=lambda row: row.rank)[:MOST_MEMBERS]
    ranges, years = {}, dict[int, int | None]()
    if isinstance(stored, boards.Snapshot):
        ranges = boards.rank_ranges(stored.inputs, stored.findings)
        years = {row.id: row.year for row in stored.inputs.rows if row.id in may}
    members = [(row, ranges.get(row.id), years.get(row.id)) for row in ranked]
    half = -(-len(members) // 2) if len(members) > 4 else len(members)
    n_more = best_set.n_members - len(members)
    title = say("members-first" if n_more else "members-all", n=len(members), members=best_set.n_members)
    return {
        "members": [part for part in (members[:half], members[half:]) if part],
        "members_title": title,
        "n_more": n_more,
        "has_ranks": bool(ranges),
        "has_years": any(year for *_, year in members),
    }


def _method(verdict: VerdictDocument, document: AnySnapshotDocument) -> str:
    """Return how it was found, in three sentences."""
    best_set, counts = verdict.shown.set, {"n": verdict.tries.n_results, "rows": document.row}
    if best_set is None:
        first = say("method-no-set", why=verdict.why_no_set)
    else:
        margin = score(best_set.margin, document.measure["decimals"])
        is_by_margin = best_set.margin is not None and best_set.method in _BY_MARGIN
        key = f"method-{best_set.method if is_by_margin else 'set'}"
        level = percent(best_set.confidence_level, 0)
        first = say(key, margin=margin, level=level, method=best_set.method, **counts)
    corrected = say("method-luck", groups=verdict.tries.n_families, **counts) if verdict.shown.corrected else ""
    return " ".join(filter(None, [first, verdict.evidence_sentence, corrected]))


def _of_results(document: AnySnapshotDocument, stored: boards.Snapshot) -> Context:
    """Return what a leaderboard alone has: rows as they are printed, and the analysis of equal systems."""
    assert isinstance(document, SnapshotDocument)
    rows, verdict = stored.inputs.rows, document.verdict
    marks, best_set = Marks(verdict), verdict.shown.set if verdict and verdict.is_telling else None
    may = {row: row in best_set.members for row in marks.distances} if best_set else {}
    return {
        "readings": [
            (SCALES[scale], wording.equal_means_finding(document, bounds)) for scale, bounds in document.scales.items()
        ],
        "rows": [(row, may.get(row.id), row.id in marks.held_back) for row in rows],
        "has_teams": any(row.team for row in rows),
        "all_comparable": all(row.is_comparable for row in rows),
    }


@require_safe
@negotiated("json", "bib", "ris", "csl.json")
def snapshot_detail(request: HttpRequest, snapshot_id: str, suffix: str = "") -> HttpResponse:
    """Show one snapshot: what was found, from which inputs, by which methods, and how to cite it."""
    asked(QueryForm(request.GET))
    snapshot, site = get_visible_snapshot(snapshot_id), site_address()
    if suffix == "json":
        # To the byte, so that the id can be checked with sha256sum; and it never changes.
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return HttpResponse(snapshot.content, content_type="application/json", headers=headers)
    document = any_snapshot_document(snapshot)
    if suffix:
        citation = CITATIONS[suffix]
        text = citation.write(document, site)
        response = as_download(text, f"{citation.media_type}; charset=utf-8", f"plumbline-{snapshot.pk}.{suffix}")
    else:
        response = _page(request, snapshot, document, site)
    response["Cache-Control"] = "no-cache"
    return with_links_of(response, snapshot)


@require_safe
def result_citation(request: HttpRequest, pk: str, suffix: str) -> HttpResponse:
    """Return one result with its doubt, as the standing snapshot of its leaderboard has it, for reference managers."""
    asked(QueryForm(request.GET))
    text = cited_result(get_visible_result(int(pk)), site_address(), suffix)
    response = as_download(text, f"{RESULT_CITATIONS[suffix]}; charset=utf-8", f"plumbline-result-{pk}.{suffix}")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def snapshot_picture(request: HttpRequest, snapshot_id: str, name: str) -> HttpResponse:
    """Return the badge, figure or card of a snapshot."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    document = any_snapshot_document(snapshot)
    return for_everybody(picture_response(document, drawn_snapshot(document, read_any(snapshot)), name))


@require_safe
def snapshot_topic_scores(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """Return the topic scores that entered a snapshot: topic, then a column for each result id."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    topic_scores = must_exist(topic_scores_of(snapshot), f"No topic scores entered the snapshot {snapshot.pk}.")
    name = f"plumbline-{snapshot.pk}-topic-scores.csv"
    return as_download(exports.topic_scores_csv(topic_scores), "text/csv; charset=utf-8", name)


@require_safe
def snapshot_bundle(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """Return a snapshot with everything that it takes to compute it again, zipped."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    citation = bibtex(any_snapshot_document(snapshot), site_address())
    headers = {"Content-Disposition": f'attachment; filename="plumbline-{snapshot.pk}.zip"'}
    return HttpResponse(bundle_of(snapshot, citation), content_type="application/zip", headers=headers)


def _since(snapshot: Snapshot, document: SnapshotDocument | SuiteSnapshotDocument) -> str:
    """Say what the board says today, beside how many competed then; blank where either has no verdict."""
    today: Analysis | SuiteAnalysis | None
    if snapshot.suite_id:
        today = SuiteAnalysis.objects.filter(suite=snapshot.suite_id, measure__name=document.measure["name"]).first()
    else:
        today = Analysis.objects.filter(leaderboard=snapshot.leaderboard_id).first()
    headline = today.headline if today and today.snapshot_id != snapshot.pk else {}
    if document.verdict is None or not headline.get("sentence"):
        return ""
    counts = {"n_then": document.verdict.tries.n_results, "n_now": headline["n_results"]}
    return say("snapshot-since", sentence=headline["sentence"], rows=document.row, **counts)


def _page(
    request: HttpRequest, snapshot: Snapshot, document: SnapshotDocument | SuiteSnapshotDocument, site: str
) -> HttpResponse:
    analyses = SuiteAnalysis.objects if snapshot.suite_id else Analysis.objects
    context = snapshot_context(document, snapshot) | {
        "snapshot": snapshot,
        "is_current": analyses.filter(snapshot=snapshot).exists(),
        "since": _since(snapshot, document),
        "document": document,
        "address": site + snapshot.get_absolute_url(),
        "bibtex": bibtex(document, site),
        "sentences": snapshot_sentences(document),
        "badge": snippet(document, site, snapshot.get_absolute_url()),
        "card": f"{site}{snapshot.get_absolute_url()}card.png",
        "drawings": exports.drawings(snapshot.get_absolute_url())
        if document.verdict and document.verdict.tries.n_results > 1
        else [],
        "signposts": signposts_of(snapshot, document, site),
        "citations": [
            (reverse("leaderboards:snapshot-format", args=[snapshot.pk, suffix]), citation.name)
            for suffix, citation in CITATIONS.items()
        ],
    }
    return render(request, "leaderboards/snapshot_detail.html", context)
