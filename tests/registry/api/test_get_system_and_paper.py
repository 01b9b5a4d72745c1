"""GET /api/v1/systems/<id>/ and /api/v1/papers/<id>/"""

import pytest

from registry.results.services.endings import withdraw_result
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.leaderboards.boards import make_board

pytestmark = pytest.mark.django_db


def test_a_system_lists_its_results_standing_ones_first(client):
    board, system = make_board(), make_system("BM25", team="Lab", approach="term weights")
    ended = make_result(board, system, "0.9", source="one")
    standing = make_result(board, system, "0.2", source="two")
    withdraw_result(result=ended, actor=None, reason="a mistake")
    found = client.get(f"/api/v1/systems/{system.slug}/").json()
    assert (found["name"], found["team"], found["approach"]) == ("BM25", "Lab", "term weights")
    assert [result["id"] for result in found["results"]] == [standing.pk, ended.pk]
    assert [result["status"] for result in found["results"]] == ["standing", "withdrawn"]


def test_a_paper_has_its_identifiers_and_results(client):
    paper = make_paper("Doe (2001)", doi="10.1145/1.2", arxiv_id="2104.08663", bibtex="@misc{doe}", title="A title")
    result = make_result(paper=paper)
    found = client.get(f"/api/v1/papers/{paper.slug}/").json()
    assert (found["doi"], found["arxiv_id"], found["bibtex"]) == ("10.1145/1.2", "2104.08663", "@misc{doe}")
    assert [row["id"] for row in found["results"]] == [result.pk]


def test_results_come_in_pages(client):
    system = make_system()
    wanted = {make_result(system=system).pk for _ in range(5)}
    seen, query = [], "?page_size=2"
    while query:
        body = client.get(f"/api/v1/systems/{system.slug}/{query}").json()
        assert body["count"] == 5
        seen += [row["id"] for row in body["results"]]
        query = body["next_page"] and f"?page_size=2&page={body['next_page']}"
    assert len(seen) == 5
    assert set(seen) == wanted


@pytest.mark.parametrize("kind", ["systems", "papers"])
def test_an_unknown_id_is_404(client, kind):
    response = client.get(f"/api/v1/{kind}/7/")
    assert response.status_code == 404
    assert response.json()["error"] == f"No {kind[:-1]} has the id 7."
