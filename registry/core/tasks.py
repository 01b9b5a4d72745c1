"""The tasks of Celery: jobs, and routines by its clock. What they are, each app declares (``core.jobs``)."""

import os
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_process_init, worker_ready

from registry.core import services
from registry.core.jobs import ROUTINES


@shared_task(name=services.RUN_JOB)
def run_job(job_id: str) -> None:
    """Do one job."""
    services.run_job(job_id)


@shared_task(name="core.run_routine")
def run_routine(name: str) -> None:
    """Do once what is done again and again."""
    ROUTINES[name].step()


# Celery imports this file when every app has declared what it does.
for _one in ROUTINES.values():
    current_app.add_periodic_task(_one.every, run_routine.s(_one.name), name=_one.name, expires=_one.expires)


#: Of 19: the web server on the same machine comes first, and whatever it leaves is still ours.
_NICENESS = 10


@worker_process_init.connect
def give_way(**_: Any) -> None:
    """What waits for a worker can wait; readers do not wait for workers."""
    os.nice(_NICENESS)


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A worker that returns looks at once for what was left undone while there was none."""
    run_routine.delay(services.SWEEP)
