"""manage.py check_verdicts"""

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.boards import Findings, Tries, read_snapshot
from registry.leaderboards.models import Analysis, Snapshot
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.leaderboards.earlier_methods import OLD

pytestmark = pytest.mark.django_db


def told() -> str:
    out = StringIO()
    call_command("check_verdicts", stdout=out)
    return out.getvalue()


def tampered(board: Any, pk: str = "0" * 20, **changes: Any) -> None:
    """Show a snapshot of the board whose findings or verdict say something else."""
    analysis = Analysis.objects.select_related("snapshot").get(leaderboard=board)
    stored = read_snapshot(analysis.snapshot.content)
    own = {name: changes.pop(name) for name in list(changes) if name in Findings.__dataclass_fields__}
    findings = replace(stored.findings, verdict=replace(stored.findings.verdict, **changes), **own)
    text = replace(stored, findings=findings).text
    analysis.snapshot = Snapshot.objects.create(pk=pk, leaderboard=board, content=text)
    analysis.save()


def test_it_counts_what_boards_say():
    analyse(make_board())
    analyse(make_board(n_topics=12))
    analyse(make_board(["0.1"], comparability="doubtful"))
    earlier = make_board()
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=earlier, content=OLD)
    Analysis.objects.create(leaderboard=earlier, snapshot=old, results_version=1, methods_version="1")
    lines = told().splitlines()
    assert lines[0] == "2 leaderboards carry a verdict."
    assert "      1  say which can't be told from the best" in lines
    assert "      1  have fewer than 25 topics, and say so" in lines
    assert all(line.lstrip().startswith("0 ") for line in lines if line.endswith("must be 0"))


def test_nothing_to_count_is_no_contradiction():
    assert "0 leaderboards carry a verdict." in told()


def test_of_many_that_contradict_themselves_the_first_three_are_named():
    boards = [make_board(["0.3", "0.2"]) for _ in range(4)]
    for place, board in enumerate(boards):
        analyse(board)
        tampered(board, tiers=((0,),), pk=f"{place}" * 20)
    error = StringIO()
    with pytest.raises(CommandError):
        call_command("check_verdicts", stdout=StringIO(), stderr=error)
    first = ", ".join(f"{one.collection.slug} {one.measure.name}" for one in boards[:3])
    assert f"tier 1 is not the set: {first} …" in error.getvalue()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"leader_verified": True}, "verified, and not alone"),
        ({"tiers": ((1,),)}, "tier 1 is not the set"),
        ({"tries": Tries(n_results=8, n_families=5)}, "count other makers than their families"),
    ],
)
def test_a_board_that_contradicts_itself_is_named(changes, what):
    board = make_board()
    analyse(board)
    tampered(board, **changes)
    error = StringIO()
    with pytest.raises(CommandError, match="contradict themselves"):
        call_command("check_verdicts", stdout=StringIO(), stderr=error)
    assert f"{board.collection.slug} {board.measure.name}" in error.getvalue()
    assert what in error.getvalue()
