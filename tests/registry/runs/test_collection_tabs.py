"""The head that all pages of a collection share."""

import pytest
from django.test import Client

from registry.results.models import UnnamedScores
from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection, make_measure, make_user
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import Page, read
from tests.registry.results.people import signed_in
from tests.registry.runs.world import QRELS
from tests.registry.tools.baselines.test_collection_baselines import put as put_papers
from tests.registry.tools.resolution.test_collection_resolution import make_unnamed, scores_of

pytestmark = pytest.mark.django_db

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


@pytest.mark.parametrize(("end", "name"), PAGES.items())
def test_every_page_has_the_same_head_and_says_which_it_is(client, end, name):
    path = make_collection("robust", name="Robust track", aliases=["Robust04"]).get_absolute_url()
    page = read(client, path + end)
    assert page.headings[0] == (1, "Robust track")
    assert "50 topics · also Robust04" in page.text
    assert [words.split(" ")[0] for words in tabs(page)] == TABS
    (current,) = [one for one in page.of("a") if one.get("aria-current")]
    at = next(end for end, tab in PAGES.items() if tab == name)
    assert current["href"] == path + at
    assert current["aria-current"] == ("page" if end == at else "true")


def test_a_tab_without_content_says_so(client):
    page = read(client, make_collection().get_absolute_url())
    assert tabs(page) == [*(f"{name} none here" for name in TABS[:-1]), "About"]
    for words in tabs(page):
        read(client, page.link(words))


def test_tabs_say_how_much_there_is(client):
    board = make_board(year=2004, n_topics=None)
    put_papers(board)
    collection = board.collection
    assert tabs(read(client, collection.get_absolute_url())) == [
        "Leaderboards 1", "Resolution none here", "Progress 3 papers", "Standardized none here",
        "Judgements none here", "About",
    ]  # fmt: skip
    make_unnamed(collection, make_measure(), scores_of())
    put_judgements(collection=collection, content=QRELS, source="test")
    assert tabs(read(client, collection.get_absolute_url())) == [
        "Leaderboards 1", "Resolution", "Progress 3 papers", "Standardized none here", "Judgements 12 topics", "About",
    ]  # fmt: skip
    UnnamedScores.objects.update(runs="toolkits")
    assert "Standardized 8 systems" in tabs(read(client, collection.get_absolute_url()))


def test_a_variance_without_topic_scores_is_something_to_resolve_with(client):
    known, unknown = make_board(), make_board(n_topics=None)
    for board, name in ((known, "Resolution"), (unknown, "Resolution none here")):
        analyse(board)
        assert name in tabs(read(client, board.collection.get_absolute_url()))


def test_kept_pages_hear_of_judgements(client):
    collection = make_collection()
    path = f"/collections/{collection.slug}/standardized/"
    assert "Judgements none here" in tabs(read(client, path))
    put_judgements(collection=collection, content=QRELS, source="test")
    assert "Judgements 12 topics" in tabs(read(client, path))


def test_curators_are_for_editors_to_find(client):
    path = make_collection().get_absolute_url() + "about/"
    assert "Curators" not in [words for _, words in read(client, path).links]
    editor = signed_in(make_user(is_editor=True))
    page = read(editor, read(editor, path).link("Curators"))
    assert tabs(page)[-1] == "About"


def test_the_tabs_take_two_queries(django_assert_max_num_queries):
    path = make_collection().get_absolute_url()
    with django_assert_max_num_queries(4):
        read(Client(), path)
