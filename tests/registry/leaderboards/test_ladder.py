"""The bars beside results: how far each is behind the best."""

from types import SimpleNamespace

import pytest

from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.ladder import WIDTH, ladder
from registry.leaderboards.forms import Selection
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of

pytestmark = pytest.mark.django_db


def document_of(board):
    analyse(board)
    return leaderboard_document(board, Selection())


def test_a_dot_lies_in_the_shade_exactly_where_the_row_can_be_the_best():
    document = document_of(make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)]))
    bars = ladder(document, document.results)
    inside = {row.id for row in document.results if (dot := bars[row.id].dot) is not None and dot >= bars[row.id].edge}
    assert inside == set(document.verdict.set.members)
    assert 1 < len(inside) < 30
    best, *_, last = document.results
    assert (bars[best.id].dot, bars[last.id].dot) == (WIDTH, None)


def test_with_topic_scores_each_row_has_a_margin_of_its_own():
    document = document_of(make_scored_board(scores_of()))
    bars = ladder(document, document.results)
    assert document.verdict.set.margin is None
    assert len({bar.edge for bar in bars.values()}) > 2
    for row in document.results:
        bar = bars[row.id]
        is_inside = bar.dot is not None and bar.dot >= bar.edge - 0.1
        assert is_inside == row.can_be_best


def test_the_page_draws_them_and_says_what_they_are(client):
    board = make_board()
    document_of(board)
    page = read(client, board.get_absolute_url())
    assert page.source.count('class="rung"') == 8
    assert "The bar shows how far it is behind the best, which stands at the right end" in page.text


def test_without_a_set_there_is_no_bar(client):
    board = make_board(residual_variance=None, n_topics=None)
    document = document_of(board)
    assert ladder(document, document.results) == {}
    assert 'class="rung"' not in read(client, board.get_absolute_url()).source


def bars_of(distances, *, margin=0.04, held_back=(), rows=range(1, 9)):
    """The bars of rows from how far each is behind and its own margin, by row."""
    found = SimpleNamespace(
        margin=margin,
        distances=[SimpleNamespace(result=row, behind=one, margin=own) for row, (one, own) in distances.items()],
    )
    verdict = SimpleNamespace(shown=SimpleNamespace(set=found), held_back=frozenset(held_back))
    document = SimpleNamespace(verdict=verdict)
    return ladder(document, [SimpleNamespace(id=row) for row in rows])


def test_a_bar_of_92_pixels_begins_2_3_margins_from_the_best():
    behind = {1: 0.0, 2: 0.023, 3: 0.04, 4: 0.092, 5: 0.0921, 6: -0.01, 7: 0.01}
    bars = bars_of({row: (one, 0.04) for row, one in behind.items()}, held_back=[7])
    assert {row: bar.dot for row, bar in bars.items()} == {1: 92.0, 2: 69.0, 3: 52.0, 4: 0.0, 5: None, 6: 92.0}
    assert {(bar.edge, bar.shade) for bar in bars.values()} == {(52.0, 40.0)}
    assert [bars[row].start for row in (2, 4, 5)] == [69.0, 0.0, 0.0]


def test_margins_of_their_own_are_drawn_on_the_scale_of_the_middle_one():
    bars = bars_of({1: (0.0, 0.02), 2: (0.023, 0.04), 3: (0.046, 0.2)}, margin=None)
    assert [(bar.edge, bar.dot) for bar in bars.values()] == [(72.0, 92.0), (52.0, 69.0), (0.0, 46.0)]
    assert bars_of({}, margin=None) == bars_of({1: (0.0, 0.0)}, margin=None) == {}
    assert bars_of({1: (0.0, 0.04)}, rows=[2]) == {}
    assert ladder(SimpleNamespace(verdict=None), []) == {}
