"""What holds for every page of accounts: private, plain, and safe from other sites."""

import pytest

from registry.accounts.personal import account_document
from registry.accounts.services import create_token
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator, make_person
from tests.registry.pages import page_of

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


@pytest.mark.parametrize("path", OWN)
def test_pages_of_ones_own(path):
    factory.make_collection("robust04")
    root = make_administrator()
    create_token(user=root, name="test", scopes=["read"], days=3)
    response = browser_of(root).get(path)
    assert response.status_code == 200
    assert "default-src 'none'" in response["Content-Security-Policy"]
    if path.startswith("/accounts/"):
        assert response["Cache-Control"] == "no-store"
    page = page_of(response)
    assert "{{" not in page.source
    assert "{%" not in page.source
    for tag, attributes in page.elements:
        assert "style" not in (tag, *attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert tag != "script" or attributes.get("src", "").startswith("/static/")
    assert [level for level, _ in page.headings].count(1) == 1
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len({*ids})
    labelled = {label.get("for") for label in page.of("label")}
    for field in (*page.of("input"), *page.of("select"), *page.of("textarea")):
        assert field.get("type") in {"hidden", "submit"} or field.get("id") in {None, *labelled}, field


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
