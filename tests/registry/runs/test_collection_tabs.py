"""The head that all pages of a collection share."""

from django.test import Client

from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection
from tests.registry.pages import Page, read
from tests.registry.runs.world import QRELS


def tabs(page: Page) -> list[str]:
    return [words for _, words in page.links if words.startswith("Judgements ")]


def test_kept_pages_hear_of_judgements(client):
    collection = make_collection()
    path = f"/collections/{collection.slug}/standardized/"
    assert tabs(read(client, path)) == ["Judgements none here"]
    put_judgements(collection=collection, content=QRELS, source="test")
    assert tabs(read(client, path)) == ["Judgements 12 topics"]


def test_the_tabs_take_two_queries(django_assert_max_num_queries):
    path = make_collection().get_absolute_url()
    with django_assert_max_num_queries(4):
        read(Client(), path)
