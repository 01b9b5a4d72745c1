"""GET /api/v1/snapshots/<id>/ and the snapshot's own JSON."""

import hashlib
import json

import pytest

from registry.leaderboards.models import Snapshot
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db


def test_it_has_what_was_found_and_what_it_rests_on(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    found = client.get(f"/api/v1/snapshots/{snapshot.pk}/").json()
    now = client.get(f"/api/v1{board.get_absolute_url()}").json()
    assert found["content"] == json.loads(snapshot.content)
    for name in ("collection", "measure", "snapshot", "n_results", "best_result", "verdict"):
        assert found[name] == now[name]


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


def test_its_json_and_bibtex_say_how_long_they_last_and_what_they_belong_to(client):
    snapshot = analyse(make_board()).snapshot
    assert "immutable" in client.get(f"/snapshots/{snapshot.pk}.json")["Cache-Control"]
    for suffix in ("/", ".bib"):
        assert (
            f'<http://testserver/snapshots/{snapshot.pk}/>; rel="cite-as"'
            in client.get(f"/snapshots/{snapshot.pk}{suffix}")["Link"]
        )
    assert client.get(f"/snapshots/{snapshot.pk}.json?as_of=2026-01-31").status_code == 400


@pytest.mark.parametrize("name", ["0" * 20, "x", "%F0%9F%98%80", "a" * 500])
def test_an_unknown_id_is_404(client, name):
    response = client.get(f"/api/v1/snapshots/{name}/")
    assert response.status_code == 404
    assert response.json()["error"].startswith("No snapshot has the id")
