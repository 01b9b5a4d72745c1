"""GET /api/v1/snapshots/<id>/ and the snapshot's own JSON."""

import hashlib

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


def test_the_id_can_be_checked_from_the_bytes(client):
    snapshot = analyse(make_board()).snapshot
    body = client.get(f"/snapshots/{snapshot.pk}.json").content
    assert hashlib.sha256(body).hexdigest().startswith(snapshot.pk)
