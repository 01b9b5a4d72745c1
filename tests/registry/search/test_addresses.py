"""Where search and lists are, what their forms take, and the page of a measure."""

import pytest
from django.urls import reverse

from registry.catalog.models import Measure
from registry.journal.services import record
from registry.search.forms import FileForm, FindForm, ListForm, SearchForm
from registry.search.names import MAX_LENGTH
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_every_list_has_an_address_and_a_file():
    assert [reverse(f"search:{name}") for name in ("robots", "sitemap", "search")] == [
        "/robots.txt", "/sitemap.xml", "/search/",
    ]  # fmt: skip
    assert reverse("search:sitemap-part", args=[2]) == "/sitemap-2.xml"
    assert reverse("search:search-file", args=["csv"]) == "/search.csv"
    assert reverse("search:measure-detail", args=["nDCG@10"]) == "/measures/nDCG@10/"
    for kind in ("leaderboard", "measure", "model", "system", "paper"):
        assert reverse(f"search:{kind}-list") == f"/{kind}s/"
        assert reverse(f"search:{kind}-file", args=["json"]) == f"/{kind}s.json"


def test_what_may_be_asked_is_said_beside_it():
    assert {name: list(form().fields) for name, form in (("file", FileForm), ("find", FindForm))} == {
        "file": ["q"], "find": ["q", "kind"],
    }  # fmt: skip
    assert set(ListForm().fields) == {"q", "page"}
    assert set(SearchForm().fields) == {"q", "kind", "page"}
    assert FileForm().fields["q"].max_length == MAX_LENGTH == 200
    assert all(field.help_text for field in SearchForm().fields.values())


def test_the_page_of_a_measure_has_its_own_leaderboards_and_changes_with_the_record(client):
    first, other = make_board(), make_board()
    for board in (first, other):
        analyse(board)
    address = f"/measures/{first.measure.name}/"
    page = read(client, address)
    shown = {link for link, _ in page.links}
    assert first.get_absolute_url() in shown
    assert other.get_absolute_url() not in shown
    assert (2, "1 leaderboard") in page.headings
    Measure.objects.filter(pk=first.measure_id).update(long_name="Longer name")
    assert "Longer name" not in read(client, address).text, "nothing was recorded"
    record(action="catalog.measures.loaded", subject=("file", "measures.csv"))
    assert "Longer name" in read(client, address).text
    assert client.get(f"{address}?page=2").status_code == 400
    assert client.get("/measures/never-heard/").status_code == 404
    assert client.post(address).status_code == 405


def test_crawlers_are_kept_from_what_is_for_people_alone(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    kept_out = [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow: ")]
    assert kept_out[0] == "/*?"
    assert {"/accounts/", "/admin/", "/api/", "/search/", "/submit/", "/-/"} <= set(kept_out)
