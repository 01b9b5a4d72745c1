"""What the page says while an analysis is missing, behind, past, or impossible."""

import pytest

from analysis.boards import snapshot_id
from registry.catalog.services import ANALYSE_LEADERBOARD
from registry.core.models import Job
from registry.core.services import enqueue_jobs
from registry.leaderboards.models import Snapshot
from registry.results.models import Result
from tests.registry.leaderboards.boards import analyse, analysed, make_board, make_run, mark_changed
from tests.registry.leaderboards.test_leaderboard_page import results_of
from tests.registry.pages import read


def test_a_stale_leaderboard_says_so_and_shows_what_there_is(client):
    board = analysed(make_board())
    enqueue_jobs(kind=ANALYSE_LEADERBOARD, args=[{"leaderboard_id": board.pk}])
    client.get(board.get_absolute_url())
    assert not Job.objects.get().awaited_at
    make_run(board, "0.99")
    mark_changed(board)
    page = read(client, board.get_absolute_url())
    assert "Results or methods changed since this analysis; it is being made again." in page.text
    assert Job.objects.get().awaited_at
    assert "0.99" in results_of(page)[0]
    assert "has the best reported score, 0.3100" in page.text


@pytest.mark.parametrize("choice", ["?n_multiplier=3", "?role=trec_run"])
def test_choices_find_the_same_from_a_snapshot_and_from_the_record(client, choice):
    board = make_board()
    make_run(board, "0.28", role=Result.Role.BASELINE)
    address = f"{board.get_absolute_url()[:-1]}.json{choice}"
    analyse(board)
    from_snapshot = client.get(address).json()
    mark_changed(board)
    from_record = client.get(address).json()
    assert (from_snapshot["analysis"].pop("state"), from_record["analysis"].pop("state")) == ("current", "stale")
    for document in (from_snapshot, from_record):
        del document["analysis"]["message"]
    assert from_snapshot["verdict"]["sentence"]
    assert from_snapshot == from_record


def test_a_snapshot_of_an_earlier_release_stays_and_says_what_reads_it(client):
    board = make_board()
    content = '{"format":"plumbline-snapshot/1","methods":{"version":"2"}}'
    old = Snapshot.objects.create(pk=snapshot_id(content), leaderboard=board, content=content)
    page = read(client, old.get_absolute_url())
    assert "made by an earlier release" in page.text
    assert "plumbline-snapshot/1, methods 2" in page.text
    assert client.get(f"{old.get_absolute_url()[:-1]}.json").content.decode() == content
