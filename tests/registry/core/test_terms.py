"""The pages behind the foot of every page: terms, privacy, contact; and that the site does what they say."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.core.env import env_contact
from tests.registry.leaderboards.boards import analysed, make_board

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("text", ["javascript:alert(1)", "call us", "http://example.org"])
def test_a_contact_that_leads_nowhere_is_refused(monkeypatch, text):
    monkeypatch.setenv("PLUMBLINE_CONTACT", text)
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_CONTACT must be an email address"):
        env_contact("PLUMBLINE_CONTACT")


def test_readers_get_no_cookie(client):
    """As the privacy notice says."""
    board = analysed(make_board())
    result = board.results.first()
    for path in (
        "/", "/collections/", board.collection.get_absolute_url(), board.get_absolute_url(), result.get_absolute_url(),
        result.system.get_absolute_url(), "/search/?q=run", "/log/", "/data/", "/methods/", "/check/", "/docs/privacy/",
    ):  # fmt: skip
        assert client.get(path).cookies == {}, path
