"""A worker's application whose one kind of job does what its arguments say: for tests of crashes.

``python -m tests.registry.core.chaos_app ADD`` adds jobs, one for each JSON object on standard input.
"""

import json
import os
import signal
import sys
import time

import django

django.setup()

from registry.celery import app  # noqa: E402 - Django must be set up first
from registry.core.models import Job  # noqa: E402
from registry.core.services import enqueue_jobs, run_claimed  # noqa: E402
from registry.journal.services import record  # noqa: E402

KIND = Job.Kind.ANALYSE_LEADERBOARD
EFFECT = "test.job.done"


def behave(number: int, behaviour: str = "", seconds: float = 0.0) -> int:
    """The number, after as many seconds, unless the behaviour forbids."""
    time.sleep(seconds)
    if behaviour == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if behaviour == "fail":
        raise LookupError("the topics are missing")
    return number


def write_effect(number: int) -> None:
    record(action=EFFECT, subject_type="job", subject_id=number)


# Registered before the registry's own task of this name is found, and so in its place.
@app.task(name=KIND.value, lazy=False)
def analyse_leaderboard(job_id: str) -> None:
    run_claimed(job_id, behave, save=write_effect)


if __name__ == "__main__":
    enqueue_jobs(kind=KIND, args=map(json.loads, sys.stdin))
