"""Answers to texts that name a system and a collection: the score there, and the leaderboard around it."""

from typing import Any

from registry.catalog.models import Leaderboard
from registry.leaderboards.drawings.strips import draw_strip
from registry.results.models import Result
from registry.search.queries import Search

#: So many results answer; the others stand in the list of finds.
_MOST = 2


def answers_of(search: Search) -> list[dict[str, Any]]:
    """The first results where the names meet, each with its score as reported and its leaderboard."""
    ids = list(search.composed.results[:_MOST])
    results = Result.objects.select_related("system").in_bulk(ids)
    boards = Leaderboard.objects.with_names().select_related("analysis")
    boards_by_id = boards.in_bulk({result.leaderboard_id for result in results.values()})
    answers = []
    for pk in ids:
        result = results[pk]
        board = boards_by_id[result.leaderboard_id]
        analysis = getattr(board, "analysis", None)
        standings = analysis.standings if analysis else {}
        answers.append(
            {
                "result": result,
                "board": board,
                "score": result.score.shown(board.measure.decimals),
                "headline": analysis.headline if analysis else {},
                "standings": standings,
                "strip": draw_strip(standings),
            }
        )
    return answers
