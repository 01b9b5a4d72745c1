"""A registry of its own for tests of crashes: database, broker and workers that can be killed."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.databases import ROOT, collect_static_files, migrated_sqlite, run_python

CHAOS = "tests.registry.core.chaos_app"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(condition: Callable[[], bool], seconds: float, what: str, describe: Callable[[], str] = str) -> None:
    """Wait for the condition; fail with what was awaited, and what was found instead, when the time is over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"{what}: not within {seconds} s {describe()}")
        time.sleep(0.1)


def descendants(pid: int) -> list[int]:
    """Return the processes that this one started, and theirs."""
    with open(f"/proc/{pid}/task/{pid}/children") as stream:
        children = [int(text) for text in stream.read().split()]
    return [*children, *(process for child in children for process in descendants(child))]


def answers(port: int) -> bool:
    """Return whether anything listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def ask(
    port: int,
    path: str,
    method: str = "GET",
    body: str | None = None,
    headers: dict[str, str] | None = None,
    *,
    seconds: float = 60,
) -> tuple[HTTPResponse, str]:
    """Return what a web server of this machine answers on a connection of its own, and the text that came with it."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=seconds)) as connection:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response, response.read().decode()


class RedisServer:
    """A Redis of its own, which can be emptied, ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._command += ["--dir", str(folder)]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until(lambda: answers(self.port), 10, "Redis answers")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Lab:
    """Everything below ``home`` or in a migrated database; leases of 4 seconds, two attempts, a sweep every second.

    What is below ``home`` begins as a copy of ``template``, or empty.
    """

    def __init__(self, home: Path, database_url: str = "", redis_url: str = "", template: Path | None = None) -> None:
        self.home = home
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PLUMBLINE_", "LAB_")) and name not in ("DATABASE_URL", "REDIS_URL")
        } | {
            "PLUMBLINE_HOME": str(home),
            "LAB_JOB_LEASE_SECONDS": "4",
            "LAB_JOB_MAX_ATTEMPTS": "2",
            "LAB_SWEEP_SECONDS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "DJANGO_SETTINGS_MODULE": "tests.lab_settings",
        }
        self.environment |= {"DATABASE_URL": database_url} if database_url else {}
        self.environment |= {"REDIS_URL": redis_url} if redis_url else {}
        self._processes: list[subprocess.Popen[bytes]] = []
        if not database_url:
            home.mkdir(mode=0o700, exist_ok=True)
            (home / "plumbline.sqlite3").touch(mode=0o600)
            (home / "plumbline.sqlite3").write_bytes((template or migrated_sqlite()).read_bytes())

    def run(self, *arguments: str, text: str = "", **environment: str) -> str:
        """Return the output of a Python program that must succeed."""
        return run_python(*arguments, text=text, environment=self.environment | environment)

    def shell(self, code: str) -> str:
        """Return what code prints in the shell of the site."""
        return self.run("-W", "ignore", "manage.py", "shell", "-v0", "-c", code)

    def start(self, *command: str | Path, log: str = "other.log") -> "subprocess.Popen[bytes]":
        """Start a process in a group of its own."""
        with (self.home / log).open("ab") as output:
            process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
            )
        self._processes.append(process)
        return process

    @property
    def database(self) -> str:
        """Return what Django calls the database."""
        url = self.environment.get("DATABASE_URL")
        return urlsplit(url).path.lstrip("/") if url else str(self.home / "plumbline.sqlite3")

    def start_worker(self, app: str = CHAOS) -> "subprocess.Popen[bytes]":
        """Start a worker with its own clock for the sweeps, as ./run starts it."""
        if "REDIS_URL" not in self.environment:
            command = [app, "work"] if app == CHAOS else ["manage", "work"]
            return self.start(sys.executable, "-m", *command, log="worker.log")
        return self._start_celery(app, "-B")

    def start_awaited(self) -> "subprocess.Popen[bytes] | None":
        """Start a second worker of Celery for what somebody waits for, as ./run does; the one that asks needs none."""
        return (
            self._start_celery(CHAOS, "-Q", "awaited", "-n", "awaited@%h") if "REDIS_URL" in self.environment else None
        )

    def _start_celery(self, app: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "celery", "-A", app, "worker", "--concurrency=2", "--loglevel=WARNING"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat", *options]
        return self.start(*command, log="worker.log")

    def start_web(self, **environment: str) -> int:
        """Start a web server with these settings, two workers where a team runs the site; return its port."""
        collect_static_files(self.home)
        self.environment |= environment
        port = free_port()
        n_workers = "2" if "DATABASE_URL" in self.environment else "1"
        options = ["--port", str(port), "--workers", n_workers]
        self.web = self.start(sys.executable, "-m", "registry.serving", *options, log="web.log")
        until(lambda: answers(port), 60, "the web server answers")
        return port

    @property
    def worker_log(self) -> str:
        return (self.home / "worker.log").read_text(errors="replace")

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """End the whole group at once, as a power cut would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def running(self) -> list[int]:
        """Return the processes that were started here and still run."""
        return [process.pid for process in self._processes if process.poll() is None]

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                self.kill(process)

    def add_jobs(self, jobs: Iterable[dict[str, object]], kind: str = "test.behave") -> float:
        """Add jobs with these arguments to the chaos application's queue; how many seconds that took."""
        started = time.monotonic()
        self.run("-m", CHAOS, kind, text="\n".join(map(json.dumps, jobs)))
        return time.monotonic() - started

    def query(self, statement: str) -> list[tuple[object, ...]]:
        """Return rows straight from the database."""
        url = self.environment.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as connection:
                return connection.execute(statement).fetchall()
        connection = sqlite3.connect(self.home / "plumbline.sqlite3", timeout=20)
        try:
            with connection:
                return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def states(self) -> dict[object, object]:
        """Return how many jobs are in which state."""
        return dict(self.query("SELECT state, count(*) FROM core_job GROUP BY state"))

    def effects(self) -> list[int]:
        """Return what was done, each as often as it was."""
        rows = self.query("SELECT subject_id FROM journal_entry WHERE action = 'test.job.done'")
        return sorted(int(str(number)) for (number,) in rows)

    def until_done(self, n_jobs: int, seconds: float) -> None:
        """Wait until as many jobs are done and none is left."""

        def describe() -> str:
            return f"{self.states()}\n{self.worker_log[-2000:]}"

        until(lambda: self.states() == {"done": n_jobs}, seconds, f"{n_jobs} jobs done", describe)

    def empty_broker(self) -> None:
        """Lose every message."""
        url = urlsplit(self.environment["REDIS_URL"])
        with socket.create_connection(("127.0.0.1", url.port or 0)) as connection:
            connection.sendall(b"FLUSHALL\r\n")
            assert connection.recv(5) == b"+OK\r\n"
