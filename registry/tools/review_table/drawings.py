"""A bar for each claim of a table: the margin as a band, the gain as a dot, all of a row of the table on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from registry.tools.review_table.claims import Claim, ClaimInColumn

#: Of a bar, in its own units.
WIDTH = 320.0
_RADIUS = 5.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One gain: where nothing is gained, how wide the margin is, where the gain lies."""

    claim: ClaimInColumn
    zero: float
    band: float
    dot: float


def draw_claims(claims: Sequence[Claim]) -> list[tuple[Claim, list[Bar]]]:
    """Each claim with its bars."""
    return [(claim, _bars(claim)) for claim in claims]


def _bars(claim: Claim) -> list[Bar]:
    gained = max(max(one.gain, one.margin or 0.0) for one in claim.columns)
    lost = max(0.0, *(-one.gain for one in claim.columns))
    scale = (WIDTH - 2 * _RADIUS) / ((gained + lost) or 1.0)
    zero = _RADIUS + lost * scale
    return [Bar(one, zero, (one.margin or 0.0) * scale, zero + one.gain * scale) for one in claim.columns]
