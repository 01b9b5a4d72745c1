"""What leaves the site names it as it is set or was started, whatever a reader calls it."""

import pytest
from django.core import mail
from django.test import Client

from registry.core.http import site_address
from registry.leaderboards.models import Snapshot
from tests.registry.accounts.people import make_person
from tests.registry.leaderboards.boards import analysed, make_board

LOCAL = ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.parametrize(
    ("set_to", "site"), [("", "http://127.0.0.1:8000"), ("https://x.example", "https://x.example")]
)
def test_nothing_that_is_kept_elsewhere_says_what_a_reader_wrote(settings, set_to, site):
    settings.SITE_URL, settings.ALLOWED_HOSTS = set_to, LOCAL
    board = analysed(make_board())
    page, snapshot = board.get_absolute_url()[:-1], Snapshot.objects.get().get_absolute_url()[:-1]
    paths = [f"{page}.{suffix}" for suffix in ("bib", "biblatex.bib", "csl.json", "tex", "md", "csv", "json", "atom")]
    paths += [f"{snapshot}.{suffix}" for suffix in ("bib", "csl.json")]
    paths += ["/sitemap.xml", "/sitemap-1.xml", "/robots.txt", "/log.atom", "/data.json", f"{page}/", f"{snapshot}/"]
    reader, named = Client(headers={"host": "localhost:1337"}), set()
    for path in paths:
        response = reader.get(path)
        assert response.status_code in {200, 404}, path
        assert b":1337" not in response.content, path
        if site.encode() in response.content:
            named.add(path)
    assert named >= {f"{page}.bib", f"{page}.atom", f"{snapshot}.bib", "/sitemap-1.xml", "/robots.txt", "/log.atom"}


def test_mails_of_pages_and_of_workers_lead_to_one_address(settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = "", LOCAL
    make_person()
    Client(headers={"host": "localhost:1337"}).post("/accounts/password/reset/", {"email": "ada@example.org"})
    (message,) = mail.outbox
    assert f"{site_address()}/accounts/password/reset/" in message.body
    assert "localhost" not in message.body
