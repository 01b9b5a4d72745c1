"""Remarks that ship: what is missing, which split is scored, on pages of collections and suites."""

import pytest
from django.test import Client

from tests.registry.factory import make_collection
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_a_collection_says_which_split_is_scored_and_what_leaks(client: Client):
    page = read(client, make_collection("beir-scifact").get_absolute_url() + "about/")
    assert "809 queries to train on; scored on test (300 queries)." in page.text
    assert "Known leaks: the test queries are the official dev set; 41 of 300 are left" in page.text
    assert page.link("[1]") == "https://github.com/embeddings-benchmark/mteb/pull/5448"
