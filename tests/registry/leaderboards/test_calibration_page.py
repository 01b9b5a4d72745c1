"""The page of how often verdicts hold, and the way there from a leaderboard."""

import pytest

from analysis.boards import METHODS, calibration
from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

ADDRESS = "/methods/calibration/"


def test_the_page_says_whether_lines_fall_short_and_which_board_is_the_worst(client):
    rows = [row for row in calibration().rows if row.world == "equal"]
    text = read(client, ADDRESS).text
    assert min(row.coverage for row in rows) >= 0.95
    assert f"With all equally good, each of {len(rows)} lines about one leaderboard reaches 95 %" in text
    assert f"the lowest is at {100 * min(row.coverage for row in rows):.1f} %" in text
    assert f"the worst ({100 * min(row.coverage_min for row in rows):.0f} %)" in text
    assert calibration().methods == METHODS.version
    assert "this release has methods" not in text


def test_a_leaderboard_links_to_its_line(client):
    board = make_board(measure=make_measure("AP"))
    analyse(board)
    page = client.get(board.get_absolute_url()).content.decode()
    coverage = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()["verdict"]["evidence"]["coverage"]
    assert coverage["row"] == "own-variance-AP-2-50"
    assert f'href="{ADDRESS}#{coverage["row"]}"' in page
    assert "boards like this one" in page


def test_a_predicted_leaderboard_says_what_boards_it_is_compared_with(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    analyse(board)
    response = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert response["verdict"]["evidence"]["kind"] == "predicted"
    page = client.get(board.get_absolute_url()).content.decode()
    assert f'href="{ADDRESS}#predicted-RR-one"' in page
    assert "8 collections left out of the prediction" in page
    assert "(on the worst: " in page
    assert 'href="/methods/predicted-variance/"' in page
