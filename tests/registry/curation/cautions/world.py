"""A leaderboard whose best score stands apart."""

from typing import Any

from registry.catalog.models import Leaderboard
from registry.results.models import Result
from tests.registry.factory import make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

CODE = "stands-apart"


def make_apart(**fields: Any) -> Result:
    """The result that stands apart, on an analysed leaderboard of 31 makers."""
    board = make_board([f"0.{200 + number}" for number in range(30)])
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    apart = make_run(board, "0.900", system=make_system("apart", team="another"), **fields)
    mark_changed(board)
    analyse(board)
    return apart


def address_of(result: Result, then: str = "", code: str = CODE) -> str:
    return f"/results/{result.pk}/cautions/{code}/{then}"


def verdict_of(client: Any, board: Leaderboard, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{board.get_absolute_url()[:-1]}.json{query}").json()["verdict"]
    return found


def given(client: Any, board: Leaderboard, query: str = "") -> list[dict[str, Any]]:
    return [one for one in verdict_of(client, board, query)["cautions"] if one["code"] == CODE]
