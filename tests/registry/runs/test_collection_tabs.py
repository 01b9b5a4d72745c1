"""The head that all pages of a collection share."""

from django.test import Client

from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection
from tests.registry.pages import Page, read
from tests.registry.runs.world import QRELS

#: The address of each page below that of the collection, and the tab that it is of.
PAGES = {
    "": "Leaderboards",
    "resolution/": "Resolution",
    "baselines/": "Progress",
    "standardized/": "Standardized",
    "judgements/": "Judgements",
    "about/": "About",
    "log/": "About",
}
TABS = [*dict.fromkeys(PAGES.values())]


def tabs(page: Page) -> list[str]:
    return [words for _, words in page.links if words.split(" ")[0] in TABS]


def test_kept_pages_hear_of_judgements(client):
    collection = make_collection()
    path = f"/collections/{collection.slug}/standardized/"
    assert "Judgements none here" in tabs(read(client, path))
    put_judgements(collection=collection, content=QRELS, source="test")
    assert "Judgements 12 topics" in tabs(read(client, path))


def test_the_tabs_take_two_queries(django_assert_max_num_queries):
    path = make_collection().get_absolute_url()
    with django_assert_max_num_queries(4):
        read(Client(), path)
