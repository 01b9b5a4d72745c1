"""A leaderboard whose results change while no worker runs is stale, says so, and is analysed when one returns."""

import json

import pytest

from tests.registry.core.lab import Lab, until

pytestmark = pytest.mark.slow

MAKE_BOARD = """
from registry.catalog.models import Leaderboard
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_results
board = make_leaderboard(make_collection("robust"), make_measure("AP"))
make_results(board, [0.20, 0.21, 0.24, 0.25, 0.27, 0.28, 0.31])
Leaderboard.objects.mark_changed()
"""
ADD_RESULT = """
from registry.catalog.models import Leaderboard
from tests.registry.factory import make_result, make_system
make_result(Leaderboard.objects.get(), make_system("newcomer"), "0.3500")
Leaderboard.objects.mark_changed()
"""
READ_BOARD = """
from django.test import Client
print(Client(headers={"host": "localhost"}).get("/leaderboards/robust/AP.json").text)
"""


def read_board(lab: Lab) -> dict:
    return json.loads(lab.shell(READ_BOARD))


def test_a_stale_leaderboard_says_so_and_is_analysed_when_a_worker_returns(lab: Lab) -> None:
    lab.shell(MAKE_BOARD)
    assert read_board(lab)["analysis"]["state"] == "queued"

    worker = lab.start_worker("registry")
    until(lambda: lab.query("SELECT n_results FROM leaderboards_analysis") == [(7,)], 60, "the first analysis")
    lab.kill(worker)
    first = read_board(lab)
    assert (first["analysis"]["state"], first["n_results"], first["max"]) == ("current", 7, 0.31)

    lab.shell(ADD_RESULT)
    assert read_board(lab)["analysis"]["state"] == "stale"

    lab.start_worker("registry")
    until(lambda: lab.query("SELECT n_results FROM leaderboards_analysis") == [(8,)], 60, "the second analysis")
    second = read_board(lab)
    assert (second["analysis"]["state"], second["n_results"], second["max"]) == ("current", 8, 0.35)
    assert second["snapshot"]["id"] != first["snapshot"]["id"]
