"""Who sends a body is asked before any of it is read: what they hear then, and that nothing is done yet."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from registry.accounts.models import ApiToken
from registry.accounts.services import revoke_token
from registry.api.views.private import PrivateView
from registry.core.http import AT_HEADERS, SENDER
from registry.core.limits import LIMITS
from registry.core.middleware import AnswerAtHeaders
from tests.registry.api.programs import LIST, Program
from tests.registry.runs.world import make_judged

RUNS = "/api/v1/runs/"


def ask(address: str, method: str = "POST", client: Client | None = None, length: int = 5000, **headers: str):
    about = {AT_HEADERS: True, "CONTENT_LENGTH": str(length)}
    return (client or Client()).generic(method, address, headers=headers, **about)


def error(response: HttpResponse) -> tuple[int, str]:
    return response.status_code, response.json()["errors"][0]["code"]


def test_who_may_send_is_named_and_nothing_is_done():
    program = Program()
    with CaptureQueriesContext(connection) as queries:
        response = ask(LIST, **program.headers)
    assert (response.status_code, response[SENDER], response.content) == (100, str(program.user.pk), b"")
    assert {query["sql"].split()[0] for query in queries} == {"SELECT"}


@pytest.mark.parametrize("address", [LIST, RUNS])
def test_who_may_not_hears_why(address):
    program = Program(scopes=["read"])
    assert error(ask(address, **program.headers)) == (403, "wrong_scope")
    assert error(ask(address)) == (401, "not_authenticated")
    assert error(ask(address, authorization="Bearer plumb_nonsense")) == (401, "unknown_token")
    ApiToken.objects.update(created_at=timezone.now() - timedelta(9), expires_at=timezone.now() - timedelta(1))
    assert error(ask(address, **program.headers)) == (401, "expired_token")
    revoke_token(token=ApiToken.objects.get())
    assert error(ask(address, **program.headers)) == (401, "revoked_token")


def test_a_run_that_there_is_no_room_for_is_refused_before_it_is_sent(monkeypatch, settings):
    settings.PLUMBLINE_MAX_BODY_BYTES, settings.PLUMBLINE_MAX_RUN_BYTES = 100, 1000
    monkeypatch.setitem(LIMITS, "large run: account", (1, 3600))
    program, address = Program(), f"{RUNS}?collection={make_judged().slug}"
    # Asking takes nothing.
    assert [ask(address, length=101, **program.headers).status_code for _ in range(2)] == [100, 100]
    assert program.client.generic("POST", address, 101 * b"x", headers=program.headers).status_code == 201
    refused = ask(address, length=101, **program.headers)
    assert (refused.status_code, "1 large runs an hour" in refused.json()["error"]) == (429, True)
    assert ask(address, length=100, **program.headers).status_code == 100
    assert ask(f"{RUNS}?collection=nowhere", length=100, **program.headers).status_code == 400
    assert ask(address, length=1001, **program.headers).status_code == 413


def test_who_is_signed_in_is_known_on_pages():
    program = Program()
    program.client.force_login(program.user)
    response = ask("/submit/", client=program.client)
    assert (response.status_code, response[SENDER]) == (100, str(program.user.pk))
    assert SENDER not in ask("/submit/")


def callbacks(patterns):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from callbacks(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            yield pattern.callback


def test_no_view_is_called_that_does_not_see_to_it_itself():
    """Whatever an address does, it does not do it when only its headers are there."""
    request = RequestFactory().post("/", **{AT_HEADERS: True})
    request.user = AnonymousUser()
    middleware = AnswerAtHeaders(lambda request: HttpResponse())
    called = [
        view for view in callbacks(get_resolver().url_patterns) if not middleware.process_view(request, view, (), {})
    ]
    assert len(called) > 5
    assert {view.cls.initial for view in called} == {PrivateView.initial}
