"""What a table claims of the rows that are its author's own, in a headline each, with the gain in every column."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from analysis.boards import PlannedPair
from registry.core.grouping import grouped
from registry.core.templatetags.formatting import plural, signed

#: What can be said of a row against its rival, as a headline says it, the most telling last.
Says = Literal["unknown", "trails", "ties", "beats"]

_VERBS: dict[Says, str] = {"ties": "can’t be told from", "trails": "trails", "beats": "beats"}
_OWN = re.compile(r"\b(ours?|proposed|this (work|paper))\b", re.IGNORECASE)
_ORACLE = re.compile(r"\boracles?\b", re.IGNORECASE)


def is_oracle(system: str) -> bool:
    """Whether a row is what could be reached at most: nobody's rival."""
    return bool(_ORACLE.search(system))


def guess_own(systems: Sequence[str]) -> frozenset[str]:
    """The rows that call themselves the author's own."""
    return frozenset(one for one in systems if _OWN.search(one) and not is_oracle(one))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimInColumn:
    """A row of the author's beside its rival on one leaderboard."""

    column: Annotated[str, "Name of the collection and the measure."]
    collection: str
    rival: Annotated[str, "The best of those that it is compared with."]
    gain: Annotated[float, "How far it is beyond the rival; positive is better."]
    margin: Annotated[float | None, "What means take to tell the two apart; null where that is not known."]
    decimals: int
    says: Annotated[Says, "`beats`, `ties`, `trails`, or `unknown` where nothing tells chance from a difference."]

    @property
    def in_words(self) -> str:
        """As “can’t be told apart, +0.005”."""
        said = {"unknown": "can’t be known", "ties": "can’t be told apart"}.get(self.says, self.says)
        return f"{said}, {signed(self.gain, self.decimals)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the table claims of one row."""

    system: str
    headline: Annotated[str, "In a sentence."]
    columns: tuple[ClaimInColumn, ...]


def says_of(gain: float, found: PlannedPair | None) -> Says:
    """What a gain comes to."""
    if found is None:
        return "unknown"
    if not found.is_told_apart:
        return "ties"
    return "beats" if gain > 0 else "trails"


def claim_of(system: str, columns: Sequence[ClaimInColumn], *, against_baselines: bool) -> Claim:
    """The headline of a row: what holds in most columns first, the others after it, by name where they are few."""
    rival = "the best baseline" if against_baselines else "the best other row"
    found = grouped(columns, lambda one: one.says)
    known = sorted((says for says in found if says != "unknown"), key=lambda says: -len(found[says]))
    parts = [
        f"{_VERBS[says]} {rival if not place else 'it'} {_where(found[says], columns)}"
        for place, says in enumerate(known)
    ]
    if "unknown" in found:
        parts.append(f"can’t be told from luck {_where(found['unknown'], columns)}, where nothing is known of it")
    told = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return Claim(system=system, headline=f"{system} {told}.", columns=tuple(columns))


def _where(some: Sequence[ClaimInColumn], columns: Sequence[ClaimInColumn]) -> str:
    if len(columns) == 1:
        return f"on {some[0].column}"
    if len(some) == len(columns):
        return f"in all {len(columns)} columns"
    if len(some) == 1:
        # Collections may stand in the table under several measures.
        is_alone = sum(one.collection == some[0].collection for one in columns) == 1
        return f"on {some[0].collection if is_alone else some[0].column}"
    return f"in {len(some)} of {plural(len(columns), 'column,columns')}"
