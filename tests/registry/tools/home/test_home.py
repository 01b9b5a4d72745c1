"""GET /"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from registry.core.services import run_routine
from registry.leaderboards.models import Analysis
from tests.registry.factory import make_entry, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, analyse_again, analysed, make_board, mark_changed
from tests.registry.leaderboards.earlier_methods import analysed_by_earlier_methods
from tests.registry.pages import read


def test_a_leaderboard_whose_results_are_all_withdrawn_is_no_example_before_it_is_analysed_again(client):
    board = analysed(make_board())
    board.results.update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    mark_changed(board)
    text = read(client, "/").text
    assert "0 published retrieval results on " in text
    assert "results score higher" not in text


@pytest.mark.parametrize("doubt", [{"left_out": "highest"}, {"note": "follows-flag"}])
def test_the_example_is_where_several_may_be_the_best_and_no_doubt_stands_at_the_top(client, doubt):
    plain, held = make_board(VALUES[:5]), make_board()
    for board in (plain, held):
        analyse(board)
    headline = Analysis.objects.get(leaderboard=held).headline | doubt
    Analysis.objects.filter(leaderboard=held).update(headline=headline)
    assert read(client, "/").link(str(plain)) == plain.get_absolute_url()


def claim(board, number, baseline, own):
    paper, year = make_paper(f"Doe {number} {board.pk}"), 2000 + number
    for printed, role in ((baseline, "baseline"), (own, "proposed")):
        make_result(board, make_system(f"{role} {number} {board.pk}"), printed, role=role, paper=paper, year=year)
    mark_changed(board)


def test_it_says_whether_gains_added_up_where_ten_papers_claim_some(client):
    board = make_board(["0.2500"], year=1999)
    for number in range(9):
        claim(board, number, "0.2000", "0.2300")
    assert "Did it add up?" not in read(client, "/").text
    claim(board, 9, "0.2000", "0.2600")
    analyse(board)
    page = read(client, "/")
    heading = next(text for _, text in page.headings if text.startswith("Did it add up?"))
    assert heading.endswith("2000 to 2009, the gains claimed add up to +0.33; the best on record rose by 0.01")
    address = page.link(f"What papers on {board.collection} compared with")
    assert address == f"/collections/{board.collection.slug}/baselines/"


def test_it_names_what_entered_or_left_a_best_set_this_week(client, monkeypatch):
    board = analysed(make_board())
    later = timezone.now() + timedelta(days=8)
    monkeypatch.setattr(timezone, "now", lambda: later)
    make_result(board, make_system("newcomer"), "0.9000")
    analyse_again(board)
    (change,) = re.findall(r"new: .*? tied for first", read(client, "/").text)
    assert change.startswith("new: newcomer. no longer tied: run ")
    assert change.endswith("→ 1 tied for first")


def test_what_other_methods_moved_is_no_news(client, monkeypatch):
    board = make_board()
    analysed_by_earlier_methods(board, n_members=8)
    later = timezone.now() + timedelta(days=8)
    monkeypatch.setattr(timezone, "now", lambda: later)
    analyse(board)
    assert "No change in who ties for first on the largest leaderboards." in read(client, "/").text


@pytest.mark.parametrize("n_boards", [1, 12])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n_boards):
    for _ in range(n_boards):
        analyse(make_board())
    # Nine for the parts, three for the one leaderboard that is drawn.
    with django_assert_num_queries(12):
        read(client, "/")
    # Whether anything changed.
    with django_assert_num_queries(1):
        read(client, "/")


def test_a_worker_finds_what_the_tools_say_of_their_examples(client, monkeypatch):
    analyse(make_board())
    assert "Is its baseline weak? Review" in read(client, "/").text
    assert run_routine("tools.answer_examples")
    ten_minutes_later = timezone.now() + timedelta(minutes=10)
    monkeypatch.setattr(timezone, "now", lambda: ten_minutes_later)
    checked = re.search(r"Is its baseline weak\? (.*?\.) Review", read(client, "/").text)
    assert checked
    assert checked[1] in read(client, "/check/").text


def test_the_example_is_no_leaderboard_with_one_that_may_be_the_best_where_others_have_several(client):
    several, alone = make_board(VALUES[:5]), make_board(["0.9", *VALUES])
    analyse(alone)
    assert read(client, "/").link(str(alone)) == alone.get_absolute_url()
    analyse(several)
    headline = Analysis.objects.get(leaderboard=several).headline | {"n_members": 2}
    Analysis.objects.filter(leaderboard=several).update(headline=headline)
    assert read(client, "/").link(str(several)) == several.get_absolute_url()
