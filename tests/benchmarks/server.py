"""The site, served as ./run and the image serve it, with one more address that answers nothing."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
EMPTY = "/-/empty/"
SITE = "tests.benchmarks.empty_view"


@contextmanager
def serving(environment: Mapping[str, str], *, n_workers: int = 1, site: str = SITE) -> Iterator[int]:
    """Serve the site; yield the port that it answers on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "registry.serving", "--port", str(port), "--workers", str(n_workers)]
    command += ["--application", f"{site}:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        _wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", EMPTY)
            connection.getresponse().read()
            connection.close()
            return
        except ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
