"""The tasks of Celery, where Redis wakes workers up: jobs, and routines by its clock.

What they are, each app declares (``core.jobs``); without Redis ``core.worker`` does the same.
"""

from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_init, worker_process_init, worker_ready
from django.conf import settings

from registry.core import hearing, services, worker
from registry.core.jobs import ROUTINES


@shared_task(name=services.RUN_JOB)
def run_job(job_id: str) -> None:
    """Do the job whose turn it is: the one that it was sent for, or what somebody waits for by now."""
    services.run_next_job()


@shared_task(name="core.run_routine")
def run_routine(name: str) -> None:
    """Do once what is done again and again."""
    services.run_routine(name)


# Celery imports this file when every app has declared what it does.
for _one in ROUTINES.values():
    current_app.add_periodic_task(_one.every, run_routine.s(_one.name), name=_one.name, expires=_one.expires)


@worker_init.connect
def begin(**_: Any) -> None:
    """Refuse where no message would ever come, else give way."""
    if not settings.REDIS_URL:
        raise SystemExit("Without REDIS_URL workers ask the database for jobs: manage.py work")
    worker.give_way_as_a_session()


@worker_process_init.connect
def give_way(**_: Any) -> None:
    """Readers do not wait for workers."""
    worker.give_way()


@worker_ready.connect
def begin_routines(**_: Any) -> None:
    """A worker that returns looks at once for what was left undone while there was none, and whether it hears."""
    hearing.begin_listening()
    for one in ROUTINES.values():
        if one.at_start:
            run_routine.delay(one.name)
