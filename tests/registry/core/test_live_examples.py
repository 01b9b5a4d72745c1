"""The page of a method leads to pages of today on which it is at work."""

import pytest

from registry.core.pages import live_examples
from tests.registry.curation.suites.world import make_suite
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.suites import declare

pytestmark = pytest.mark.django_db


def test_a_declared_training_is_no_example_of_a_screen(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.229").system, board.collection)
    mark_changed(board)
    assert analyse(board).headline["left_out"] == ""
    assert live_examples("outlier-screens") == []
