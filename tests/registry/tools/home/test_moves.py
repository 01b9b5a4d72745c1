"""What a week did to the sets of those that may be the best: which boards, since when, in which order."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.tools.home import moves
from registry.tools.home.moves import Move, moves_of_the_week
from tests.registry.factory import make_entry, make_result, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, mark_changed

pytestmark = pytest.mark.django_db

START = timezone.now()


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], datetime]:
    """Make it so many days later than the first analysis, and say when that is."""

    def go(days: float) -> datetime:
        now = START + timedelta(days=days)
        monkeypatch.setattr(timezone, "now", lambda: now)
        return now

    go(0)
    return go


def add(board: Leaderboard, name: str, printed: str) -> None:
    make_result(board, make_system(name), printed)
    mark_changed(board)
    analyse(board)


def analysed(*values: str) -> Leaderboard:
    board = make_board(values or VALUES)
    analyse(board)
    return board


def runs(board: Leaderboard, *numbers: int) -> tuple[str, ...]:
    return tuple(f"run {number} ({board.collection.slug})" for number in numbers)


def test_the_set_now_is_held_against_that_of_a_week_ago(on_day):
    small, large = analysed(*VALUES[:6]), analysed()
    on_day(2)
    add(small, "between", "0.3000")
    now = on_day(10)
    add(small, "newcomer", "0.9000")
    for name in "edcb":
        make_result(large, make_system(name), "0.9000")
    add(large, "a", "0.9000")
    assert moves_of_the_week(now) == [
        Move(large, ("a", "b", "c", "d", "e"), runs(large, 0, 1, 2, 3), 4, 5),
        Move(small, ("newcomer",), ("between", *runs(small, 0, 1, 2, 3)), 5, 1),
    ]
    assert moves_of_the_week(on_day(18)) == []


def test_what_only_came_and_what_only_went_are_told(on_day, client):
    came, gone = analysed(), analysed()
    on_day(8)
    add(came, "newcomer", "0.3050")
    on_day(8.5)
    gone.results.filter(system__name="run 1").update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    mark_changed(gone)
    analyse(gone)
    one, other = moves_of_the_week(on_day(9))
    assert (one.leaderboard, one.come, one.gone) == (came, ("newcomer",), ())
    assert (other.leaderboard, other.come, other.gone) == (gone, (), runs(gone, 1))
    assert (one.n_before, one.n_after, other.n_before, other.n_after) == (4, 5, 4, 3)
    # The newest first, whichever has more results.
    feed = client.get("/moves.atom").text
    assert re.findall("<summary[^>]*>(.*?)</summary>", feed) == [f"Out: {runs(gone, 1)[0]}.", "In: newcomer."]
    assert re.findall("<entry><title>(.*?)</title>", feed) == [
        f"{gone}: 3 may be the best, 4 before",
        f"{came}: 5 may be the best, 4 before",
    ]
    assert "<title>Plumbline: what entered or left a best set</title>" in feed
    assert feed.count("<name>registry</name>") == 2
    assert client.get("/moves.atom?since=1").status_code == 400


def test_of_many_leaderboards_those_of_most_results_that_were_analysed_this_week_are_compared(on_day, monkeypatch):
    analysed()
    smaller, smallest = analysed(*VALUES[:6]), analysed(*VALUES[:4])
    now = on_day(8)
    analysed(*VALUES, "0.10")
    add(smaller, "newcomer", "0.9000")
    add(smallest, "other newcomer", "0.9000")
    assert [one.leaderboard for one in moves_of_the_week(now)] == [smaller, smallest]
    monkeypatch.setattr(moves, "MOST_BOARDS", 1)
    assert [one.leaderboard for one in moves_of_the_week(now)] == [smaller]
