"""One system under two names, found by its scores."""

import pytest

from registry.catalog.models import Leaderboard
from registry.curation.lineage.models import Lineage
from registry.curation.lineage.pipeline import MIN_BOARDS, find_twins
from registry.curation.lineage.queries import ties_of
from registry.curation.lineage.services import record_twins
from registry.journal.models import Entry
from registry.results.services.endings import supersede_result
from tests.registry.curation.lineage.world import decide, keys_of
from tests.registry.factory import make_leaderboard, make_result, make_system

BOARDS = range(MIN_BOARDS)


def scores(system: int, values: list[float]) -> list[tuple[int, int, float]]:
    return [(system, board, value) for board, value in enumerate(values)]


def own(n: int = MIN_BOARDS) -> list[float]:
    """Scores that no other list has by chance."""
    return [0.1 + board / 1000 for board in range(n)]


@pytest.mark.parametrize(("n_other", "n_found"), [(1, 1), (2, 0)])
def test_one_score_in_twenty_may_differ(n_other, n_found):
    others = own(20)
    others[:n_other] = [0.9] * n_other
    assert len(find_twins([*scores(1, own(20)), *scores(2, others)])) == n_found


def test_failed_runs_agree_with_nothing():
    zeros = [0.0] * MIN_BOARDS
    assert find_twins([*scores(1, zeros), *scores(2, zeros)]) == []


@pytest.fixture
def pair(db):
    """The results of two systems with the same scores, and of one with others, on the same leaderboards."""
    original, copy = make_system("MonoT5 Large", "tira-io"), make_system("nimble-bar", "tira-io")
    other = make_system("BM25")
    results = {}
    for board in [make_leaderboard() for _ in BOARDS]:
        for system, value in ((original, 0.5 + board.pk / 1e4), (copy, 0.5 + board.pk / 1e4), (other, 0.2)):
            results[board.pk, system.name] = make_result(board, system, f"{value:.4f}")
    return results


def first(results, name):
    return next(result for (_, system), result in results.items() if system == name)


def test_twins_share_a_lineage_with_its_evidence_and_looking_again_changes_nothing(pair):
    record_twins()
    original, copy, other = (first(pair, name) for name in ("MonoT5 Large", "nimble-bar", "BM25"))
    assert keys_of(copy) == keys_of(original) == ("team:tira-io", "twin:monot5 large")
    assert keys_of(other) == ()
    tie = ties_of(copy.system)[1]
    assert tie.reasons[0].how == f"the same scores as MonoT5 Large on {MIN_BOARDS} of {MIN_BOARDS} common leaderboards"
    assert Entry.objects.get(action="results.lineage.twins_found").after["pairs"] == 1
    versions = Leaderboard.objects.order_by("pk").values_list("results_version", flat=True)
    before = [*versions]
    record_twins()
    assert [*versions.all()] == before
    assert Entry.objects.filter(action="results.lineage.twins_found").count() == 1


def test_of_many_twins_three_are_named_and_what_ends_is_counted(db):
    systems = [make_system(name) for name in "edcba"]
    results = [
        make_result(board, system, f"{0.5 + board.pk / 1e4:.4f}")
        for board in [make_leaderboard() for _ in BOARDS]
        for system in systems
    ]
    record_twins(reason="a look")
    tie = ties_of(systems[-1])[0]
    assert tie.key == "twin:a"
    assert tie.reasons[0].how == (
        "the same scores as b on 10 of 10, c on 10 of 10, d on 10 of 10 common leaderboards and 1 more"
    )
    entry = Entry.objects.get(action="results.lineage.twins_found")
    assert (entry.subject_type, entry.subject_id, entry.reason) == ("registry", "twins", "a look")
    assert entry.after == {"pairs": 10, "systems": 5, "added": 5, "ended": 0}
    supersede_result(result=results[-1], changes={"printed": "0.4"}, actor=None, reason="erratum")
    record_twins()
    # The remaining four name three each.
    entry = Entry.objects.filter(action="results.lineage.twins_found").latest("pk")
    assert entry.after == {"pairs": 6, "systems": 4, "added": 4, "ended": 5}
    assert ties_of(systems[0])[0].key == "twin:b"


def test_a_decision_undoes_it_for_good(pair, tmp_path):
    record_twins()
    copy = first(pair, "nimble-bar")
    decide(tmp_path, "leave,nimble-bar,tira-io,twin:monot5 large,,another checkpoint")
    record_twins()
    assert keys_of(copy) == ("team:tira-io",)


def test_twins_that_are_found_again_stay_when_others_end(pair):
    others = make_system("x"), make_system("y")
    for board in {result.leaderboard for result in pair.values()}:
        for system in others:
            pair[board.pk, system.name] = make_result(board, system, f"{0.7 - board.pk / 1e4:.4f}")
    record_twins()
    stays = set(Lineage.objects.standing().filter(key="twin:monot5 large").values_list("pk", flat=True))
    supersede_result(result=first(pair, "y"), changes={"printed": "0.4"}, actor=None, reason="erratum")
    record_twins()
    assert len(stays) == 2
    assert set(Lineage.objects.standing().values_list("pk", flat=True)) == stays
