"""Writing what was found about leaderboards."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.db import transaction

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.catalog.services import ANALYSE_LEADERBOARD
from registry.core.services import enqueue_jobs, enqueue_overdue_jobs
from registry.curation.suites.models import Suite
from registry.journal.sealing import seal_after_commit
from registry.leaderboards.models import Analysis, Snapshot, SuiteAnalysis
from registry.leaderboards.queries.boards import stale_leaderboards
from registry.leaderboards.queries.suites import SuiteBoard, members_state, stale_suite_boards, suite_boards_of
from registry.leaderboards.studies import Finding, Found, SuiteFinding

ANALYSE_SUITE = "leaderboards.analyse_suite"


@transaction.atomic
def save_finding(finding: Finding | None) -> Analysis | None:
    """Save a finding; return the standing analysis, with its snapshot and, the first time, its reference sets.

    None, and nothing written, where there was nothing new to find.

    Harmless when repeated: a snapshot with this id has this content already. A finding about an older version of the
    results than the standing one is dropped.

    Raises
    ------
    django.db.IntegrityError
        If another worker froze the reference sets in the meantime: analyse again.
    """
    if finding is None:
        return None
    board = finding.board
    standing = Analysis.objects.select_for_update().filter(pk=board.leaderboard.pk).first()
    if standing and standing.results_version > board.leaderboard.results_version:
        return standing
    for proposed in finding.references:
        proposed.reference.save(force_insert=True)
        proposed.reference.members.set(proposed.members)
    analysis, _ = Analysis.objects.update_or_create(
        leaderboard=board.leaderboard,
        defaults=_kept(finding, leaderboard=board.leaderboard)
        | {
            "results_version": board.leaderboard.results_version,
            "methods_version": METHODS.version,
            "n_results": len(board.inputs.rows),
            "n_counted": sum(row.is_counted for row in board.inputs.rows),
        },
    )
    enqueue_suites_of(board.leaderboard)
    return analysis


@transaction.atomic
def save_suite_finding(finding: SuiteFinding | None) -> SuiteAnalysis | None:
    """Save a finding; return the suite's standing analysis; None, and nothing written, where nothing was new.

    Harmless when repeated. What rests on analyses of members that were replaced meanwhile is found by the sweep.
    """
    if finding is None:
        return None
    board = finding.board
    analysis, _ = SuiteAnalysis.objects.update_or_create(
        suite=board.suite,
        measure=board.measure,
        defaults=_kept(finding, suite=board.suite) | {"version": finding.version},
    )
    return analysis


def _kept(finding: Found, **of: Leaderboard | Suite) -> dict[str, object]:
    """Return what an analysis says of what was found, whose snapshot is on record from now on."""
    if snapshot_id := finding.snapshot_id:
        Snapshot.objects.get_or_create(pk=snapshot_id, defaults={**of, "content": finding.content})
        seal_after_commit()
    headline = msgspec.to_builtins(finding.headline) if finding.headline else {}
    standings = msgspec.to_builtins(finding.standings) if finding.standings else {}
    return {"snapshot_id": snapshot_id, "obstacle": finding.obstacle, "headline": headline, "standings": standings}


def enqueue_stale() -> int:
    """Queue an analysis of every leaderboard and suite that is behind its results; the number of jobs added."""
    stale = stale_leaderboards(METHODS.version).values_list("pk", flat=True)
    n_boards = enqueue_overdue_jobs(kind=ANALYSE_LEADERBOARD, args=_arguments(stale))
    return n_boards + enqueue_overdue_jobs(kind=ANALYSE_SUITE, args=_names(stale_suite_boards()))


def enqueue_suites_of(leaderboard: Leaderboard) -> None:
    """Queue an analysis of the suites that a leaderboard is a member of, once none of their members is behind."""
    boards = [board for board in suite_boards_of(leaderboard.collection) if board.measure.pk == leaderboard.measure_id]
    settled = [board for board in boards if members_state(board).is_settled]
    enqueue_jobs(kind=ANALYSE_SUITE, args=_names(settled))


def awaited_analyses(leaderboard_ids: Iterable[int]) -> list[tuple[str, dict[str, Any]]]:
    """Return the jobs that whoever looks at leaderboards waits for, whose analyses are behind."""
    return [(ANALYSE_LEADERBOARD, argument) for argument in _arguments(leaderboard_ids)]


def awaited_of_suites(boards: Sequence[SuiteBoard]) -> list[tuple[str, dict[str, Any]]]:
    """Return the jobs that whoever looks at suites waits for: analyses of their members, and their own."""
    wanted = {(member.collection_id, board.measure.pk) for board in boards for member in board.members}
    listed = Leaderboard.objects.filter(collection__in={collection for collection, _ in wanted})
    leaderboards = listed.values_list("pk", "collection", "measure") if wanted else ()
    members = awaited_analyses(pk for pk, *names in leaderboards if tuple(names) in wanted)
    return [*members, *((ANALYSE_SUITE, name) for name in _names(boards))]


def _names(boards: Iterable[SuiteBoard]) -> list[dict[str, str]]:
    return [{"suite": board.suite.slug, "measure": board.measure.name} for board in boards]


def _arguments(leaderboard_ids: Iterable[int]) -> list[dict[str, int]]:
    return [{"leaderboard_id": pk} for pk in leaderboard_ids]
