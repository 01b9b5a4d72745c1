"""The worker that asks the database for jobs and routines, with no broker between: ``manage.py work``.

One process looks after the others and does nothing else; those ask, each with a memory of its own, so that whatever a
job does to its process, another takes the place. They share nothing: no queue, no lock that one could take along.
"""

import gc
import logging
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, connections

from registry.core.leases import alone
from registry.core.services import begin_routines, release_leases, run_due_routine, run_next_job

logger = logging.getLogger(__name__)

_ASK_SECONDS = 0.1
_LOOK_AT_ROUTINES_SECONDS = 1.0
_LOOK_AFTER_SECONDS = 0.2
#: A process that ends sooner than this is not replaced at once: what ended it may end the next one too.
_STEADY_SECONDS = 5.0
_PAUSE_SECONDS = 1.0
#: A process that once needed as much memory makes room for another when its job is done.
_MOST_BYTES = 800_000_000
_BYTES_OF_A_UNIT = 1 if sys.platform == "darwin" else 1024

#: Of 19: the web server on the same machine comes first, and whatever it leaves is still ours.
_NICENESS = 10
#: As much less for a whole session would starve its jobs on a machine that is busy with something else.
_NICENESS_OF_SESSION = 5


class AnotherWorksError(Exception):
    """Another worker works for the same home."""


def give_way() -> None:
    """What waits for a worker can wait; readers do not wait for workers."""
    os.nice(_NICENESS)


def give_way_as_a_session() -> None:
    """The same between sessions, where Linux shares the processors among those first, and only then by priority.

    ``./run`` starts the worker in a session of its own. In one that it shares, the priority alone is its own.
    """
    if os.getsid(0) == os.getpid():
        # A system without such groups shares by priority alone.
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(_NICENESS_OF_SESSION), encoding="ascii")


def work(n_processes: int) -> None:
    """Keep as many processes at work until somebody asks to stop; they finish what they are at.

    Raises
    ------
    AnotherWorksError
        If another worker works for the same home, or a process of one that was killed is not done yet.
    """
    with alone(Path(settings.HOME) / "worker.lock") as is_alone:
        if not is_alone:
            raise AnotherWorksError
        stop = _Stop()
        give_way_as_a_session()
        begin_routines()
        if connection.vendor == "sqlite":
            # There is no other worker, and this one did not begin: whoever held a lease is gone.
            release_leases()
        # No connection is shared, and what is loaded stays shared.
        connections.close_all()
        gc.collect()
        gc.freeze()
        _look_after(n_processes, stop)


class _Stop:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.is_asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True


def _look_after(n_processes: int, stop: _Stop) -> None:
    """Start what is missing, until all have ended who were asked to."""
    children: dict[int, float] = {}
    resume_at = 0.0
    while children or not stop.is_asked:
        while not stop.is_asked and len(children) < n_processes and time.monotonic() >= resume_at:
            children[_start(stop)] = time.monotonic()
        if stop.is_asked:
            for child in children:
                os.kill(child, signal.SIGTERM)
        time.sleep(_LOOK_AFTER_SECONDS)
        for child in list(children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended:
                continue
            if code := os.waitstatus_to_exitcode(status):
                how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
                logger.error("a process of the worker %s; another takes its place", how)
                if time.monotonic() - children[child] < _STEADY_SECONDS:
                    resume_at = time.monotonic() + _PAUSE_SECONDS
            del children[child]


def _start(stop: _Stop) -> int:
    """A process that asks for work; its number."""
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        give_way()
        _ask_for_work(parent, stop)
    except BaseException:
        logger.exception("a process of the worker failed")
        os._exit(1)
    os._exit(0)


def _ask_for_work(parent: int, stop: _Stop) -> None:
    """Do what there is to do until it is asked to stop, its parent is gone, or it needed very much memory."""
    looked_at = 0.0
    while not stop.is_asked and os.getppid() == parent and _most_memory() < _MOST_BYTES:
        try:
            close_old_connections()
            if time.monotonic() - looked_at >= _LOOK_AT_ROUTINES_SECONDS and not run_due_routine():
                looked_at = time.monotonic()
            if not run_next_job():
                time.sleep(_ASK_SECONDS)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("the database does not answer: %s", error)
            connections.close_all()
            time.sleep(_PAUSE_SECONDS)


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_OF_A_UNIT
