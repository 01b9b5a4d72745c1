"""What browsers are told of every answer besides what stands in it."""

import json
from contextlib import nullcontext

import pytest
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from registry.core import middleware
from registry.core.http import REFUSED, RETRY_AFTER
from tests.registry.factory import make_user
from tests.registry.leaderboards.boards import analysed, make_board

pytestmark = pytest.mark.django_db


def test_no_page_asks_for_devices_and_other_sites_show_badges_alone(client):
    board = make_board().get_absolute_url()
    of_pages = {client.get(path)["Cross-Origin-Resource-Policy"] for path in (board, "/accounts/login/", "/nothing/")}
    badge, document = client.get(f"{board}badge.svg"), client.get(f"/api/v1{board}")
    assert of_pages == {"same-origin"}
    assert {response["Cross-Origin-Resource-Policy"] for response in (badge, document)} == {"cross-origin"}
    for response in (client.get(board), badge, document):
        assert {"camera=()", "geolocation=()"} <= {*response["Permissions-Policy"].split(", ")}


def answered(kind, request, response=None):
    """Return what a middleware makes of an answer to the request."""
    return kind(lambda _: HttpResponse("page") if response is None else response)(request)


@pytest.mark.parametrize(("character", "is_refused"), [("\x00", True), ("\x1f", True), ("\x7f", True), (" ", False)])
def test_an_address_with_what_cannot_be_seen_is_nowhere(character, is_refused):
    request = RequestFactory().get("/")
    request.path_info = f"/a{character}"
    with pytest.raises(Http404) if is_refused else nullcontext():
        assert answered(middleware.RefuseUnknown, request).status_code == 200


@pytest.mark.parametrize(
    ("status", "title", "retry_after"),
    [
        (400, "That request does not work", None),
        (408, "Too slow", None),
        (411, "Length missing", None),
        (503, "Not now", "10"),
        (507, "No room", "300"),
    ],
)
def test_a_body_that_was_not_read_is_answered_with_why(status, title, retry_after):
    page = answered(middleware.RefuseBodies, RequestFactory().post("/submit/", **{REFUSED: status}))
    assert (page.status_code, page.get("Retry-After")) == (status, retry_after)
    assert f"<h1>{title}</h1>" in page.text
    error = answered(middleware.RefuseBodies, RequestFactory().post("/api/v1/runs/", **{REFUSED: status}))
    assert (error.status_code, error.get("Retry-After")) == (status, retry_after)
    assert json.loads(error.content)["status"] == status


def test_pages_for_developers_alone_have_no_policy_for_their_styles(settings):
    name = "Content-Security-Policy"
    for is_debug, status, has_policy in ((False, 404, True), (True, 404, False), (True, 500, False), (True, 200, True)):
        settings.DEBUG = is_debug
        response = answered(middleware.SendPolicy, RequestFactory().get("/"), HttpResponse(status=status))
        assert (name in response) is has_policy, (is_debug, status)
    own = answered(middleware.SendPolicy, RequestFactory().get("/"), HttpResponse(headers={name: "its own"}))
    assert own[name] == "its own"
    assert own["Permissions-Policy"].split(", ")[::7] == ["camera=()", "usb=()"]


def test_what_is_somebodys_own_is_kept_by_no_cache_on_the_way(client):
    client.force_login(make_user("ada"))
    ours, stranger = client.get("/log/").wsgi_request, RequestFactory().get("/log/")
    assert answered(middleware.KeepPrivate, ours)["Cache-Control"] == "private, no-cache"
    assert "Cache-Control" not in answered(middleware.KeepPrivate, stranger)
    cacheable = HttpResponse(headers={"Cache-Control": "max-age=60"})
    assert answered(middleware.KeepPrivate, ours, cacheable)["Cache-Control"] == "max-age=60"
    for path in ("/accounts/login/", "/admin/"):
        assert answered(middleware.KeepPrivate, RequestFactory().get(path), cacheable)["Cache-Control"] == "no-store"


SHARED = "Access-Control-Allow-Origin"


def test_pages_of_other_sites_may_ask_first_what_they_may_do():
    asking = {"access-control-request-method": "GET"}
    for path, methods, headers in (
        ("/log.json", "GET, HEAD, OPTIONS", "Accept, Authorization, If-None-Match"),
        (
            "/api/v1/runs/",
            "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
            "Accept, Authorization, Content-Type, Idempotency-Key, If-Match",
        ),
    ):
        response = answered(middleware.ForPrograms, RequestFactory().options(path, headers=asking))
        assert (response.status_code, response[SHARED], response["Access-Control-Max-Age"]) == (204, "*", "86400")
        assert response["Access-Control-Allow-Methods"] == methods
        assert response["Access-Control-Allow-Headers"] == headers
    for request in (
        RequestFactory().options("/log.json"),
        RequestFactory().get("/log.json", headers=asking),
        RequestFactory().options("/log/", headers=asking),
    ):
        assert answered(middleware.ForPrograms, request).content == b"page"


def test_answers_for_programs_are_for_pages_of_other_sites_too_and_what_is_written_elsewhere_is_not():
    for request, is_shared in (
        (RequestFactory().get("/log.json"), True),
        (RequestFactory().head("/log.json"), True),
        (RequestFactory().post("/log.json"), False),
        (RequestFactory().post("/api/v1/runs/"), True),
        (RequestFactory().get("/log/"), False),
    ):
        assert (SHARED in answered(middleware.ForPrograms, request)) is is_shared, (request.method, request.path)


def test_who_had_too_much_computed_is_told_when_to_come_again(client):
    page = client.get("/collections/?a=1", **{RETRY_AFTER: 90})
    assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (429, "90", "no-store")
    assert "<h1>Too much at once</h1>" in page.text
    assert "Much was computed for your network just now, and more has to wait." in page.text
    assert "Try again in 2 minutes." in page.text
    program = client.post("/api/v1/compare/topics/", **{RETRY_AFTER: 90})
    assert (program.status_code, program["Retry-After"]) == (429, "90")
    assert program.json()["status"] == 429
    # Nothing that somebody typed is lost.
    form = client.post("/leaderboards/a/b/pairs/1/2/", {"scores": "1 0.5 0.6", "margin": ""}, **{RETRY_AFTER: 90})
    assert form.status_code == 429
    assert "1 0.5 0.6" in form.text


def test_readers_get_no_cookie(client):
    """As the privacy notice says."""
    board = analysed(make_board())
    result = board.results.first()
    for path in (
        "/", "/collections/", board.collection.get_absolute_url(), board.get_absolute_url(), result.get_absolute_url(),
        result.system.get_absolute_url(), "/search/?q=run", "/log/", "/data/", "/methods/", "/check/", "/docs/privacy/",
    ):  # fmt: skip
        assert client.get(path).cookies == {}, path
