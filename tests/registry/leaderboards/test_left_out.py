"""Lists say whom a verdict leaves out for a caution: the highest score itself, or others that could be the best."""

import pytest

from registry.leaderboards.models import Analysis
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_system
from tests.registry.leaderboards.boards import analyse_again, make_board_of_teams, make_run
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read


@pytest.fixture
def board():
    return make_board_of_teams()


def pages_of(client, board):
    index_registry()
    return read(client, board.collection.get_absolute_url()).text, read(client, "/leaderboards/").text


def test_the_highest(client, board):
    make_run(board, "0.900", system=make_system("apart", team="another"))
    analyse_again(board)
    assert Analysis.objects.get().headline["left_out"] == "highest"
    for text in pages_of(client, board):
        assert "0.2290 run 29 0.9000 is excluded" in text
        assert "results that need evidence are excluded" in text


def test_one_that_declares_training(client, board):
    """What a system declares is a fact of its row: with few that declare anything, nobody is left out for it."""
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.228").system, board.collection)
    analyse_again(board)
    assert Analysis.objects.get().headline["left_out"] == ""
    for text in pages_of(client, board):
        assert "is excluded" not in text
