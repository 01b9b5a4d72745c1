"""Counting requests and their seconds for monitors.

Each web process counts in files below PLUMBLINE_HOME, so that any of them answers for all. They have their room on the
disk from the first: what is written to a mapped file on a full disk ends the process.
"""

import logging
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from prometheus_client import Counter, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

_FOLDER = Path(settings.HOME) / "metrics"
# The library reads the environment when it is imported, which may have been before.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_FOLDER)
values.ValueClass = values.MultiProcessValue()

#: More than all time series of one process need.
_FILE_BYTES = 262_144
_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 5.0, 15.0, 60.0)

_REQUESTS = Counter("plumbline_requests", "Requests answered.", ["kind", "status"], registry=None)
_SECONDS = Histogram(
    "plumbline_request_seconds",
    "From a request with its body to its answer, waiting for a turn included.",
    ["kind", "kept"],
    buckets=_BUCKETS,
    registry=None,
)

#: Whether the process has room for its files, by its number.
_counting: dict[int, bool] = {}


def begin_counting() -> None:
    """Forget what an earlier web server counted. Call it once, before there are processes that answer."""
    shutil.rmtree(_FOLDER, ignore_errors=True)


def count_request(kind: str, status: int, seconds: float, kept: str = "computed") -> None:
    """Count a request with its answer: the app that it asked, and whether the answer was kept (``found``), is kept
    from now on (``built``) or was ``computed`` for this reader alone."""
    pid = os.getpid()
    if pid not in _counting:
        _counting[pid] = _make_room(pid)
    if _counting[pid]:
        requests, histogram = _counters(kind, status, kept)
        requests.inc()
        histogram.observe(seconds)


@cache
def _counters(kind: str, status: int, kept: str) -> tuple[Counter, Histogram]:
    """Return the counter of requests and that of their seconds, which are not looked for again."""
    return _REQUESTS.labels(kind, str(status)), _SECONDS.labels(kind, kept)


def _make_room(pid: int) -> bool:
    """Return whether the files of a process have their room on the disk; without it nothing is counted."""
    try:
        _FOLDER.mkdir(mode=0o700, exist_ok=True)
        for kind in ("counter", "histogram"):
            descriptor = os.open(_FOLDER / f"{kind}_{pid}.db", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, _FILE_BYTES)
            finally:
                os.close(descriptor)
    except OSError as error:
        logger.warning("requests are not counted: %s", error)
        return False
    return True


def counted() -> Iterable[Metric]:
    """Return what all web processes counted."""
    return MultiProcessCollector(None, path=str(_FOLDER)).collect() if _FOLDER.is_dir() else ()


def read_memory() -> dict[str, float]:
    """Return the resident bytes of each web process, by its number; nothing on systems that don't tell it."""
    n_bytes = {}
    for file in _FOLDER.glob("counter_*.db"):
        pid = file.stem.removeprefix("counter_")
        with suppress(OSError):  # It is gone.
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            n_bytes[pid] = float(pages * os.sysconf("SC_PAGE_SIZE"))
    return n_bytes
