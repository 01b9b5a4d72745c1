"""The site, served as ./run and the image serve it, with one more address that answers nothing."""

import http.client
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.registry.core.lab import answers, free_port, until

ROOT = Path(__file__).parents[2]
EMPTY = "/-/empty/"
SITE = "tests.benchmarks.empty_view"


@contextmanager
def serving(environment: Mapping[str, str], *, n_workers: int = 1, site: str = SITE) -> Iterator[int]:
    """Serve the site; yield the port that it answers on."""
    port = free_port()
    command = [sys.executable, "-m", "registry.serving", "--port", str(port), "--workers", str(n_workers)]
    command += ["--application", f"{site}:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        until(lambda: answers(port), 60, "the site answers")
        yield port
    finally:
        server.terminate()
        server.wait(20)


def read(port: int, path: str, source: str = "127.0.0.1") -> bytes:
    """Return the page, which came over a connection of its own from this address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=(source, 0))
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return content


def seconds_to_read(port: int, path: str, source: str = "127.0.0.1") -> float:
    """Return the seconds until the page has come."""
    start = time.perf_counter()
    read(port, path, source)
    return time.perf_counter() - start
