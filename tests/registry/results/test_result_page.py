"""The page of a result: what was printed, where, and everything that became of it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.services.endings import supersede_result
from tests.registry.factory import make_entry, make_result, make_system, make_user

pytestmark = pytest.mark.django_db


def page_of(client, result) -> str:
    response = client.get(f"/results/{result.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def test_names_are_text_and_nothing_else(client):
    result = make_result(system=make_system("<script>alert(1)</script>"), notes="<b>bold</b>")
    shown = page_of(client, result)
    assert "<script>alert" not in shown
    assert "<b>bold" not in shown


def test_more_versions_take_no_more_queries(client):
    result = make_result(printed="0.2")

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page_of(client, result)
        return len(captured)

    def supersede(printed: str) -> None:
        latest = result.leaderboard.results.standing().get()
        supersede_result(result=latest, changes={"printed": printed}, actor=make_user(), reason="again")

    supersede("0.3")
    few = count()
    for number in range(4, 7):
        supersede(f"0.{number}")
    assert count() == few <= 8


def test_what_others_did_is_not_in_its_log(client):
    make_entry("results.result.withdrawn", subject_type="result", subject_id=10**9, reason="of another result")
    assert "of another result" not in page_of(client, make_result())
