"""The small drawings beside leaderboards in tables: where they stand, and that each is drawn once."""

import pytest
from django.core.cache import caches

from registry.leaderboards.drawings import snapshots as snapshot_drawings
from registry.leaderboards.models import Snapshot
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(monkeypatch):
    """The snapshots that were drawn."""
    caches["drawings"].clear()
    draw, asked = snapshot_drawings._small_drawing, []

    def counting(snapshot: Snapshot, measure):
        asked.append(snapshot.pk)
        return draw(snapshot, measure)

    monkeypatch.setattr(snapshot_drawings, "_small_drawing", counting)
    return asked


def test_a_snapshot_is_drawn_once(client, drawn, django_assert_max_num_queries):
    board = make_board()
    analyse(board)
    path = board.collection.get_absolute_url()
    pages = [client.get(path).content.decode() for _ in range(3)]
    assert drawn == [board.analysis.snapshot_id]
    assert all(page.count('class="plumb small"') == 1 for page in pages)


def test_a_measure_with_other_decimals_is_drawn_anew(client, drawn):
    board = make_board()
    analyse(board)
    client.get(board.collection.get_absolute_url())
    board.measure.decimals += 1
    board.measure.save()
    client.get(board.collection.get_absolute_url())
    assert drawn == [board.analysis.snapshot_id] * 2
