"""GET /api/v1/leaderboards/<collection>/<measure>/"""

import json

import pytest
from django.utils import timezone

from registry.leaderboards.models import Snapshot
from registry.results.models import Result
from tests.registry.api.world import make_board_by_topic, make_varied_board
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.test_analyse_leaderboard import with_topic_scores

pytestmark = pytest.mark.django_db


def path_of(board) -> str:
    return f"/api/v1{board.get_absolute_url()}"


def get(client, board, query: str = "") -> dict:
    response = client.get(path_of(board) + query)
    assert response.status_code == 200, response.content
    return response.json()


def test_it_answers_what_the_design_promises(client):
    board = make_board()
    analyse(board)
    document = get(client, board)
    assert document["collection"]["n_topics"] == 50
    assert document["measure"]["name"] == board.measure.name
    assert document["n_results"] == document["count"] == len(VALUES)
    assert document["best_result"]["scale"] == "published"
    verdict = document["verdict"]
    assert set(verdict) >= {
        "sentence", "best", "best_unflagged", "corrected", "set", "leader_verified", "evidence", "tries", "cautions"
    }  # fmt: skip
    assert set(verdict["best"]) >= {"result", "value", "is_original"}
    assert set(verdict["set"]) >= {"members", "n_members", "margin", "confidence_level"}
    evidence = verdict["evidence"]
    assert (evidence["kind"], evidence["residual_variance"], evidence["sources"]) == (
        "own-variance",
        0.0144,
        ["its own runs"],
    )
    assert {"degrees_of_freedom", "coverage"} <= set(evidence)
    assert verdict["tries"] == {"n_results": len(VALUES), "n_families": 1, "n_effective": None, "have_makers": True}
    assert document["snapshot"]["id"] == Snapshot.objects.get().pk


def test_numbers_are_those_of_the_snapshot(client):
    board = make_board()
    found = json.loads(analyse(board).snapshot.content)["findings"]
    document = get(client, board)
    assert list(document["scales"].values()) == found["equal_means"]
    assert document["best_result"] == found["equal_means"][0]
    assert document["mean"] == found["counted"]["mean"]
    # A snapshot leaves out what is as usual.
    found["verdict"]["tries"] = {"have_makers": True} | found["verdict"]["tries"]
    found["verdict"]["evidence"] = {"audited": None} | found["verdict"]["evidence"]
    assert {name: document["verdict"][name] for name in found["verdict"]} == found["verdict"]
    members = found["verdict"]["set"]["members"]
    assert [row["id"] for row in document["results"] if row["can_be_best"]] == members
    assert [row["id"] for row in document["results"] if row["tier"] == 1] == members


def test_scores_by_topic_lead(client):
    document = get(client, make_board_by_topic())
    verdict = document["verdict"]
    assert set(document["scales"]) == {"published", "residual"}
    assert (verdict["evidence"]["kind"], verdict["set"]["margin"]) == ("own-topics", None)
    assert {one["result"] for one in verdict["set"]["distances"]} == {row["id"] for row in document["results"]}
    corrected = verdict["corrected"]
    assert (corrected["low"] is None) == (corrected["why_no_interval"] != "")


def test_scores_by_topic_of_some_give_the_variance(client):
    verdict = get(client, make_board_by_topic(extra=("0.9", "0.1")))["verdict"]
    assert (verdict["evidence"]["kind"], verdict["evidence"]["n_systems"]) == ("own-variance", 6)
    assert verdict["tries"]["n_results"] == 8


def test_it_is_the_object_of_the_json_twin_in_pages(client):
    board = make_varied_board()
    analyse(board)
    twin = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
    assert get(client, board) == twin
    first = get(client, board, "?page_size=5")
    second = get(client, board, f"?page_size=5&page={first['next_page']}")
    assert first["results"] + second["results"] == twin["results"][:10]
    assert first | {"results": [], "next_page": None} == twin | {"results": []}


def test_filters_choose_contenders_and_leave_n_alone(client):
    board = make_board()
    make_run(board, "0.305", run_type="automatic")
    mark_changed(board)
    analyse(board)
    document = get(client, board, "?run_type=automatic")
    assert document["selection"] == {"run_type": "automatic"}
    assert (document["count"], document["n_results"]) == (1, len(VALUES) + 1)
    assert document["best_result"]["best"] == 0.305


def test_counted_roles_and_the_multiplier_change_n(client):
    board = make_board()
    make_run(board, "0.2", role=Result.Role.BASELINE)
    mark_changed(board)
    analyse(board)
    document = get(client, board, "?counted_roles=trec_run&n_multiplier=5")
    assert document["best_result"]["n_results"] == len(VALUES)
    assert document["best_result"]["n_effective_results"] == 5 * len(VALUES)
    assert document["verdict"]["tries"]["n_results"] == len(VALUES) + 1


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


@pytest.mark.parametrize("names", ["robust/AP", "robust-2/P@10", "robust-2/x"])
def test_unknown_names_are_404(client, names):
    make_leaderboard(make_collection("robust-2"), make_measure("AP"))
    make_measure("P@10")
    response = client.get(f"/api/v1/leaderboards/{names}/")
    assert response.status_code == 404
    assert response.json()["error"].startswith("No ")


def test_a_leaderboard_without_analysis_says_why(client):
    board = make_board(VALUES[:3], comparability=Result.Comparability.DOUBTFUL)
    analyse(board)
    document = get(client, board)
    assert document["analysis"]["obstacle"] == "no_comparable_result"
    assert (document["verdict"], document["best_result"], document["snapshot"]) == (None, None, None)
    assert len(document["results"]) == 3


def test_where_every_result_failed_each_says_so(client):
    board = make_board(["0.0", "0.0"])
    make_run(board, "0.3", comparability=Result.Comparability.DOUBTFUL)
    mark_changed(board)
    analyse(board)
    document = get(client, board)
    doubtful = str(Result.Comparability.DOUBTFUL.label)
    assert [row["why_not_comparable"] for row in document["results"]] == [doubtful, "failed run", "failed run"]
    assert document["not_comparable"] == [{"reason": "failed run", "n": 2}, {"reason": doubtful, "n": 1}]


def test_where_all_scores_are_one_on_every_topic_each_result_says_so(client):
    board = make_board(["0.3", "0.2"], n_topics=30)
    with_topic_scores(board, 30, lambda result, row, topic: result.value)
    analyse(board)
    reasons = {row["why_not_comparable"] for row in get(client, board)["results"]}
    assert reasons == {"constant: the same score on every topic"}


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
