"""GET /snapshots/<id>/"""

import hashlib
import re

from tests.registry.factory import make_measure, make_paper, make_system
from tests.registry.leaderboards.boards import analyse, analyse_again, make_board, make_board_of_teams, make_run
from tests.registry.pages import read


def test_its_inputs_say_who_may_be_the_best_as_its_finding_does(client):
    """Thirty runs stand close together, and one far above them: it is held back, or it alone could be the best."""
    board = make_board_of_teams(residual_variance=0.0009)
    board.results.filter(printed="0.229").update(paper=make_paper("Within reach"))
    make_run(board, "0.900", system=make_system("apart", team="another"), paper=make_paper("Far above"))
    page = read(client, analyse_again(board).snapshot.get_absolute_url())
    answers = [row[3] for row in page.rows if len(row) > 3 and row[1].startswith(("run ", "apart"))]
    assert (answers.count("excluded"), page.classes.count("is-marked")) == (1, answers.count("yes"))
    assert f", {answers.count('yes')} of 30 results tie for first" in page.text


def test_it_stays_when_the_leaderboard_moves_on_and_its_id_can_be_checked_with_what_it_links(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    snapshot = analyse(board).snapshot
    before = read(client, snapshot.get_absolute_url())
    content = client.get(before.link("the whole snapshot as JSON")).content
    assert hashlib.sha256(content).hexdigest().startswith(snapshot.pk)
    make_run(board, "0.99")
    analyse_again(board)
    after = read(client, snapshot.get_absolute_url())
    assert "It is what the leaderboard shows today" in before.text
    assert "The leaderboard has changed since" in after.text
    assert "has the best reported score, 0.3100" in after.text
    then, now = (int(n) for n in re.search(r"(\d+) results competed then, (\d+) today", after.text).groups())
    assert now == then + 1
    assert "leads alone (95%) among 9 results" in after.text.partition("Today: ")[2]
