"""GET /"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from registry.leaderboards.models import Analysis
from registry.results.models import Result
from tests.registry.factory import make_result, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_an_empty_registry_says_so(client):
    page = read(client, "/")
    assert "0 results on 0 collections; 0 leaderboards carry an analysis." in page.text
    assert "No leaderboard has been analysed yet." in page.text
    assert "No results are recorded yet." in page.text


def test_it_says_what_this_is_and_how_much_there_is(client):
    board = make_board()
    analyse(board)
    page = read(client, "/")
    assert page.headings[0] == (1, "How good is the best published result, really?")
    assert f"{len(VALUES)} results on 1 collection; 1 leaderboard carries an analysis." in page.text
    assert page.link(str(board)) == board.get_absolute_url()
    assert f"The best of {len(VALUES)} results of one team or paper prints 0.3100, and" in page.text


def test_the_busiest_leaderboards_come_first(client):
    small, large = make_board(VALUES[:5]), make_board()
    for board in (small, large):
        analyse(board)
    names = [text for _, text in read(client, "/").links]
    assert names.index(str(large)) < names.index(str(small))


def test_the_busiest_leaderboard_is_drawn_with_its_finding(client):
    small, large = make_board(VALUES[:5]), make_board()
    for board in (small, large):
        analyse(board)
    page = read(client, "/")
    assert (2, str(large)) in page.headings
    drawings = re.findall(r'<svg class="plumb[^>]* aria-label="([^"]*)"(.*?)</svg>', page.source, re.DOTALL)
    assert len(drawings) == 2
    for text, drawn in drawings:
        assert text.startswith(f"Scores of {len(VALUES)} results; the best prints 0.3100, ")
        assert drawn.count("<circle") <= len(VALUES)
        assert "0.3100" in drawn


def test_nothing_is_drawn_without_an_analysis(client):
    make_board()
    assert '<svg class="plumb' not in read(client, "/").source


def test_the_latest_results_are_listed_once_a_system(client):
    system = make_system("prolific")
    for _ in range(3):
        make_result(system=system)
    assert [text for _, text in read(client, "/").links].count("prolific") == 1


def test_what_is_recorded_now_comes_before_what_was_loaded_this_morning(client):
    morning = timezone.now() - timedelta(minutes=5)
    make_result(system=make_system("loaded"), year=2026, recorded_at=morning)
    make_result(system=make_system("submitted"), year=1999, recorded_at=timezone.now())
    names = [text for _, text in read(client, "/").links]
    assert names.index("submitted") < names.index("loaded")


def test_of_one_minute_the_last_published_comes_first_and_earlier_minutes_fill_up(client):
    minute = timezone.now().replace(second=0, microsecond=0)
    make_result(system=make_system("recorded long ago"), year=2026, recorded_at=minute - timedelta(days=1))
    make_result(system=make_system("published early"), year=1999, recorded_at=minute + timedelta(seconds=1))
    make_result(system=make_system("published late"), year=2026, recorded_at=minute)
    names = [text for _, text in read(client, "/").links]
    places = [names.index(name) for name in ("published late", "published early", "recorded long ago")]
    assert places == sorted(places)


def test_a_withdrawn_result_is_not_among_the_latest(client):
    board = make_board()
    Result.objects.filter(leaderboard=board).delete()
    assert "run 0" not in read(client, "/").text


def test_it_follows_what_is_recorded(client):
    board = make_board()
    before = read(client, "/")
    analyse(board)
    after = read(client, "/")
    assert "0 leaderboards carry" in before.text
    assert "1 leaderboard carries" in after.text


def test_it_shows_where_the_best_stands_alone_and_where_it_does_not(client):
    make_board(VALUES[:5])
    many = make_board()
    alone = make_board(["0.9", *(f"0.{20 + number}" for number in range(30))])
    unknown = make_board()
    for board in (many, alone, unknown):
        analyse(board)
    nothing = Analysis.objects.get(leaderboard=unknown).headline | {"n_members": None}
    Analysis.objects.filter(leaderboard=unknown).update(headline=nothing)
    page = read(client, "/")
    told = page.text.partition("Three kinds of best")[2].partition("With a paper at hand")[0]
    assert Analysis.objects.get(leaderboard=alone).headline["n_members"] == 1
    assert f"Where the best stands alone: {alone.collection.name}" in told
    assert f"Where most can’t be told from the best: {many.collection.name}" in told
    assert "a caution" not in told


@pytest.mark.parametrize("n_boards", [1, 12])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n_boards):
    for _ in range(n_boards):
        analyse(make_board())
    # Nine for the lists, three for stories, twelve for the one leaderboard that is drawn.
    with django_assert_num_queries(15):
        read(client, "/")
    # Whether anything changed.
    with django_assert_num_queries(1):
        read(client, "/")


def test_it_leads_to_searching(client):
    forms = [attributes for attributes in read(client, "/").of("form") if attributes.get("role") == "search"]
    assert {form["action"] for form in forms} == {"/search/"}


def test_marking_a_board_as_changed_changes_the_page_key(client):
    board = make_board()
    first = client.get("/")["ETag"]
    assert client.get("/")["ETag"] == first
    mark_changed(board)
    assert client.get("/")["ETag"] != first
