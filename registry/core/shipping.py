"""The folder that ships with the product, as far as it is loaded: each app says what it loads, in its ``ready``.

A few tables of remarks are loaded by none: pages show them as they ship.
"""

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from django.conf import settings

from registry.core.loading import LoadReport, Progress, silent

if TYPE_CHECKING:
    from registry.accounts.models import User


class Part(Protocol):
    """Loads what one app keeps of a folder in the layout of ``data/``: a report a file that is not as it was before."""

    def __call__(
        self, *, directory: Path, actor: "User | None", reason: str, progress: Progress
    ) -> Iterator[LoadReport]: ...


class Finish(Protocol):
    """Finds what follows from all that was loaded."""

    def __call__(self, *, actor: "User | None", reason: str) -> object: ...


#: The folder that ships.
SHIPPED = settings.BASE_DIR / "data"

#: Lower apps first: what a file names stands in files that were loaded before.
_PARTS: list[Part] = []
_FINISHES: list[Finish] = []


def register(part: Part, finish: Finish | None = None) -> None:
    """Have the folder's loading include this part, after those registered before; at the end of a load, ``finish``."""
    _PARTS.append(part)
    if finish:
        register_finish(finish)


def register_finish(finish: Finish) -> None:
    """Have this called at the end of a load that changed something, after those registered before."""
    _FINISHES.append(finish)


def load_shipped_data(
    *, directory: Path, actor: "User | None" = None, reason: str = "ships with Plumbline", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load what a folder in the layout of ``data/`` holds, one report a file that was not loaded as it is before."""
    is_changed = False
    for part in _PARTS:
        for report in part(directory=directory, actor=actor, reason=reason, progress=progress):
            is_changed = is_changed or bool(report.added or report.superseded)
            yield report
    for finish in _FINISHES if is_changed else []:
        finish(actor=actor, reason=reason)


@cache
def shipped_rows(file: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a table of the folder that ships, read once a process; none where it does not ship."""
    path = SHIPPED / file
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))
