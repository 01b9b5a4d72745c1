"""Leaderboards that share topics: a score that contradicts the other board is said on both, and wakes both up."""

import numpy as np
import pytest

from registry.catalog.models import CollectionLink
from registry.catalog.queries import resting_on
from registry.catalog.services import mark_leaderboards_changed
from registry.leaderboards.stored import flags_on
from registry.results.models import Result
from tests.registry.factory import make_collection, make_leaderboard, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import read

N = 24


@pytest.fixture
def boards():
    """All documents and hard negatives, on which the best system has far less than on the former."""
    full = make_board([])
    hard = make_leaderboard(make_collection(n_topics=50), full.measure)
    CollectionLink.objects.create(collection=hard.collection, base=full.collection, relation="hard_negatives")
    for number, value in enumerate(np.linspace(0.3, 0.6, N)):
        system = make_system(f"system {number}", team=f"team {number}")
        make_result(full, printed=f"{value:.4f}", system=system)
        fewer = 0.9 * value + 0.1 if number < N - 1 else 0.3
        make_result(hard, printed=f"{fewer:.4f}", system=system)
    for board in (full, hard):
        mark_changed(board)
    return full, hard


def test_both_pages_say_it_and_call_neither_wrong(client, boards):
    full, hard = boards
    analyse(full)
    analyse(hard)
    for board, score, other in ((full, "0.6000", "0.3000"), (hard, "0.3000", "0.6000")):
        text = read(client, board.get_absolute_url()).text
        name = (hard if board == full else full).collection.name
        assert f"{score} of system {N - 1} here conflicts with {other} on {name}" in text
        assert "We don’t know which." in text
    text = read(client, full.get_absolute_url()).text
    assert f"Without such scores, system {N - 2} leads" in text
    best = Result.objects.filter(system__name=f"system {N - 1}").values_list("pk", flat=True)
    assert set(flags_on(board.pk for board in boards)) == {(pk, "contradicts-linked") for pk in best}


def test_what_changes_on_one_is_studied_on_both(boards, django_assert_max_num_queries):
    full, hard = boards
    before = hard.results_version
    with django_assert_max_num_queries(12):
        mark_leaderboards_changed(leaderboard_ids=[full.pk])
    hard.refresh_from_db()
    assert hard.results_version == before + 1
    assert list(resting_on([hard.pk])) == [full]
    assert list(resting_on([full.pk, hard.pk])) == []
