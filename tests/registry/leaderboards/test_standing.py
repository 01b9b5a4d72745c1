"""Where a result stands, on its page."""

import pytest

from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def facts(page) -> str:
    return page.text[page.text.index("Where it stands") : page.text.index("Versions")]


def by_value(board, value: float):
    return board.results.get(value=value)


def make_analysed():
    # 30 runs of 50 topics, far enough apart that some are ruled out.
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    analyse(board)
    return board


def test_the_best_of_many_says_so_with_what_it_is_worth(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.303).pk}/"))
    assert "Rank 1 of 30" in said
    assert "Can it be the best? yes" in said
    assert "nothing on record is better" in said


def test_the_last_is_ruled_out_with_its_distance(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.1).pk}/"))
    assert "Rank 30 of 30" in said
    assert "Can it be the best? no" in said
    assert "0.2030 behind run 29; ruled out from" in said


def test_the_percentile_is_that_among_the_original_runs(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.1).pk}/"))
    assert "Percentile 2 how many per cent are worse, of " in said


def test_it_can_be_cited_with_its_uncertainty(client):
    board = make_board()
    result = make_run(board, "0.05", system=make_system("ColBERT"), paper=make_paper("Khattab (SIGIR 2020)"))
    mark_changed(board)
    analysis = analyse(board)
    said = facts(read(client, f"/results/{result.pk}/"))
    where = f"{board.measure.name} 0.05 on {board.collection.name}"
    assert f"ColBERT (Khattab (SIGIR 2020)): {where}, rank 9 of 9 results" in said
    assert f"snapshot {analysis.snapshot_id}" in said


def test_what_does_not_compete_says_why(client):
    board = make_board()
    result = make_run(board, "0.5", system=make_system("cheat"), comparability="oracle")
    mark_changed(board)
    analyse(board)
    assert "does not compete" in facts(read(client, f"/results/{result.pk}/"))


def test_without_an_analysis_there_is_nothing_to_say(client):
    assert "Where it stands" not in read(client, f"/results/{make_result().pk}/").text


def test_the_leaderboard_is_read_once_until_it_changes(client, django_assert_max_num_queries):
    board = make_analysed()
    path = f"/results/{by_value(board, 0.1).pk}/"
    read(client, path)
    with django_assert_max_num_queries(8):
        assert "Rank 30 of 30" in read(client, path).text
    make_run(board, "0.05", system=make_system("worse"))
    mark_changed(board)
    analyse(board)
    assert "Rank 30 of 31" in read(client, path).text
