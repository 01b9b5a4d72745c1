"""Where a result stands, on its page."""

import pytest

from registry.leaderboards.stored import read_stored
from tests.registry.factory import make_paper, make_system
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


def test_what_was_known_before_and_its_baseline_are_said(client):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)], year=2004)
    paper = make_paper("Doe (SIGIR 2010)")
    make_run(board, "0.150", system=make_system("their BM25"), paper=paper, role="baseline", year=2010)
    ours = make_run(board, "0.350", system=make_system("theirs"), paper=paper, role="proposed", year=2010)
    analyse_again(board)
    shown = facts(read(client, f"/results/{ours.pk}/"))
    assert "Best known before 0.3030 run 29, 2004" in shown
    assert "Its baseline 0.1500 their BM25; this is 0.2000 better than it, significant by means; percentile 26" in shown
    page = read(client, paper.get_absolute_url())
    assert "theirs beats its best baseline significantly on" in page.text
    among = "percentile 100 among 30 original shared-task runs"
    words = f"the best on record · z +2.41, {among} · 0.2000 better than its baseline, significant by means"
    assert {"theirs", "1 of 32"} <= set(page.row(f"{words} · a weak baseline: percentile 26"))
    system = read(client, ours.system.get_absolute_url())
    assert any({"0.350", "1 of 32"} <= set(row) for row in system.rows)
