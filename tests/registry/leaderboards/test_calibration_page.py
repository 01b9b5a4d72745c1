"""The page of how often verdicts hold, and the way there from a leaderboard."""

from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analysed, make_board

ADDRESS = "/methods/calibration/"


def test_a_leaderboard_links_to_its_line(client):
    board = analysed(make_board(measure=make_measure("AP")))
    page = client.get(board.get_absolute_url()).content.decode()
    coverage = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()["verdict"]["evidence"]["coverage"]
    assert coverage["row"] == "own-variance-AP-2-50"
    assert f'href="{ADDRESS}#{coverage["row"]}"' in page
    assert "boards like this one" in page


def test_a_predicted_leaderboard_says_what_boards_it_is_compared_with(client):
    board = analysed(make_board(measure=make_measure("RR@10"), residual_variance=None))
    response = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert response["verdict"]["evidence"]["kind"] == "predicted"
    page = client.get(board.get_absolute_url()).content.decode()
    assert f'href="{ADDRESS}#predicted-RR-one"' in page
    assert "8 collections left out of the prediction" in page
    assert "(on the worst board: " in page
    assert 'href="/methods/predicted-variance/"' in page
