"""Pages of other sites may read what is for programs, and nothing else."""

import json

import pytest
from django.test import Client

from registry.submissions.models import Submission
from tests.registry.factory import make_user
from tests.registry.leaderboards.boards import analysed, make_board
from tests.registry.submissions.world import make_robust04, row

ORIGIN = {"Origin": "https://elsewhere.example"}


def test_reading_is_allowed(client):
    board = analysed(make_board())
    twin = board.get_absolute_url()[:-1]
    for path in ("/api/v1/", f"/api/v1{board.get_absolute_url()}", f"{twin}.json", f"{twin}.csv"):
        response = client.get(path, headers=ORIGIN)
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "ETag" in response["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response


def test_errors_and_redirects_can_be_read_too(client):
    board = make_board()
    for path in ("/api/v1/nothing/", "/api/v1/leaderboards/?x=1", f"/api/v1{board.get_absolute_url().upper()}"):
        assert client.get(path, headers=ORIGIN).get("Access-Control-Allow-Origin", "*") == "*"
    upper = f"/api/v1/collections/{board.collection.slug.upper()}/"
    response = client.get(upper, headers=ORIGIN)
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (301, "*")


def test_writing_is_not_offered_where_nothing_is_written(client):
    asked = ORIGIN | {"Access-Control-Request-Method": "POST"}
    response = client.options("/api/v1/leaderboards/", headers=asked)
    assert "POST" not in response["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Origin" not in client.post("/api/v1/leaderboards/", headers=ORIGIN)


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_other_sites_may_write_with_a_token(client, method):
    wanted = ["authorization", "content-type", "idempotency-key", "if-match"]
    asked = ORIGIN | {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": ",".join(wanted)}
    response = client.options("/api/v1/submissions/", headers=asked)
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (204, "*")
    assert method in response["Access-Control-Allow-Methods"]
    allowed = {name.strip().lower() for name in response["Access-Control-Allow-Headers"].split(",")}
    assert set(wanted) <= allowed
    assert "Access-Control-Allow-Credentials" not in response


def test_a_session_does_not_write_for_other_sites():
    """A cookie that a browser sends all the same is worth nothing without the CSRF token of this site."""
    make_robust04()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(make_user())
    body = json.dumps({"results": [row()]})
    response = browser.post("/api/v1/submissions/", body, content_type="application/json", headers=ORIGIN)
    assert response.status_code == 403
    assert not Submission.objects.exists()
