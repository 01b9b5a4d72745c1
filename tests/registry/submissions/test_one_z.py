"""A score has one z wherever it is told: on its leaderboard, in the files and the API, and beside the form."""

import re

import pytest

from registry.core.templatetags.formatting import signed
from registry.results.models import Result
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db

SCORE = "0.31"


@pytest.fixture
def board():
    """A leaderboard whose reference set is frozen, with results since that would give every score another z."""
    board = make_board()
    analyse(board)
    for value in ("0.55", "0.60", "0.65"):
        make_run(board, value, role=Result.Role.PROPOSED)
    mark_changed(board)
    analyse(board)
    return board


def row_of(answer) -> dict[str, object]:
    return next(row for row in answer.json()["results"] if row["printed"] == SCORE)


def test_a_score_has_one_z(client, board):
    names = {"collection": board.collection.slug, "measure": board.measure.name}
    of_api = row_of(client.get(f"/api/v1{board.get_absolute_url()}"))
    hint = client.get("/submit/standing/", names | {"value": SCORE})
    asked = hint.context["prospect"]
    assert (asked.z, asked.percentile) == (pytest.approx(of_api["z"]), of_api["percentile"])
    shown = signed(of_api["z"])
    assert f"({shown} standard deviations" in hint.content.decode()
    page = client.get(f"{board.get_absolute_url()}?columns=z").content.decode()
    row = next(one for one in re.findall(r"<tr.*?</tr>", page, re.DOTALL) if f">{SCORE}<" in one)
    assert f">{shown}<" in row
    assert row_of(client.get(f"{board.get_absolute_url().rstrip('/')}.json"))["z"] == of_api["z"]


def test_what_checks_a_score_gives_no_other(client, board):
    names = {"collection": board.collection.slug, "measure": board.measure.name}
    checked = client.get("/api/v1/check/", names | {"score": SCORE}).json()["checked"]
    assert checked["value"] == float(SCORE)
    assert not {"z", "percentile"} & checked.keys()
