"""The small drawings beside leaderboards in tables."""

import pytest
from django.core.cache import caches

from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db


def test_a_snapshot_has_one_drawing_which_is_kept(client, django_assert_num_queries):
    board = make_board()
    analyse(board)
    path = board.collection.get_absolute_url()
    caches["drawings"].clear()
    pages = [client.get(path).content.decode() for _ in range(3)]
    assert all(page.count('class="chart small"') == 1 for page in pages)
