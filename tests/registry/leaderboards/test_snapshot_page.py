"""GET /snapshots/<id>/"""

import hashlib

import pytest

from registry.leaderboards.models import Snapshot
from tests.registry.api.world import make_board_by_topic, make_world
from tests.registry.factory import make_measure, make_paper, make_system
from tests.registry.leaderboards.boards import (
    VALUES,
    analyse,
    make_board,
    make_board_of_teams,
    make_run,
    mark_changed,
)
from tests.registry.leaderboards.test_leaderboard_page import NEVER
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(db):
    return analyse(make_board(measure=make_measure("RR@10"), residual_variance=None)).snapshot


def test_it_says_what_was_found_from_what_and_how(client, snapshot):
    page = read(client, snapshot.get_absolute_url())
    assert page.headings[0] == (1, f"Snapshot of {snapshot.leaderboard}")
    assert "The best of 8 results of one family prints 0.3100" in page.text
    assert "As published (Carterette 2015): If all 8 had one and the same true mean" in page.text
    assert "By variation between topics elsewhere: If all 8" in page.text
    assert f"{len(VALUES)} results as they stood" in page.text
    assert page.classes.count("is-marked") == 7


@pytest.fixture
def one_apart(db):
    """Thirty runs close together, and one far above them, which is held back: with it, it alone could be the best."""
    board = make_board_of_teams(residual_variance=0.0009)
    board.results.filter(printed="0.229").update(paper=make_paper("Within reach"))
    make_run(board, "0.900", system=make_system("apart", team="another"), paper=make_paper("Far above"))
    mark_changed(board)
    return analyse(board).snapshot


def test_its_inputs_say_who_may_be_the_best_as_its_finding_does(client, one_apart):
    page = read(client, one_apart.get_absolute_url())
    said = [row[3] for row in page.rows if len(row) > 3 and row[1].startswith(("run ", "apart"))]
    assert (said.count("held back"), page.classes.count("is-marked")) == (1, said.count("yes"))
    assert f"{said.count('yes')} of 30 others can’t be told from the best" in page.text


def test_the_papers_that_it_cites_are_of_results_that_may_be_the_best(client, one_apart):
    source = read(client, one_apart.get_absolute_url()).source
    assert ("Within reach" in source, "Far above" in source) == (True, False)


def test_every_snapshot_has_a_page_without_gaps(client):
    make_world()
    for snapshot in Snapshot.objects.all():
        page = read(client, snapshot.get_absolute_url())
        assert not NEVER.search(page.text.replace("{{", "{"))
        assert all(cell for row in page.rows for cell in row)


def test_it_stays_when_the_leaderboard_moves_on(client, snapshot):
    board = snapshot.leaderboard
    before = read(client, snapshot.get_absolute_url())
    make_run(board, "0.99")
    mark_changed(board)
    analyse(board)
    after = read(client, snapshot.get_absolute_url())
    assert "It is what the leaderboard shows today" in before.text
    assert "The leaderboard has changed since" in after.text
    assert "prints 0.3100" in after.text


def test_its_id_can_be_checked_with_what_it_links(client, snapshot):
    page = read(client, snapshot.get_absolute_url())
    content = client.get(page.link("the whole snapshot as JSON")).content
    assert hashlib.sha256(content).hexdigest().startswith(snapshot.pk)


def test_it_can_be_cited(client, snapshot):
    page = read(client, snapshot.get_absolute_url())
    assert f"@misc{{plumbline-{snapshot.pk}," in page.text
    assert client.get(page.link("BibTeX")).content.decode() in page.source.replace("&#x27;", "'")


def test_it_can_be_quoted_in_latex(client, snapshot):
    page = read(client, snapshot.get_absolute_url())
    board = snapshot.leaderboard
    assert (
        f"On {board.collection.name} ({board.measure.name}), the best of 8 results of one family prints 0.3100"
        in page.text
    )
    assert f"~\\cite{{plumbline-{snapshot.pk}}}." in page.text
    assert "No topic scores of this leaderboard are known." in page.text


def test_scores_by_topic_are_named_as_its_basis(client):
    board = make_board_by_topic()
    page = read(client, Snapshot.objects.get(leaderboard=board).get_absolute_url())
    assert "max-t-two-step, at 95 % confidence" in page.text
    assert "10 000 draws, from seed 2015" in page.text


@pytest.mark.parametrize("name", ["0" * 20, "abc", "not-hex"])
def test_an_unknown_id_is_404(client, db, name):
    assert f"No snapshot has the id {name}." in read(client, f"/snapshots/{name}/", status=404).text


@pytest.mark.parametrize("file", ["", "topic_scores.csv", "bundle.zip", "card.png"])
def test_an_unknown_parameter_is_refused(client, snapshot, file):
    assert client.get(f"{snapshot.get_absolute_url()}{file}?x=1").status_code == 400


def test_it_is_only_read(client, snapshot):
    assert client.post(snapshot.get_absolute_url()).status_code == 405
    assert client.head(snapshot.get_absolute_url()).status_code == 200
