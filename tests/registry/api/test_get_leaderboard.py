"""GET /api/v1/leaderboards/<collection>/<measure>/"""

from registry.leaderboards.models import Snapshot
from tests.registry.api.world import make_varied_board
from tests.registry.factory import make_leaderboard, make_measure
from tests.registry.leaderboards.boards import analyse, analysed, make_board


def path_of(board) -> str:
    return f"/api/v1{board.get_absolute_url()}"


def get(client, board, query: str = "") -> dict:
    response = client.get(path_of(board) + query)
    assert response.status_code == 200, response.content
    return response.json()


def test_it_is_the_object_of_the_json_twin_in_pages(client):
    board = analysed(make_varied_board())
    twin = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert get(client, board) == twin
    first = get(client, board, "?page_size=5")
    second = get(client, board, f"?page_size=5&page={first['next_page']}")
    assert first["results"] + second["results"] == twin["results"][:10]
    assert first | {"results": [], "next_page": None} == twin | {"results": []}


def test_a_scale_can_be_chosen(client):
    board = analysed(make_board(measure=make_measure("RR@10"), residual_variance=None))
    assert get(client, board, "?scale=borrowed")["best_result"]["scale"] == "borrowed"
    assert get(client, board, "?scale=residual")["best_result"] is None


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
    assert get(client, make_leaderboard())["analysis"]["state"] == "none", "it has no result"
    assert client.get("/api/v1/leaderboards/").json()["results"][0]["headline"] is None
