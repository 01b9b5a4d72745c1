"""Verifying snapshots: an honest one passes, a changed one is named."""

import json

import pytest
from django.core.management import CommandError, call_command

from registry.leaderboards.canonical import canonical, snapshot_id
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import verify_snapshot
from registry.results.models import Result
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db


def altered(snapshot: Snapshot, change) -> Snapshot:
    """A snapshot with other content under an id that fits it, as a forger would make it."""
    content = json.loads(snapshot.content)
    change(content)
    text = canonical(content)
    made = {"leaderboard": snapshot.leaderboard, "created_at": snapshot.created_at}
    return Snapshot(pk=snapshot_id(text), content=text, **made)


def test_an_honest_snapshot_has_no_problem(capsys):
    analyse(make_board())
    call_command("verify_snapshots")
    assert "1 snapshots verified, 0 differ" in capsys.readouterr().out


def test_later_changes_of_the_leaderboard_do_not_matter():
    board = make_board()
    snapshot = analyse(board).snapshot
    Result.objects.filter(printed="0.31").update(value=0.99)
    assert verify_snapshot(snapshot) == []


def test_content_that_does_not_fit_its_id_is_named():
    snapshot = analyse(make_board()).snapshot
    snapshot.content = snapshot.content.replace("0.31", "0.32")
    assert verify_snapshot(snapshot) == ["the content does not have this id: it was changed"]


def test_a_result_that_does_not_come_out_is_named():
    def flatter(content):
        content["results"]["best_result"]["published"]["adjusted_mean"] += 0.01

    [problem] = verify_snapshot(altered(analyse(make_board()).snapshot, flatter))
    assert "results.best_result.published.adjusted_mean differs" in problem


def test_the_command_names_it_and_fails(capsys):
    snapshot = altered(analyse(make_board()).snapshot, lambda content: content["results"]["tiers"].clear())
    snapshot.save(force_insert=True)
    with pytest.raises(CommandError):
        call_command("verify_snapshots")
    assert f"{snapshot.pk}: results.tiers" in capsys.readouterr().out


def test_an_unknown_id_is_refused():
    with pytest.raises(CommandError, match="No snapshot has the id abc"):
        call_command("verify_snapshots", "abc")
