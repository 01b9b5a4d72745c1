"""One result with its doubt, as papers and reference managers cite it, from the standing analysis."""

from collections.abc import Callable

from django.http import Http404

from registry.core.templatetags.formatting import day, percent, plural, score
from registry.leaderboards.exports.citing import (
    CITATIONS,
    csl_text,
    plumbline_bibtex,
    plumbline_csl,
    plumbline_ris,
    without_owners,
)
from registry.leaderboards.stored import StoredBoard, Strip, read_stored, strips_of
from registry.results.exports import keyed_bibtex, paper_csl, paper_ris
from registry.results.models import Result


def cited_result(result: Result, site: str, suffix: str) -> str:
    """The result as ``bib``, ``ris`` or ``csl.json``, followed by its paper; ``site`` is the site's address.

    Raises
    ------
    Http404
        If it ended, does not compete, or its leaderboard was not analysed.
    """
    boards = {} if result.ended_at else read_stored([result.leaderboard_id])
    strip = strips_of([result], boards).get(result.pk)
    sentence = result_sentence(strip, boards[result.leaderboard_id], result) if strip else ""
    if not sentence:
        raise Http404("Nothing was found about this result that could be cited.")
    return _WRITERS[suffix](result, boards[result.leaderboard_id], f"{site}{result.get_absolute_url()}", sentence)


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
        said += f" (in truth anything from {ranks.low:,} to {ranks.high:,}, each end at {level} confidence)"
    if strip.worth is not None:
        said += f", probably worth about {score(strip.worth, strip.worth_decimals)}"
    if strip.is_held_back:
        said += ", and held back from being the best"
    elif strip.is_best and strip.may_be_best and found:
        others = plural(found.n_members - 1, "other,others")
        said += f", and {others} can’t be told from it" if found.n_members > 1 else ", and all others are ruled out"
    elif strip.may_be_best is not None:
        said += ", and can’t be told from the best" if strip.may_be_best else ", and is ruled out as the best"
    return said


def _bibtex(result: Result, board: StoredBoard, address: str, sentence: str) -> str:
    made = board.created.date().isoformat()
    entry = plumbline_bibtex(_key(result), _title(result), made, address, sentence)
    return f"{entry}\n{keyed_bibtex(result.paper)}" if result.paper else entry


def _csl(result: Result, board: StoredBoard, address: str, sentence: str) -> str:
    made = board.created.date().isoformat()
    item = plumbline_csl(_key(result), _title(result), made, address, sentence, board.snapshot_id)
    return csl_text([item, *(paper_csl(result.paper) if result.paper else [])])


def _ris(result: Result, board: StoredBoard, address: str, sentence: str) -> str:
    made = board.created.date().isoformat()
    entry = plumbline_ris(_key(result), _title(result), made, address, sentence, board.snapshot_id)
    return entry + (paper_ris(result.paper) if result.paper else "")


def _key(result: Result) -> str:
    return f"plumbline-result-{result.pk}"


def _title(result: Result) -> str:
    board = result.leaderboard
    return f"{without_owners(result.system.name)} on {board.collection.name}, {board.measure.name}"


_WRITERS: dict[str, Callable[[Result, StoredBoard, str, str], str]] = {"bib": _bibtex, "ris": _ris, "csl.json": _csl}

#: The formats with their media types.
RESULT_CITATIONS = {suffix: CITATIONS[suffix] for suffix in _WRITERS}
