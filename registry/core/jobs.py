"""The work of workers: each app declares its kinds of jobs, and what it does again and again, in its ``ready``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job, ``app.what_it_does``; ``step`` and ``save`` are as ``services.run_claimed`` takes them.

    What takes long, and there may be much of it at once, is ``large``: such jobs take turns (``core.leases``). Workers
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

    With Celery one that waited for a worker for longer than ``expires`` is left out.
    """

    name: str
    step: Callable[[], object]
    every: int
    expires: int
    at_start: bool = False


KINDS: dict[str, Kind] = {}
ROUTINES: dict[str, Routine] = {}


def register(*declared: Kind | Routine) -> None:
    """Have workers do these."""
    KINDS.update((work.name, work) for work in declared if isinstance(work, Kind))
    ROUTINES.update((work.name, work) for work in declared if isinstance(work, Routine))
