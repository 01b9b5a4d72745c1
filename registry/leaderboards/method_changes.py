"""What newer methods made of the verdicts: one object for the page, its files and the snapshots that lead to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.leaderboards.models import MethodChange, Snapshot
from registry.leaderboards.wording import STRENGTH
from registry.leaderboards.words import VIEWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a verdict said; of earlier releases what they kept of it."""

    sentence: str = ""
    best: Annotated[float | None, "The best score printed, without those that are held back."] = None
    corrected: Annotated[float | None, "What it is probably worth; null where that was not said."] = None
    decimals: Annotated[int, "Digits of it that are worth printing."] = 4
    n_members: Annotated[int | None, "How many could not be told from the best; null where that was not said."] = None
    n_results: Annotated[int | None, "Rows that competed."] = None
    evidence: Annotated[str, "What it rested on; blank without a verdict."] = ""
    view: Annotated[str, "Whose results it was about, by what is said of training."] = "all"
    left_out: Annotated[str, "Whether the highest score or others were held back; blank where nobody was."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChange:
    """The verdict of a leaderboard before and after."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection."]
    measure: str
    url: Annotated[str, "Of the leaderboard."]
    before: Said
    after: Said
    snapshot_before: Annotated[str, "Id of the snapshot until then; blank without."]
    snapshot: Annotated[str, "Id of the first snapshot by the newer methods; blank without."]
    why: Annotated[tuple[str, ...], "What went in or came out otherwise, in words."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsChange:
    """What one version of the methods changed on this site."""

    version: str
    before: Annotated[tuple[str, ...], "The versions that stood until then."]
    n_leaderboards: Annotated[int, "Leaderboards that were analysed by earlier methods before."]
    n_same: Annotated[int, "Of those, how many say the same."]
    boards: Annotated[tuple[BoardChange, ...], "The others, those whose best score changed first."]


def methods_change(version: str) -> MethodsChange | None:
    """What this version changed; None where no analysis was replaced by it."""
    changes = list(
        MethodChange.objects.filter(version=version)
        .select_related("leaderboard__collection", "leaderboard__measure")
        .order_by("leaderboard__collection__name", "leaderboard__measure__name")
    )
    if not changes:
        return None
    others = [_board(one) for one in changes if one.before != one.after]
    return MethodsChange(
        version=version,
        before=tuple(sorted({one.version_before for one in changes})),
        n_leaderboards=len(changes),
        n_same=len(changes) - len(others),
        boards=tuple(sorted(others, key=_weight)),
    )


def change_after(snapshot: Snapshot) -> MethodChange | None:
    """What newer methods made of the leaderboard while this snapshot stood, if they did."""
    return MethodChange.objects.filter(snapshot_before=snapshot).order_by("pk").first()


def _weight(one: BoardChange) -> tuple[bool, bool, bool]:
    before, after = one.before, one.after
    return before.best == after.best, before.n_members == after.n_members, before.corrected == after.corrected


def _board(change: MethodChange) -> BoardChange:
    board, before, after = change.leaderboard, _said(change.before), _said(change.after)
    return BoardChange(
        collection=board.collection.slug,
        name=board.collection.name,
        measure=board.measure.name,
        url=board.get_absolute_url(),
        before=before,
        after=after,
        snapshot_before=change.snapshot_before_id or "",
        snapshot=change.snapshot_id or "",
        why=(*_why(before, after, change.is_of_same_results),),
    )


def _said(headline: dict[str, Any]) -> Said:
    return msgspec.convert(headline, Said)


def _why(before: Said, after: Said, is_of_same_results: bool) -> Iterator[str]:
    """What differs between two verdicts, the causes before what they cause."""
    if not is_of_same_results:
        yield "results came, went or changed at the same time"
    if not before.sentence or not after.sentence:
        yield "there is a verdict now" if after.sentence else "there is no verdict any more"
        return
    if before.evidence != after.evidence:
        yield f"rests on something else: {_rests_on(after.evidence)}; before: {_rests_on(before.evidence)}"
    if before.view != after.view:
        yield f"is about other results: {VIEWS[after.view].lower()}; before: {VIEWS[before.view].lower()}"
    if before.n_results != after.n_results:
        yield f"{plural(after.n_results or 0, 'row competes,rows compete')}, {before.n_results} before"
    if before.left_out != after.left_out:
        yield "others are held back" if after.left_out else "nobody is held back any more"
    if before.best != after.best:
        yield "another score is the best"
    if before.n_members != after.n_members:
        yield "the set is larger" if (after.n_members or 0) > (before.n_members or 0) else "the set is smaller"
    if before.corrected != after.corrected:
        yield "the value is another"
    if (before.best, before.n_members, before.corrected) == (after.best, after.n_members, after.corrected):
        yield "set and value are the same; the sentence is not"


def _rests_on(evidence: str) -> str:
    return say(f"evidence-{evidence}", between="topics").lower() if evidence in STRENGTH else evidence
