"""The drawing of a leaderboard: that its words stay inside of it."""

from dataclasses import replace

import pytest

from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.plumb_line import CARD, ON_PAGES, Mark, describe, plumb_lines
from registry.leaderboards.forms import Selection
from tests.registry.factory import make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("far", [0.0, 0.30, 0.45, 0.62, 1.0])
@pytest.mark.parametrize(
    "name", ["x", "a name that is as long as names of models are, with its revision and dimensions"]
)
def test_wherever_the_best_stands_no_word_is_cut_off(far, name):
    board = make_board()
    make_run(board, "0.3150", system=make_system(name))
    mark_changed(board)
    analyse(board)
    marks = [Mark(far, f"a score {far}"), Mark(0.31, "another score 0.3100")]
    drawn = plumb_lines(leaderboard_document(board, Selection()), marks, sizes=(*ON_PAGES, CARD))
    for line in drawn:
        words = [*line.ticks, *line.labels, *(label for _, label in line.marks)]
        assert {label.kind for label in words} >= {"printed", "who", "mark"}
        for label in words:
            low, high = label.reach
            assert 0 <= low < high <= line.width, label
        # What has to move to be seen whole stays on its side: it ends where its line is, or begins there.
        (printed,) = (label for label in line.labels if label.kind == "printed")
        assert printed.anchor == ("end" if line.best > line.width / 2 else "start")


def test_in_words_the_leader_is_called_held_back_only_where_it_is(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    apart = make_run(board, "0.900", system=make_system("apart", team="another"))
    mark_changed(board)
    analyse(board)
    document = leaderboard_document(board, Selection())
    assert document.verdict.best.result == apart.pk
    assert "held back" in describe(document)
    # As where the leader stands and others are held back.
    other = replace(document.verdict.best_unflagged, result=document.verdict.best.result)
    led = replace(document, verdict=replace(document.verdict, best_unflagged=other))
    assert "held back" not in describe(led)
