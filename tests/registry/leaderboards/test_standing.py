"""Where a result stands, on its page."""

import pytest

from registry.leaderboards.stored import read_stored
from tests.registry.leaderboards.boards import analyse_again, analysed, make_board, make_run
from tests.registry.pages import read


def facts(page) -> str:
    return page.text[page.text.index("result ") : page.text.index("Versions")]


@pytest.mark.parametrize("suffix", ["bib", "csl.json"])
def test_what_does_not_compete_or_was_not_analysed_is_not_cited(client, suffix):
    board = make_board()
    result = make_run(board, "0.5", comparability="oracle")
    assert client.get(f"/results/{result.pk}.{suffix}").status_code == 404
    analyse_again(board)
    assert client.get(f"/results/{result.pk}.{suffix}").status_code == 404


def test_the_ranks_that_it_may_have_follow_from_the_margin(client):
    # 30 runs of 50 topics, far enough apart that some are ruled out.
    board = analysed(make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)]))
    margin = read_stored([board.pk])[board.pk].margin
    assert margin is not None
    row = board.results.get(value=0.205)
    values = [0.10 + 0.007 * number for number in range(30)]
    low = 1 + sum(value - 0.205 > margin + 1e-9 for value in values)
    high = 30 - sum(0.205 - value > margin + 1e-9 for value in values)
    shown = facts(read(client, f"/results/{row.pk}/"))
    assert f"rank range {low}–{high} (90%)" in shown
