"""The worker that asks the database for jobs and routines, with no broker between: ``manage.py work``.

One process looks after the others and does nothing else; those ask, each with a memory of its own, so that whatever a
job does to its process, another takes the place. They share nothing: no queue, no lock that one could take along. They
sleep until whoever writes a job wakes them (``waking``), or a routine is due.
"""

import gc
import logging
import os
import resource
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, connections

from registry.core.jobs import Place, alone
from registry.core.services import (
    begin_routines,
    release_leases,
    run_due_routine,
    run_next_job,
    seconds_to_next_routine,
)
from registry.core.waking import Alarm, Ear, forget_pipe, forget_pipes

logger = logging.getLogger(__name__)

#: Processes for what somebody waits for: at most one of them does a large job, so another begins at once.
_N_KEPT = 2
_LOOK_AT_ROUTINES_SECONDS = 1.0
_LOOK_AFTER_SECONDS = 60.0
#: A process that ended sooner is not replaced at once: the same cause may end the next one.
_STEADY_SECONDS = 5.0
_PAUSE_SECONDS = 1.0
#: A process that ever needed this much memory is replaced when its job is done.
_MOST_BYTES = 800_000_000
_BYTES_OF_A_UNIT = 1 if sys.platform == "darwin" else 1024

#: Out of 19: the web server on the same machine comes first, and workers get what it leaves.
_NICENESS = {Place.FOR_ALL: 10, Place.KEPT: 5}
#: A niceness of 10 for a whole session would starve its jobs on a machine that is busy with something else.
_NICENESS_OF_SESSION = 5


class AnotherWorksError(Exception):
    """Another worker works for the same home."""


def give_way(place: Place) -> None:
    """Take a lower priority: readers do not wait for workers, least of all for what nobody waits for."""
    os.nice(_NICENESS[place])


def give_way_as_a_session() -> None:
    """Give way between sessions, too: Linux shares the processors first among sessions, and only then by priority.

    ``./run`` starts the worker in a session of its own. In a shared session only the priority is its own.
    """
    if os.getsid(0) == os.getpid():
        # A system without autogroups shares by priority alone.
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(_NICENESS_OF_SESSION), encoding="ascii")


def work(n_processes: int) -> None:
    """Keep so many processes at work until asked to stop, and some more for what somebody waits for alone.

    They finish what they are doing.

    Raises
    ------
    AnotherWorksError
        If another worker works for the same home, or a process of one that was killed is not done yet.
    """
    with alone(Path(settings.HOME) / "worker.lock") as is_alone:
        if not is_alone:
            raise AnotherWorksError
        alarm = Alarm()
        forget_pipes()
        give_way_as_a_session()
        begin_routines()
        if connection.vendor == "sqlite":
            # There is no other worker, and this one has not begun: whoever held a lease is gone.
            release_leases()
        # Processes must not share connections; they share what is loaded.
        connections.close_all()
        gc.collect()
        gc.freeze()
        _look_after(n_processes, alarm)


def _look_after(n_processes: int, alarm: Alarm) -> None:
    """Keep one process in each place, until all of them have been asked to stop and have ended."""
    places = [*(Place.FOR_ALL,) * n_processes, *(Place.KEPT,) * _N_KEPT]
    children: dict[int, Place] = {}
    started: dict[int, float] = {}
    # Our end of the pipe closes when we end, in whatever way.
    parent, ours = os.pipe()
    resume_at = 0.0
    while children or not alarm.is_asked_to_stop:
        missing = Counter(places) - Counter(children.values())
        is_due = not alarm.is_asked_to_stop and time.monotonic() >= resume_at
        for place in missing.elements() if is_due else ():
            child = _start(place, parent, ours)
            children[child], started[child] = place, time.monotonic()
        if alarm.is_asked_to_stop:
            for child in children:
                os.kill(child, signal.SIGTERM)
        alarm.wait(_PAUSE_SECONDS if missing or alarm.is_asked_to_stop else _LOOK_AFTER_SECONDS)
        for child in list(children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended:
                continue
            forget_pipe(child)
            if code := os.waitstatus_to_exitcode(status):
                how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
                logger.error("a process of the worker %s; another takes its place", how)
                if time.monotonic() - started[child] < _STEADY_SECONDS:
                    resume_at = time.monotonic() + _PAUSE_SECONDS
            del children[child]


def _start(place: Place, parent: int, of_parent: int) -> int:
    """Start a process that asks for work; return its number."""
    us = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        os.close(of_parent)
        give_way(place)
        alarm = Alarm()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _ask_for_work(place, us, alarm, Ear(alarm, parent))
    except BaseException:
        logger.exception("a process of the worker failed")
        os._exit(1)
    os._exit(0)


def _ask_for_work(place: Place, parent: int, alarm: Alarm, ear: Ear) -> None:
    """Do jobs and routines until asked to stop, until the parent is gone, or very much memory was needed."""
    looked_at = 0.0
    while not alarm.is_asked_to_stop and os.getppid() == parent and _most_memory() < _MOST_BYTES:
        pause = float(settings.PLUMBLINE_SWEEP_SECONDS)
        try:
            close_old_connections()
            ear.listen()
            was_due = False
            if place is Place.FOR_ALL and time.monotonic() - looked_at >= _LOOK_AT_ROUTINES_SECONDS:
                was_due = run_due_routine()
                looked_at = looked_at if was_due else time.monotonic()
            # A routine may be due again by now, but jobs come first.
            if run_next_job(place) or was_due:
                continue
            if place is Place.FOR_ALL:
                pause = min(pause, seconds_to_next_routine())
            ear.wait(pause)
            looked_at = 0.0
        except (DatabaseError, InterfaceError) as error:
            logger.warning("the database does not answer: %s", error)
            connections.close_all()
            time.sleep(_PAUSE_SECONDS)


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_OF_A_UNIT
