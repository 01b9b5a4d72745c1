"""GET /api/v1/leaderboards/<collection>/<measure>/"""

import json

import pytest
from django.utils import timezone

from registry.leaderboards.models import Snapshot
from tests.registry.api.world import make_varied_board
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.leaderboards.boards import VALUES, analyse, make_board

pytestmark = pytest.mark.django_db


def path_of(board) -> str:
    return f"/api/v1{board.get_absolute_url()}"


def get(client, board, query: str = "") -> dict:
    response = client.get(path_of(board) + query)
    assert response.status_code == 200, response.content
    return response.json()


def test_numbers_are_those_of_the_snapshot(client):
    board = make_board()
    found = json.loads(analyse(board).snapshot.content)["findings"]
    document = get(client, board)
    assert list(document["scales"].values()) == found["equal_means"]
    assert document["best_result"] == found["equal_means"][0]
    assert document["mean"] == found["counted"]["mean"]
    # A snapshot leaves out what is as usual.
    found["verdict"]["tries"] = {"have_makers": True} | found["verdict"]["tries"]
    for name in ("evidence", "set", "corrected"):
        found["verdict"][name] = document["verdict"][name] | found["verdict"][name]
    assert {name: document["verdict"][name] for name in found["verdict"]} == found["verdict"]
    members = found["verdict"]["set"]["members"]
    assert [row["id"] for row in document["results"] if row["can_be_best"]] == members
    assert [row["id"] for row in document["results"] if row["tier"] == 1] == members


def test_it_is_the_object_of_the_json_twin_in_pages(client):
    board = make_varied_board()
    analyse(board)
    twin = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert get(client, board) == twin
    first = get(client, board, "?page_size=5")
    second = get(client, board, f"?page_size=5&page={first['next_page']}")
    assert first["results"] + second["results"] == twin["results"][:10]
    assert first | {"results": [], "next_page": None} == twin | {"results": []}


def test_a_scale_can_be_chosen(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    analyse(board)
    assert get(client, board, "?scale=borrowed")["best_result"]["scale"] == "borrowed"
    assert get(client, board, "?scale=residual")["best_result"] is None


def test_as_of_shows_what_was_known_then(client):
    board = make_board()
    analyse(board)
    before = get(client, board, "?as_of=2001-01-01")
    assert (before["results"], before["snapshot"], before["analysis"]["state"]) == ([], None, "past")
    today = timezone.now().date().isoformat()
    assert len(get(client, board, f"?as_of={today}")["results"]) == len(VALUES)


@pytest.mark.parametrize("names", ["Robust/map", "robust/AP", "robust-2/MAP", "ROBUST-2/ap"])
def test_other_names_redirect_and_keep_the_query(client, names):
    make_leaderboard(make_collection("robust-2", aliases=["Robust"]), make_measure("AP", aliases=["map"]))
    response = client.get(f"/api/v1/leaderboards/{names}/?role=proposed&page_size=5")
    assert response.status_code == 301
    assert response["Location"] == "/api/v1/leaderboards/robust-2/AP/?role=proposed&page_size=5"


def test_it_says_how_to_cite_it(client):
    board = make_board()
    snapshot = analyse(board).snapshot_id
    for path in (path_of(board), board.get_absolute_url(), f"{board.get_absolute_url().rstrip('/')}.csv"):
        assert f'<http://testserver/snapshots/{snapshot}/>; rel="cite-as"' in client.get(path)["Link"]
    queued = make_board()
    assert f'{queued.get_absolute_url()}>; rel="cite-as"' in client.get(path_of(queued))["Link"]


def test_an_analysis_in_an_earlier_format_waits_for_a_new_one(client):
    board = make_board()
    analysis = analyse(board)
    content = '{"format":"plumbline-snapshot/1","methods":{"version":"2"}}'
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=content)
    analysis.snapshot, analysis.methods_version, analysis.headline = old, "0", {}
    analysis.save()
    document = get(client, board)
    assert (document["analysis"]["state"], document["verdict"]) == ("stale", None)
    assert client.get("/api/v1/leaderboards/").json()["results"][0]["headline"] is None
