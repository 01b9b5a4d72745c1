"""One row of a benchmark, how it is timed, and how rows are printed."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class BenchmarkRow:
    """What was timed, on what size, against which rival; ``note`` holds errors or memory."""

    what: str
    size: str
    ours_seconds: float
    rival: str = ""
    rival_seconds: float | None = None
    note: str = ""


def best_of(function: Callable[[], object], repeats: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return seconds of the fastest of ``repeats`` calls: the one least disturbed by other work on the machine."""
    seconds = []
    for _ in range(repeats):
        start = clock()
        function()
        seconds.append(clock() - start)
    return min(seconds)


def processor_seconds(function: Callable[[], object], repeats: int) -> float:
    """Return processor time of the fastest call, of all threads: what other work on the machine disturbs least."""
    return best_of(function, repeats, time.process_time)


def percentiles(times: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def format_table(rows: Sequence[tuple[str, BenchmarkRow]]) -> str:
    """Return the rows, each with its topic, as aligned text."""
    lines = [("topic", "what", "size", "ours", "rival", "rival time", "ratio", "note")]
    for topic, row in rows:
        rival = "" if row.rival_seconds is None else _duration(row.rival_seconds)
        ratio = "" if row.rival_seconds is None else f"{row.rival_seconds / row.ours_seconds:.1f}x"
        lines.append((topic, row.what, row.size, _duration(row.ours_seconds), row.rival, rival, ratio, row.note))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"
