"""A leaderboard over the years, as its page draws it."""

import json
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.over_years import over_years
from registry.leaderboards.forms import Selection
from tests.registry.factory import make_paper
from tests.registry.leaderboards.boards import analyse_again, make_board, make_run


def put(board):
    """Put two papers, an undated run of a toolkit, and a record in 2012 beside the runs of 2004."""
    for year, baseline, proposed in ((2008, "0.22", "0.26"), (2012, "0.25", "0.36"), (2015, "0.33", "0.30")):
        paper = make_paper(f"Doe ({year})", year=year)
        make_run(board, baseline, role="baseline", paper=paper, year=year)
        make_run(board, proposed, role="proposed", paper=paper, year=year)
    make_run(board, "0.28", role="reference_implementation", year=None)
    analyse_again(board)


def test_the_best_so_far_rises_with_every_record():
    board = make_board(year=2004)
    put(board)
    over_time = over_years(leaderboard_document(board, Selection()))
    assert [(row.year, row.printed) for row in over_time.records] == [(2004, "0.31"), (2012, "0.36")]
    assert (over_time.n_undated, over_time.n_papers) == (1, 3)
    assert over_time.kinds == {"gains", "losses"}
    traces = {trace["name"]: trace for trace in json.loads(over_time.chart.plotly)["data"]}
    assert (traces["record"]["x"], traces["record"]["y"]) == ([2004, 2012, 2016], [0.31, 0.36, 0.36])
    assert len(traces["results"]["text"]) == 8 + 6
    assert [len(traces[name]["x"]) / 3 for name in ("papers that gain", "papers without a gain")] == [2, 1]
    note = next(text for text in over_time.chart.scenes[0].words if text.kind == "note")
    assert note.text.startswith("2004")


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
    verdict = SimpleNamespace(flagged=frozenset(flagged), set=None) if flagged else None
    measure = {"name": "AP", "higher_is_better": higher_is_better, "decimals": 2, "low": 0.0, "high": 1.0}
    collection = {"name": "CLEF", "year": first_year, "n_topics": None}
    return over_years(SimpleNamespace(results=rows, measure=measure, collection=collection, verdict=verdict))


def test_where_less_is_better_records_fall_and_gains_go_down():
    over_time = drawn(ROWS, higher_is_better=False)
    assert [row.id for row in over_time.records] == [1]
    # The better baseline is the lower one: 0.15 and 0.40 lost, 0.05 gained.
    assert (over_time.total_gain, over_time.risen) == (pytest.approx(-0.50), pytest.approx(0))
    assert over_time.headline.endswith("papers fall short of their baselines by 0.50 in all, the best did not rise")


def test_what_is_held_back_is_no_record_and_few_runs_or_papers_are_no_field():
    over_time = drawn(ROWS, flagged=[5, 10, 14])
    assert [row.id for row in over_time.records] == [4, 7, 11]
    assert over_time.n_flagged == 2
    # What is claimed with the 0.60 counts; the best goes from 0.40 to 0.55, as the records do.
    assert (over_time.total_gain, over_time.risen) == (pytest.approx(0.35), pytest.approx(0.15))
    assert drawn(ROWS, flagged=range(1, 13)) is None
    few = drawn(ROWS[1:-4])
    assert (few.n_papers, few.total_gain, few.risen, few.kinds) == (2, None, None, {"gains"})
    assert drawn(ROWS[:7]) is None
    assert drawn(ROWS, first_year=2004) is None
    older = drawn(ROWS, first_year=2002)
    assert (older.n_older, older.records[0].year) == (5, 2002)
