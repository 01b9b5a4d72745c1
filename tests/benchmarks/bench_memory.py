"""Memory of the web server, and how long a reader waits, while others ask for a large kept answer and don't take it.

The site has everything that ships. Memory is that of all processes of the web server, what they share counted once, and
what the system holds for their connections. The rival is the same page without the others, in the same run.
"""

import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks.bench_readers import KEPT_PAGE
from tests.benchmarks.server import seconds_to_read, serving
from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow, percentiles
from tests.registry.core.lab import descendants
from tests.slow_clients import Crowd

#: Four megabytes, kept.
LARGE = "/api/v1/papers/yang-et-al-sigir-2017-jdiq-2018-thcev/results/"
LOADS = ((250, 1), (4000, 1), (4000, 16))
N_REQUESTS = 200
_SECONDS = 5


def rows() -> list[BenchmarkRow]:
    """Return one row a number of connections and addresses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 10_000), hard), hard))
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        site = shipped_site(Path(folder) / "site")
        with serving(site.environment, site="registry.rsgi") as port:
            for path in (LARGE, LARGE, KEPT_PAGE, KEPT_PAGE):
                seconds_to_read(port, path)
            return [_measure(port, number, *load) for number, load in enumerate(LOADS)]


def _measure(port: int, load: int, n_connections: int, n_addresses: int) -> BenchmarkRow:
    quiet = percentiles([seconds_to_read(port, KEPT_PAGE) for _ in range(N_REQUESTS)])
    before, most = _megabytes(port), 0.0
    addresses = [f"127.0.{load + 100}.{number + 1}" for number in range(n_addresses)]
    with Crowd.with_slow_readers(port, n_connections, LARGE, addresses):
        # While they come, each is answered.
        arriving = max(seconds_to_read(port, KEPT_PAGE) for _ in range(N_REQUESTS // 10))
        time.sleep(1)
        among = []
        deadline = time.monotonic() + _SECONDS
        while len(among) < N_REQUESTS or time.monotonic() < deadline:
            among.append(seconds_to_read(port, KEPT_PAGE))
            if len(among) % 20 == 0:
                most = max(most, _megabytes(port))
    p50, p99 = percentiles(among)
    time.sleep(2)
    note = (
        f"p50 {1e3 * p50:.1f} ms, p99 {1e3 * p99:.1f} ms; quiet {1e3 * quiet[0]:.1f} and {1e3 * quiet[1]:.1f} ms; p99 "
        f"{p99 / quiet[1]:.1f} times, {1e3 * arriving:.0f} ms at most as they come; memory "
        f"{before:.0f} MB, + {most - before:.0f} MB, after closing + {_megabytes(port) - before:.0f} MB"
    )
    size = f"{n_connections} connections, {n_addresses} address{'es' * (n_addresses > 1)}"
    return BenchmarkRow("a large answer, not read", size, p99, "quiet", quiet[1], note)


def _megabytes(port: int) -> float:
    """Return megabytes of the processes that serve at the port, of those they made, and of the system's connections."""
    served = f"registry.serving --port {port} "
    oldest = int(subprocess.run(["pgrep", "-of", served], capture_output=True, check=True).stdout)
    held = sum(map(_kilobytes, (oldest, *descendants(oldest)))) / 1024
    (pages,) = re.findall(r"^TCP:.* mem (\d+)", Path("/proc/net/sockstat").read_text(), re.MULTILINE)
    return held + int(pages) * resource.getpagesize() / 2**20


def _kilobytes(process: int) -> int:
    """Return what a process has of memory, with its share of what others have too; 0 where it has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(map(int, re.findall(r"^Pss: +(\d+)", text, re.MULTILINE)))
