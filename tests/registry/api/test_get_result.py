"""GET /api/v1/results/<id>/"""

import pytest

from registry.results.services.endings import supersede_result
from tests.registry.factory import make_result
from tests.registry.leaderboards.boards import make_board

pytestmark = pytest.mark.django_db


def get(client, result) -> dict:
    return client.get(f"/api/v1/results/{result.pk}/").json()


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
