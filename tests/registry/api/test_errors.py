"""Errors have one shape wherever programs ask."""

import pytest

from registry.api.bodies import read_text
from registry.api.errors import Refusal
from registry.core.http import REFUSED
from tests.registry.leaderboards.boards import make_board

LIST = "/api/v1/leaderboards/"


def assert_is_error(response, status: int) -> dict:
    assert response.status_code == status
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"ok", "status", "error", "errors"}
    assert (body["ok"], body["status"]) == (False, status)
    assert body["error"]
    assert body["errors"]
    assert all(set(error) == {"field", "code", "message"} for error in body["errors"])
    assert all(error["code"] and error["message"] for error in body["errors"])
    return body


@pytest.mark.parametrize(
    ("method", "options", "status", "part"),
    [
        ("get", {"path": "/api/v1/nothing/"}, 404, ("", "not_found")),
        ("delete", {"path": LIST}, 405, ("", "method_not_allowed")),
        ("get", {"path": LIST, "headers": {"accept": "text/html"}}, 406, ("Accept", "not_acceptable")),
        ("post", {"path": "/api/v1/review-table/", REFUSED: 411}, 411, ("Content-Length", "required")),
        ("post", {"path": "/api/v1/review-table/", "CONTENT_LENGTH": "7000000"}, 413, ("", "too_large")),
    ],
)
def test_what_is_wrong_with_all_of_a_request_is_a_part_of_its_own(client, method, options, status, part):
    body = assert_is_error(getattr(client, method)(**options), status)
    (error,) = body["errors"]
    assert (error["field"], error["code"], error["message"]) == (*part, body["error"])


def test_a_twin_answers_reading_only(client):
    board = make_board()
    response = client.post(f"{board.get_absolute_url()[:-1]}.json")
    assert_is_error(response, 405)
    assert response["Allow"] == "GET, HEAD"


def test_a_host_that_is_not_ours(client):
    assert_is_error(client.get(LIST, headers={"Host": "elsewhere.example"}), 400)


def test_a_body_that_is_no_utf_8_is_refused_with_the_line_and_the_byte():
    assert read_text("ü\n".encode()) == "ü\n"
    with pytest.raises(Refusal) as refused:
        read_text(b"a\nb\n\xe9")
    assert refused.value.errors == [{"field": "", "code": "encoding", "message": "line 3: byte 0xE9 is not UTF-8"}]
