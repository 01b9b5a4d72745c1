"""Errors have one shape wherever programs ask."""

import json
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, QueryDict
from django.test import RequestFactory
from rest_framework import exceptions
from rest_framework.request import Request

from analysis.readers.rejections import Candidate, Refused
from registry.api.bodies import digest_of, read_text, require_size
from registry.api.errors import Admitted, Refusal, handle_exception, refusal
from registry.api.paging import PagedForm
from registry.core.forms import WrongQuery
from registry.core.http import REFUSED, Ambiguous
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.services.idempotency import InProgress, MalformedKey, ReusedKey
from tests.registry.api.shapes import assert_conforms
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db

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
    "path",
    [
        "/api/",
        "/api/v1/nothing/",
        "/api/v2/leaderboards/",
        "/api/v1/collections/nothing/",
        "/api/v1/leaderboards/a/b/",
        "/api/v1/systems/x/",
        "/api/v1/systems/%00/",
        "/api/v1/collections/%00/",
        "/leaderboards/a/b.json",
        "/leaderboards/a/b.csv",
        "/snapshots/0000.json",
        "/nothing.json",
    ],
)
def test_what_is_not_there(client, path):
    assert_is_error(client.get(path), 404)


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


@pytest.mark.parametrize("suffix", [".json", ".csv", ".tex", ".md", ".bib"])
def test_a_twin_refuses_what_the_api_refuses(client, suffix):
    board = make_board()
    analyse(board)
    twin = assert_is_error(client.get(f"{board.get_absolute_url()[:-1]}{suffix}?runtype=automatic"), 400)
    api = client.get(f"/api/v1{board.get_absolute_url()}?runtype=automatic")
    assert_conforms(api, "get_leaderboard")
    assert twin["errors"] == api.json()["errors"]
    assert twin["errors"][0]["message"] == "There is no parameter “runtype”. Did you mean run_type?"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
def test_methods_that_are_not_answered(client, method):
    response = getattr(client, method)(LIST)
    assert_is_error(response, 405)
    assert response["Allow"] == "GET, HEAD"


def test_a_twin_answers_reading_only(client):
    board = make_board()
    response = client.post(f"{board.get_absolute_url()[:-1]}.json")
    assert_is_error(response, 405)
    assert response["Allow"] == "GET, HEAD"


def test_formats_that_are_not_spoken(client):
    body = assert_is_error(client.get(LIST, headers={"Accept": "text/html"}), 406)
    assert "application/json" in body["error"]
    for accepted in ("*/*", "application/json", "text/html, */*;q=0.1"):
        assert client.get(LIST, headers={"Accept": accepted}).status_code == 200


def test_every_wrong_parameter_is_named(client):
    body = assert_is_error(client.get(f"{LIST}?min_results=x&analysed=x&runs=1&sort=a&sort=b"), 400)
    assert {(error["field"], error["code"]) for error in body["errors"]} == {
        ("min_results", "invalid"),
        ("analysed", "invalid_choice"),
        ("runs", "unknown"),
        ("sort", "repeated"),
    }


def test_addresses_without_parameters_refuse_them_too(client):
    board = make_board()
    snapshot = analyse(board).snapshot_id
    for path in ("", f"measures/{board.measure.name}/", f"snapshots/{snapshot}/", "schema/"):
        body = assert_is_error(client.get(f"/api/v1/{path}?format=json"), 400)
        assert body["errors"][0]["message"] == "There is no parameter “format”. This address takes none."


def test_a_fault_of_ours_says_nothing_about_itself(client, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("secret")

    monkeypatch.setattr("registry.api.views.documents.registry_version", fail)
    client.raise_request_exception = False
    assert "secret" not in assert_is_error(client.get(LIST), 500)["error"]


def test_a_host_that_is_not_ours(client):
    assert_is_error(client.get(LIST, headers={"Host": "elsewhere.example"}), 400)


@pytest.mark.parametrize(
    ("exception", "status"),
    [
        (exceptions.ParseError(), 400),
        (exceptions.NotAuthenticated(), 401),
        (exceptions.PermissionDenied(), 403),
        (PermissionDenied(), 403),
        (Http404(), 404),
        (exceptions.UnsupportedMediaType("text/csv"), 415),
        (exceptions.Throttled(wait=7), 429),
    ],
)
def test_what_the_framework_raises(exception, status):
    response = handle_exception(exception, {})
    assert response.status_code == status
    assert set(json.loads(response.content)) == {"ok", "status", "error", "errors"}
    assert response.get("Retry-After") == ("7" if status == 429 else None)


def test_faults_are_left_to_django():
    assert handle_exception(RuntimeError(), {}) is None


def told(exception) -> tuple[int, str, list[tuple[str, str, str]], dict[str, str]]:
    """Status, message, parts and the headers that matter of the answer to an exception."""
    response = handle_exception(exception, {})
    body = json.loads(response.content)
    parts = [(one["field"], one["code"], one["message"]) for one in body["errors"]]
    names = ("ETag", "Retry-After", "WWW-Authenticate", "Accept-Post")
    return response.status_code, body["error"], parts, {name: response[name] for name in names if name in response}


def raised(kind, message: str, **fields):
    """What a service raises, without what it takes to make it raise that."""
    exception = kind.__new__(kind)
    Exception.__init__(exception, message)
    for name, value in fields.items():
        setattr(exception, name, value)
    return exception


SUBMISSION = SimpleNamespace(version=7)


@pytest.mark.parametrize(
    ("exception", "status", "parts", "headers"),
    [
        (raised(WrongState, "Late.", submission=SUBMISSION), 409, [("", "wrong_state", "Late.")], {"ETag": '"7"'}),
        (
            raised(Conflict, "Changed.", submission=SUBMISSION, changes=["a", "b"]),
            412,
            [("If-Match", "conflict", "a"), ("If-Match", "conflict", "b")],
            {"ETag": '"7"'},
        ),
        (
            raised(Conflict, "Changed.", submission=SUBMISSION, changes=[]),
            412,
            [("If-Match", "conflict", "Changed.")],
            {"ETag": '"7"'},
        ),
        (raised(MalformedKey, "Bad."), 400, [("Idempotency-Key", "malformed", "Bad.")], {}),
        (raised(ReusedKey, "Used."), 422, [("Idempotency-Key", "reused", "Used.")], {}),
        (raised(InProgress, "Wait."), 409, [("Idempotency-Key", "in_progress", "Wait.")], {"Retry-After": "1"}),
        (
            refusal(415, "Content-Type", "unsupported", "No.", headers={"Accept-Post": "text/csv"}),
            415,
            [("Content-Type", "unsupported", "No.")],
            {"Accept-Post": "text/csv"},
        ),
        (PermissionDenied("Not yours."), 403, [("", "forbidden", "Not yours.")], {}),
        (Http404("Nothing is called so."), 404, [("", "not_found", "Nothing is called so.")], {}),
        (raised(exceptions.Throttled, "", wait=7.9, detail="Slow down."), 429, [("", "too_often", "Slow down.")],
         {"Retry-After": "7"}),
    ],
)  # fmt: skip
def test_what_is_refused_has_its_parts_and_headers(exception, status, parts, headers):
    found = told(exception)
    assert (found[0], found[2], found[3]) == (status, parts, headers)


@pytest.mark.parametrize(
    ("code", "status", "headers"), [("invalid", 400, {}), ("unchecked", 409, {"Retry-After": "2"})]
)
def test_what_cannot_be_done_is_said_and_what_can_be_in_a_moment_comes_again(code, status, headers):
    errors = ValidationError([ValidationError("one is wrong"), ValidationError("it is %(why)s", code, {"why": "so"})])
    assert told(errors) == (
        status,
        "This cannot be done: one is wrong.",
        [("", "invalid", "one is wrong"), ("", code, "it is so")],
        headers,
    )


def test_who_is_nobody_is_told_to_send_a_token_and_others_why_theirs_opens_nothing():
    message = "Send a token: Authorization: Bearer plumb_…; they are made under your account."
    nobody = exceptions.NotAuthenticated()
    nobody.auth_header = "Bearer"
    assert told(nobody) == (
        401, message, [("Authorization", "not_authenticated", message)], {"WWW-Authenticate": "Bearer"},
    )  # fmt: skip
    expired = exceptions.AuthenticationFailed("It is over.", code="expired_token")
    assert told(expired) == (401, "It is over.", [("Authorization", "expired_token", "It is over.")], {})


def test_an_ambiguous_name_and_an_unknown_wish_are_told_with_their_parts():
    ambiguous = Ambiguous("collection", "dl19", Refused("ambiguous", "Which?", [Candidate("a", "A")], "Which of them?"))
    assert told(ambiguous)[:3] == (404, "Which?", [("collection", "ambiguous", "Which?")])
    form = PagedForm(QueryDict("page_size=0"))
    assert not form.is_valid()
    status, message, ((field, code, _),), _ = told(WrongQuery(form))
    assert (status, field, code) == (400, "page_size", "min_value")
    assert message == "What this address asks for is not known here, or can’t be read."
    assert handle_exception(Admitted(SimpleNamespace(pk=5, is_authenticated=True)), {}).status_code == 100


def sent(**about) -> Request:
    method, content_type = about.pop("method", "POST"), about.pop("content_type", "text/csv")
    return Request(RequestFactory().generic(method, about.pop("path", "/a/?b=1"), b"x", content_type, **about))


def test_a_body_says_how_large_it_is_and_is_no_larger_than_it_may_be():
    for length in ("", "0", "10", "0" * 25):
        require_size(sent(CONTENT_LENGTH=length), 10)
    for length in ("11", "-1", "many", "9" * 30):
        with pytest.raises(Refusal) as refused:
            require_size(sent(CONTENT_LENGTH=length), 10)
        assert refused.value.status_code == 413
    with pytest.raises(Refusal) as refused:
        require_size(sent(CONTENT_LENGTH="", headers={"transfer-encoding": "chunked"}))
    assert refused.value.status_code == 411
    require_size(sent(CONTENT_LENGTH="5", headers={"transfer-encoding": "chunked"}))
    require_size(sent(CONTENT_LENGTH="5000000"))
    with pytest.raises(Refusal, match=r"larger than 5 MB, the most"):
        require_size(sent(CONTENT_LENGTH="5000001"))


def test_requests_are_told_apart_by_all_that_matters_and_by_nothing_else():
    requests = [
        (sent(), b"x"), (sent(), b"y"), (sent(method="PATCH"), b"x"), (sent(path="/a/?b=2"), b"x"),
        (sent(content_type="text/plain"), b"x"), (sent(headers={"if-match": '"1"'}), b"x"),
    ]  # fmt: skip
    assert len({digest_of(*one) for one in requests}) == 6
    assert digest_of(sent(headers={"accept": "text/csv"}), b"x") == digest_of(sent(), b"x")


def test_a_body_that_is_no_utf_8_is_refused_with_the_line_and_the_byte():
    assert read_text("ü\n".encode()) == "ü\n"
    with pytest.raises(Refusal) as refused:
        read_text(b"a\nb\n\xe9")
    assert refused.value.errors == [{"field": "", "code": "encoding", "message": "line 3: byte 0xE9 is not UTF-8"}]
