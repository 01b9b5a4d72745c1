"""What holds for every page of accounts: private, plain, and safe from other sites."""

from html.parser import HTMLParser

import pytest

from registry.accounts.personal import account_document
from registry.accounts.services import create_token
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator, make_person

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


@pytest.mark.parametrize("path", OWN)
def test_pages_of_ones_own(root, path):
    create_token(user=root, name="test", scopes=["read"], days=3)
    check_page(browser_of(root).get(path))


@pytest.mark.parametrize(
    ("method", "path", "fields"),
    [
        ("post", "/accounts/email/", {"email": "lovelace@example.org", "action_add": ""}),
        ("post", "/accounts/delete/", {"username": "ada"}),
        ("post", "/accounts/tokens/", {"name": "nightly", "scopes": ["read"], "days": "30"}),
        ("get", "/accounts/export/", {}),
    ],
)
def test_it_takes_certainty(ada, method, path, fields):
    before = account_document(ada)
    response = getattr(browser_of(ada, is_certain=False), method)(path, fields)
    assert response["Location"].startswith("/accounts/reauthenticate/")
    ada.refresh_from_db()
    unlike = {"account": None, "exported": None}
    assert account_document(ada) | unlike == before | unlike


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
