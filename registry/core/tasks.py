"""The tasks of Celery, where Redis wakes workers up: jobs, and routines by its clock.

What they are, each app declares (``core.jobs``); without Redis ``core.worker`` does the same.

After it lost Redis, a worker may take no message any more though it is connected again, without a word in its log
(github.com/celery/celery/issues/10205, and others before). Its main process looks from a thread of its own whether
messages wait while nothing is at work; then it ends its children and starts anew under the number that it has.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from billiard import active_children
from celery import current_app, shared_task
from celery.signals import worker_init, worker_process_init, worker_ready
from celery.worker.state import active_requests, reserved_requests
from django.conf import settings
from kombu.exceptions import OperationalError

from registry.core import services, worker
from registry.core.jobs import ROUTINES, Place

logger = logging.getLogger(__name__)

#: How long messages may wait beside an idle worker; one that hears takes them at once.
_PATIENCE_SECONDS = 30.0
_LOOK_SECONDS = 5.0


def _listen() -> None:
    """Look after this worker for as long as it lives."""
    queues = [*current_app.amqp.queues.consume_from]
    heard_at = time.monotonic()
    while time.monotonic() - heard_at < _PATIENCE_SECONDS:
        time.sleep(_LOOK_SECONDS)
        if active_requests or reserved_requests or not _messages_wait(queues):
            heard_at = time.monotonic()
    logger.error("messages wait, and this worker has taken none for %d s: it starts again", _PATIENCE_SECONDS)
    for child in active_children():
        with suppress(ProcessLookupError):
            child.terminate()
    os.execv(sys.executable, sys.orig_argv)


def _messages_wait(queues: Sequence[str]) -> bool:
    """Return whether something is in these queues; not where the broker does not answer."""
    with current_app.connection_for_read() as broker:
        try:
            # Declaring them passively would do, but kombu forgets the prefix of the name there.
            return any(broker.default_channel.client.llen(name) for name in queues)
        except (OperationalError, *broker.connection_errors):
            return False


@shared_task(name=services.RUN_JOB)
def run_job(job_id: str) -> None:
    """Do the job whose turn it is, the one that it was sent for or another; and before it what somebody waits for."""
    while services.run_next_job(Place.KEPT):
        pass
    services.run_next_job()


@shared_task(name=services.RUN_AWAITED)
def run_awaited_job(job_id: str) -> None:
    """Do what somebody waits for longest, unless that is done; other workers than those kept for it do that, too."""
    services.run_next_job(Place.KEPT)


def _place() -> Place:
    """Return the place of this worker: kept where it takes messages from that queue alone."""
    return Place.KEPT if [*current_app.amqp.queues.consume_from] == [services.AWAITED] else Place.FOR_ALL


@shared_task(name="core.run_routine")
def run_routine(name: str) -> None:
    """Do once what is done again and again."""
    services.run_routine(name)


# Celery imports this file after every app has declared its routines.
for _routine in ROUTINES.values():
    current_app.add_periodic_task(
        _routine.every, run_routine.s(_routine.name), name=_routine.name, expires=_routine.expires
    )


@worker_init.connect
def begin(**_: Any) -> None:
    """Refuse where no message would ever come, else give way."""
    if not settings.REDIS_URL:
        raise SystemExit("Without REDIS_URL workers ask the database for jobs: manage.py work")
    worker.give_way_as_a_session()


@worker_process_init.connect
def give_way(**_: Any) -> None:
    """Give way to readers, who do not wait for workers."""
    worker.give_way(_place())


@worker_ready.connect
def begin_routines(**_: Any) -> None:
    """Look at once for what was left undone while there was no worker, and whether this one hears."""
    threading.Thread(target=_listen, name="hearing", daemon=True).start()
    for routine in ROUTINES.values():
        if routine.at_start:
            run_routine.delay(routine.name)
