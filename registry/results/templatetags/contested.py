"""What is contested of a score, and what else stands of its system there, on its page."""

from typing import Any

from django import template

from registry.results.contested import contested_on
from registry.results.models import Result

register = template.Library()
#: So many other scores of a system are named.
_MOST_NAMED = 10


@register.inclusion_tag("results/_contested.html")
def contested_of_result(result: Result) -> dict[str, Any]:
    """Return other scores of the same system: those on record on the leaderboard, and those published elsewhere that
    do not agree with this one."""
    board = result.leaderboard
    own = Result.objects.standing().filter(leaderboard=board, system=result.system_id, replicate_of=None)
    others = list(own.exclude(pk=result.pk).for_listing().order_by("pk"))
    return {
        "contested": contested_on(result.system.name, board.collection.slug, board.measure.name),
        "others": [(one, _beside(one, result)) for one in others[:_MOST_NAMED]],
        "n_more": len(others[_MOST_NAMED:]),
    }


def _beside(other: Result, result: Result) -> str:
    """Return how far another score lies from this one, in words."""
    if not other.score.contradicts(result.score):
        return "agrees"
    far = other.value - result.value
    return f"{abs(far):.{result.leaderboard.measure.decimals}f} {'higher' if far > 0 else 'lower'}"
