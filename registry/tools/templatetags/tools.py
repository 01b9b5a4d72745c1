"""Findings of tools for the pages of systems, results and papers."""

from collections.abc import Sequence
from typing import Any

from django import template

from registry.core.messages import say
from registry.leaderboards.wording import Fact
from registry.results.models import Paper
from registry.tools import reproduced
from registry.tools.review_table.gains import gains_of

register = template.Library()

#: Sources named that have a paper's numbers too; gains and contested numbers shown before a fold.
_MOST_NAMED, _MOST_GAINS, _MOST_CONTESTED = 8, 12, 4
_MOST_LISTED = 50


@register.simple_tag
def numbers_of_paper(paper: Paper) -> dict[str, Any]:
    """Return the gains of a paper, who else has its numbers, and the numbers that others contest."""
    numbers, gains = reproduced.numbers_of_paper(paper), gains_of(paper)
    listed, values = numbers.contested[:_MOST_LISTED], {"n_met": numbers.n_met, "n_alone": numbers.n_alone}
    kind, of = "worth" if listed else "", f"of {numbers.n:,}"
    differs = Fact(say("gains-differ"), str(len(numbers.contested)), say("gains-second", **values), kind, beside=of)
    return {
        "gains": gains,
        "facts": [*(gains.facts if gains else ()), *([differs] if numbers.n else ())],
        "groups": _folded(gains.rows, _MOST_GAINS) if gains else [],
        "numbers": numbers,
        "met_by": numbers.met_by[:_MOST_NAMED],
        "n_more": len(numbers.met_by[_MOST_NAMED:]),
        "contested": _folded(listed, _MOST_CONTESTED),
        "most": _MOST_LISTED,
    }


def _folded(rows: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Return the rows seen at once and those folded away; a single row more is not folded."""
    return [rows[:most], rows[most:]] if len(rows) > most + 1 else [rows] if rows else []
