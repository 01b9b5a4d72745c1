"""What pages of results say of the topic scores behind them."""

from typing import Any

from django import template

from registry.results.models import Result
from registry.tools.pairs.mean_documents import topic_mean

register = template.Library()


@register.inclusion_tag("tools/pairs/_topic_mean.html")
def topic_scores(result: Result) -> dict[str, Any]:
    """The mean of the result's topic scores; nothing without any, or for a result that ended."""
    found = None if result.ended_at else topic_mean(result)
    return {"found": found, "board": result.leaderboard}
