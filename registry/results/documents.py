"""Results, systems and papers as answers for programs show them. What was ended keeps its values, with the reason."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from registry.catalog.documents import describe_leaderboard
from registry.core.feeds import FeedEntry
from registry.journal.models import Entry
from registry.results.models import EARNED, Paper, Result, System

Document = dict[str, Any]


def describe_system(system: System) -> Document:
    """A system as results mention it."""
    return {"id": system.pk, "name": system.name, "team": system.team, "url": system.get_absolute_url()}


def describe_paper(paper: Paper) -> Document:
    """A paper as results mention it."""
    return {"id": paper.pk, "cite": str(paper), "year": paper.year, "url": paper.get_absolute_url()}


def describe_result(result: Result) -> Document:
    """A result with everything recorded about it; for results with their names at hand (``for_listing``)."""
    return {
        "id": result.pk,
        "leaderboard": describe_leaderboard(result.leaderboard),
        "system": describe_system(result.system),
        "paper": describe_paper(result.paper) if result.paper else None,
        "value": result.value,
        "printed": result.printed,
        "unit": result.unit,
        "year": result.year,
        "date": result.date.isoformat() if result.date else None,
        "role": result.role,
        "run_type": result.run_type,
        "provenance": result.provenance,
        "is_disputed": result.is_disputed,
        "comparability": result.comparability,
        "replicate_of": result.replicate_of_id,
        "n_topics": result.n_topics_here,
        "is_self_reported": result.is_self_reported,
        "source": result.source,
        "locator": result.locator,
        "source_url": result.opened,
        "notes": result.notes,
        "recorded": result.recorded_at.isoformat(timespec="seconds"),
        "status": result.ending or "standing",
        "ended": _describe_end(result) if result.ended_at else None,
    }


def result_cells(result: Result) -> dict[str, str]:
    """A result as a row of the import format: loading it again finds it as it stands. For results ``for_export``."""
    paper, first = result.paper, result.replicate_of
    cells = {
        "collection": result.leaderboard.collection.slug,
        "measure": result.leaderboard.measure.name,
        "system": result.system.name,
        "value": result.printed,
        "unit": result.unit,
        "role": result.role,
        "source": result.source,
        "year": str(result.year or ""),
        "date": result.date.isoformat() if result.date else "",
        "run_type": result.run_type,
        "team": result.system.team,
        "paper": paper.cite if paper else "",
        "paper_url": paper.url if paper else "",
        # What several people have read is not for a file to say: one that is read again says transcribed of it.
        "provenance": Result.Provenance.TRANSCRIBED if result.provenance in EARNED else result.provenance,
        "comparability": result.comparability,
        "replicate_of": first.system.name if first else "",
        "n_topics": str(result.n_topics_here or ""),
        "self_reported": "yes" if result.is_self_reported else "",
        "locator": result.locator,
        "notes": result.notes,
    }
    return {column: str(text) for column, text in cells.items() if text}


def _describe_end(result: Result) -> Document:
    return {
        "at": result.ended_at.isoformat(timespec="seconds"),
        "superseded_by": result.superseded_by_id,
        "entry": _describe_entry(result.ended_by),
    }


def _describe_entry(entry: Entry) -> Document:
    return {
        "action": entry.action,
        "subject": f"{entry.subject_type} {entry.subject_id}",
        "actor": entry.actor_name,
        "reason": entry.reason,
    }


def result_document(result: Result, versions: Iterable[Result]) -> Document:
    """A result with its history: every version of it, the oldest first."""
    return {**describe_result(result), "history": [_describe_version(version) for version in versions]}


def _describe_version(version: Result) -> Document:
    return {
        "id": version.pk,
        "value": version.value,
        "printed": version.printed,
        "unit": version.unit,
        "recorded": version.recorded_at.isoformat(timespec="seconds"),
        "entry": _describe_entry(version.recorded_by),
        "status": version.ending or "standing",
        "ended": _describe_end(version) if version.ended_at else None,
    }


def system_document(system: System) -> Document:
    """A system without its results."""
    aliases = system.merged_systems.order_by("name_key", "team_key").values("name", "team")
    return {**describe_system(system), "approach": system.approach, "aliases": list(aliases)}


def paper_document(paper: Paper) -> Document:
    """A paper with every identifier known, without its results."""
    return {
        **describe_paper(paper),
        "title": paper.title,
        "authors": paper.authors,
        "venue": paper.venue,
        "month": paper.month,
        "kind": paper.kind,
        "imprint": paper.imprint,
        "described_from": paper.described_from,
        "author_orcids": paper.author_orcids,
        "source_url": paper.url,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "acl_id": paper.acl_id,
        "dblp_key": paper.dblp_key,
        "bibtex": paper.bibtex,
    }


def log_entry(entry: Entry) -> Document:
    """An entry of the public log in words, with the address of what it is about; blank where that has no page."""
    before, after = entry.before or {}, entry.after or {}
    return {
        "id": entry.pk,
        "url": entry.get_absolute_url(),
        "at": entry.recorded_at,
        "actor": entry.actor_name,
        "action": entry.action,
        "what": " ".join(entry.action.split(".")[1:]).replace("_", " "),
        "subject": f"{entry.subject_type} {entry.subject_id}",
        "subject_url": _subject_address(entry),
        "reason": entry.reason,
        "changes": [
            {"name": name.replace("_", " "), "before": before.get(name), "after": after.get(name)}
            for name in dict.fromkeys([*before, *after])
        ],
    }


def _subject_address(entry: Entry) -> str:
    name = {"result": "result", "system": "system", "paper": "paper", "entry": "entry"}.get(entry.subject_type)
    if entry.subject_type == "lineage":
        return f"{reverse('lineage:lineage-detail')}?{urlencode({'key': _lineage_key(entry)})}"
    if entry.subject_type == "collection":
        return reverse("leaderboards:collection-detail", args=[entry.subject_id])
    return reverse(f"results:{name}-detail", args=[entry.subject_id]) if name else ""


def _lineage_key(entry: Entry) -> str:
    """The key of the lineage that the entry is about, in full."""
    return str((entry.after or entry.before or {}).get("lineage", entry.subject_id))


def feed_entry(entry: Entry) -> FeedEntry:
    """An entry of the public log as a feed has it."""
    shown = log_entry(entry)
    changes = "; ".join(f"{one['name']}: {one['before']} → {one['after']}" for one in shown["changes"])
    return FeedEntry(
        title=f"{shown['what']}: {shown['subject']}",
        path=shown["url"],
        at=entry.recorded_at,
        author=entry.actor_name,
        text=". ".join(filter(None, [entry.reason.rstrip("."), changes])),
    )
