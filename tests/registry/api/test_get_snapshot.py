"""GET /api/v1/snapshots/<id>/."""

import pytest

from registry.leaderboards.models import Snapshot
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db


def test_it_stays_when_results_change(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    before = client.get(f"/api/v1/snapshots/{snapshot.pk}/").content
    make_run(board, "0.9")
    mark_changed(board)
    analyse(board)
    assert Snapshot.objects.count() == 2
    assert client.get(f"/api/v1/snapshots/{snapshot.pk}/").content == before
