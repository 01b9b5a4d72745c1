"""Pages of snapshots, of leaderboards and of suites: what was found, how to cite it, and how to compute it again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.core.forms import QueryForm, asked
from registry.core.http import as_download, must_exist, negotiated, site_address
from registry.leaderboards.access import get_visible_snapshot
from registry.leaderboards.documents.shapes import SnapshotDocument
from registry.leaderboards.documents.suite_shapes import SuiteSnapshotDocument
from registry.leaderboards.documents.suites import any_snapshot_document
from registry.leaderboards.drawings.snapshots import drawn_snapshot
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.badges import snippet
from registry.leaderboards.exports.bundles import bundle_of
from registry.leaderboards.exports.citing import CITATIONS, bibtex, snapshot_sentences
from registry.leaderboards.exports.pictures import for_everybody, picture_response
from registry.leaderboards.exports.result_citing import RESULT_CITATIONS, cited_result
from registry.leaderboards.exports.signposts import signposts_of, with_links_of
from registry.leaderboards.models import Analysis, Snapshot, SuiteAnalysis
from registry.leaderboards.presentation import drawings
from registry.leaderboards.snapshot_page import snapshot_context
from registry.leaderboards.verification import is_readable, read_any, topic_scores_of
from registry.results.access import get_visible_result


@require_safe
@negotiated("json", "bib", "ris", "csl.json")
def snapshot_detail(request: HttpRequest, snapshot_id: str, suffix: str = "") -> HttpResponse:
    """One snapshot: what was found, from which inputs, by which methods, and how to cite it."""
    asked(QueryForm(request.GET))
    snapshot, site = get_visible_snapshot(snapshot_id), site_address()
    if suffix == "json":
        # To the byte, so that the id can be checked with sha256sum; and it never changes.
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return HttpResponse(snapshot.content, content_type="application/json", headers=kept)
    document = any_snapshot_document(snapshot)
    if suffix:
        citation = CITATIONS[suffix]
        text = citation.write(document, site + snapshot.get_absolute_url())
        response = as_download(text, f"{citation.media_type}; charset=utf-8", f"plumbline-{snapshot.pk}.{suffix}")
    else:
        response = _page(request, snapshot, document, site)
    response["Cache-Control"] = "no-cache"
    return with_links_of(response, snapshot)


@require_safe
def result_citation(request: HttpRequest, pk: str, suffix: str) -> HttpResponse:
    """One result with its doubt, as the standing snapshot of its leaderboard has it, for reference managers."""
    asked(QueryForm(request.GET))
    text = cited_result(get_visible_result(int(pk)), site_address(), suffix)
    response = as_download(text, f"{RESULT_CITATIONS[suffix]}; charset=utf-8", f"plumbline-result-{pk}.{suffix}")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def snapshot_picture(request: HttpRequest, snapshot_id: str, name: str) -> HttpResponse:
    """The badge, figure or card of a snapshot."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    document = any_snapshot_document(snapshot)
    return for_everybody(picture_response(document, drawn_snapshot(document, read_any(snapshot)), name))


@require_safe
def snapshot_topic_scores(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """The topic scores that entered a snapshot: topic, then a column for each result id."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    topic_scores = must_exist(
        topic_scores_of(snapshot) if is_readable(snapshot) else None,
        f"No topic scores entered the snapshot {snapshot.pk}.",
    )
    name = f"plumbline-{snapshot.pk}-topic-scores.csv"
    return as_download(exports.topic_scores_csv(topic_scores), "text/csv; charset=utf-8", name)


@require_safe
def snapshot_bundle(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """A snapshot with everything that it takes to compute it again, zipped."""
    asked(QueryForm(request.GET))
    snapshot = get_visible_snapshot(snapshot_id)
    citation = bibtex(any_snapshot_document(snapshot), site_address(snapshot.get_absolute_url()))
    headers = {"Content-Disposition": f'attachment; filename="plumbline-{snapshot.pk}.zip"'}
    return HttpResponse(bundle_of(snapshot, citation), content_type="application/zip", headers=headers)


def _page(
    request: HttpRequest, snapshot: Snapshot, document: SnapshotDocument | SuiteSnapshotDocument, site: str
) -> HttpResponse:
    analyses = SuiteAnalysis.objects if snapshot.suite_id else Analysis.objects
    context = snapshot_context(document, snapshot) | {
        "snapshot": snapshot,
        "is_current": analyses.filter(snapshot=snapshot).exists(),
        "document": document,
        "address": site + snapshot.get_absolute_url(),
        "bibtex": bibtex(document, site + snapshot.get_absolute_url()),
        "sentences": snapshot_sentences(document),
        "badge": snippet(document, site, snapshot.get_absolute_url()),
        "card": f"{site}{snapshot.get_absolute_url()}card.png",
        "drawings": drawings(snapshot.get_absolute_url())
        if document.verdict and document.verdict.tries.n_results > 1
        else [],
        "signposts": signposts_of(snapshot, document, site),
        "citations": [
            (reverse("leaderboards:snapshot-format", args=[snapshot.pk, suffix]), citation.name)
            for suffix, citation in CITATIONS.items()
        ],
    }
    return render(request, "leaderboards/snapshot_detail.html", context)
