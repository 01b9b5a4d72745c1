"""Errors in their one shape, addresses of the site, and what a request may send."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.views.decorators.csrf import csrf_exempt

from analysis.readers.rejections import Candidate, Refused
from registry.core.http import (
    Ambiguous,
    absolute_address,
    as_download,
    error_response,
    go_on,
    in_megabytes,
    is_for_programs,
    json_response,
    leads_to,
    max_body_bytes,
    moved,
    must_exist,
    negotiated,
    private,
    site_address,
)
from tests.registry.factory import make_user

REFUSED = Refused("ambiguous", "Which?", [Candidate("a/b", "A B")], "Which of them?")


@pytest.mark.parametrize(
    ("name", "asked", "leads"),
    [
        ("dl19", "/collections/dl19/about/?page=2", "/collections/a/b/about/?page=2"),
        ("x/y", "/collections/x/y/", "/collections/a/b/"),
        ("x/y", "/x/collections/x/y/z/", "/x/collections/a/b/z/"),
        ("ap", "/leaderboards/ap/ap/", "/leaderboards/a/b/ap/"),
        ("ap", "/leaderboards/AP(rel=2)@10:x/ap/é/", "/leaderboards/AP(rel=2)@10:x/a/b/%C3%A9/"),
    ],
)
def test_each_candidate_has_the_address_with_itself_in_the_place_of_the_name(name, asked, leads):
    ambiguous = Ambiguous("collection", name, REFUSED)
    assert ambiguous.address(RequestFactory().get(asked), Candidate("a/b", "A B")) == leads


def test_an_ambiguous_name_is_an_error_with_its_candidates_for_programs():
    (error,) = Ambiguous("collection", "dl19", REFUSED).errors
    assert (error["field"], error["code"], error["message"]) == ("collection", "ambiguous", "Which?")
    assert [one["value"] for one in error["candidates"]] == ["a/b"]


def test_what_is_there_is_given_and_what_is_not_is_404_with_the_reason():
    assert must_exist(0, "nothing") == 0
    with pytest.raises(Http404, match=r"^nothing$"):
        must_exist(None, "nothing")


def test_what_moved_takes_its_query_along():
    assert moved(RequestFactory().get("/a/?b=1&c=2"), "/d/")["Location"] == "/d/?b=1&c=2"
    assert moved(RequestFactory().get("/a/"), "/d/")["Location"] == "/d/"
    assert moved(RequestFactory().get("/a/"), "/d/").status_code == 301


@pytest.mark.parametrize(
    ("method", "path", "authorization", "is_large"),
    [
        ("POST", "/api/v1/runs/", "Bearer x", True),
        ("POST", "/api/v1/runs/", "bearer x", True),
        ("POST", "/api/v1/runs/", "", False),
        ("POST", "/api/v1/runs/", "Basic x", False),
        ("PUT", "/api/v1/runs/", "Bearer x", False),
        ("POST", "/api/v1/submissions/", "Bearer x", False),
    ],
)
def test_a_run_with_a_token_may_be_larger_than_anything_else(settings, method, path, authorization, is_large):
    settings.PLUMBLINE_MAX_RUN_BYTES, settings.PLUMBLINE_MAX_BODY_BYTES = 2000, 1000
    assert max_body_bytes(method, path, authorization) == (2000 if is_large else 1000)
    settings.PLUMBLINE_MAX_RUN_BYTES = 500
    assert max_body_bytes(method, path, authorization) == 1000


def test_sizes_are_said_in_megabytes():
    assert [in_megabytes(n) for n in (1_000_000, 2_500_000, 40_000_000)] == ["1 MB", "2.5 MB", "40 MB"]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/api/v1/", True),
        ("/a.json", True),
        ("/a.atom", True),
        ("/a.jsonx/", False),
        ("/json/", False),
        ("/my/api/", False),
    ],
)
def test_an_address_of_the_api_or_of_a_format_is_for_programs(path, answer):
    assert is_for_programs(RequestFactory().get(path)) is answer


def test_json_has_its_letters_and_no_nan():
    assert json_response({"b": "ü", "a": 1}).content == '{"b": "ü", "a": 1}'.encode()
    assert json_response({"b": "ü", "a": 1}, is_sorted=True).content == '{"a": 1, "b": "ü"}'.encode()
    assert json_response({}, status=202).status_code == 202
    with pytest.raises(ValueError, match="JSON"):
        json_response({"a": float("nan")})


def test_what_is_for_nobody_else_is_kept_and_found_by_nobody():
    response = private(HttpResponse("mine"))
    assert (response["Cache-Control"], response["X-Robots-Tag"]) == ("private, no-store", "noindex, nofollow")
    assert response.content == b"mine"


def test_a_download_has_a_name():
    response = as_download("a,b", "text/csv", "plumbline-a.csv")
    assert (response.content, response["Content-Type"]) == (b"a,b", "text/csv")
    assert response["Content-Disposition"] == 'attachment; filename="plumbline-a.csv"'


@pytest.mark.parametrize(
    ("status", "message", "field", "code"),
    [
        (400, "The request cannot be read.", "", "malformed"),
        (401, "Unauthorized.", "Authorization", "unauthorized"),
        (404, "There is nothing at this address. /api/v1/ lists the addresses for programs.", "", "not_found"),
        (409, "Conflict.", "", "conflict"),
        (411, "Length Required.", "Content-Length", "required"),
        (429, "Too Many Requests.", "", "too_often"),
    ],
)
def test_an_error_has_one_shape_and_a_part_even_where_all_of_it_is_wrong(status, message, field, code):
    response = error_response(status)
    assert response.status_code == status
    assert json.loads(response.content) == {
        "ok": False,
        "status": status,
        "error": message,
        "errors": [{"field": field, "code": code, "message": message}],
    }


def test_of_many_errors_fifty_are_listed_and_how_many_there_are_is_said():
    parts = [{"field": str(number), "code": "x", "message": "wrong"} for number in range(1051)]
    told = json.loads(error_response(400, "Wrong.", parts).content)
    assert told["error"] == "Wrong. The first 50 of 1,051 errors are listed."
    assert told["errors"] == parts[:50]
    told = json.loads(error_response(400, "Wrong.", parts[:50]).content)
    assert (told["error"], len(told["errors"])) == ("Wrong.", 50)


@pytest.mark.django_db
def test_whoever_may_go_on_hears_who_they_are():
    ada = make_user("ada")
    response = go_on(ada)
    assert (response.status_code, response["Plumbline-Sender"]) == (100, str(ada.pk))
    assert "Plumbline-Sender" not in go_on(AnonymousUser())


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ({"SITE_URL": "https://plumbline.example.org"}, "https://plumbline.example.org/a/"),
        ({"ALLOWED_HOSTS": ["localhost", "*"], "OWN_HOST": "127.0.0.1"}, "http://127.0.0.1:8000/a/"),
        ({"ALLOWED_HOSTS": ["localhost", ".example.org"]}, "http://example.org:8000/a/"),
        ({"ALLOWED_HOSTS": ["a.org", "b.org"], "HTTPS": True}, "https://a.org/a/"),
        ({"ALLOWED_HOSTS": ["a.org"], "BEHIND_PROXY": True}, "http://a.org/a/"),
    ],
)
def test_the_site_is_where_it_is_said_to_be_and_else_guessed(settings, said, address):
    plain = {"SITE_URL": "", "HTTPS": False, "BEHIND_PROXY": False, "PORT": 8000}
    for name, value in (plain | said).items():
        setattr(settings, name, value)
    assert site_address("/a/") == address


def test_what_is_asked_next_is_asked_where_the_reader_is(settings):
    request = RequestFactory().get("/a/", headers={"host": "testserver"})
    settings.SITE_URL = ""
    assert absolute_address(request, "/b/") == "http://testserver/b/"
    settings.SITE_URL = "https://plumbline.example.org"
    assert absolute_address(request, "/b/") == "https://plumbline.example.org/b/"


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        ("text/html", ""),
        ("*/*", ""),
        ("text/csv", "csv"),
        ("application/json, text/html;q=0.5", "json"),
        ("image/png", ""),
    ],
)
def test_a_view_answers_in_the_format_that_is_preferred(accept, suffix):
    view = negotiated("csv", "json")(lambda request, suffix: HttpResponse(suffix))
    response = view(RequestFactory().get("/", headers={"accept": accept}))
    assert (response.content.decode(), response["Vary"]) == (suffix, "Accept")
    named = view(RequestFactory().get("/", headers={"accept": accept}), suffix="tex")
    assert named.content == b"tex"
    assert "Vary" not in named, "an address that names a format has one answer"


@pytest.mark.parametrize("decorate", [negotiated("csv"), leads_to(json="api:collection-detail")])
def test_a_view_stays_what_it_was_said_to_be(decorate):
    @csrf_exempt
    def read(request):
        """Reads."""

    decorated = decorate(read)
    assert (decorated.__name__, decorated.__doc__, decorated.csrf_exempt) == ("read", "Reads.", True)


def test_a_view_leads_who_prefers_another_format_to_where_that_stands():
    view = leads_to(json="api:collection-detail")(lambda request, name: HttpResponse(name))
    page = view(RequestFactory().get("/?a=1", headers={"accept": "text/html"}), name="robust")
    assert (page.status_code, page.content, page["Vary"]) == (200, b"robust", "Accept")
    away = view(RequestFactory().get("/?a=1", headers={"accept": "application/json"}), name="robust")
    assert (away.status_code, away["Location"], away["Vary"]) == (303, "/api/v1/collections/robust/?a=1", "Accept")
    away = view(RequestFactory().get("/", headers={"accept": "application/json"}), name="robust")
    assert away["Location"] == "/api/v1/collections/robust/"
