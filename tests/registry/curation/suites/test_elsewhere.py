"""What the same systems score on the other members of a suite: frozen, dated, refreshed once a day."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from analysis.boards import METHODS
from registry.core.models import Job
from registry.core.services import enqueue_jobs, run_next_job
from registry.curation.suites.models import ElsewhereTable
from registry.curation.suites.queries import Dataset, elsewhere_of, membership_in_suites
from registry.curation.suites.services import REFRESH, refresh_after_load, refresh_elsewhere, register_flags
from registry.journal.models import Entry
from registry.leaderboards.queries.boards import stale_leaderboards
from registry.results.models import Result
from registry.results.services.endings import supersede_result
from tests.registry.curation.suites.world import add_member, make_boards, make_scores, make_suite, rows_of
from tests.registry.factory import make_result

FLAGGED: list[tuple[int, str]] = []
register_flags(lambda boards: FLAGGED)


@pytest.fixture
def flagged():
    """What verdicts flag."""
    yield FLAGGED
    FLAGGED.clear()


@pytest.fixture
def boards():
    """Three members, with a system on all of them, one on two, and one on the first alone."""
    boards = make_boards("arguana", "fiqa", "nq")
    make_suite("beir", boards)
    make_scores(boards, "0.5", "0.4", "0.6")
    make_scores(boards, "0.3", None, "0.2")
    make_scores(boards, "0.1", None, None)
    refresh_elsewhere()
    return boards


def seen(board, **options):
    elsewhere = elsewhere_of(rows_of(board), membership_in_suites(board), **options)
    return elsewhere and list(elsewhere.scores.values())


def test_scores_are_those_of_the_same_systems_on_the_other_members(boards):
    elsewhere = elsewhere_of(rows_of(boards[1]), membership_in_suites(boards[1]))
    assert (elsewhere.name, elsewhere.as_of) == ("BEIR", timezone.now().date())
    assert elsewhere.datasets == (Dataset("arguana", "nDCG@10"), Dataset("nq", "nDCG@10"))
    assert list(elsewhere.scores.values()) == [(0.5, 0.6)]
    assert seen(boards[0]) == [(0.4, 0.6), (None, 0.2)], "best first; without any elsewhere it is left out"


def test_a_part_of_a_member_is_held_against_the_others(boards):
    (part,) = make_boards("arguana-easy", measure=boards[0].measure)
    suite = membership_in_suites(boards[0]).screen.suite
    add_member(suite, part, 9, part_of=suite.members.get(collection=boards[0].collection))
    make_result(part, Result.objects.get(printed="0.4").system, "0.9", role=Result.Role.LEADERBOARD)
    elsewhere = elsewhere_of(rows_of(part), membership_in_suites(part))
    assert [str(dataset) for dataset in elsewhere.datasets] == ["fiqa, nDCG@10", "nq, nDCG@10"]
    assert list(elsewhere.scores.values()) == [(0.4, 0.6)]


def test_an_earlier_moment_has_its_own_table(boards):
    ElsewhereTable.objects.update(created_at=timezone.now() - timedelta(days=3))
    make_scores(boards, "0.2", "0.7", None)
    refresh_elsewhere()
    assert seen(boards[1]) == [(0.2, None), (0.5, 0.6)]
    assert seen(boards[1], moment=timezone.now() - timedelta(days=1)) == [(0.5, 0.6)]
    assert seen(boards[1], moment=timezone.now() - timedelta(days=9)) is None


def test_a_new_result_changes_nothing_until_the_next_refresh(boards):
    make_scores(boards, None, "0.7", "0.2", system=Result.objects.get(printed="0.1").system)
    assert seen(boards[0]) == [(0.4, 0.6), (None, 0.2)]
    assert refresh_elsewhere() == 1
    assert seen(boards[0]) == [(0.4, 0.6), (None, 0.2), (0.7, 0.2)]


def test_the_command_that_analyses_takes_what_changed_elsewhere_too(boards):
    make_scores(boards, None, "0.7", "0.2", system=Result.objects.get(printed="0.1").system)
    call_command("recompute", processes=1, stdout=io.StringIO())
    assert seen(boards[0]) == [(0.4, 0.6), (None, 0.2), (0.7, 0.2)]
    assert not stale_leaderboards(METHODS.version).exists()


def versions(boards):
    for board in boards:
        board.refresh_from_db()
    return [board.results_version for board in boards]


def test_looking_again_changes_nothing(boards):
    before = versions(boards)
    assert refresh_elsewhere() == 0
    assert (ElsewhereTable.objects.count(), versions(boards)) == (1, before)
    assert Entry.objects.filter(action="results.suite.frozen").count() == 1


def test_only_leaderboards_whose_systems_changed_elsewhere_go_stale(boards):
    """0.2 on nq is of a system that arguana lists and fiqa doesn't."""
    before = versions(boards)
    supersede_result(
        result=Result.objects.get(printed="0.2"), changes={"printed": "0.25"}, actor=None, reason="erratum"
    )
    after_change = versions(boards)
    assert [now - then for now, then in zip(after_change, before, strict=True)] == [0, 0, 1]
    refresh_elsewhere()
    assert [now - then for now, then in zip(versions(boards), after_change, strict=True)] == [1, 0, 0]


def test_a_leaderboard_takes_two_queries(boards, django_assert_num_queries):
    rows = rows_of(boards[0])
    with django_assert_num_queries(2):
        elsewhere_of(rows, membership_in_suites(boards[0]))


def test_an_outlier_on_one_member_is_known_on_the_others():
    boards = make_boards("arguana", "fiqa", "nq", "scidocs")
    make_suite("beir", boards)
    for number in range(100):
        ability = 0.3 + 0.003 * number
        scores = [f"{ability + 0.01 * ((number * step) % 7 - 3):.3f}" for step in (2, 3, 5, 4)]
        make_scores(boards, *scores[:3], "0.950" if number == 50 else scores[3])
    refresh_elsewhere()
    (outlier,) = [result for result in Result.objects.all() if result.printed == "0.950"]
    others = elsewhere_of(rows_of(boards[0]), membership_in_suites(boards[0])).flags
    ((flag,),) = others.values()
    assert Result.objects.get(pk=next(iter(others))).system_id == outlier.system_id
    assert (str(flag.dataset), flag.score) == ("scidocs, nDCG@10", 0.95)
    assert flag.z > 5
    assert elsewhere_of(rows_of(boards[3]), membership_in_suites(boards[3])).flags == {}, "its own board says it"


def test_what_verdicts_flag_on_a_member_is_frozen_with_the_scores(boards, flagged):
    """A flag that comes makes a new table, and only boards stale that list its system elsewhere."""
    apart = Result.objects.get(printed="0.2")
    flagged.append((apart.pk, "stands-apart"))
    before = versions(boards)
    assert (refresh_elsewhere(), refresh_elsewhere()) == (1, 0)
    assert [now - then for now, then in zip(versions(boards), before, strict=True)] == [1, 0, 0]
    ((row, (flag,)),) = elsewhere_of(rows_of(boards[0]), membership_in_suites(boards[0])).flags.items()
    assert Result.objects.get(pk=row).system_id == apart.system_id
    assert (str(flag.dataset), flag.score, flag.code, flag.z) == ("nq, nDCG@10", 0.2, "stands-apart", None)
    assert elsewhere_of(rows_of(boards[2]), membership_in_suites(boards[2])).flags == {}


def test_after_a_load_flags_are_taken_as_soon_as_nothing_waits_to_be_analysed(boards, flagged):
    """And not on the next day: verdicts on what was loaded flag nothing before they are found."""
    apart = Result.objects.get(printed="0.2")
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": board.pk} for board in boards])
    refresh_after_load(reason="a test")
    before, done = versions(boards), []
    while run_next_job():
        done += Job.objects.filter(state=Job.State.DONE).exclude(kind__in=done).values_list("kind", flat=True)
        flagged[:] = [(apart.pk, "stands-apart")]
    assert done.index(REFRESH) > done.index("leaderboards.analyse_leaderboard")
    assert [now - then for now, then in zip(versions(boards), before, strict=True)] == [1, 0, 0]
    ((_, (flag,)),) = elsewhere_of(rows_of(boards[0]), membership_in_suites(boards[0])).flags.items()
    assert flag.code == "stands-apart"
