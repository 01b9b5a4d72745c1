"""What changes the version of a leaderboard and of the whole record, and the days on which something changed."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.core.models import Job
from registry.journal.models import Entry
from registry.leaderboards import versions
from registry.leaderboards.earlier_days import last_change
from registry.leaderboards.models import Analysis, Snapshot, SuiteAnalysis
from registry.leaderboards.services import ANALYSE_SUITE, save_finding
from registry.leaderboards.studies import analyse_leaderboard
from registry.leaderboards.traits import Traits, results_with
from registry.leaderboards.versions import read_board_version, registry_version
from registry.results.models import CorrectionRequest, Result
from registry.results.services.corrections import request_correction
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import make_entry, make_leaderboard, make_result, make_user
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 3, 1, 12, tzinfo=UTC)
LATER = datetime(2020, 4, 2, 12, tzinfo=UTC)
DAY = date(2020, 5, 1)


@pytest.fixture(autouse=True)
def composed_anew():
    """Queries that are composed once for a process are composed by each test here."""
    versions._board_version_query.cache_clear()
    versions._registry_version_query.cache_clear()


def make_request(result: Result, **fields) -> CorrectionRequest:
    known = {"kind": "dispute"} | fields
    return request_correction(result=result, requester=make_user(), **known, reason="table 3 has another")


def changed(board: Leaderboard, change: Callable[[], object]) -> dict[str, object]:
    """What of the leaderboard's version a change changes."""
    names = (board.collection.slug, board.measure.name)
    before = asdict(read_board_version(*names))
    change()
    after = asdict(read_board_version(*names))
    return {name: value for name, value in after.items() if value != before[name]}


def test_a_version_is_of_the_leaderboard_with_both_names():
    board = make_leaderboard(results_version=3)
    beside, below = make_leaderboard(board.collection, results_version=7), make_leaderboard(measure=board.measure)
    for one in (below, beside, board):
        found = asdict(read_board_version(one.collection.slug, one.measure.name))
        assert (found.pop("id"), found.pop("results_version")) == (one.pk, one.results_version)
        assert {found.pop(name) for name in list(found) if name.startswith("n_")} == {0}
        assert set(found.values()) == {None}
    assert read_board_version(below.collection.slug, beside.measure.name) is None
    for one in (below, board):
        Analysis.objects.create(
            leaderboard=one, results_version=2, methods_version="8", obstacle="no_comparable_result"
        )
    found = read_board_version(board.collection.slug, board.measure.name)
    assert (found.analysed_version, found.methods_version, found.snapshot_id) == (2, "8", None)


def test_open_disputes_of_a_leaderboard_change_its_version():
    board, other = make_leaderboard(), make_leaderboard()
    result, again, elsewhere = make_result(board), make_result(board, printed="0.2"), make_result(other)
    assert changed(board, lambda: None) == {}
    for of, n in ((result, 1), (again, 2)):
        assert changed(board, lambda of=of: make_request(of)) == {"n_requests": n, "n_disputes": n}
    assert changed(board, lambda: make_request(elsewhere)) == {}
    assert changed(board, lambda: make_request(again, kind="correct", proposed_printed="0.7")) == {"n_requests": 3}
    ended = {"state": "declined", "decided_at": timezone.now(), "decided_by": make_user()}
    assert changed(board, lambda: CorrectionRequest.objects.filter(result=result).update(**ended)) == {"n_disputes": 1}


@pytest.mark.parametrize("subject", ["system", "paper", "file"])
def test_entries_about_names_change_both_versions(subject):
    board = make_leaderboard()
    make_entry("x.y.z", subject_type=subject, subject_id="9")
    whole = registry_version()
    found = changed(board, lambda: make_entry("x.y.z", subject_type=subject, subject_id="1"))
    assert found == {f"last_{subject}_entry": Entry.objects.order_by("pk").last().pk}
    named = registry_version()
    assert named != whole
    assert changed(board, lambda: make_entry("x.y.z", subject_type="user", subject_id="1")) == {}
    assert registry_version() == named


def test_leaderboards_and_analyses_change_the_version_of_the_record():
    seen = [registry_version()]

    def note() -> None:
        seen.append(registry_version())
        assert registry_version() == seen[-1]
        assert seen.count(seen[-1]) == 1

    board = make_board()
    note()
    again = make_leaderboard()
    note()
    analyse(board)
    note()
    Leaderboard.objects.filter(pk=again.pk).mark_changed()
    note()
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    note()
    analyse(board)
    note()
    Analysis.objects.update(methods_version="before")
    note()
    boards = make_boards("c-first", "c-second")
    note()
    for name in ("late", "early"):
        suite = make_suite(name, boards)
        SuiteAnalysis.objects.create(
            suite=suite, measure=boards[0].measure, version=name, obstacle="no_complete_system"
        )
        note()
    SuiteAnalysis.objects.filter(version="early").update(version="again")
    note()


def test_an_analysis_of_a_machine_whose_clock_is_behind_changes_the_version_of_the_record(monkeypatch):
    for board in (first := make_board(), make_board()):
        analyse(board)
    before = registry_version()
    Leaderboard.objects.filter(pk=first.pk).mark_changed()
    stale = registry_version()
    monkeypatch.setattr("django.utils.timezone.now", lambda: LONG_AGO)
    analyse(first)
    assert len({before, stale, registry_version()}) == 3


def test_a_day_of_an_analysis_is_one_of_change():
    board, other = make_board(), make_board()
    Result.objects.update(recorded_at=LONG_AGO)
    analyse(board)
    (snapshot,) = Snapshot.objects.all()
    created = snapshot.created_at.date()
    assert last_change(board.pk, created) == created
    assert last_change(board.pk, DAY) == LONG_AGO.date()
    assert last_change(other.pk, created) == LONG_AGO.date()


def test_an_analysis_that_is_kept_queues_the_suites_that_it_is_a_member_of():
    (member,) = make_boards("c-alone")
    make_suite("small", [member])
    Job.objects.all().delete()
    save_finding(analyse_leaderboard(member.pk))
    assert [job.args for job in Job.objects.filter(kind=ANALYSE_SUITE)] == [
        {"suite": "small", "measure": member.measure.name}
    ]
    Job.objects.all().delete()
    other = make_board()
    save_finding(analyse_leaderboard(other.pk))
    assert not Job.objects.filter(kind=ANALYSE_SUITE).exists()


def test_results_as_asked_are_in_the_order_in_which_they_were_recorded():
    board, other = make_leaderboard(), make_leaderboard()
    results = [make_result(board, printed=printed, year=year) for printed, year in
               (("0.2", 2020), ("0.9", 2021), ("0.5", 2019), ("0.7", 2022), ("0.1", None))]  # fmt: skip
    make_result(other, year=2022)
    first = results[0]
    Result.objects.filter(pk=first.pk).update(ended_at=LATER, ended_by=first.recorded_by, ending="withdrawn")
    since = results_with(board, Traits(since=2020), None)
    assert since == (first.pk, results[1].pk, results[3].pk)
    assert results_with(board, Traits(since=2023), None) == ()
