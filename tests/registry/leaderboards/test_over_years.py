"""A leaderboard over the years, as its page draws it."""

import re
from itertools import pairwise

import pytest

from registry.leaderboards.documents import leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.over_years import over_years
from tests.registry.factory import make_paper
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
    drawn = drawing(board)
    assert [(row.year, row.printed) for row in drawn.records] == [(2004, "0.31"), (2012, "0.36")]
    assert (drawn.n_years, drawn.n_undated, drawn.n_runs, drawn.n_papers) == (4, 1, 8, 3)
    for one in drawn.drawings:
        # From the first of twelve years to where the ninth begins; more is higher up.
        start, first, year, best, end = map(float, re.fullmatch(r"M(.+) (.+)H(.+)V(.+)H(.+)", one.best).groups())
        assert (start, end) == (one.left, one.right)
        assert year == pytest.approx(one.left + 8 / 12 * (one.right - one.left), abs=0.1)
        assert best < first
        assert (one.gains.count("M"), one.losses.count("M")) == (2, 1)
        assert one.dots.count("M") == 8 + 6


def test_original_runs_and_toolkits_are_lines_with_names():
    board = make_board(year=2004)
    put(board)
    wide, narrow = drawing(board).drawings
    names = ["best original run", "upper quartile", "best run of a toolkit", "median original run"]
    assert [level.name.text for level in wide.levels] == names
    assert [level.name.text for level in narrow.levels] == ["best run", "3rd quarter", "toolkit", "median run"]
    for levels in (wide.levels, narrow.levels):
        assert [level.y for level in levels] == sorted(level.y for level in levels)
        gaps = [after.name.y - before.name.y for before, after in pairwise(levels)]
        assert min(gaps) >= 13


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
    assert "1 result has no year and is left out." in text


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
