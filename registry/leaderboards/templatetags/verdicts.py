"""Verdicts in words, and where results stand on their leaderboards."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from registry.catalog.documents import MeasureBrief
from registry.core.documents import document_of
from registry.core.messages import say
from registry.core.templatetags.formatting import percentile, score, signed, thousands
from registry.leaderboards import wording
from registry.leaderboards.documents.boards import verdict_in_words
from registry.leaderboards.documents.rows import left_out
from registry.leaderboards.drawings.pages import competing_rows, draw_plumb_line, draw_scores, draw_strip
from registry.leaderboards.drawings.plumb_line import DrawnSnapshot, Mark
from registry.leaderboards.exports.citing import result_sentence
from registry.leaderboards.headlines import claimed, without_owner
from registry.leaderboards.stored import ItsBaseline, StoredBoard, Strip, read_stored, strips_of
from registry.leaderboards.wording import Fact
from registry.results.models import Result

register = template.Library()
for tag in (
    wording.facts, wording.coverage, wording.evidence_in_short, wording.evidence_page, wording.limit_of_value,
):  # fmt: skip
    register.simple_tag(tag)
for text_filter in (draw_strip, draw_scores, without_owner):
    register.filter(text_filter)


@register.simple_tag
def place(result: Result) -> dict[str, Any]:
    """Return claim, facts and a sentence to cite; nothing of what ended, or on a leaderboard without a verdict."""
    boards = {} if result.ended_at else read_stored([result.leaderboard_id])
    strip = strips_of([result], boards).get(result.pk)
    if strip is None:
        return {}
    board = boards[result.leaderboard_id]
    drawn, marks = drawn_result(result, board)
    return {
        "claim": "" if strip.rank is None else _claim(strip, result),
        "standing": say("place-standing", **standing) if (standing := _standing(strip)) else "",
        "facts": [] if strip.rank is None else list(_facts(strip, board, result)),
        "why_not": _why_not(result, strip, board),
        "figure": draw_plumb_line(drawn, marks=marks),
        "stale": "Results or methods changed since this analysis; it is being made again." if board.is_stale else "",
        "cite": result_sentence(strip, board, result),
        "cite_key": rf"\cite{{plumbline-result-{result.pk}}}",
        "snapshot": reverse("leaderboards:snapshot-detail", args=[board.snapshot_id]),
    }


def drawn_result(result: Result, board: StoredBoard | None = None) -> tuple[DrawnSnapshot, list[Mark]]:
    """Return its leaderboard as it is drawn, and marks of it and of the first score of its system by another source."""
    board = board or read_stored([result.leaderboard_id])[result.leaderboard_id]
    measure, rows = result.leaderboard.measure, board.inputs.rows
    others = [row.value for row in rows if row.system == result.system.name and row.value != result.value]
    scores = [("own", result.value, result.shown)]
    scores += [("other", value, score(value, measure.decimals)) for value in others[:1]]
    marks = [Mark(value, say("place-mark", whose=whose, score=shown)) for whose, value, shown in scores]
    brief = document_of(MeasureBrief, measure)
    verdict = verdict_in_words(claimed(board.inputs, board.findings, name=result.leaderboard.collection.name), "")
    return DrawnSnapshot(verdict, brief, competing_rows(board.inputs, board.findings)), marks


@dataclass(frozen=True, slots=True)
class ListedResult:
    """A result in a list, with where it stands, in short and in words; blank where nothing is known of that."""

    result: Result
    rank: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """The results of a list; whether anything is known of where they stand; which columns would say one thing, and
    which of these say something, in order."""

    rows: list[ListedResult]
    has_places: bool
    alike: set[str]
    all_say: list[str]


@register.simple_tag
def with_places(results: Sequence[Result], of: str, past: dict[str, str] | str = "") -> Listed:
    """Return the results of a list, each with where it stands; of a ``past`` day, nothing of that is said.

    On the page ``of`` a system each result names its paper, so that its source is not said once for all.
    """
    rows = list(results)
    boards = {} if past else read_stored(row.leaderboard_id for row in rows if row.ended_at is None)
    strips = strips_of(rows, boards)
    is_long = len(rows) >= _FEW
    alike = {name for name, value in _COLUMNS.items() if is_long and len(set(map(value, rows))) == 1}
    all_say = [name for name in _COLUMNS if name in alike and (name != "source" or of == "paper")]
    all_say = [name for name in all_say if name not in ("year", "notes") or getattr(rows[0], name)]
    return Listed([_row(row, strips.get(row.pk)) for row in rows], bool(strips), alike, all_say)


#: Columns of a list, by what they say of a result; what all of so many say stands once, above them.
_COLUMNS: dict[str, Callable[[Result], object]] = {
    "year": lambda row: row.year,
    "role": lambda row: (row.role, row.run_type),
    "provenance": lambda row: (row.provenance, row.comparability, row.is_disputed),
    "source": lambda row: (row.source, row.ended_at),
    "notes": lambda row: (row.notes, row.ended_at),
}
_FEW = 5


def _row(result: Result, strip: Strip | None) -> ListedResult:
    if strip is None or strip.rank is None:
        return ListedResult(result, "", ())
    return ListedResult(
        result, f"{thousands(strip.rank)} of {thousands(strip.n_results)}", tuple(_in_words(strip, result))
    )


def _in_words(strip: Strip, result: Result) -> Iterator[str]:
    if standing := _standing(strip):
        yield say("place-standing", **standing)
    if strip.percentile is not None:
        # Names of sets begin with their collection, which stands beside.
        among, z = strip.reference.rpartition(": ")[2], "none" if strip.z is None else signed(strip.z)
        yield say("place-percentile", percentile=percentile(strip.percentile), z=z, set=among)
    if strip.baseline:
        yield say("place-beyond-baseline", **_gain(strip.baseline, result))
        if strip.baseline.is_weak:
            yield say("place-weak-baseline", percentile=percentile(strip.baseline.percentile))


def _standing(strip: Strip) -> dict[str, str]:
    """Return how a result stands, as messages take it; empty where nothing says so."""
    may, is_of_all = strip.may_be_best, strip.view == "all" and not strip.has_held_back
    if not (strip.is_best or strip.is_held_back) and may is None:
        return {} if strip.is_ranked or strip.rank is None else {"standing": "aside"}
    best, other = "best" if is_of_all else "leads", "may" if may else "out"
    standing = best if strip.is_best else "held" if strip.is_held_back else other
    return {"standing": standing, "view": strip.view, "held": "yes" if strip.has_held_back else "no"}


def _claim(strip: Strip, result: Result) -> str:
    return say(
        "place-claim", collection=result.leaderboard.collection.name, measure=result.leaderboard.measure.name,
        system=without_owner(result.system.name), score=result.shown, rank=f"{strip.rank:,}", n=strip.n_results,
        **(_standing(strip) or {"standing": "unknown"}),
    )  # fmt: skip


def _gain(baseline: ItsBaseline, result: Result) -> dict[str, str]:
    """Return how far a result is beyond its baseline, and whether that was told, as messages take it."""
    side = "better" if baseline.gain > 0 else "worse" if baseline.gain else "none"
    is_told = "unknown" if baseline.is_beyond is None or baseline.gain <= 0 else "yes" if baseline.is_beyond else "no"
    return {"gain": score(abs(baseline.gain), result.leaderboard.measure.decimals), "side": side, "told": is_told}


def _why_not(result: Result, strip: Strip, board: StoredBoard) -> str:
    if strip.rank is not None:
        return ""
    if result.comparability != Result.Comparability.STANDARD:
        return str(result.get_comparability_display())
    if result.replicate_of_id:
        return "another execution; the mean of all competes"
    return left_out(board.findings.verdict.cautions).get(result.pk, "failed run")


def _facts(strip: Strip, board: StoredBoard, result: Result) -> Iterator[Fact]:
    decimals = result.leaderboard.measure.decimals
    ranks = board.ranges.get(strip.result)
    meaning = say("place-rank", view=strip.view) if strip.is_ranked else say("place-aside")
    if ranks and ranks.low != ranks.high:
        meaning = say("place-ranks", low=f"{ranks.low:,}", high=f"{ranks.high:,}", view=strip.view)
    yield Fact("Rank", f"{strip.rank:,} of {strip.n_results:,}", meaning)
    yield _can_be_best(strip, board, decimals)
    if strip.worth:
        yield Fact(say("value"), strip.worth, say("value-limit", rows="result"), "worth", "corrected-best")
    if strip.percentile is not None and strip.reference:
        meaning = say("place-worse", set=strip.reference)
        yield Fact("Percentile", percentile(strip.percentile), meaning, page="standing-among-reference-means")
    if strip.before:
        known = strip.before
        yield Fact("Best known before", score(known.value, decimals), f"{known.system}, {known.year}")
    if strip.baseline:
        beside = strip.baseline
        rank = "none" if beside.percentile is None else percentile(beside.percentile)
        meaning = say("place-baseline", system=beside.system, percentile=rank, **_gain(beside, result))
        yield Fact("Its baseline", score(beside.value, decimals), meaning)


def _can_be_best(strip: Strip, board: StoredBoard, decimals: int) -> Fact:
    name, page = "Tied for first?", "verdict"
    may, distance, meaning = strip.may_be_best, strip.distance, ""
    verdict = board.findings.verdict
    if may is None:
        aside = say("place-not-asked", view=verdict.view) if verdict.set else ""
        return Fact(name, "not known", verdict.why_no_set or aside, page=page)
    if strip.is_held_back:
        meaning = say("place-held-back")
    elif distance and distance.behind <= 0:
        meaning = say("place-leads", view=verdict.view, held="yes" if verdict.held_back else "no")
    elif distance:
        far = {"behind": score(distance.behind, decimals), "margin": score(distance.margin, decimals)}
        meaning = say("place-behind", rival=strip.rival, named="yes" if strip.rival else "no", **far)
    return Fact(name, "yes" if may else "no", meaning, "set", page)
