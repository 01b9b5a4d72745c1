"""Whatever is sent to the pages of accounts, they answer."""

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator
from tests.registry.accounts.test_pages import addresses
from tests.thoroughness import every

pytestmark = pytest.mark.django_db

FIELDS = [
    "login",
    "password",
    "email",
    "username",
    "password1",
    "password2",
    "oldpassword",
    "code",
    "name",
    "scopes",
    "days",
    "full_name",
    "role",
    "is_active",
    "reason",
    "next",
    "account",
    "action_add",
    "action_send",
    "action_remove",
    "action_primary",
    "process",
    "remember",
    "q",
    "page",
]
VALUES = [
    "",
    "a\x00b",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "\u202etxt.exe\u200b",
    "x" * 10_000,
    "-1",
    "9" * 5_000,
    "<script>alert(1)</script>{{ 7 }}%s%n",
    "ada@example.org\r\nBcc: x@example.org",
    "a" * 400 + "@example.org",
]


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    """Or most of it would stop at a limit."""
    monkeypatch.setattr("registry.core.limits.take", lambda *_, **__: None)
    factory.make_collection("ada")


def send_everything(client):
    for number, path in enumerate(sorted(set(addresses(get_resolver().url_patterns)) - {"/accounts/logout/"})):
        for value in every(10, VALUES, __file__, start=number):
            assert client.post(path, dict.fromkeys(FIELDS, value)).status_code < 500, (path, value[:20])
            assert client.get(path, dict.fromkeys(FIELDS, value)).status_code < 500, (path, value[:20])
        assert client.post(path, b"\xff\xfe{", content_type="application/json").status_code < 500, path
        assert client.post(path, b"--x\r\nbroken", content_type="multipart/form-data; boundary=x").status_code < 500, (
            path
        )
        assert client.put(path, b"{}", content_type="application/json").status_code < 500, path


def test_visitors_are_answered():
    send_everything(Client())


@pytest.mark.slow
def test_administrators_are_answered():
    send_everything(browser_of(make_administrator()))


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/password/reset/key/zzzzzzzzzzzzz-x/",
        "/accounts/password/reset/key/zzzzzzzzzzzzzzzzzzzzzzz-x/",
        "/accounts/confirm-email/MQ:1vM:x-_/",
        "/accounts/tokens/99999999999999999999999999/revoke/",
        "/collections/ada/curators/99999999999999999999999999/dismiss/",
        "/people/%F0%9F%98%80/",
        "/accounts/people/%EF%BF%BD/",
    ],
)
def test_numbers_and_names_of_any_size(path):
    client = browser_of(make_administrator())
    assert client.get(path).status_code in {200, 404, 405}
    assert client.post(path, {"reason": "x"}).status_code in {200, 302, 404, 405}
