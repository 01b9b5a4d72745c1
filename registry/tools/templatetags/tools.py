"""What pages of systems, results and papers say that a tool found."""

from collections.abc import Sequence
from typing import Any

from django import template

from registry.core.messages import say
from registry.leaderboards.wording import Fact
from registry.results.models import Paper
from registry.tools import reproduced
from registry.tools.review_table.gains import gains_of

register = template.Library()

#: So many of those who met numbers again are named; so many gains and contested numbers are seen before a fold.
_MOST_NAMED, _MOST_GAINS, _MOST_CONTESTED = 8, 12, 4
_MOST_LISTED = 50


@register.simple_tag
def numbers_of_paper(paper: Paper) -> dict[str, Any]:
    """Return what a paper's gains amount to, which of its numbers others met again, and which they contest."""
    found, gains = reproduced.numbers_of_paper(paper), gains_of(paper)
    listed, values = found.contested[:_MOST_LISTED], {"n_met": found.n_met, "n_alone": found.n_alone}
    kind, of = "worth" if listed else "", f"of {found.n:,}"
    differs = Fact(say("gains-differ"), str(len(found.contested)), say("gains-second", **values), kind, beside=of)
    return {
        "gains": gains,
        "facts": [*gains.facts, differs] if gains else [],
        "groups": _folded(gains.rows, _MOST_GAINS) if gains else [],
        "found": found,
        "met_by": found.met_by[:_MOST_NAMED],
        "n_more": len(found.met_by[_MOST_NAMED:]),
        "contested": _folded(listed, _MOST_CONTESTED),
        "most": _MOST_LISTED,
    }


def _folded(rows: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Return what is seen at once, and what is folded away; one more is no fold."""
    return [rows[:most], rows[most:]] if len(rows) > most + 1 else [rows] if rows else []
