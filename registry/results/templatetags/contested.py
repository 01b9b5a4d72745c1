"""What is contested of a score, on its page."""

from typing import Any

from django import template

from registry.results.contested import contested_on
from registry.results.models import Result

register = template.Library()


@register.inclusion_tag("results/_contested.html")
def contested_of_result(result: Result) -> dict[str, Any]:
    """Other published scores of the same system that do not agree with this one."""
    board = result.leaderboard
    return {"contested": contested_on(result.system.name, board.collection.slug, board.measure.name)}
