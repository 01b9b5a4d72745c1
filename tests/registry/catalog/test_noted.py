"""Remarks that ship: what is missing, which split is scored, on pages of collections and suites."""

from django.test import Client

from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import make_collection
from tests.registry.pages import read


def test_a_collection_says_which_split_is_scored_and_what_leaks(client: Client):
    page = read(client, make_collection("beir-scifact").get_absolute_url() + "about/")
    assert "809 queries to train on; scored on test (300 queries)." in page.text
    assert "Known leaks: the test queries are the official dev set; 41 of 300 are left" in page.text
    assert page.link("[1]") == "https://github.com/embeddings-benchmark/mteb/pull/5448"


def test_what_is_missing_says_what_was_searched_and_takes_it(client: Client):
    page = read(client, make_collection("msmarco-passage-dev").get_absolute_url() + "about/")
    assert (
        "ColBERTv2 and PLAID as their papers report them: searched in the text of public repositories and pages on "
        "29 November 2026; found: other people's runs. Add it"
    ) in page.text
    form = read(client, page.link("Add it"))
    assert [field["value"] for field in form.of("input") if field.get("name") == "collection"] == [
        "msmarco-passage-dev"
    ]


def test_a_benchmark_says_what_is_missing_too(client: Client):
    make_suite("bright", make_boards("a", "b"))
    page = read(client, "/benchmarks/bright/nDCG@10/")
    assert (
        "The benchmark's own table by data set: searched in its site on 28 November 2026; found: means alone."
        in page.text
    )
    assert page.link("Add it") == "/submit/"
