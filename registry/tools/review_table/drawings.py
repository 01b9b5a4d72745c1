"""A strip for each claim of a table: the margin as a band, the gain as a dot, all of a row on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Rule, Series, Style
from registry.core.charts import Scene, draw_scene
from registry.core.charts.scenes import CLAIM
from registry.tools.review_table.claims import Claim, ClaimInColumn

_LOOKS: dict[str, tuple[Style, bool]] = {"beats": ("measured", True), "trails": ("other", False)}


@dataclass(frozen=True, slots=True)
class Bar:
    """One gain with its drawing."""

    claim: ClaimInColumn
    scene: Scene


def draw_claims(claims: Sequence[Claim]) -> list[tuple[Claim, list[Bar]]]:
    """Return each claim with its bars."""
    return [(claim, [Bar(column, _scene(column, _axis(claim))) for column in claim.columns]) for claim in claims]


def _axis(claim: Claim) -> Axis:
    gained = max(max(column.gain, column.margin or 0.0) for column in claim.columns)
    return Axis(label="", low=min(0.0, *(column.gain for column in claim.columns)), high=gained)


def _scene(claim: ClaimInColumn, axis: Axis) -> Scene:
    style, is_highlighted = _LOOKS.get(claim.says, ("muted", False))
    dot = Series(name="", mark="swarm", x=(claim.gain,), y=(None,), style=style, is_highlighted=is_highlighted)
    rules = (
        Rule(name="", at=0.0, to=claim.margin or 0.0, axis="x", is_dashed=False),
        Rule(name="", at=0.0, axis="x", style="ink"),
    )
    return draw_scene(Panel(data="", series=(dot,), rules=rules), axis, None, CLAIM)
