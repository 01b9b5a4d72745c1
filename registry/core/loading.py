"""Loading files, and all of the folder that ships with the product: each app says in its ``ready`` what it loads.

A few tables of remarks are loaded by none: pages show them as they ship.
"""

import csv
import gc
import hashlib
from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from django.conf import settings

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, open_table, read_table
from registry.core.listing import MAX_LISTED

if TYPE_CHECKING:
    from registry.accounts.models import User

#: Called with the task and the number of rows done.
Progress = Callable[[str, int], None]
Row = TypeVar("Row")


def silent(task: str, n_rows: int) -> None:
    """Ignore the progress."""


@dataclass
class LoadReport:
    """The fate of the rows of one file: every row is counted once, every fault of a refused row is counted.

    ``label`` is what the journal calls the file, ``path`` where it lies on this machine, for messages alone.
    ``rejections`` are the first 50 by line, of ``n_rejections``. The catalog is edited in place; its reports say
    ``changed`` for ``superseded``.
    """

    label: str
    digest: str = ""
    path: str = ""
    added: int = 0
    unchanged: int = 0
    superseded: int = 0
    refused: int = 0
    withdrawn: int = 0
    rejections: list[Rejection] = field(default_factory=list)
    n_rejections: int = 0
    is_fatal: bool = False
    superseded_word: str = "superseded"
    remarks: list[str] = field(default_factory=list)

    def refusing(self, rejection: Rejection) -> "LoadReport":
        """Count a refused row and return the report."""
        self.refuse([rejection])
        return self

    def refuse(self, rejections: Iterable[Rejection]) -> None:
        """Count one refused row, with all that is wrong with it."""
        self.refused += 1
        for rejection in rejections:
            self.n_rejections += 1
            self.is_fatal = self.is_fatal or rejection.fatal
            insort(self.rejections, rejection, key=lambda listed: listed.line or 0)
            del self.rejections[MAX_LISTED:]

    def lines(self) -> Iterable[str]:
        """Yield the rejections as ``FILE:LINE: COLUMN: reason``, and how many more there are."""
        place = self.path or self.label
        for rejection in self.rejections:
            separator = ":" if rejection.line is not None else ": "
            yield f"{place}{separator}{rejection}"
        if self.n_rejections > len(self.rejections):
            yield f"{place}: and {self.n_rejections - len(self.rejections):,} more"

    def summary(self) -> str:
        """Return one line with the numbers."""
        counts = f"{self.added:,} added, {self.unchanged:,} unchanged, {self.superseded:,} {self.superseded_word}"
        if self.withdrawn:
            counts += f", {self.withdrawn:,} left out because they were withdrawn"
        nothing = " (nothing changed)" if not (self.added or self.superseded or self.refused) else ""
        return f"{self.path or self.label}: {counts}, {self.refused:,} refused{nothing}"


def records_of(
    report: LoadReport, *, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Iterator[Record | Rejection]:
    """Yield the records of the report's file; refuse all of it if it is no such table."""
    path = Path(report.path)
    try:
        with open_table(path) as stream:
            report.digest = digest_of(path)
            yield from read_table(stream, required=required, optional=optional)
    except Refused as refused:
        report.refuse([refused.at(None, fatal=True)])


def good_rows(
    report: LoadReport,
    read: Callable[[Record], Row | list[Rejection]],
    *,
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
    keys: Callable[[Row], Iterable[Hashable]] = lambda row: (),
    again: str = "is there already, in line {first}",
) -> list[Row]:
    """Return what ``read`` makes of the records of the report's file; the report hears of those that it refuses.

    Only one row may have each of its ``keys``; others are refused as ``again`` says.
    """
    rows: list[Row] = []
    first: dict[Hashable, int] = {}
    for record in records_of(report, required=required, optional=optional):
        if isinstance(record, Rejection):
            report.refuse([record])
            continue
        try:
            row = read(record)
            for key in () if isinstance(row, list) else keys(row):
                if first.setdefault(key, record.line) != record.line:
                    raise Refused("duplicate", again.format(first=first[key]))
        except Refused as refused:
            row = [refused.at(record.line)]
        if isinstance(row, list):
            report.refuse(row)
        else:
            rows.append(row)
    return rows


@contextmanager
def garbage_left() -> Iterator[None]:
    """Collect cyclic garbage seldom, and not among older objects: thousands of rows make next to none."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal; read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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

#: Lower apps first: a file names only what stands in files loaded before it.
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
