"""The page of a method leads to pages of today on which it is at work."""

from pathlib import Path

import pytest

from registry.core.live_examples import methods_with_examples
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

METHODS = {path.stem for path in Path("docs/methods").glob("*.md")} - {"README", "papers"}

#: What no page shows of a leaderboard or collection, and why.
WITHOUT = {
    "precision-of-ap": "of runs, which are private",
    "precision-of-map": "of runs, which are private",
    "split-collection-validation": "of runs, which are private",
    "meta-analysis": "of runs, which are private",
    "reachable-values": "asked when results come in",
    "tie-tiers": "for the library only",
    "winner-from-means": "for the library only",
}


def test_every_method_has_an_example_or_it_is_said_why_not():
    assert methods_with_examples() == METHODS - WITHOUT.keys()


def test_it_leads_to_the_leaderboard_with_what_that_says(client):
    board = make_board()
    sentence = analyse(board).headline["sentence"]
    page = read(client, "/methods/verdict/")
    assert (2, "At work on this site") in page.headings
    assert page.link(str(board)) == board.get_absolute_url()
    assert sentence in page.text


def test_nothing_is_said_where_there_is_none(client):
    assert "At work on this site" not in read(client, "/methods/verdict/").text


def test_the_collection_with_the_most_papers_is_the_example_of_baselines(client):
    few, many = make_collection("few"), make_collection("many")
    for collection, n in ((few, 1), (many, 2)):
        board = make_leaderboard(collection)
        for number in range(n):
            system, paper = make_system(), make_paper(f"{collection.slug} {number}")
            make_result(board, system, paper=paper, role="baseline")
    assert read(client, "/methods/baselines/").link(f"What did papers on {many.name} compare with?") == (
        "/collections/many/baselines/"
    )


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_page_opens_on_an_empty_site(client, method):
    assert client.get(f"/methods/{method}/").status_code == 200
