"""The share of documents that nobody judged, where rows print it."""

import pytest

from tests.registry.factory import make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def board_with(n_rows: int, share: float):
    board = make_board([])
    for number in range(n_rows):
        make_result(
            board,
            make_system(f"system {number}", team=f"team {number}"),
            f"0.{200 + number}",
            notes=f"type=PyGaggle; unjudged@10={share + 0.001 * number:.3f}; as printed",
        )
    mark_changed(board)
    analyse(board)
    return board


def test_the_note_has_the_median_and_the_share_of_the_best(client):
    text = read(client, board_with(21, 0.4).get_absolute_url()).text
    assert "Nobody judged 41 % of the first ten documents of a topic in the median of the 21 rows" in text
    assert "rows that print it; of system 20 42 %. They count as not relevant." in text


@pytest.mark.parametrize(("n_rows", "share"), [(19, 0.4), (21, 0.05)])
def test_few_rows_or_small_shares_make_none(client, n_rows, share):
    assert "Nobody judged" not in read(client, board_with(n_rows, share).get_absolute_url()).text
