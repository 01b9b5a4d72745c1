"""The scores of a leaderboard as a strip in a row of a table."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.utils.html import format_html
from django.utils.safestring import SafeString

_WIDTH = 130.0
_LEAST, _MOST = 2.5, 20.0


def draw_strip(standings: Mapping[str, Any] | Literal[""] | None) -> SafeString | str:
    """An SVG of the scores, from low to high, those tied for first apart; blank without any."""
    standings = standings or {}
    columns = standings.get("columns")
    if not columns:
        return ""
    tied = standings.get("tied_columns") or [0] * len(columns)
    low, high = standings.get("band") or (0.0, 0.0)
    others = [n - m for n, m in zip(columns, tied, strict=True)]
    scale = (_MOST - _LEAST) / max(max(columns), 1)
    return format_html(
        '<svg class="strip" viewBox="0 0 130 24" width="130" height="24" aria-hidden="true">'
        '<path class="band" d="M{} 0H{}V23H{}Z"/><path class="out" d="{}"/><path class="may" d="{}"/>'
        '<path class="foot" d="M0 23.5H130"/></svg>',
        f"{low * _WIDTH:g}", f"{high * _WIDTH:g}", f"{low * _WIDTH:g}",
        _bars(others, [0] * len(columns), scale), _bars(tied, others, scale),
    )  # fmt: skip


def _bars(columns: Sequence[int], below: Sequence[int], scale: float) -> str:
    """The outline of bars that stand on others; a single score is as high as can be seen."""
    width = _WIDTH / len(columns)
    return "".join(
        f"M{place * width:.1f} {23.0 - foot:.1f}v-{_LEAST + n * scale:.1f}h{width - 0.2:.1f}v{_LEAST + n * scale:.1f}z"
        for place, (n, under) in enumerate(zip(columns, below, strict=True))
        if n
        for foot in [_LEAST + under * scale if under else 0.0]
    )


def draw_scores(scores: Sequence[float | None]) -> SafeString:
    """An SVG of the scores of a system on the data sets of a benchmark, a dot each, from 0 to 1."""
    dots = "".join(f"M{4 + (_WIDTH - 8) * min(max(score, 0.0), 1.0):.0f} 6h0" for score in scores if score is not None)
    return format_html(
        '<svg class="strip dots" viewBox="0 0 130 12" width="130" height="12" aria-hidden="true">'
        '<path class="foot" d="M4 6H126"/><path class="one" d="{}"/></svg>',
        dots,
    )
