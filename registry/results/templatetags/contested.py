"""The part of a result's page on scores that contradict it, and on other scores of its system there."""

from typing import Any

from django import template

from registry.results.documents import contested_on
from registry.results.models import Result

register = template.Library()
#: The most other scores of a system that are named.
_MOST_NAMED = 10


@register.inclusion_tag("results/_contested.html")
def contested_of_result(result: Result) -> dict[str, Any]:
    """Show other scores of the same system: all on the leaderboard, and published ones that contradict this score."""
    board = result.leaderboard
    own = Result.objects.standing().filter(leaderboard=board, system=result.system_id, replicate_of=None)
    others = list(own.exclude(pk=result.pk).for_listing().order_by("pk"))
    return {
        "contested": contested_on(result.system.name, board.collection.slug, board.measure.name),
        "others": [(other, _beside(other, result)) for other in others[:_MOST_NAMED]],
        "n_more": len(others[_MOST_NAMED:]),
    }


def _beside(other: Result, result: Result) -> str:
    """Return the difference of another score from this result's, in words."""
    if not other.score.contradicts(result.score):
        return "agrees"
    far = other.value - result.value
    return f"{abs(far):.{result.leaderboard.measure.decimals}f} {'higher' if far > 0 else 'lower'}"
