"""What workers do for suites."""

from celery import shared_task

from registry.suites.services import elsewhere


@shared_task(name="suites.refresh_elsewhere")
def refresh_elsewhere() -> None:
    """Freeze what systems score on the members of suites."""
    elsewhere.refresh_elsewhere(reason="scores on members changed")
