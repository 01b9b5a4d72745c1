"""Tasks of every installation."""

import os
from typing import Any

from celery import shared_task
from celery.signals import worker_process_init, worker_ready

from registry.core import services


@shared_task(name="core.sweep")
def sweep() -> None:
    """Set right what crashes and lost messages left behind."""
    services.sweep()


#: Of 19: the web server on the same machine comes first, and whatever it leaves is still ours.
_NICENESS = 10


@worker_process_init.connect
def give_way(**_: Any) -> None:
    """What waits for a worker can wait; readers do not wait for workers."""
    os.nice(_NICENESS)


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A worker that returns looks at once for what was left undone while there was none."""
    sweep.delay()
