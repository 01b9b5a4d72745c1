"""A leaderboard over the years, as its page draws it."""

import re
from datetime import date
from itertools import combinations, pairwise

import pytest

from registry.catalog.models import Collection
from registry.leaderboards.documents import leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.over_years import LINE, over_years
from registry.leaderboards.stored import read_stored
from registry.results.models import Result
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def put(board):
    """Two papers, an undated run of a toolkit, and a record in 2012 beside the runs of 2004."""
    for year, baseline, proposed in ((2008, "0.22", "0.26"), (2012, "0.25", "0.36"), (2015, "0.33", "0.30")):
        paper = make_paper(f"Doe ({year})", year=year)
        make_run(board, baseline, role="baseline", paper=paper, year=year)
        make_run(board, proposed, role="proposed", paper=paper, year=year)
    make_run(board, "0.28", role="reference_implementation", year=None)
    mark_changed(board)
    analyse(board)


def drawing(board):
    return over_years(leaderboard_document(board, Selection()))


def test_the_best_so_far_rises_with_every_record():
    board = make_board(year=2004)
    put(board)
    found = drawing(board)
    assert [(row.year, row.printed) for row in found.records] == [(2004, "0.31"), (2012, "0.36")]
    assert (found.n_years, found.n_undated, found.n_runs, found.n_papers) == (4, 1, 8, 3)
    drawn = found.drawings[0]
    # Twelve years are 66.5 wide each; more is higher up.
    start, first, year, best = map(float, re.fullmatch(r"M(.+) (.+)H(.+)V(.+)H850", drawn.best).groups())
    assert (start, year) == (52.0, 584.0)
    assert best < first
    assert [step.name.text[:4] for step in drawn.steps] == ["2004", "2012"]
    assert (drawn.gains.count("M"), drawn.losses.count("M")) == (2, 1)
    assert drawn.dots.count("M") == 8 + 6


def test_claimed_gains_are_added_up_beside_how_far_the_best_rose():
    board = make_board(year=2004)
    put(board)
    found = drawing(board)
    # 0.04 and 0.11, and 0.03 lost; the best went from 0.31, before the first of the papers, to 0.36.
    assert found.total_gain == pytest.approx(0.12)
    assert found.risen == pytest.approx(0.05)


def test_nothing_is_said_of_a_rise_where_nothing_older_is_known(client):
    board = make_board(["0.20"], year=2008)
    put(board)
    found = drawing(board)
    assert (found.total_gain, found.risen) == (pytest.approx(0.12), None)
    page = read(client, board.get_absolute_url())
    assert "the best on record" not in page.text
    assert "not known how far the best rose" in page.text


def test_no_history_begins_before_the_collection(client):
    board = make_board(year=2004)
    put(board)
    board.collection.year = 2011
    board.collection.save()
    found = drawing(board)
    assert [(row.year, row.printed) for row in found.records] == [(2011, "0.31"), (2012, "0.36")]
    assert found.n_older == 8 + 2
    assert "10 results have a year before the collection’s (2011)" in read(client, board.get_absolute_url()).text
    stored = read_stored([board.pk])[board.pk]
    assert stored.best_before(2011) is None
    assert stored.best_before(2012).year == 2011


def test_nothing_was_published_before_the_collection():
    board = make_board(["0.20"], year=2004)
    make_run(board, "0.30", year=2013, date="2013-05-02")
    Collection.objects.filter(pk=board.collection_id).update(year=2010)

    def known(*day):
        results = Result.objects.filter(leaderboard=board)
        return results.published_by(date(*day)).count(), results.last_published(date(*day))

    assert known(2009, 12, 31) == (0, None)
    assert known(2010, 12, 31) == known(2013, 5, 1) == (1, date(2010, 12, 31))
    assert known(2013, 5, 2) == (2, date(2013, 5, 2))


def test_original_runs_and_toolkits_are_lines_with_names():
    board = make_board(year=2004)
    put(board)
    levels = drawing(board).drawings[0].levels
    assert [level.name.text for level in levels] == [
        "best original run",
        "upper quartile",
        "best run of a toolkit",
        "median original run",
    ]
    assert [level.y for level in levels] == sorted(level.y for level in levels)
    assert min(after.name.y - before.name.y for before, after in pairwise(levels)) >= 13


def test_no_word_lies_over_another_or_outside_in_any_width():
    board = make_board(year=2004)
    put(board)
    for year, value in (
        (2005, "0.32"),
        (2006, "0.33"),
        (2007, "0.335"),
        (2009, "0.34"),
        (2010, "0.345"),
        (2015, "0.37"),
    ):
        make_run(board, value, system=make_system(f"a system with quite a long name of {year}"), year=year)
    mark_changed(board)
    analyse(board)
    drawings = drawing(board).drawings
    assert [one.width for one in drawings] == [1120, 736, 358]
    for one in drawings:
        assert len(one.steps) >= 5
        for text in one.texts:
            left, top, right, foot = text.box
            assert 0 <= left < right <= one.width, text
            assert 0 <= top < foot <= one.height, text
        for text, other in combinations([step.name for step in one.steps], 2):
            apart = text.box[2] <= other.box[0] or other.box[2] <= text.box[0]
            assert apart or abs(text.y - other.y) >= LINE, (text, other)


def test_of_fewer_than_three_years_nothing_is_drawn(client):
    board = make_board(year=2004)
    make_run(board, "0.4", year=2005)
    mark_changed(board)
    analyse(board)
    assert drawing(board) is None
    assert "Over the years" not in read(client, board.get_absolute_url()).text


def test_the_page_says_how_the_best_went(client):
    board = make_board(year=2004)
    put(board)
    text = read(client, board.get_absolute_url()).text
    assert "The best went from 0.3100 in 2004 to 0.3600 in 2012, in 1 step." in text
    assert "1 result has no year and is left out" in text
    assert "Over the years: the gains claimed add up to +0.12; the best on record rose by 0.05" in text


def test_a_first_year_that_was_never_beaten_is_said(client):
    board = make_board(year=2004)
    for year in (2010, 2012):
        make_run(board, "0.2", year=year, role="proposed")
    mark_changed(board)
    analyse(board)
    assert "No result of a later year is better than the 0.3100 of 2004" in read(client, board.get_absolute_url()).text


def test_under_filters_it_is_left_out(client):
    board = make_board(year=2004)
    put(board)
    assert "Over the years" not in read(client, f"{board.get_absolute_url()}?role=proposed").text
