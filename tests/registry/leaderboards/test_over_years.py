"""A leaderboard over the years, as its page draws it."""

import re
from dataclasses import dataclass
from datetime import date
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest

from registry.catalog.models import Collection
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.over_years import LINE, over_years
from registry.leaderboards.forms import Selection
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
    assert "a paper without a gain Dotted: original runs. Dashed: the best run of a toolkit." in text


def test_a_first_year_that_was_never_beaten_is_said(client):
    board = make_board(year=2004)
    for year in (2010, 2012):
        make_run(board, "0.2", year=year, role="proposed")
    mark_changed(board)
    analyse(board)
    text = read(client, board.get_absolute_url()).text
    assert "No result of a later year is better than the 0.3100 of 2004" in text
    assert "Dashed:" not in text


def test_under_filters_it_is_left_out(client):
    board = make_board(year=2004)
    put(board)
    assert "Over the years" not in read(client, f"{board.get_absolute_url()}?role=proposed").text


@dataclass(frozen=True)
class Row:
    id: int
    value: float
    year: int | None
    role: str = "trec_run"
    paper_id: int | None = None
    rank: int | None = 1

    @property
    def system(self) -> str:
        return f"run {self.id}"


#: Five runs, a gain of 0.15, one of 0.25 over the better of two baselines, a loss of 0.05, a toolkit without a year.
ROWS = [
    *(Row(number, number / 10, 2001) for number in (1, 2, 3, 4, 5)),
    Row(6, 0.30, 2003, "baseline", 1), Row(7, 0.45, 2003, "proposed", 1),
    Row(8, 0.20, 2004, "baseline", 2), Row(9, 0.35, 2004, "baseline", 2), Row(10, 0.60, 2004, "proposed", 2),
    Row(11, 0.55, 2006, "baseline", 3), Row(12, 0.50, 2006, "proposed", 3),
    Row(13, 0.48, None, "reference_implementation"), Row(14, 0.99, 2002, rank=None),
]  # fmt: skip


def drawn(rows, *, higher_is_better=True, flagged=(), first_year=None):
    verdict = SimpleNamespace(flagged=frozenset(flagged)) if flagged else None
    measure = {"higher_is_better": higher_is_better, "decimals": 2}
    return over_years(SimpleNamespace(results=rows, measure=measure, collection={"year": first_year}, verdict=verdict))


def test_the_drawing_of_four_years_is_where_a_ruler_puts_it():
    found = drawn(ROWS)
    assert [row.id for row in found.records] == [5, 10]
    assert (found.n_years, found.n_undated, found.n_older, found.n_flagged) == (4, 1, 0, 0)
    assert (found.n_runs, found.n_papers) == (5, 3)
    assert found.levels == {"runs", "toolkit"}
    assert (found.total_gain, found.risen) == (pytest.approx(0.35), pytest.approx(0.10))
    wide, _, narrow = found.drawings
    # Six years of 133 pixels; 0.615 to 0.085 in 260 pixels from 24 on.
    assert (wide.width, wide.height, wide.left, wide.right) == (1120, 312, 52, 850)
    assert wide.best == "M52.0 80.4H451.0V31.4H850"
    assert wide.gains == "M384.5 178.5V104.9M517.5 154.0V31.4"
    assert wide.losses == "M783.5 55.9V80.4"
    assert wide.dots == (
        "M76 277h0M97 228h0M118 178h0M140 130h0M161 80h0M358 178h0M411 105h0"
        "M482 228h0M518 154h0M553 31h0M757 56h0M810 80h0"
    )
    assert [(one.x, one.y, one.name.x, one.name.y, one.name.text) for one in wide.steps] == [
        (52.0, 80.4, 55.0, 16.0, "2001 run 5 0.50"), (451.0, 31.4, 454.0, 16.0, "2004 run 10 0.60"),
    ]  # fmt: skip
    assert [(one.kind, one.y, one.name.x, one.name.y, one.name.text) for one in wide.levels] == [
        ("runs", 80.4, 856, 84.4, "best original run"), ("toolkit", 90.2, 856, 100.4, "best run of a toolkit"),
        ("runs", 129.5, 856, 133.5, "upper quartile"), ("runs", 178.5, 856, 182.5, "median original run"),
    ]  # fmt: skip
    years = [(118.5, "2001"), (251.5, "2002"), (384.5, "2003"), (517.5, "2004"), (650.5, "2005"), (783.5, "2006")]
    assert [(one.x, one.text) for one in wide.x_ticks] == years
    assert {(one.y, one.anchor) for one in wide.x_ticks} == {(304.0, "middle")}
    for tick in wide.y_ticks:
        assert (tick.x, tick.anchor) == (46.0, "end")
        assert tick.y == pytest.approx(28 + 260 * (0.615 - float(tick.text)) / 0.53, abs=0.06)
    assert [one.name.text for one in narrow.steps] == ["2001 0.50", "2004 0.60"]
    assert [one.name.text for one in narrow.levels] == ["best run", "toolkit", "3rd quarter", "median run"]
    assert [one.text for one in narrow.x_ticks] == ["2001", "2003", "2005"]


def test_however_the_table_is_sorted_the_drawing_is_the_same():
    found, turned = drawn(ROWS), drawn(ROWS[::-1])
    assert (turned.records, turned.risen) == (found.records, found.risen)
    for one, other in zip(found.drawings, turned.drawings, strict=True):
        assert (one.best, one.gains, one.losses, one.levels) == (other.best, other.gains, other.losses, other.levels)
        assert sorted(one.dots.split("M")) == sorted(other.dots.split("M"))


def test_the_last_records_are_named_where_there_is_no_room_for_all():
    found = drawn([Row(number, number / 100, 2000 + number) for number in range(1, 11)])
    assert len(found.records) == 10
    wide, middle, narrow = ([one.name.text for one in drawing.steps] for drawing in found.drawings)
    assert (len(wide), wide[0], wide[-1]) == (9, "2002 run 2 0.02", "2010 run 10 0.10")
    assert (len(middle), middle[0]) == (7, "2004 run 4 0.04")
    assert narrow == [f"{2000 + number} {number / 100:.2f}" for number in range(6, 11)]
    assert [one.best.count("V") for one in found.drawings] == [9, 9, 9]


def test_scores_that_are_all_the_same_are_drawn_in_the_middle():
    found = drawn([Row(number, 0.5, 2000 + number) for number in range(3)])
    wide = found.drawings[0]
    top = wide.height - 260 - 28
    assert wide.best == f"M52.0 {top + 130}H850"
    assert [one.text for one in wide.y_ticks] == ["-0.5", "0", "0.5", "1", "1.5"]
    assert ([row.id for row in found.records], found.total_gain) == ([0], None)


def test_where_less_is_better_records_fall_and_gains_go_down():
    found = drawn(ROWS, higher_is_better=False)
    assert [row.id for row in found.records] == [1]
    # The better baseline is the lower one: 0.15 and 0.40 lost, 0.05 gained.
    assert (found.total_gain, found.risen) == (pytest.approx(-0.50), pytest.approx(0))
    wide = found.drawings[0]
    assert (wide.gains.count("M"), wide.losses.count("M")) == (1, 2)
    assert [one.name.text for one in wide.levels] == [
        "best run of a toolkit", "median original run", "upper quartile", "best original run",
    ]  # fmt: skip


def test_what_is_held_back_is_no_record_and_few_runs_or_papers_are_no_field():
    found = drawn(ROWS, flagged=[5, 10, 14])
    assert [row.id for row in found.records] == [4, 7, 11]
    assert found.n_flagged == 2
    # What is claimed with the 0.60 counts; the best goes from 0.40 to 0.55, as the records do.
    assert (found.total_gain, found.risen) == (pytest.approx(0.35), pytest.approx(0.15))
    assert drawn(ROWS, flagged=range(1, 13)) is None
    few = drawn(ROWS[1:-4])
    assert (few.n_runs, few.n_papers, few.total_gain, few.risen, few.drawings[0].levels) == (4, 2, None, None, ())
    assert drawn(ROWS[:7]) is None
    assert drawn(ROWS, first_year=2004) is None
    older = drawn(ROWS, first_year=2002)
    assert (older.n_older, older.records[0].year) == (5, 2002)
