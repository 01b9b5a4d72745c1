"""Programs with a token: who they are, what they may do, and what they are told when they may not."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import path
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from registry.accounts.authentication import TokenHasScope
from registry.accounts.models import ApiToken, User
from registry.accounts.services import create_token, revoke_token
from registry.api.urls import urlpatterns as for_programs
from registry.urls import handler404  # noqa: F401 - the addresses of this module take the place of the site's
from registry.urls import urlpatterns as of_the_site

pytestmark = pytest.mark.urls(__name__)


class Submitting(APIView):
    """Reads with any token that may read, changes with one that may submit."""

    permission_classes = (TokenHasScope,)

    def get(self, request: Request) -> Response:
        return Response({"user": str(request.user)})

    post = get


class Reviewing(Submitting):
    scope = ApiToken.Scope.REVIEW


urlpatterns = [path("api/v1/test/", Submitting.as_view()), path("api/v1/review/", Reviewing.as_view()), *of_the_site]


def make(user, *scopes):
    return create_token(user=user, name="test", scopes=scopes or ["read", "submit"], days=30)


def ask(secret, *, method="get", address="/api/v1/test/", scheme="Bearer"):
    ask_with = getattr(Client(enforce_csrf_checks=True), method)
    return ask_with(address, headers={"authorization": f"{scheme} {secret}"}, content_type="application/json")


@pytest.mark.parametrize("secret", ["plumb_" + "x" * 43, "", "x", "plumb_", "ü" * 9, "a b c", "x" * 5000])
def test_an_unknown_one_is_told_so(ada, secret):
    response = ask(secret)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer realm="plumbline"'
    body = response.json()
    assert (body["ok"], body["status"], body["error"]) == (False, 401, "There is no such token.")
    assert [(error["field"], error["code"]) for error in body["errors"]] == [("Authorization", "unknown_token")]


def test_a_revoked_one_opens_nothing_from_the_next_request_on(ada):
    new = make(ada)
    assert ask(new.secret).status_code == 200
    revoke_token(token=new.token)
    response = ask(new.secret)
    assert (response.status_code, response.json()["error"]) == (401, "This token was revoked.")


def test_one_that_expired_is_told_at_every_address_for_programs(client, ada):
    headers = {"authorization": f"Bearer {make(ada).secret}"}
    ApiToken.objects.update(created_at=timezone.now() - timedelta(days=2), expires_at=timezone.now())
    filled = {"id": "1", "first": "1", "second": "2", "line": "1"}
    parts = [re.sub(r"<uuid:\w+>", str(uuid.UUID(int=0)), str(route.pattern)) for route in for_programs]
    routes = [re.sub(r"<(?:\w+:)?(\w+)>", lambda part: filled.get(part[1], "x"), pattern) for pattern in parts]
    asked = {route: client.get(f"/api/v1/{route}", headers=headers) for route in routes}
    assert len(asked) > 40
    assert {route: response.status_code for route, response in asked.items() if response.status_code != 401} == {}
    assert {response.json()["errors"][0]["code"] for response in asked.values()} == {"expired_token"}


def test_one_of_a_suspended_account_opens_nothing(ada):
    new = make(ada)
    User.objects.update(is_active=False)
    assert ask(new.secret).status_code == 401


@pytest.mark.parametrize(
    ("scopes", "method", "address", "status"),
    [
        (["read"], "get", "test", 200),
        (["read"], "post", "test", 403),
        (["submit"], "get", "test", 403),
        (["submit"], "post", "test", 200),
        (["submit"], "post", "review", 403),
        (["review"], "post", "review", 200),
        (["review"], "post", "test", 403),
    ],
)
def test_it_does_what_its_scopes_say(ada, scopes, method, address, status):
    assert ask(make(ada, *scopes).secret, method=method, address=f"/api/v1/{address}/").status_code == status


def test_a_browser_needs_no_scope_but_a_csrf_token(ada):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.get("/api/v1/test/").json() == {"user": "ada"}
    assert client.post("/api/v1/test/").status_code == 403


def test_use_is_noted_once_in_ten_minutes(ada, django_assert_num_queries):
    secret = make(ada).secret
    with django_assert_num_queries(2):
        ask(secret)
    noted = ApiToken.objects.get().last_used_at
    assert noted is not None
    with django_assert_num_queries(1):
        ask(secret)
    assert ApiToken.objects.get().last_used_at == noted
    ApiToken.objects.update(last_used_at=noted - timedelta(minutes=11))
    ask(secret)
    assert ApiToken.objects.get().last_used_at >= noted
