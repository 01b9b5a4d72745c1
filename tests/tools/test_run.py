"""./run as a newcomer meets it: serves, heals, refuses to run twice, ends everything, and starts without a load."""

import os
import re
import signal
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.registry.core.lab import free_port, until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Run:
    """A ./run of its own: home, port, and what it printed."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.log = home.parent / "run.log"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
        left_out = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")
        self.environment = {name: value for name, value in inherited.items() if name not in left_out} | {
            "PLUMBLINE_HOME": str(home),
            "PORT": str(self.port),
        }
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> "subprocess.Popen[bytes]":
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                ["./run"], cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.processes.append(process)
        return process

    def says(self, text: str) -> Callable[[], bool]:
        return lambda: text in self.log.read_text()

    def pids(self, what: str = "") -> list[int]:
        """Return our processes, by the home in their environment and a part of their command line."""
        pids = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                is_ours = f"PLUMBLINE_HOME={self.home}\0".encode() in (folder / "environ").read_bytes()
                command = (folder / "cmdline").read_text()
            except OSError:
                continue
            if is_ours and command and what in command:
                pids.append(int(folder.name))
        return sorted(pids)


def parent_of(pid: int) -> int:
    """Return the number of the process that started it."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    return int(after_name.split()[1])


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    if not Path("/proc/self/environ").exists():
        pytest.skip("finds its processes through /proc")
    run = Run(tmp_path / "var")
    yield run
    for process in run.processes:
        process.kill()
        process.wait()
    until(lambda: run.pids() == [], 20, "every process ended")


def test_a_site_from_first_start_to_last(run: Run) -> None:
    first = run.start()
    until(run.says("Plumbline is at "), 600, "the address is printed")
    with urllib.request.urlopen(f"http://127.0.0.1:{run.port}/", timeout=10) as page:
        assert page.status == 200
    find = ["find", run.home, "-ignore_readdir_race", "-perm", "/077"]
    opened = subprocess.run(find, capture_output=True, text=True, check=True).stdout.split()
    assert {Path(path).relative_to(run.home).parts[:1] for path in opened} == {("static",)}
    assert all(path.stat().st_mode & 0o004 for path in (run.home / "static").rglob("*"))

    second = subprocess.run(["./run"], cwd=ROOT, env=run.environment, capture_output=True, text=True, timeout=30)
    assert second.returncode == 1
    assert f"already runs from {run.home}: process {first.pid}, http://127.0.0.1:{run.port}/" in second.stderr

    # Its children have the same command line, and a lower number where numbers began anew.
    (worker,) = (pid for pid in run.pids("manage\0work") if parent_of(pid) == first.pid)
    os.kill(worker, signal.SIGKILL)
    until(run.says("The worker was ended by signal 9; starting it again"), 30, "the end of the worker is noticed")
    until(lambda: bool(run.pids("manage\0work")), 60, "the worker is started again")

    os.killpg(first.pid, signal.SIGTERM)
    until(lambda: run.pids() == [], 30, "every process ended")
    assert first.wait() == 0

    again = run.start()
    until(run.says("Plumbline is at "), 120, "the address is printed")
    assert re.findall(r"(\d+) added", run.log.read_text()) == []
    again.kill()
    until(lambda: run.pids() == [], 30, "every process ended after a kill")
