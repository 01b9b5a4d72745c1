"""Reference sets: who is in them, and that they stay as they were frozen."""

import numpy as np
import pytest

from analysis.boards import read_snapshot
from registry.leaderboards.models import ReferenceSet
from registry.results.models import Result
from tests.registry.leaderboards.boards import VALUES, analyse, analyse_again, make_board, make_run


def standing(analysis, result):
    rows = read_snapshot(analysis.snapshot.content).findings.standing
    return next(row for row in rows if row.result == result.pk)


def test_the_original_runs_are_the_reference_and_later_results_do_not_change_it():
    board = make_board()
    make_run(board, "0.90", role=Result.Role.PROPOSED)
    best = Result.objects.get(printed="0.31")
    before = standing(analyse_again(board), best)
    reference = ReferenceSet.objects.get(basis="published-means")
    assert reference.n_systems == len(VALUES)
    assert "8 original shared-task runs" in reference.name
    assert reference.members.count() == len(VALUES)
    make_run(board, "0.60")
    assert standing(analyse_again(board), best) == before
    assert ReferenceSet.objects.count() == 1


def test_without_runs_reference_implementations_are_taken():
    board = make_board(role=Result.Role.LEADERBOARD)
    for value in ("0.20", "0.21", "0.25"):
        make_run(board, value, role=Result.Role.REFERENCE_IMPLEMENTATION)
    analyse_again(board)
    assert "3 reference runs" in ReferenceSet.objects.get().name


def test_z_and_percentile_are_taken_among_the_reference_means():
    board = make_board()
    analysis = analyse(board)
    values = np.array([float(value) for value in VALUES])
    best = Result.objects.get(printed="0.31")
    row = standing(analysis, best)
    assert row.z == pytest.approx((0.31 - values.mean()) / values.std(ddof=1))
    assert row.percentile == pytest.approx(100 * 7.5 / 8)
