"""Tasks of every installation."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from registry.core import services


@shared_task(name="core.sweep")
def sweep() -> None:
    """Set right what crashes and lost messages left behind."""
    services.sweep()


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A worker that returns looks at once for what was left undone while there was none."""
    sweep.delay()
