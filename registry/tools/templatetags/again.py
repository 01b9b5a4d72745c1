"""What pages of papers say of their numbers."""

from typing import Any

from django import template

from registry.results.models import Paper
from registry.tools.printed_again.of_papers import numbers_of_paper as found_of

register = template.Library()

#: So many of those who met numbers again, and of contested numbers, are named.
_MOST_NAMED = 8
_MOST_LISTED = 50


@register.inclusion_tag("tools/printed_again/_of_paper.html")
def numbers_of_paper(paper: Paper) -> dict[str, Any]:
    """Which of a paper's numbers others met again, and which they contest; nothing for one without any."""
    found = found_of(paper)
    return {
        "found": found,
        "met_by": found.met_by[:_MOST_NAMED],
        "n_more": len(found.met_by[_MOST_NAMED:]),
        "contested": found.contested[:_MOST_LISTED],
    }
