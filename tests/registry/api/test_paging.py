"""Lists in pages."""

from itertools import pairwise

from registry.catalog.models import Measure
from registry.leaderboards.models import Analysis
from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analyse, make_board

PATH = "/api/v1/measures/"


def test_every_row_is_on_one_page_and_previous_leads_back(client):
    names = {make_measure().name for _ in range(7)}
    pages = [client.get(f"{PATH}?page_size=3").json()]
    while pages[-1]["next"]:
        pages.append(client.get(pages[-1]["next"]).json())
    assert {page["count"] for page in pages} == {7}
    rows = [measure["name"] for page in pages for measure in page["results"]]
    assert (len(pages), len(rows), set(rows)) == (3, 7, names)
    assert pages[0]["previous"] is None
    for before, page in pairwise(pages):
        assert client.get(page["previous"]).json()["results"] == before["results"]


def test_a_token_of_another_list_is_refused(client):
    for _ in range(2):
        analyse(make_board())
    assert Analysis.objects.count() == 2
    token = client.get("/api/v1/leaderboards/?page_size=1").json()["next"].partition("page=")[2]
    assert client.get("/api/v1/leaderboards/", {"page": token, "page_size": 1}).status_code == 200
    assert client.get("/api/v1/leaderboards/", {"page": token, "sort": "n_results"}).status_code == 400


def test_a_page_beyond_the_end_is_empty(client):
    for _ in range(3):
        make_measure()
    address = client.get(f"{PATH}?page_size=2").json()["next"]
    Measure.objects.all().delete()
    body = client.get(address).json()
    assert (body["count"], body["results"], body["next"]) == (0, [], None)
