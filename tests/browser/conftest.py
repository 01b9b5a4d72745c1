"""A real site for the browser: its own home, a part of the shipped data, analysed, served by Granian."""

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PREPARATION = (
    ["migrate", "-v0"],
    ["load_catalog", "data", "-v0"],
    ["load_results", "data/results/robust04_papers.csv", "-v0"],
    [
        "load_topic_scores", "--collection", "clef-tar-2019-abs", "--measure", "AP", "--role", "trec_run",
        "--year", "2019", "--source", "CLEF-TAR/tar", "data/topic_scores/clef-tar-2019-abs__AP.csv",
    ],
    ["recompute", "-v0"],
    ["collectstatic", "--noinput", "-v0"],
)  # fmt: skip


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of the site's processes."""
    found = os.environ | {"PLUMBLINE_HOME": str(tmp_path_factory.mktemp("site")), "OPENBLAS_NUM_THREADS": "1"}
    return {name: value for name, value in found.items() if name not in {"DATABASE_URL", "REDIS_URL"}}


@pytest.fixture(scope="session")
def site(environment: dict[str, str]) -> Iterator[str]:
    """The address of the site, without a slash at its end."""
    for arguments in PREPARATION:
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--workers", "1"]
    command += ["--blocking-threads", "1", "--host", "127.0.0.1", "--port", str(port), "registry.wsgi:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/")
            connection.getresponse().read()
            connection.close()
        except OSError:
            time.sleep(0.3)
        else:
            return
    pytest.fail("the site does not answer")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """With a Chromium from the path where ./test has not chosen one."""
    chromium = os.environ.get("PLUMBLINE_CHROMIUM") or shutil.which("chromium")
    return browser_type_launch_args | ({"executable_path": chromium} if chromium else {})
