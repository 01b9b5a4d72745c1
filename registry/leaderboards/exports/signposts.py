"""What machines read on the page of a snapshot: Signposting links, JSON-LD, Highwire tags, COinS."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from registry.core.linked_data import CONTEXT
from registry.core.signposts import set_signposts
from registry.leaderboards.exports.citing import CITATIONS, made_on, title_of
from registry.leaderboards.models import Snapshot
from registry.leaderboards.wording import Analysed
from registry.results.models import Paper, Result
from registry.results.signposts import article

#: More papers than this of results that may be the best are left out of what machines read.
MAX_PAPERS = 25


@dataclass(frozen=True, slots=True)
class Signposts:
    """What the head of the page of a snapshot says; ``coins`` as the text of its attribute, ``highwire`` as pairs."""

    json_ld: dict[str, object]
    coins: str
    highwire: list[tuple[str, str]]


def signposts_of(snapshot: Snapshot, document: Analysed, site: str) -> Signposts:
    """What machines read about a snapshot of this site."""
    address = site + snapshot.get_absolute_url()
    day, _ = made_on(document)
    title = title_of(document)
    return Signposts(
        json_ld=_json_ld(snapshot, document, site),
        coins=urlencode(
            {
                "ctx_ver": "Z39.88-2004",
                "rft_val_fmt": "info:ofi/fmt:kev:mtx:dc",
                "rft.type": "dataset",
                "rft.title": title,
                "rft.creator": "Plumbline",
                "rft.publisher": "Plumbline",
                "rft.date": day,
                "rft.identifier": address,
            }
        ),
        highwire=[
            ("citation_title", title),
            ("citation_author", "Plumbline"),
            ("citation_publisher", "Plumbline"),
            ("citation_publication_date", day.replace("-", "/")),
            ("citation_public_url", address),
        ],
    )


def with_links_of(response: HttpResponse, snapshot: Snapshot) -> HttpResponse:
    """The page of a snapshot, or one of its citations, with its typed links."""
    address = snapshot.get_absolute_url()
    stem = address.rstrip("/")
    return set_signposts(
        response,
        cite_as=address,
        kind="Dataset",
        described_by={f"{stem}.{suffix}": one.media_type for suffix, one in CITATIONS.items()},
        items={f"{stem}.json": "application/json", f"{stem}/bundle.zip": "application/zip"},
    )


def _json_ld(snapshot: Snapshot, document: Analysed, site: str) -> dict[str, object]:
    address = site + snapshot.get_absolute_url()
    stem, (day, _) = address.rstrip("/"), made_on(document)
    papers = _papers(document)
    data = {
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": f"{title_of(document)}: snapshot {snapshot.pk}",
        "description": document.verdict.sentence if document.verdict else title_of(document),
        "identifier": snapshot.pk,
        "version": snapshot.pk,
        "datePublished": day,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Plumbline", "url": f"{site}/"},
        "license": site + reverse("about:sources"),
        "isPartOf": {"@type": "Dataset", "url": site + document.url, "name": title_of(document)},
        "distribution": [
            {"@type": "DataDownload", "contentUrl": f"{stem}.json", "encodingFormat": "application/json"},
            {"@type": "DataDownload", "contentUrl": f"{stem}/bundle.zip", "encodingFormat": "application/zip"},
        ],
        "citation": [{"@id": site + paper.get_absolute_url()} for paper in papers],
    }
    return {"@context": CONTEXT, "@graph": [data, *(article(paper, site) for paper in papers)]}


def _papers(document: Analysed) -> Sequence[Paper]:
    """The papers of the results that may be the best; none where too many may be, and of a suite."""
    verdict = document.verdict
    members = verdict.shown.set.members if verdict and verdict.shown.set else ()
    if not hasattr(document, "collection") or not 0 < len(members) <= MAX_PAPERS:
        return []
    papers = Result.objects.filter(pk__in=members, paper__isnull=False).values("paper")
    return list(Paper.objects.filter(pk__in=papers).order_by("pk"))
