"""A worker's application whose one kind of job does what its arguments say: for tests of crashes.

``python -m tests.registry.core.chaos_app`` adds jobs, one for each JSON object on standard input, of the kind
``test.behave`` or the one that is named; with ``work`` it is a worker that asks for them.
"""

import json
import os
import signal
import sys
import time

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from registry.celery import app  # noqa: E402, F401 - Django must be set up first; the worker takes the application
from registry.core.jobs import Kind, register  # noqa: E402
from registry.core.services import enqueue_jobs  # noqa: E402
from registry.journal.services import record  # noqa: E402

EFFECT = "test.job.done"


def behave(number: int, behaviour: str = "", seconds: float = 0.0, cpu_seconds: float = 0.0) -> int:
    """Return the number, after as many seconds by the clock and of a processor, unless the behaviour forbids."""
    time.sleep(seconds)
    until = time.process_time() + cpu_seconds
    while time.process_time() < until:
        sum(range(1000))
    if behaviour == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if behaviour == "fail":
        raise LookupError("the topics are missing")
    return number


def write_effect(number: int) -> None:
    record(action=EFFECT, subject=("job", number))


register(Kind("test.behave", behave, write_effect), Kind("test.await", behave, write_effect, awaited=True))


if __name__ == "__main__" and sys.argv[1:] == ["work"]:
    call_command("work")
elif __name__ == "__main__":
    enqueue_jobs(kind=sys.argv[1] if sys.argv[1:] else "test.behave", args=map(json.loads, sys.stdin))
