"""What a digest says of each thing that is followed, in plain words with the paths of pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from analysis.readers.text import shorten
from registry.accounts.models import User
from registry.core.templatetags.formatting import plural
from registry.following.models import Following
from registry.following.queries import MAX_LISTED, Changed, Changes, NamedVerdict
from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.queries import MERGE_UNDONE
from registry.results.services.gathering import GATHERED, GATHERING_UNDONE, SAID

_MAX_NAMES = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One change, and the path of the page that shows it."""

    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Changes of one kind under a heading; ``n_more`` are not listed."""

    heading: str
    lines: tuple[Line, ...]
    n_more: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """All that changed on one thing that is followed."""

    title: str
    path: str
    blocks: tuple[Block, ...]


def describe_changes(changes: Changes) -> Section | None:
    """What happened, for a digest; None where nothing did."""
    following = changes.following
    blocks = [
        Block("", tuple(_best_lines(changes))),
        Block("", tuple(Line(_renaming(entry), entry.get_absolute_url()) for entry in changes.renamings)),
        _block("new result,new results", changes.recorded, following, _recorded),
        _block("corrected,corrected", changes.superseded, following, _superseded),
        _block("withdrawn,withdrawn", changes.withdrawn, following, lambda one: _named(one) + _why_ended(one)),
        Block("", tuple(_request(entry, result, following) for entry, result in changes.requests)),
    ]
    blocks = [block for block in blocks if block.lines]
    if not blocks:
        return None
    return Section(one_line(following.thing), following.thing.get_absolute_url(), tuple(blocks))


def describe_methods(changes: Iterable[Changes]) -> list[Section]:
    """What newer methods made of all that somebody follows, in one section a version; those that found the same, left
    out."""
    found: dict[str, list[Changes]] = {}
    for one in changes:
        if one.methods and one.methods.before != one.methods.after:
            found.setdefault(one.methods.version, []).append(one)
    return [_methods_section(version, boards) for version, boards in sorted(found.items())]


def _methods_section(version: str, changes: list[Changes]) -> Section:
    boards = plural(len(changes), "leaderboard that you follow says,leaderboards that you follow say")
    lines = [Line(one_line(one.following.thing), one.following.thing.get_absolute_url()) for one in changes]
    text = f"Newer methods analysed these again: {boards} something else now:"
    block = Block(text, tuple(lines[:MAX_LISTED]), max(len(lines) - MAX_LISTED, 0))
    path = reverse("leaderboards:method-changes", args=[version])
    return Section(f"Methods {version} in place of earlier ones", path, (block,))


def digest_subject(sections: list[Section]) -> str:
    """What a mail with these sections is called."""
    others = f" and {len(sections) - 1} more" if len(sections) > 1 else ""
    return f"What changed: {shorten(sections[0].title, 80)}{others}"


def one_line(text: object, length: int = 200) -> str:
    """What somebody wrote, as one line of a mail."""
    return shorten(" ".join(str(text).split()), length)


def _block(words: str, changed: Changed, following: Following, describe: Callable[[Result], str]) -> Block:
    lines = tuple(
        # What took its place, if anything did, is what readers should see.
        Line(describe(result) + _place(result, following), (result.superseded_by or result).get_absolute_url())
        for result in changed.results
    )
    return Block(f"{plural(changed.n, words)}:", lines, changed.n - len(lines))


def _place(result: Result, following: Following) -> str:
    return "" if following.kind == "leaderboard" else f", on {result.leaderboard}"


def _named(result: Result) -> str:
    return f"{one_line(result.system.name, 100)}, {result.shown}"


def _recorded(result: Result) -> str:
    return f"{_named(result)} ({one_line(result.paper or result.source, 100)})"


def _superseded(result: Result) -> str:
    new, why = result.superseded_by, _why_ended(result)
    if new is None:
        return f"{_named(result)} was superseded{why}"
    if new.score != result.score:
        return f"{one_line(new.system.name, 100)}: {new.shown}, was {result.shown}{why}"
    if new.system_id != result.system_id:
        return f"{_named(result)} now stands under {one_line(new.system.name, 100)}{why}"
    if new.paper_id != result.paper_id:
        return f"{_named(result)} now stands under {one_line(new.paper or new.source, 100)}{why}"
    if new.provenance != result.provenance:
        return f"{_named(result)} is now {new.get_provenance_display()}"
    return f"{_named(result)}: what is said about it{why}"


def _why_ended(result: Result) -> str:
    return _because(result.ended_by.reason if result.ended_by else "")


def _because(reason: str) -> str:
    return f": {one_line(reason)}" if reason else ""


def _renaming(entry: Entry) -> str:
    before, after = entry.before or {}, entry.after or {}
    if entry.action in {GATHERED, GATHERING_UNDONE}:
        count = plural((entry.after or before)["systems"], "system,systems")
        change = f"{count} came to it, read from {'its name' if count == '1 system' else 'their names'}"
        if entry.action == GATHERING_UNDONE:
            change = f"{count} that rules had read as its own left it"
    elif entry.action == SAID:
        now, then = (one_line(one.get("model"), 100) or "no model" for one in (after, before))
        change = f"System {entry.subject_id} is of {now} now, and was of {then}"
    elif entry.action.endswith(".merged"):
        change = f"{one_line(before.get('name'), 100)} was merged into {one_line(after.get('name'), 100)}"
    elif entry.action.endswith(MERGE_UNDONE):
        change = f"{one_line(after.get('name'), 100)} is no longer merged into {one_line(before.get('name'), 100)}"
    else:
        names = [" by ".join(filter(None, [one["name"], one.get("team")])) for one in (before, after)]
        change = f"{one_line(names[0], 100)} is now called {one_line(names[1], 100)}"
    return change + _because(entry.reason)


def _request(entry: Entry, result: Result, following: Following) -> Line:
    facts, about = entry.after or {}, _named(result) + _place(result, following)
    is_dispute, decision = facts.get("kind") == "dispute", entry.action.rpartition(".")[2]
    if decision != "requested":
        text = f"The {'dispute of' if is_dispute else 'request to correct'} {about} was {decision}"
    elif is_dispute:
        text = f"Called into question: {about}"
    else:
        score = f" to {facts['proposed']}" if facts.get("proposed") else ""
        text = f"A correction{score} is asked for: {about}"
    return Line(text + _because(entry.reason), result.get_absolute_url())


def _best_lines(changes: Changes) -> list[Line]:
    """What became of the best result and of those that may be the best."""
    before, after = changes.before, changes.after
    if after is None:
        why = f": {changes.obstacle}" if changes.obstacle else ""
        return [Line(f"There is no analysis any more{why}.")] if before else []
    path = reverse("leaderboards:snapshot-detail", args=[changes.snapshot_id])
    if before is None:
        candidates = plural(len(after.candidates), "result,results")
        return [Line(f"First analysis: the best result is {_best(after)}; {candidates} may be the best.", path)]
    texts = []
    if (before.best, before.printed) != (after.best, after.printed):
        texts.append(f"The best result is now {_best(after)}; it was {_best(before)}.")
    come, gone = after.candidates - before.candidates, before.candidates - after.candidates
    if come:
        texts.append(f"May be the best now as well: {_names(come)}.")
    if gone:
        texts.append(f"May be the best no longer: {_names(gone)}.")
    return [Line(text, path if text == texts[-1] else "") for text in texts]


def _best(verdict: NamedVerdict) -> str:
    return f"{one_line(verdict.best, 100)}, {verdict.printed}"


def _names(names: Iterable[str]) -> str:
    known = sorted(names)
    others = len(known) - _MAX_NAMES
    listed = ", ".join(one_line(name, 60) for name in known[:_MAX_NAMES])
    return f"{listed} and {plural(others, 'other,others')}" if others > 0 else listed


def export_followings(user: User) -> list[dict[str, Any]]:
    """What somebody follows, as their export has it."""
    return [
        {
            "kind": following.kind,
            "name": str(following.thing),
            "url": following.thing.get_absolute_url(),
            "every": following.every,
            "since": following.since.isoformat(timespec="seconds"),
        }
        for following in Following.objects.of(user)
    ]
