"""What is kept of forms that came from nobody: so much, so many, until they are sent or wanted no more."""

import pytest
from django.test import Client

from registry.accounts import keeping
from registry.core.limits import LIMITS
from tests.registry.accounts.people import make_person, sign_in
from tests.registry.pages import Page, read
from tests.registry.submissions.world import make_robust04

pytestmark = pytest.mark.django_db


def send(client: Client, number: int = 0, text: str = "Ada", **more) -> str:
    """Send the form of one's own account, under an address of its own; where that leads."""
    response = client.post(f"/accounts/?form={number}", {"full_name": text, **more})
    assert response.status_code == 302
    return response["Location"]


def kept(client: Client, number: int = 0) -> Page | None:
    response = client.get("/accounts/kept-form/", {"path": f"/accounts/?form={number}"})
    if response.status_code == 404:
        assert b"Nothing is kept here any more" in response.content
        return None
    assert response.status_code == 200
    return read(client, response.request["PATH_INFO"] + "?" + response.request["QUERY_STRING"])


def typed(page: Page) -> list[tuple[str, str]]:
    return [(one["name"], one["value"]) for one in page.of("input") if one.get("type") == "hidden" and "value" in one]


def test_a_page_that_nobody_may_see_leads_to_signing_in_and_back(client):
    assert client.get("/accounts/?form=1")["Location"] == "/accounts/login/?next=/accounts/%3Fform%3D1"


def test_a_form_leads_to_signing_in_and_then_to_itself(client):
    make_person()
    assert send(client, 1) == "/accounts/login/?next=/accounts/kept-form/%3Fpath%3D%252Faccounts%252F%253Fform%253D1"
    sign_in(client)
    page = kept(client, 1)
    assert ("full_name", "Ada") in typed(page)
    assert "/accounts/?form=1" in [one.get("action") for one in page.of("form")]


def test_every_value_of_a_field_is_kept(client):
    make_person()
    send(client, full_name=["Ada", "Countess"])
    sign_in(client)
    assert [value for name, value in typed(kept(client)) if name == "full_name"] == ["Ada", "Countess"]


def test_the_latest_five_are_kept_and_one_sent_again_is_the_latest(client):
    make_person()
    for number in (0, 1, 2):
        send(client, number)
    send(client, 0, "Ada again")
    for number in (3, 4, 5):
        send(client, number)
    sign_in(client)
    assert [bool(kept(client, number)) for number in range(6)] == [True, False, True, True, True, True]
    assert ("full_name", "Ada again") in typed(kept(client, 0))


def test_what_is_sent_is_kept_no_longer_and_other_forms_are(client):
    make_person()
    send(client, 1)
    send(client, 2)
    sign_in(client)
    client.get("/accounts/?form=1")
    assert kept(client, 1), "looking sends nothing"
    client.post("/accounts/?form=1", {"full_name": "Ada"})
    assert kept(client, 1) is None
    assert kept(client, 2)


def test_so_much_is_kept_of_all_forms_together(client, monkeypatch):
    monkeypatch.setattr(keeping, "MAX_KEPT", 10)
    make_person()
    send(client, 1, "12345")
    send(client, 2, "12345")
    refused = client.post("/accounts/?form=3", {"full_name": "1"})
    assert refused.status_code == 403
    assert b"Sign in in another window of this browser" in refused.content
    sign_in(client)
    assert [bool(kept(client, number)) for number in (1, 2, 3)] == [True, True, False]


def test_what_was_not_kept_is_not_charged_for(client, monkeypatch):
    monkeypatch.setattr(keeping, "MAX_KEPT", 3)
    monkeypatch.setitem(LIMITS, "kept form: address", (1, 3600))
    assert client.post("/accounts/", {"full_name": "Lovelace"}).status_code == 403
    send(client, text="Ada")
    assert Client().post("/accounts/", {"full_name": "Ada"}).status_code == 429


def test_a_filled_in_page_is_there_again_after_signing_in_until_it_is_discarded(client):
    make_person()
    make_robust04()
    filled = {"text": "system,MAP\nBM25 of ours,0.25\n", "role": "baseline", "paper": "arXiv:1904.09171"}
    away = client.post("/submit/table/", filled | {"collection": "robust04", "step": "check"})
    assert away["Location"] == "/accounts/login/?next=%2Fsubmit%2Ftable%2F"
    assert "BM25 of ours" not in client.get("/submit/table/").content.decode(), "nobody is signed in yet"
    sign_in(client)
    assert "BM25 of ours" in client.get("/submit/table/").content.decode()
    client.post("/submit/table/", {"step": "discard"})
    assert "BM25 of ours" not in client.get("/submit/table/").content.decode()
