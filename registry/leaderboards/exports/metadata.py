"""Leaderboards, suites and snapshots for programs: JSON-LD, Croissant, Signposting and Atom."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from registry.catalog.models import Collection, Leaderboard
from registry.core.columns import COLUMNS
from registry.core.http import site_address
from registry.core.metadata import CONTEXT, FeedEntry, describe_dataset, describe_file, describe_table, set_signposts
from registry.curation.suites.models import Suite
from registry.leaderboards.documents.suite_shapes import Analysed, SuiteDocument
from registry.leaderboards.exports.citing import CITATIONS, citable_address, made_on, title_of
from registry.leaderboards.headlines import claimed
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import read_any
from registry.results.exports import article
from registry.results.feeds import MAX_ENTRIES, newest_first, result_events
from registry.results.models import Paper, Result

#: Of their CSV files.
BOARD_COLUMNS = (
    "id", "rank", "rank_low", "rank_high", "tier", "can_be_best", "behind", "margin", "rival", "family", "plausible",
    "is_counted", "system", "team", "printed", "unit", "value", "year", "role", "run_type", "provenance",
    "declared_training", "is_self_reported", "cautions", "z", "percentile", "topic_z", "why_not_comparable", "paper",
    "source", "training", "training_split", "can_be_best_unflagged", "is_held_back",
)  # fmt: skip

#: Behind those of a leaderboard: what its source says of each result.
LICENCE = "licence"

SUITE_COLUMNS = (
    "id", "rank", "system", "team", "value", "can_be_best", "can_be_best_unflagged", "can_be_best_here",
    "can_be_best_here_unflagged", "behind", "family", "is_original", "is_self_reported", "cautions",
    "place_low", "place_high", "new_low", "new_high", "place_guessed", "guessed_within", "missing",
    "is_held_back", "training", "n_trained_on",
)  # fmt: skip

#: Blank cells are no numbers, which programs tell by the type.
_KINDS = {"integer": "sc:Integer", "number": "sc:Float"}


def croissant_text(document: Analysed, site: str) -> str:
    """Return the description of a leaderboard or suite, as a file."""
    day, version = made_on(document)
    columns: Sequence[tuple[str, str, str]] = _described((*BOARD_COLUMNS, LICENCE))
    if isinstance(document, SuiteDocument):
        scores = [(member.collection, "sc:Float", f"score on {member.name}") for member in document.members]
        columns = [*_described(SUITE_COLUMNS), *scores]
    title, address = title_of(document), site + citable_address(document)
    description = _croissant(
        title,
        description=document.verdict.sentence if document.verdict else f"Published results: {title}.",
        url=site + document.url,
        day=day,
        cite_as=f"Plumbline, {title}. {version}. {address}",
        tables=[("results", site + document.url, columns)],
    )
    return json.dumps(description, ensure_ascii=False, indent=1) + "\n"


def collection_data(collection: Collection, leaderboards: Iterable[Leaderboard]) -> dict[str, Any]:
    """Return the leaderboards of a collection, a table each."""
    url, columns = site_address(collection.get_absolute_url()), _described((*BOARD_COLUMNS, LICENCE))
    return _croissant(
        collection.slug,
        description=f"Published results on the test collection {collection.name}, as reported, with sources.",
        url=url,
        day=timezone.localdate().isoformat(),
        cite_as=f"Plumbline, published results on {collection.name}. {url}",
        tables=[
            (_plain(board.measure.name), site_address(board.get_absolute_url()), columns) for board in leaderboards
        ],
    )


def _croissant(
    name: str,
    *,
    description: str,
    url: str,
    day: str,
    cite_as: str,
    tables: Sequence[tuple[str, str, Sequence[tuple[str, str, str]]]],
) -> dict[str, Any]:
    """Return tables as they are on this day, each by its name, the address of its page and its columns."""
    return describe_dataset(
        name=_plain(name),
        description=description,
        url=url,
        datePublished=day,
        version=".".join(str(int(part)) for part in day.split("-")),
        citeAs=cite_as,
        creator={"@type": "sc:Organization", "name": "Plumbline", "url": site_address("/")},
        # No one licence holds for all rows: the page has those of each source.
        license=site_address(reverse("about:sources")),
        isLiveDataset=True,
        distribution=[
            describe_file(f"{name}.csv", quote(f"{page.rstrip('/')}.csv", safe="/:@%"), "text/csv")
            for name, page, _ in tables
        ],
        recordSet=[describe_table(name, f"{name}.csv", columns) for name, _, columns in tables],
    )


def _described(names: Iterable[str]) -> list[tuple[str, str, str]]:
    columns = [COLUMNS[name] for name in names]
    return [(column.name, _KINDS.get(column.type, "sc:Text"), column.meaning) for column in columns]


def _plain(name: str) -> str:
    """Return a name without the characters that addresses and programs take for something else."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)


#: More papers than this of results that may be the best are left out of what machines read.
MAX_PAPERS = 25


def signposts_of(snapshot: Snapshot, document: Analysed, site: str) -> dict[str, Any]:
    """Return what machines read about a snapshot of this site; ``coins`` is the text of an attribute."""
    address = site + snapshot.get_absolute_url()
    day, _ = made_on(document)
    title = title_of(document)
    return {
        "json_ld": _json_ld(snapshot, document, site),
        "coins": urlencode(
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
        "highwire": [
            ("citation_title", title),
            ("citation_author", "Plumbline"),
            ("citation_publisher", "Plumbline"),
            ("citation_publication_date", day.replace("-", "/")),
            ("citation_public_url", address),
        ],
    }


def with_links_of(response: HttpResponse, snapshot: Snapshot) -> HttpResponse:
    """Return the page of a snapshot, or one of its citations, with its typed links."""
    address = snapshot.get_absolute_url()
    stem = address.rstrip("/")
    return set_signposts(
        response,
        cite_as=address,
        kind="Dataset",
        described_by={f"{stem}.{suffix}": citation.media_type for suffix, citation in CITATIONS.items()},
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
    """Return the papers of the results that may be the best; none where too many may be, and of a suite."""
    verdict = document.verdict
    members = verdict.shown.set.members if verdict and verdict.shown.set else ()
    if not hasattr(document, "collection") or not 0 < len(members) <= MAX_PAPERS:
        return []
    papers = Result.objects.filter(pk__in=members, paper__isnull=False).values("paper")
    return list(Paper.objects.filter(pk__in=papers).order_by("pk"))


def leaderboard_events(leaderboard: Leaderboard) -> list[FeedEntry]:
    """Return the last events, the newest first."""
    events = result_events(Result.objects.filter(leaderboard=leaderboard))
    return newest_first([*events, *_analyses(leaderboard=leaderboard)])


def suite_events(suite: Suite) -> list[FeedEntry]:
    """Return the last events on the members of a suite, and its own analyses, the newest first."""
    board = {name: OuterRef(f"leaderboard__{name}") for name in ("collection", "measure")}
    members = suite.members.filter(**board)
    events = result_events(Result.objects.filter(Exists(members)), names_board=True)
    return newest_first([*events, *_analyses(suite=suite)])


def site_events() -> list[FeedEntry]:
    """Return the last results that came or went anywhere, the newest first."""
    return result_events(Result.objects.all(), names_board=True)


def _analyses(**of: Leaderboard | Suite) -> Iterator[FeedEntry]:
    for snapshot in Snapshot.objects.filter(**of).order_by("-created_at")[:MAX_ENTRIES]:
        stored = read_any(snapshot)
        claim = claimed(stored.inputs, stored.findings) if stored else None
        title, text = (claim.sentence, claim.of_leader) if claim else (f"Analysed: snapshot {snapshot.pk}", "")
        yield FeedEntry(title, snapshot.get_absolute_url(), snapshot.created_at, "registry", text=text)
