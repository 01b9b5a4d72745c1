"""What workers do for lineages."""

from celery import shared_task

from registry.lineage.services import twins


@shared_task(name="lineage.find_twins")
def find_twins() -> None:
    """Look for systems that stand under several names."""
    twins.record_twins(reason="looked for systems with the same scores")
