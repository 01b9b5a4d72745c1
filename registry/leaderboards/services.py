"""Writing what was found about leaderboards."""

from django.db import transaction

from registry.core.models import Job
from registry.core.services import enqueue_overdue_jobs
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.pipeline import METHODS_VERSION, Finding
from registry.leaderboards.queries import stale_leaderboards


@transaction.atomic
def save_finding(finding: Finding | None) -> Analysis | None:
    """The leaderboard's standing analysis, with its snapshot and, the first time, its reference sets.

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
    evidence = finding.evidence
    standing = Analysis.objects.select_for_update().filter(pk=evidence.leaderboard.pk).first()
    if standing and standing.results_version > evidence.results_version:
        return standing
    for proposed in finding.references:
        proposed.reference.save(force_insert=True)
        proposed.reference.members.set(proposed.members)
    if finding.snapshot_id:
        Snapshot.objects.get_or_create(
            pk=finding.snapshot_id, defaults={"leaderboard": evidence.leaderboard, "content": finding.content}
        )
    analysis, _ = Analysis.objects.update_or_create(
        leaderboard=evidence.leaderboard,
        defaults={
            "snapshot_id": finding.snapshot_id,
            "obstacle": finding.obstacle,
            "results_version": evidence.results_version,
            "methods_version": METHODS_VERSION,
            "n_results": len(evidence.rows),
            "n_counted": int(evidence.counted.sum()),
            "headline": finding.headline,
        },
    )
    return analysis


def enqueue_stale() -> int:
    """Queue an analysis of every leaderboard that is behind its results; the number of jobs added."""
    stale = stale_leaderboards(METHODS_VERSION).values_list("pk", flat=True)
    return enqueue_overdue_jobs(kind=Job.Kind.ANALYSE_LEADERBOARD, args=[{"leaderboard_id": pk} for pk in stale])
