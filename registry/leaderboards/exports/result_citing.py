"""One result with its doubt, as papers and reference managers cite it, from the standing analysis."""

from collections.abc import Callable

from django.http import Http404

from registry.core.templatetags.formatting import day, percent, plural, score
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
    paper = f" ({result.paper})" if result.paper else ""
    where = f"{result.leaderboard.measure.name} {result.score} on {result.leaderboard.collection.name}"
    n = plural(strip.n_results, "result,results")
    snapshot = f"snapshot {board.snapshot_id}, {day(board.created.isoformat())}"
    doubt = _doubt(strip, board)
    name = without_owners(result.system.name)
    return f"{name}{paper}: {where}, rank {strip.rank:,} of {n}{doubt} (Plumbline, {snapshot})."


def _doubt(strip: Strip, board: StoredBoard) -> str:
    said, ranks, found = "", board.ranges.get(strip.result), board.findings.verdict.shown.set
    if ranks and found and ranks.low < ranks.high:
        level = percent(found.confidence_level, 0)
        said += f" (truly anything from {ranks.low:,} to {ranks.high:,}, each end at {level} confidence)"
    if strip.worth is not None:
        said += f", probably worth about {score(strip.worth, strip.worth_decimals)}"
    if strip.is_held_back:
        said += ", held back from being the best"
    elif strip.is_best and strip.may_be_best and found:
        others = plural(found.n_members - 1, "other,others")
        said += f", and {others} can’t be told from it" if found.n_members > 1 else ", and all others are ruled out"
    elif strip.may_be_best is not None:
        said += ", not told from the best" if strip.may_be_best else ", ruled out as the best"
    return said


_WRITERS: dict[str, Callable[[Entry, Paper | None], str]] = {
    "bib": lambda entry, paper: "\n".join([entry.bibtex(), *([keyed_bibtex(paper)] if paper else [])]),
    "ris": lambda entry, paper: entry.ris() + (paper_ris(paper) if paper else ""),
    "csl.json": lambda entry, paper: csl_text([entry.csl(), *(paper_csl(paper) if paper else [])]),
}

#: The formats with their media types.
RESULT_CITATIONS = {suffix: CITATIONS[suffix].media_type for suffix in _WRITERS}
