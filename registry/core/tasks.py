"""The tasks of Celery: jobs, and routines by its clock. What they are, each app declares (``core.jobs``)."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_init, worker_process_init, worker_ready

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
#: As much less for a whole session would starve its jobs on a machine that is busy with something else.
_NICENESS_OF_SESSION = 5


@worker_process_init.connect
def give_way(**_: Any) -> None:
    """What waits for a worker can wait; readers do not wait for workers."""
    os.nice(_NICENESS)


@worker_init.connect
def give_way_as_a_session(**_: Any) -> None:
    """The same between sessions, where Linux shares the processors among those first, and only then by priority.

    ``./run`` starts the worker in a session of its own. In one that it shares, the priority alone is its own.
    """
    if os.getsid(0) == os.getpid():
        # A system without such groups shares by priority alone.
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(_NICENESS_OF_SESSION), encoding="ascii")


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A worker that returns looks at once for what was left undone while there was none."""
    run_routine.delay(services.SWEEP)
