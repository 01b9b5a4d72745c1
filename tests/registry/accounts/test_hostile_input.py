"""Whatever is sent to the pages of accounts, they answer."""

import pytest

from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    """Or most of it would stop at a limit."""
    monkeypatch.setattr("registry.core.limits.take", lambda *_, **__: None)
    factory.make_collection("ada")


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
