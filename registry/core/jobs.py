"""Background work: its kinds, which each app declares in its ``ready``, and how a process holds what it works on.

A lease is renewed while the work goes on, within a budget of processor time. Being alone with something on one machine,
and turns for large work, are locks on files, which end with the process that holds them, however that ends. There are
fewer turns than processors, so that one of them is left for readers.
"""

import faulthandler
import fcntl
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from threading import Event, Thread
from time import process_time
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

logger = logging.getLogger(__name__)
_STANDARD_ERROR = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job, ``app.what_it_does``; ``step`` and ``save`` are as ``services.run_claimed`` takes them.

    What takes long, and there may be much of it at once, is ``large``: such jobs take turns (``turn``). Workers
    take first what somebody waits for: jobs that are ``awaited`` from the first, and others once their page is looked
    at (``services.hurry_jobs``). What comes ``later`` pages can do without for a while.
    """

    name: str
    step: Callable[..., Any]
    save: Callable[[Any], object] | None = None
    large: bool = False
    awaited: bool = False
    later: bool = False


@dataclass(frozen=True, slots=True)
class Routine:
    """Work that is done every so many seconds, and where ``at_start`` is set, when a worker starts.

    With Celery, a run that waited for a worker for longer than ``expires`` is skipped.
    """

    name: str
    step: Callable[[], object]
    every: int
    expires: int
    at_start: bool = False


KINDS: dict[str, Kind] = {}
ROUTINES: dict[str, Routine] = {}


def register(*declared: Kind | Routine) -> None:
    """Declare kinds of jobs, and routines, for workers to do."""
    KINDS.update((work.name, work) for work in declared if isinstance(work, Kind))
    ROUTINES.update((work.name, work) for work in declared if isinstance(work, Routine))


@contextmanager
def held(renew: Callable[[], object], give_up: Callable[[str], object]) -> Iterator[None]:
    """Call ``renew`` four times a lease until the end.

    The cost is counted in processor time: beyond PLUMBLINE_JOB_CPU_SECONDS ``give_up`` is told why, and the process
    ends. The clock is for work that neither goes on nor ends: after an hour the process logs where it is and ends,
    whatever holds Python's lock.
    """
    over = Event()
    thread = Thread(target=_keep, args=(over, renew, give_up), daemon=True)
    faulthandler.dump_traceback_later(settings.PLUMBLINE_JOB_CLOCK_SECONDS, file=_STANDARD_ERROR, exit=True)
    thread.start()
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        over.set()
        thread.join()


def _keep(over: Event, renew: Callable[[], object], give_up: Callable[[str], object]) -> None:
    most = settings.PLUMBLINE_JOB_CPU_SECONDS
    until = process_time() + most
    try:
        while not over.wait(settings.PLUMBLINE_JOB_LEASE_SECONDS / 4):
            try:
                if process_time() > until:
                    give_up(f"given up: it took more than {most} s of processor time (PLUMBLINE_JOB_CPU_SECONDS)")
                    os._exit(1)
                renew()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("a lease could not be renewed: %s", error)
                connections.close_all()
    finally:
        connections.close_all()


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Yield whether nobody else holds the file; until the end we hold it, with the processes that we start."""
    with open(path, "a", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


class Place(Enum):
    """The place where jobs are done: some are kept for what somebody waits for, whatever else there is to do."""

    FOR_ALL = "for all"
    KEPT = "kept"


@contextmanager
def turn(place: Place = Place.FOR_ALL) -> Iterator[bool]:
    """Yield whether a turn was free; it is ours until the end. Places that are kept have one, which is theirs alone."""
    names = ["kept"] if place is Place.KEPT else range(max((os.cpu_count() or 1) - 1, 1))
    for name in names:
        with alone(Path(settings.HOME) / f"turn-{name}.lock") as is_ours:
            if is_ours:
                yield True
                return
    yield False
