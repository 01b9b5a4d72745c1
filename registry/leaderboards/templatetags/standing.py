"""Where a result stands on its leaderboard, for the page of the result."""

import hashlib
from typing import Any

from django import template
from django.core.cache import cache

from analysis.boards import METHODS
from registry.core.http import KEEP_SECONDS
from registry.core.templatetags.formatting import day, plural, score
from registry.leaderboards.documents import BoardDocument, RowDocument, VerdictDocument, leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.queries import read_board_version
from registry.leaderboards.wording import Fact
from registry.results.models import Result

register = template.Library()


@register.inclusion_tag("leaderboards/_standing.html")
def standing(result: Result) -> dict[str, Any]:
    """The facts and a sentence to cite; nothing for a result that ended, or of a leaderboard without a verdict.

    Kept until anything on the leaderboard changes: the whole of it is read for one result.
    """
    board = result.leaderboard
    version = None if result.ended_at else read_board_version(board.collection.slug, board.measure.name)
    if version is None or version.snapshot_id is None:
        return {}
    key = f"standing {version} {METHODS.version} {result.pk}"
    digest = hashlib.sha256(key.encode()).hexdigest()
    kept: dict[str, Any] | None = cache.get(digest)
    if kept is None:
        kept = _standing(result)
        cache.set(digest, kept, KEEP_SECONDS)
    return kept


def _standing(result: Result) -> dict[str, Any]:
    document = leaderboard_document(result.leaderboard, Selection())
    row = next((one for one in document.results if one.id == result.pk), None)
    if row is None or document.verdict is None:
        return {}
    return {
        "is_shown": True,
        "address": document.url,
        "facts": [] if row.rank is None else _facts(document, document.verdict, row),
        "why_not": row.why_not_comparable,
        "stale": document.analysis.message if document.analysis.state == "stale" else "",
        "cite": _cite(document, row),
        "snapshot": document.snapshot.url if document.snapshot else "",
    }


def _facts(document: BoardDocument, verdict: VerdictDocument, row: RowDocument) -> list[Fact]:
    n = verdict.tries.n_results
    found = [Fact("Rank", f"{row.rank:,} of {n:,}", "by the printed score; equal scores share one")]
    found.append(_can_be_best(document, row))
    if row.id == verdict.best.result and verdict.corrected:
        worth = score(verdict.corrected.value, verdict.corrected.decimals)
        meaning = "once the luck of coming first is taken off"
        found.append(Fact("Probably worth", worth, meaning, "worth", "corrected-best"))
    reference = next((one for one in document.reference_sets if one.basis == "published-means"), None)
    if row.percentile is not None and reference:
        meaning = f"how many per cent are worse, of {reference.name}"
        found.append(Fact("Percentile", f"{row.percentile:.0f}", meaning, page="standing-among-reference-means"))
    return found


def _can_be_best(document: BoardDocument, row: RowDocument) -> Fact:
    name, page, decimals = "Can it be the best?", "verdict", document.measure["decimals"]
    if row.can_be_best is None:
        return Fact(name, "not known", document.verdict.why_no_set if document.verdict else "", page=page)
    if row.can_be_best_unflagged is not None and row.can_be_best_unflagged != row.can_be_best:
        without = "yes" if row.can_be_best_unflagged else "no"
        meaning = f"without the results that a caution holds back: {without}"
    elif row.behind is None or row.margin is None:
        meaning = ""
    elif row.behind <= 0:
        meaning = "nothing on record is better"
    else:
        rival = next((one for one in document.results if one.id == row.rival), None)
        from_it = f"behind {rival.system}" if rival else "behind"
        meaning = f"{score(row.behind, decimals)} {from_it}; ruled out from {score(row.margin, decimals)} on"
    return Fact(name, "yes" if row.can_be_best else "no", meaning, "set", page)


def _cite(document: BoardDocument, row: RowDocument) -> str:
    """The result with its uncertainty, as a sentence; blank without a snapshot to cite."""
    if document.snapshot is None or document.verdict is None or row.rank is None:
        return ""
    could = ""
    if row.can_be_best is not None:
        could = ", and can’t be told from the best" if row.can_be_best else ", and is ruled out as the best"
    paper = f" ({row.paper})" if row.paper else ""
    where = f"{document.measure['name']} {row.score} on {document.collection['name']}"
    n = plural(document.verdict.tries.n_results, "result,results")
    snapshot = f"snapshot {document.snapshot.id}, {day(document.snapshot.created)}"
    return f"{row.system}{paper}: {where}, rank {row.rank:,} of {n}{could} (Plumbline, {snapshot})."
