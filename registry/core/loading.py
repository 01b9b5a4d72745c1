"""Loading files: their rows, and what became of them."""

import gc
import hashlib
from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, open_table, read_table
from registry.core.listing import MAX_LISTED

#: Called with what is being done and how many rows are done.
Progress = Callable[[str, int], None]
Row = TypeVar("Row")


def silent(what: str, n_rows: int) -> None:
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
        """Return the rejections as ``FILE:LINE: COLUMN: reason``, and how many more there are."""
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
    """Yield the records of the report's file; where it is no such table, all of it is refused."""
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

    Only one row has each of its ``keys``: ``again`` is said of others.
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
    """Look for cyclic garbage seldom, and not among what was there before: rows come and go in their thousands, and
    make next to none."""
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
