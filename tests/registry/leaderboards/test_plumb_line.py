"""The drawing of a leaderboard: that its words stay inside of it."""

import pytest

from registry.leaderboards.documents import leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.plumb_line import CARD, ON_PAGES, Mark, plumb_lines
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
