"""GET /"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.exports.pictures import png, site_card_svg
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, SuiteAnalysis
from registry.tools.baselines.documents import most_followed
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_entry, make_leaderboard, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import analysed_by_earlier_methods
from tests.registry.leaderboards.suites import analyse_all, make_members
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_an_empty_registry_says_so(client):
    page = read(client, "/")
    assert "0 results on 0 test collections, each with its source" in page.text
    assert "No leaderboard has been analysed yet." in page.text


def test_it_says_what_this_is_and_how_much_there_is(client):
    board = make_board()
    analyse(board)
    page = read(client, "/")
    assert page.headings[0] == (1, "How good is the best published result, really?")
    assert f"{len(VALUES)} results on 1 test collection, each with its source" in page.text
    assert page.link(str(board)) == page.link(page.headings[1][1]) == board.get_absolute_url()


def test_the_busiest_leaderboard_is_drawn_with_its_finding(client):
    small, large = make_board(VALUES[:5]), make_board()
    for board in (small, large):
        analyse(board)
    page = read(client, "/")
    assert page.link(str(large)) == large.get_absolute_url()
    assert (2, f"4 of {len(VALUES)} can’t be told from the best on {large.collection}") in page.headings
    drawings = re.findall(r'<svg class="chart[^>]* aria-label="([^"]*)"(.*?)</svg>', page.source, re.DOTALL)
    assert len(drawings) == 3
    for text, drawn in drawings:
        assert text.startswith(f"Scores of {len(VALUES)} results; the best prints 0.3100, ")
        assert drawn.count("<circle") <= len(VALUES)
        assert "0.3100" in drawn


def test_a_leaderboard_whose_results_are_all_withdrawn_is_no_example_before_it_is_analysed_again(client):
    board = make_board()
    analyse(board)
    board.results.update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    mark_changed(board)
    text = read(client, "/").text
    assert "0 results on " in text
    assert "results are better" not in text


def test_nothing_is_drawn_without_an_analysis(client):
    make_board()
    assert '<svg class="chart' not in read(client, "/").source


def test_it_follows_what_is_recorded(client):
    board = make_board()
    before = read(client, "/")
    analyse(board)
    after = read(client, "/")
    assert "No leaderboard has been analysed yet." in before.text
    assert str(board) in after.text


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
    told = next(text for _, text in page.headings if text.startswith("Did it add up?"))
    assert told.endswith("2000 to 2009, the gains claimed add up to +0.33; the best on record rose by 0.01")
    address = page.link(f"What papers on {board.collection} compared with")
    assert address == f"/collections/{board.collection.slug}/baselines/"


@pytest.fixture
def a_week_later(monkeypatch):
    """A board with an analysis of some days ago, and one after a newcomer beats all."""
    board = make_board()
    analyse(board)
    later = timezone.now() + timedelta(days=8)
    monkeypatch.setattr(timezone, "now", lambda: later)
    make_result(board, make_system("newcomer"), "0.9000")
    mark_changed(board)
    analyse(board)
    return board


def test_it_names_what_entered_or_left_a_best_set_this_week(client, a_week_later):
    (told,) = re.findall(r"In: .*? may be the best", read(client, "/").text)
    assert told.startswith("In: newcomer. Out: run ")
    assert told.endswith("→ 1 may be the best")


def test_it_is_a_feed_whose_entries_lead_to_the_analysis(client, a_week_later):
    feed = client.get("/moves.atom").content.decode()
    (entry,) = re.findall("<entry>(.*?)</entry>", feed, re.DOTALL)
    before = re.search(r", (\d+) before</title>", entry)
    assert before
    assert f"{a_week_later}: 1 may be the best, " in entry
    assert "In: newcomer. Out: run " in entry
    a_week_later.analysis.refresh_from_db()
    assert f'href="http://testserver/snapshots/{a_week_later.analysis.snapshot_id}/"' in entry
    assert "/moves.atom" in client.get("/").content.decode()


def test_without_a_newcomer_nothing_moved(client):
    analyse(make_board())
    assert "In the last seven days: nothing on the largest leaderboards that" in read(client, "/").text


@pytest.fixture
def methods_changed(monkeypatch):
    """A board that earlier methods analysed a week ago, and these now."""
    board = make_board()
    analysed_by_earlier_methods(board, n_members=8)
    later = timezone.now() + timedelta(days=8)
    monkeypatch.setattr(timezone, "now", lambda: later)
    analyse(board)
    return board


def test_what_other_methods_moved_is_no_news(client, methods_changed):
    assert "In the last seven days: nothing on the largest leaderboards that" in read(client, "/").text


@pytest.mark.parametrize("n_boards", [1, 12])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n_boards):
    for _ in range(n_boards):
        analyse(make_board())
    # Seven for the parts, the rest for the one leaderboard that is drawn.
    with django_assert_num_queries(10):
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


def test_it_counts_what_stands_and_what_carries_an_analysis(client):
    board = make_board()
    second = make_leaderboard(board.collection, results_version=1)
    make_result(second, ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    make_leaderboard()
    page = read(client, "/")
    assert f"{len(VALUES)} results on 1 test collection, each with its source" in page.text
    Analysis.objects.create(leaderboard=board, results_version=1, methods_version="1", obstacle="no_contender")
    mark_changed(board)
    assert "No leaderboard has been analysed yet." in read(client, "/").text


def test_a_score_of_the_middle_is_told_with_how_many_are_better(client):
    board = make_board([*VALUES, "0.1000"])
    make_run(board, "0.8000", comparability="doubtful")
    mark_changed(board)
    analyse(board)
    assert f"0.2400 on {board.collection}, {board.measure}: 4 of all 9 results are better." in read(client, "/").text


def test_the_example_is_no_leaderboard_with_one_that_may_be_the_best_where_others_have_several(client):
    several, alone = make_board(VALUES[:5]), make_board(["0.9", *VALUES])
    analyse(alone)
    assert read(client, "/").link(str(alone)) == alone.get_absolute_url()
    analyse(several)
    headline = Analysis.objects.get(leaderboard=several).headline | {"n_members": 2}
    Analysis.objects.filter(leaderboard=several).update(headline=headline)
    assert read(client, "/").link(str(several)) == several.get_absolute_url()


def make_followed(n: int) -> Leaderboard:
    """A leaderboard on which so many papers claim a gain, in as many years."""
    board = make_board(["0.2500"], year=1999)
    for number in range(n):
        claim(board, number, "0.2000", f"0.21{number:02}")
    return board


def test_the_collection_of_most_papers_that_can_be_followed_is():
    # Of as many papers, the first that was recorded.
    first, second = make_followed(4), make_followed(4)
    few = make_followed(3)
    for result in list(few.results.filter(role="proposed")):
        make_result(few, printed="0.3000", role="proposed", paper=result.paper, year=2000)
    for fields in ({"role": "baseline"}, {"year": None}, {"comparability": "doubtful"}):
        make_followed(5).results.filter(role="proposed").update(**fields)
    gone = make_followed(5)
    gone.results.update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    for one in (first, second):
        analyse(one)
    collection, board = most_followed(4)
    assert (collection, board.measure, len(board.papers)) == (first.collection, first.measure.name, 4)
    claim(second, 4, "0.2000", "0.2500")
    analyse(second)
    assert most_followed(4)[0] == second.collection


def test_ten_papers_on_two_leaderboards_of_a_collection_follow_neither():
    one = make_followed(5)
    other = make_leaderboard(one.collection)
    for number in range(5):
        claim(other, number, "0.2000", "0.2500")
    for board in (one, other):
        analyse(board)
    assert most_followed(10) is None


def test_the_example_is_of_another_collection_than_what_is_followed(client):
    board, other = make_board(year=1999), make_board(VALUES[:5])
    for number in range(10):
        claim(board, number, "0.1000", "0.1100")
    for one in (board, other):
        analyse(one)
    page = read(client, "/")
    assert page.link(f"What papers on {board.collection} compared with")
    assert page.link(f"{other.collection}, {other.measure}") == other.get_absolute_url()


def test_four_averages_over_suites_are_listed_of_those_that_are_analysed(client):
    boards = make_members(2, 6)
    analysis = analyse_all(boards)
    for number in range(5):
        suite = make_suite(f"suite-{number}", boards, position=number + 1)
        if number:
            SuiteAnalysis.objects.create(
                suite=suite, measure=analysis.measure, snapshot=analysis.snapshot, version="1",
                headline=analysis.headline,
            )  # fmt: skip
    page = read(client, "/")
    listed = [text for _, text in page.links if text.endswith(", nDCG@10") and text.split(",")[0].isupper()]
    assert sorted(listed) == ["BEIR, nDCG@10", "SUITE-1, nDCG@10", "SUITE-2, nDCG@10", "SUITE-3, nDCG@10"]
    assert (2, "Averages over suites") in page.headings


def test_its_card_shows_its_leaderboard_as_soon_as_there_is_one(client):
    assert 'content="http://testserver/card.png"' in client.get("/").text
    bare = client.get("/card.png")
    assert (bare["Content-Type"], bare["Cache-Control"], bare["Vary"]) == (
        "image/png", "public, max-age=3600", "Accept-Encoding",
    )  # fmt: skip
    assert bare.content == png(site_card_svg(None))
    board = make_board()
    analyse(board)
    drawn = client.get("/card.png")
    assert drawn.content == png(site_card_svg(leaderboard_document(board, Selection())))
    assert drawn.content != bare.content
    assert client.get("/card.png?x=1").status_code == 400
