"""What workers do for leaderboards."""

from celery import shared_task

from registry.core.models import Job
from registry.core.services import run_claimed
from registry.leaderboards import pipeline, services


@shared_task(name=Job.Kind.ANALYSE_LEADERBOARD.value)
def analyse_leaderboard(job_id: str) -> None:
    """Standardize a leaderboard's results and bound its best one, then write the snapshot."""
    run_claimed(job_id, pipeline.analyse_leaderboard, save=services.save_finding)


@shared_task(name="leaderboards.recompute_stale")
def recompute_stale() -> None:
    """Queue the analyses that a lost queue forgot."""
    services.enqueue_stale()
