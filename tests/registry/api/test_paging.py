"""Lists in pages."""

import base64

import pytest

from registry.api.paging import Window, read_token
from registry.catalog.models import Measure
from registry.leaderboards.models import Analysis
from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db

PATH = "/api/v1/measures/"


def test_every_row_is_on_one_page(client):
    names = {make_measure().name for _ in range(7)}
    seen, address = [], f"{PATH}?page_size=3"
    while address:
        body = client.get(address).json()
        assert body["count"] == 7
        seen += [measure["name"] for measure in body["results"]]
        address = body["next"]
    assert len(seen) == 7
    assert set(seen) == names


def test_previous_leads_back(client):
    for _ in range(7):
        make_measure()
    pages = [client.get(f"{PATH}?page_size=3").json()]
    assert pages[0]["previous"] is None
    for _ in range(2):
        pages.append(client.get(pages[-1]["next"]).json())
    assert pages[2]["next"] is None
    assert client.get(pages[2]["previous"]).json()["results"] == pages[1]["results"]
    assert client.get(pages[1]["previous"]).json()["results"] == pages[0]["results"]


def test_addresses_of_pages_keep_what_was_asked(client):
    for _ in range(2):
        analyse(make_board())
    body = client.get("/api/v1/leaderboards/?sort=n_results&min_results=2&page_size=1").json()
    assert body["next"].startswith("http://testserver/api/v1/leaderboards/?")
    assert {"sort=n_results", "min_results=2", "page_size=1"} <= set(body["next"].partition("?")[2].split("&"))


@pytest.mark.parametrize(
    "token", ["2", "x", "%", "é", "MQ", base64.urlsafe_b64encode(b"1.00000000").decode(), "9" * 100, "AAAA====", "-"]
)
def test_a_made_up_token_is_refused(client, token):
    response = client.get(PATH, {"page": token})
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == ["page"]


def test_a_token_of_another_list_is_refused(client):
    for _ in range(2):
        analyse(make_board())
    assert Analysis.objects.count() == 2
    token = client.get("/api/v1/leaderboards/?page_size=1").json()["next"].partition("page=")[2]
    assert client.get("/api/v1/leaderboards/", {"page": token, "page_size": 1}).status_code == 200
    assert client.get("/api/v1/leaderboards/", {"page": token, "sort": "n_results"}).status_code == 400


def test_a_token_leads_where_it_was_made():
    window = Window(start=40, size=20, question="a=b")
    assert read_token(window.next_token(100), "a=b") == 60
    assert read_token(window.previous_token(), "a=b") == 20
    assert window.next_token(60) is None
    assert Window(start=0, size=20, question="").previous_token() is None
    assert read_token(Window(start=5, size=20, question="a=b").previous_token(), "a=b") == 0
    assert read_token(window.next_token(61), "a=b") == 60
    assert read_token(window.next_token(100), "a=c") is None
    assert window.cut(tuple(range(100))) == tuple(range(40, 60))
    assert "=" not in window.next_token(100)
    assert read_token(f"{window.next_token(100)}!", "a=b") is None
    for start in (9, 90, 900, 9000, 90_000):
        assert read_token(Window(start=start, size=1, question="").next_token(10**6), "") == start + 1


def test_a_page_beyond_the_end_is_empty(client):
    for _ in range(3):
        make_measure()
    address = client.get(f"{PATH}?page_size=2").json()["next"]
    Measure.objects.all().delete()
    body = client.get(address).json()
    assert (body["count"], body["results"], body["next"]) == (0, [], None)
