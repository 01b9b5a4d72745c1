"""From any name in an address to the collection, the measure or the leaderboard that it means."""

import pytest
from django.urls import resolve

from registry.catalog.access import get_visible_pair
from registry.core.http import Ambiguous
from registry.leaderboards.exports.pictures import PICTURES
from registry.leaderboards.views.boards import FORMATS
from tests.registry import factory
from tests.registry.pages import read


@pytest.fixture
def scifact():
    return factory.make_collection(
        "beir-scifact", name="BEIR SciFact", ir_datasets_id="beir/scifact/test", aliases=["scifact"]
    )


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("/collections/beir/scifact/test/", "/collections/beir-scifact/"),
        ("/collections/beir/scifact/test/about/", "/collections/beir-scifact/about/"),
        ("/api/v1/collections/BEIR/SciFact/test/?page=2", "/api/v1/collections/beir-scifact/?page=2"),
        ("/leaderboards/beir/scifact/test/AP(rel=2)@100/", "/leaderboards/beir-scifact/AP(rel=2)@100/"),
        ("/leaderboards/beir/scifact/test/nDCG@10.atom", "/leaderboards/beir-scifact/nDCG@10.atom"),
        ("/leaderboards/beir/scifact/test/nDCG@10/pairs.json", "/leaderboards/beir-scifact/nDCG@10/pairs.json"),
        ("/collections/beir/scifact/test.croissant.json", "/collections/beir-scifact.croissant.json"),
        ("/collections/beir/scifact/test/judgements.qrels", "/collections/beir-scifact/judgements.qrels"),
        ("/collections/beir/scifact/test/log.atom", "/collections/beir-scifact/log.atom"),
    ],
)
def test_an_id_with_slashes_leads_to_the_slug_for_good(client, scifact, asked, address):
    response = client.get(asked)
    assert (response.status_code, response["Location"]) == (301, address)


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_id_with_slashes_leads_to_every_format_of_a_leaderboard(client, scifact, suffix):
    file = f"{'/' if suffix in PICTURES else '.'}{suffix}"
    response = client.get(f"/leaderboards/beir/scifact/test/nDCG@10{file}?q=bm25")
    assert response.status_code == 301
    assert response["Location"] == f"/leaderboards/beir-scifact/nDCG@10{file}?q=bm25"
    assert resolve(response["Location"].partition("?")[0]).view_name.startswith("leaderboards:leaderboard-")


def test_the_longest_name_that_begins_an_address_is_meant(client, scifact):
    factory.make_collection("beir-scifact-all", ir_datasets_id="beir/scifact")
    assert client.get("/collections/beir/scifact/test/about/")["Location"] == "/collections/beir-scifact/about/"
    assert client.get("/collections/beir/scifact/about/")["Location"] == "/collections/beir-scifact-all/about/"


def test_an_id_with_slashes_that_several_have_asks_which(client, scifact):
    other = factory.make_collection("scifact-test", name="SciFact test")
    factory.make_question("The claims of which release?", ["beir/scifact/test"], [scifact, other])
    page = read(client, "/collections/beir/scifact/test/about/", status=300)
    assert "The claims of which release?" in page.text
    assert page.link("SciFact test") == "/collections/scifact-test/about/"


def test_each_half_of_an_address_tells_what_the_other_means():
    track, beir = factory.make_collection("robust", aliases=["Robust04"]), factory.make_collection("beir-robust")
    ap, ndcg, share = (factory.make_measure(name) for name in ("AP", "nDCG@10", "Success@1"))
    factory.make_question("The track or BEIR?", ["Robust04"], [track, beir], only_with=[ndcg])
    factory.make_question("Which share?", ["MAP"], [ap, share], kind="measure", only_with=[beir])
    assert get_visible_pair("Robust04", "MAP") == (track, ap)
    with pytest.raises(Ambiguous, match="The track or BEIR") as caught:
        get_visible_pair("Robust04", "nDCG@10")
    assert (caught.value.kind, caught.value.name) == ("collection", "Robust04")
    with pytest.raises(Ambiguous, match="Which share") as caught:
        get_visible_pair("beir-robust", "MAP")
    assert (caught.value.kind, caught.value.name) == ("measure", "MAP")


@pytest.mark.parametrize("path", ["/leaderboards/nq/{}/", "/leaderboards/nq/{}.json", "/api/v1/leaderboards/nq/{}/"])
def test_what_a_measure_by_answers_was_called_leads_on(client, path):
    factory.make_leaderboard(
        factory.make_collection("nq"), factory.make_measure("Top-20 accuracy (answers)"), results_version=1
    )
    factory.make_measure("Success@20")
    response = client.get(path.format("top_20_accuracy"))
    assert (response.status_code, response["Location"]) == (301, path.format("Top-20%20accuracy%20(answers)"))
    assert client.get(response["Location"]).status_code == 200
