"""How many kinds of pages a reader has to learn."""

from tests.kinds_of_pages import kinds_of_pages

MOST = 32


def test_there_are_few_kinds_of_pages():
    kinds = kinds_of_pages()
    assert 20 <= len(kinds) <= MOST, list(kinds)
    # Of a chain of templates the one that stands on base.html is the kind.
    assert "leaderboards/snapshot_detail.html" in kinds["leaderboards/board.html"]
    assert "search/paper_list.html" in kinds["search/_list.html"]
