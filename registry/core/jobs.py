"""What workers do: each app declares its kinds of jobs, and what it does again and again, in its ``ready``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job, ``app.what_it_does``; ``step`` and ``save`` are as ``services.run_claimed`` takes them.

    What people may ask for at any time, and much of it at once, is ``large``: such jobs take turns (``core.turns``).
    What pages can do without for a while comes ``later``: workers that ask the database take it when nothing else
    waits.
    """

    name: str
    step: Callable[..., Any]
    save: Callable[[Any], object] | None = None
    large: bool = False
    later: bool = False


@dataclass(frozen=True, slots=True)
class Routine:
    """What is done every so many seconds, and where ``at_start`` is set, when a worker starts.

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
    KINDS.update((one.name, one) for one in declared if isinstance(one, Kind))
    ROUTINES.update((one.name, one) for one in declared if isinstance(one, Routine))
