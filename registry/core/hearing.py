"""A worker of Celery that hears nothing from its broker starts itself again.

After it lost Redis, a worker may take no message any more though it is connected again, without a word in its log
(github.com/celery/celery/issues/10205, and others before). Its main process looks from a thread of its own whether
messages wait while nothing is at work; then it ends its children and starts anew under the number that it has.
"""

import logging
import os
import sys
import threading
import time
from contextlib import suppress

from billiard import active_children
from celery import current_app
from celery.worker.state import active_requests, reserved_requests
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

#: For so long messages wait beside a worker that does nothing; one that hears takes them at once.
_PATIENCE_SECONDS = 30.0
_LOOK_SECONDS = 5.0


def begin_listening() -> None:
    """Look after this worker for as long as it lives."""
    threading.Thread(target=_listen, name="hearing", daemon=True).start()


def _listen() -> None:
    heard_at = time.monotonic()
    while time.monotonic() - heard_at < _PATIENCE_SECONDS:
        time.sleep(_LOOK_SECONDS)
        if active_requests or reserved_requests or not _messages_wait():
            heard_at = time.monotonic()
    logger.error("messages wait, and this worker has taken none for %d s: it starts again", _PATIENCE_SECONDS)
    for child in active_children():
        with suppress(ProcessLookupError):
            child.terminate()
    os.execv(sys.executable, sys.orig_argv)


def _messages_wait() -> bool:
    """Whether something is in the queue; not where the broker does not answer."""
    with current_app.connection_for_read() as broker:
        try:
            # Declaring it passively would do, if kombu gave the name its prefix there.
            return bool(broker.default_channel.client.llen(current_app.conf.task_default_queue))
        except (OperationalError, *broker.connection_errors):
            return False
