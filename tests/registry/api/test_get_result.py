"""GET /api/v1/results/<id>/"""

import pytest

from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import make_paper, make_result, make_user
from tests.registry.leaderboards.boards import make_board

pytestmark = pytest.mark.django_db


def get(client, result) -> dict:
    return client.get(f"/api/v1/results/{result.pk}/").json()


def test_it_says_what_was_printed_where(client):
    paper = make_paper("Doe (2001)")
    result = make_result(printed="0.2500", paper=paper, locator="Table 3", run_type="automatic")
    found = get(client, result)
    assert (found["value"], found["printed"], found["locator"]) == (0.25, "0.2500", "Table 3")
    assert found["paper"] == {
        "id": paper.pk, "slug": paper.slug, "cite": "Doe (2001)", "year": None, "url": f"/papers/{paper.slug}/",
    }  # fmt: skip
    assert found["leaderboard"]["url"] == result.leaderboard.get_absolute_url()
    assert (found["status"], found["ended"]) == ("standing", None)
    assert [version["id"] for version in found["history"]] == [result.pk]


def test_a_withdrawn_result_stays_with_the_reason(client):
    board = make_board()
    result = board.results.first()
    withdraw_result(result=result, actor=make_user("ada"), reason="measured on other topics")
    found = get(client, result)
    assert found["status"] == "withdrawn"
    assert found["printed"] == result.printed
    assert found["ended"]["entry"] == {
        "action": "results.result.withdrawn",
        "subject": f"result {result.pk}",
        "actor": "ada",
        "reason": "measured on other topics",
    }


def test_every_version_has_the_whole_history(client):
    board = make_board()
    first = board.results.first()
    second = supersede_result(result=first, changes={"printed": "0.2"}, actor=None, reason="typing error")
    third = supersede_result(result=second, changes={"printed": "0.21"}, actor=None, reason="erratum")
    histories = [get(client, result)["history"] for result in (first, second, third)]
    assert histories[0] == histories[1] == histories[2]
    assert [version["id"] for version in histories[0]] == [first.pk, second.pk, third.pk]
    assert [version["status"] for version in histories[0]] == ["superseded", "superseded", "standing"]
    assert histories[0][0]["ended"]["superseded_by"] == second.pk
    assert histories[0][0]["ended"]["entry"]["reason"] == "typing error"


def test_results_of_others_are_not_in_the_history(client):
    board = make_board()
    system = board.results.first().system
    result = make_result(board, system=system, source="elsewhere")
    assert [version["id"] for version in get(client, result)["history"]] == [result.pk]


@pytest.mark.parametrize("name", ["0", "999", "99999999999999999999", "9" * 5000, "-1", "x", "1.0"])
def test_an_unknown_id_is_404(client, name):
    response = client.get(f"/api/v1/results/{name}/")
    assert response.status_code == 404
    assert response.json()["ok"] is False
