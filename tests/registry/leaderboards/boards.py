"""Leaderboards with results, for tests of their analysis."""

from collections.abc import Sequence
from typing import Any

from registry.catalog.models import Leaderboard, Measure
from registry.leaderboards.models import Analysis
from registry.leaderboards.services import save_finding
from registry.leaderboards.studies import analyse_leaderboard
from registry.results.models import Result
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_system,
    make_variance,
)

VALUES = ("0.31", "0.30", "0.29", "0.25", "0.24", "0.22", "0.20", "0.15")


def make_board(
    values: Sequence[str] = VALUES,
    *,
    residual_variance: float | None = 0.0144,
    n_topics: int | None = 50,
    measure: Measure | None = None,
    **fields: Any,
) -> Leaderboard:
    """Make a leaderboard of shared-task runs of three teams with these scores, marked as changed once."""
    board = make_leaderboard(make_collection(n_topics=n_topics), measure or make_measure())
    for number, value in enumerate(values):
        team = f"{board.collection.slug} {number % 3}"
        make_run(board, value, system=make_system(f"run {number}", team=team), **fields)
    if residual_variance is not None:
        # Eleven systems and two topics: ten degrees of freedom.
        make_variance(board.measure, residual_variance, board.collection, n_systems=11, n_topics=2)
    mark_changed(board)
    return board


def make_board_of_teams(residual_variance: float = 0.0144) -> Leaderboard:
    """Make thirty runs of a team each, close enough together that one far above them stands out."""
    board = make_board([f"0.{200 + number}" for number in range(30)], residual_variance=residual_variance)
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    return board


def make_run(board: Leaderboard, value: str, **fields: Any) -> Result:
    return make_result(board, printed=value, **({"role": Result.Role.TREC_RUN} | fields))


def mark_changed(board: Leaderboard) -> None:
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    board.refresh_from_db()


def analyse(board: Leaderboard) -> Analysis:
    """Return the leaderboard's analysis, made here and now."""
    analysis = save_finding(analyse_leaderboard(board.pk))
    assert analysis is not None
    return analysis


def analysed(board: Leaderboard) -> Leaderboard:
    """Return the leaderboard, once it is analysed."""
    analyse(board)
    return board


def analyse_again(board: Leaderboard) -> Analysis:
    """Analyse a leaderboard whose results changed."""
    mark_changed(board)
    return analyse(board)


def make_apart(**fields: Any) -> Result:
    """Make the result that stands apart, on an analysed leaderboard of 31 makers."""
    board = make_board_of_teams()
    apart = make_run(board, "0.900", system=make_system("apart", team="another"), **fields)
    analyse_again(board)
    return apart
