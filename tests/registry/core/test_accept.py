"""Every page about something answers ``Accept``: with the format itself, or by leading to where it stands."""

import pytest

from registry.dumps.services import export_dump
from tests.registry.factory import make_model, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.leaderboards.suites import analyse_all, make_members
from tests.thoroughness import every

pytestmark = pytest.mark.django_db

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def media_type(client, address: str, accept: str) -> str:
    response = client.get(address, headers={"Accept": accept})
    assert "Accept" in response["Vary"].split(", "), address
    if response.status_code == 303:
        response = client.get(response["Location"], headers={"Accept": accept})
    assert response.status_code == 200, (address, response.content)
    return response["Content-Type"].partition(";")[0]


@pytest.fixture
def addresses(settings, tmp_path):
    settings.DUMPS = tmp_path / "dumps"
    analyse_all(make_members())
    board, paper = make_board(), make_paper("Doe (2020)")
    first, second = make_system("splade-v3.onnx", model=make_model()), make_system("BM25")
    result = make_result(board, first, "0.2100", paper=paper)
    snapshot = analyse(board).snapshot
    export_dump()
    things = (board, board.collection, board.measure, first, paper, result, snapshot)
    named = [thing.get_absolute_url() for thing in things if hasattr(thing, "get_absolute_url")]
    asked = f"/check/?collection={board.collection.slug}&measure={board.measure.name}&score=0.3"
    many = "/check/?n=20&topics=50&best=0.3&mean=0.25&sd=0.03"
    compared = f"/compare/?system={first.pk}&system={second.pk}"
    return [*named, "/models/splade-v3/", "/benchmarks/beir/nDCG@10/", "/data/", asked, many, compared]


def test_pages_come_as_json_to_readers_that_prefer_it(client, addresses):
    for address in addresses:
        assert media_type(client, address, "application/json") == "application/json", address
        assert media_type(client, address, BROWSER) == "text/html", address
    for address in every(5, addresses, __file__):
        assert media_type(client, address, "*/*") == "text/html", address


def test_papers_and_analyses_come_as_citations(client):
    snapshot = analyse(make_board()).snapshot
    for address in (make_paper("Doe (2020)").get_absolute_url(), snapshot.get_absolute_url()):
        for kind in ("application/x-bibtex", "application/x-research-info-systems"):
            assert media_type(client, address, kind) == kind
