"""What holds for every page of accounts: private, plain, and safe from other sites."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from registry.accounts.services import create_token
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator, make_person

pytestmark = pytest.mark.django_db

VISITOR = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/done/",
    "/accounts/password/reset/key/1-x/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/x/",
    "/accounts/inactive/",
    "/accounts/3rdparty/login/cancelled/",
]
OWN = [
    "/accounts/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/accounts/reauthenticate/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/3rdparty/",
    "/accounts/tokens/",
    "/accounts/delete/",
    "/accounts/people/",
    "/accounts/people/root/",
    "/collections/robust04/curators/",
]


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture
def root():
    factory.make_collection("robust04")
    return make_administrator()


def addresses(patterns, prefix=""):
    """Every address of accounts and curators, with something made up for its parameters."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern).strip("^$")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif route.startswith(("accounts/", "collections/<str:name>/curators")):
            filled = re.sub(r"\(\?P<\w+>.*?\+\)", "x", route)
            yield "/" + re.sub(r"<int:\w+>", "1", re.sub(r"<(str:)?\w+>", "ada", filled))


@pytest.mark.parametrize("path", VISITOR)
def test_pages_for_visitors(client, path):
    check_page(client.get(path))


@pytest.mark.parametrize("path", OWN)
def test_pages_of_ones_own(root, path):
    create_token(user=root, name="test", scopes=["read"], days=3)
    check_page(browser_of(root).get(path))


def check_page(response):
    assert response.status_code == 200
    if response.request["PATH_INFO"].startswith("/accounts/"):
        assert response["Cache-Control"] == "no-store"
    page = response.content.decode()
    elements = Elements(page).found
    assert "{{" not in page
    assert "{%" not in page
    assert [tag for tag, attributes in elements if "style" in attributes or tag == "style"] == []
    assert all(tag != "script" or attributes.get("src", "").startswith("/static/") for tag, attributes in elements)
    assert not any(name.startswith("on") for _, attributes in elements for name in attributes)
    assert sum(tag == "h1" for tag, _ in elements) == 1
    assert "default-src 'none'" in response["Content-Security-Policy"]
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    check_labels(elements)


def check_labels(elements):
    """Every field that can be seen has a label, or a name for those who do not see it."""
    labelled = {attributes.get("for") for tag, attributes in elements if tag == "label"}
    for tag, attributes in elements:
        is_field = tag in {"input", "select", "textarea"} and attributes.get("type") not in {"hidden", "submit"}
        if is_field and attributes.get("id"):
            assert attributes["id"] in labelled, attributes


def test_no_address_changes_anything_without_a_token_of_the_form(root):
    client = Client(enforce_csrf_checks=True)
    client.force_login(root)
    found = sorted(set(addresses(get_resolver().url_patterns)))
    assert "/accounts/tokens/1/revoke/" in found
    assert len(found) > 30
    statuses = {path: client.post(path).status_code for path in found}
    assert {path: status for path, status in statuses.items() if status != 403} == {}


def test_a_kept_page_has_nobodys_name_or_messages(client):
    signed_in = browser_of(make_person())
    signed_in.post("/accounts/", {"full_name": "Ada"})
    assert b">ada</a>" in signed_in.get("/").content
    page = client.get("/")
    assert b"ada" not in page.content
    assert b">Sign in</a>" in page.content
    assert "Cookie" in page["Vary"]
    signed_in.post("/accounts/logout/")
    assert signed_in.get("/").content == page.content
