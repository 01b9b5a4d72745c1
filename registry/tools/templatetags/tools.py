"""What pages of systems, results and papers say that a tool found."""

from typing import Any

from django import template

from registry.results.models import Paper
from registry.tools import reproduced

register = template.Library()

#: So many of those who met numbers again, and of contested numbers, are named.
_MOST_NAMED = 8
_MOST_LISTED = 50


@register.inclusion_tag("tools/reproduced/_of_paper.html")
def numbers_of_paper(paper: Paper) -> dict[str, Any]:
    """Return which of a paper's numbers others met again, and which they contest; nothing for one without any."""
    found = reproduced.numbers_of_paper(paper)
    return {
        "found": found,
        "met_by": found.met_by[:_MOST_NAMED],
        "n_more": len(found.met_by[_MOST_NAMED:]),
        "contested": found.contested[:_MOST_LISTED],
    }
