"""Lists say whom a verdict leaves out for a caution: the highest score itself, or others that could be the best."""

from registry.leaderboards.models import Analysis
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_suite
from tests.registry.leaderboards.boards import analyse_again, make_board_of_teams
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read


def test_one_that_declares_training(client):
    """What a system declares is a fact of its row: with few that declare anything, nobody is left out for it."""
    board = make_board_of_teams()
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.228").system, board.collection)
    analyse_again(board)
    assert Analysis.objects.get().headline["left_out"] == ""
    index_registry()
    for path in (board.collection.get_absolute_url(), "/leaderboards/"):
        assert "is excluded" not in read(client, path).text
