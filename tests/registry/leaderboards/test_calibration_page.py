"""The page of how often verdicts hold, and the way there from a leaderboard."""

import re

import pytest
from django.urls import reverse

from analysis.boards import calibration
from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db

ADDRESS = "/methods/calibration/"


def test_every_line_of_the_table_is_on_the_page(client):
    page = client.get(ADDRESS).content.decode()
    assert reverse("core:method-detail", args=["calibration"]) == ADDRESS
    keys = {row.key for row in (*calibration().rows, *calibration().suites)}
    for key in keys:
        assert f'id="{key}"' in page
    assert page.count("<tr id=") == len(keys)
    assert not re.search(r"\bNone\b|\bnan\b", page)
    assert calibration().digest[:12] in page


def test_the_page_prints_what_was_measured(client):
    row = next(row for row in calibration().rows if row.key == "transferred-AP-30-50" and row.world == "equal")
    page = client.get(ADDRESS).content.decode()
    line = page.split(f'id="{row.key}"')[1].split("</tr>")[0]
    assert f"{row.coverage * 100:.0f} % ({row.coverage_low * 100:.0f} %)" in line.replace("\u202f", " ").replace(
        "\xa0", " "
    )


def test_a_leaderboard_links_to_its_line(client):
    board = make_board(measure=make_measure("AP"))
    analyse(board)
    page = client.get(board.get_absolute_url()).content.decode()
    coverage = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()["verdict"]["evidence"]["coverage"]
    assert coverage["row"] == "transferred-AP-2-50"
    assert f'href="{ADDRESS}#{coverage["row"]}"' in page
    assert "boards like this one" in page


def test_a_sparse_leaderboard_says_what_boards_it_is_compared_with(client):
    board = make_board(measure=make_measure("R@100"), residual_variance=None)
    analyse(board)
    page = client.get(board.get_absolute_url()).content.decode()
    assert f'href="{ADDRESS}#predicted-sparse-R-2-50"' in page
    assert "where one document a topic is right, made of where runs on 8 collections have the first right one" in page


def test_a_leaderboard_without_boards_like_it_gives_no_figure(client):
    board = make_board(measure=make_measure("infAP"))
    analyse(board)
    page = client.get(board.get_absolute_url()).content.decode()
    assert ADDRESS not in page
    assert "How often such sets hold the best was not measured" in page


def test_a_leaderboard_whose_variance_nobody_knows_is_told_so_with_a_prediction(client):
    board = make_board(measure=make_measure("Rprec"), residual_variance=None)
    analyse(board)
    response = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert response["verdict"]["evidence"]["kind"] == "predicted"
    page = client.get(board.get_absolute_url()).content.decode()
    assert "is predicted from variances seen in 12 collections" in page
    assert 'href="/methods/predicted-variance/"' in page
