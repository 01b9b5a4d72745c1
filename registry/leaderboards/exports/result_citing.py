"""One result with its doubt, as papers and reference managers cite it, from the standing analysis."""

from collections.abc import Callable

from django.http import Http404

from registry.core.messages import say
from registry.core.templatetags.formatting import day, percent, score
from registry.leaderboards.exports.citing import CITATIONS, Entry, csl_text, without_owners
from registry.leaderboards.stored import StoredBoard, Strip, read_stored, strips_of
from registry.results.exports import keyed_bibtex, paper_csl, paper_ris
from registry.results.models import Paper, Result


def cited_result(result: Result, site: str, suffix: str) -> str:
    """The result as ``bib``, ``ris`` or ``csl.json``, followed by its paper; ``site`` is the site's address.

    Raises
    ------
    Http404
        If it ended, does not compete, or its leaderboard was not analysed.
    """
    boards = read_stored([result.leaderboard_id])
    strip = strips_of([result], boards).get(result.pk)
    sentence = result_sentence(strip, boards[result.leaderboard_id], result) if strip else ""
    if not sentence:
        raise Http404("Nothing was found about this result that could be cited.")
    board, about = boards[result.leaderboard_id], result.leaderboard
    entry = Entry(
        key=f"plumbline-result-{result.pk}",
        title=f"{without_owners(result.system.name)} on {about.collection.name}, {about.measure.name}",
        day=board.created.date().isoformat(),
        address=f"{site}{result.get_absolute_url()}",
        note=sentence,
        version=board.snapshot_id,
    )
    return _WRITERS[suffix](entry, result.paper)


def result_sentence(strip: Strip, board: StoredBoard, result: Result) -> str:
    """The result with its uncertainty; blank for one that does not compete."""
    if strip.rank is None:
        return ""
    return say(
        "cited-result",
        system=without_owners(result.system.name),
        paper=f" ({result.paper})" if result.paper else "",
        measure=result.leaderboard.measure.name,
        score=str(result.score),
        collection=result.leaderboard.collection.name,
        rank=f"{strip.rank:,}",
        n=strip.n_results,
        rows="result",
        doubt=_doubt(strip, board),
        snapshot=board.snapshot_id,
        day=day(board.created.isoformat()),
    )


def _doubt(strip: Strip, board: StoredBoard) -> str:
    parts, ranks, found = [], board.ranges.get(strip.result), board.findings.verdict.shown.set
    if ranks and found and ranks.low < ranks.high:
        level = percent(found.confidence_level, 0)
        parts.append(say("cited-ranks", low=f"{ranks.low:,}", high=f"{ranks.high:,}", level=level))
    if strip.worth is not None:
        parts.append(say("cited-value", value=score(strip.worth, strip.worth_decimals)))
    if strip.is_held_back:
        parts.append(say("cited-held-back"))
    elif strip.is_best and strip.may_be_best and found:
        parts.append(say("cited-best", n=found.n_members - 1))
    elif strip.may_be_best is not None:
        parts.append(say("cited-member" if strip.may_be_best else "cited-below"))
    return "".join(parts)


_WRITERS: dict[str, Callable[[Entry, Paper | None], str]] = {
    "bib": lambda entry, paper: "\n".join([entry.bibtex(), *([keyed_bibtex(paper)] if paper else [])]),
    "ris": lambda entry, paper: entry.ris() + (paper_ris(paper) if paper else ""),
    "csl.json": lambda entry, paper: csl_text([entry.csl(), *(paper_csl(paper) if paper else [])]),
}

#: The formats with their media types.
RESULT_CITATIONS = {suffix: CITATIONS[suffix].media_type for suffix in _WRITERS}
