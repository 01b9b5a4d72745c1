"""Remarks that ship: what is missing, which split is scored, on pages of collections and suites."""

import pytest
from django.test import Client

from registry.core.shipping import shipped_rows
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import make_collection
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_a_collection_says_what_was_looked_for_and_how_to_add_it(client: Client):
    collection = make_collection("kilt-nq-dev")
    page = read(client, collection.get_absolute_url())
    assert (2, "Known to be missing") in page.headings
    assert "KILT's leaderboard: looked for, and the board was in no page that could be read as text" in page.text
    assert page.link("add a result, or paste the table") == "/submit/?collection=kilt-nq-dev"
    other = read(client, make_collection("of-nobody").get_absolute_url())
    assert "Known to be missing" not in other.text


def test_a_suite_says_so(client: Client):
    suite = make_suite("bright", make_boards("first", "second"), is_average=False)
    page = read(client, f"/suites/{suite.slug}/")
    assert "Rank1 and ReasonRank as their papers print them" in page.text


def test_a_collection_says_which_split_is_scored_and_what_leaks(client: Client):
    page = read(client, make_collection("beir-scifact").get_absolute_url() + "about/")
    assert "809 queries to train on; scored on test (300 queries)." in page.text
    assert "Known leaks: the test queries are the official dev set; 41 of 300 are left" in page.text
    assert page.link("[1]") == "https://github.com/embeddings-benchmark/mteb/pull/5448"


def test_what_is_counted_over_languages_is_said_of_none():
    (german,) = [row for row in shipped_rows("splits.csv") if row["collection"] == "miracl-de-dev"]
    assert (german["board_split"], german["train_queries"]) == ("dev", "")


def test_a_table_that_does_not_ship_is_empty():
    assert shipped_rows("of_nobody.csv") == ()
