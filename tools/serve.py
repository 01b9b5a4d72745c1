"""The work of ./run: install, prepare the database, keep the web server and the worker running until asked to stop.

Standard library only: this runs before anything is installed, and stays small while the site runs.
"""

import errno
import fcntl
import json
import os
import socket
import sys
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from environment import ROOT, Progress, RefusalError, prepare_environment, say
from processes import Processes, StopRequest

_LONGEST_PAUSE = 30.0
_STEADY_SECONDS = 60.0
_FAILURES_BEFORE_GIVING_UP = 3
_MAX_LOG_BYTES = 10_000_000
_SECONDS_BETWEEN_LOOKS = 1.0
#: Many times as long as a worker is silent otherwise, whatever it is at.
_SILENCE_SECONDS = 120.0
_SECONDS_BETWEEN_CHECKS = 60.0

#: Arithmetic in one thread a process: two workers with a thread for every core each get in each other's way.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass
class Service:
    """A process that is started again when it ends."""

    name: str
    command: list[str | Path]
    log: IO[str]
    process: "Popen[str] | None" = None
    started_at: float = 0.0
    resume_at: float = 0.0
    n_failures: int = 0


@dataclass
class Site:
    """The web server and the worker, with the address that people use."""

    home: Path
    host: str
    port: int
    environment: dict[str, str]
    processes: Processes
    services: list[Service] = field(default_factory=list)

    @property
    def own_host(self) -> str:
        """The name under which this machine reaches the web server."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)

    @property
    def address(self) -> str:
        host = f"[{self.own_host}]" if ":" in self.own_host else self.own_host
        return f"http://{host}:{self.port}/"

    def get(self, path: str) -> tuple[int, bytes] | None:
        """Return status and body of a page; None where nothing answers."""
        allowed = self.environment.get("PLUMBLINE_ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".")
        headers = {"Host": allowed} if allowed and allowed != "*" else {}
        connection = HTTPConnection(self.own_host, self.port, timeout=10)
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, HTTPException):
            return None
        finally:
            connection.close()

    def start(self, python: Path) -> None:
        """Start everything that keeps running."""
        logs = self.home / "logs"
        logs.mkdir(mode=0o700, exist_ok=True)
        web = ["registry.serving", "--host", self.host, "--port", str(self.port)]
        commands = {"web": web, "worker": ["manage", "work"]}
        if self.environment.get("REDIS_URL", "").strip():
            celery = ["celery", "-A", "registry", "worker", "--concurrency", "2", "--loglevel", "WARNING"]
            celery += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
            # The second does nothing but what somebody waits for.
            commands |= {"worker": [*celery, "-B"], "awaited": [*celery, "-Q", "awaited", "-n", "awaited@%h"]}
        for name, arguments in commands.items():
            log = logs / f"{name}.log"
            _rotate(log)
            self.services.append(Service(name, [python, "-m", *arguments], _open_private(log)))
        self.tend()

    def tend(self) -> None:
        """Start what is not running and is due."""
        for service in self.services:
            if service.process is not None and service.process.poll() is not None:
                self._note_end(service)
            if service.process is None and time.monotonic() >= service.resume_at:
                service.process = self.processes.start(
                    service.command, service.log, env=self.environment, cwd=ROOT, umask=0o077
                )
                service.started_at = time.monotonic()

    def _note_end(self, service: Service) -> None:
        """Wait longer with each failure before the next start."""
        assert service.process is not None
        code = service.process.returncode
        self.processes.forget(service.process)
        service.process = None
        now = time.monotonic()
        service.n_failures = 1 if now - service.started_at > _STEADY_SECONDS else service.n_failures + 1
        pause = min(2.0 ** (service.n_failures - 1), _LONGEST_PAUSE)
        service.resume_at = now + pause
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        say(f"The {service.name} {how}; starting it again in {pause:.0f} s. Its log: {service.log.name}")

    def wait_for_first_page(self) -> None:
        """Return as soon as a page can be read."""
        while True:
            self.tend()
            answer = self.get("/")
            if answer is not None and answer[0] < 500:
                return
            for service in self.services:
                if service.n_failures >= _FAILURES_BEFORE_GIVING_UP:
                    raise RefusalError(f"The {service.name} does not start. The end of its log:\n{_end_of(service)}")
            if answer is not None:
                raise RefusalError(
                    f"The first page fails (status {answer[0]}). The end of the log:\n{_end_of(self.services[0])}"
                )
            time.sleep(0.1)

    def health(self) -> dict[str, Any] | None:
        """Return the data of the health page; None where it does not answer with data."""
        answer = self.get("/-/health/")
        if answer is None or answer[0] != 200:
            return None
        health: dict[str, Any] = json.loads(answer[1])
        return health

    def follow_analyses(self) -> None:
        """Show how many analyses are still to be computed, until there are none."""
        progress, n_first = Progress(), 0
        while True:
            self.tend()
            health = self.health()
            self.end_what_is_stuck(health)
            if health is not None:
                n_left = health["jobs"]["queued"] + health["jobs"]["running"]
                n_first = max(n_first, n_left)
                if not n_left:
                    break
                progress.show(f"analyses: {n_left:,} still to be computed (the pages can be read meanwhile)")
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        progress.close()
        failed = health["jobs"]["failed"]
        say(f"All analyses are computed{f'; {failed} failed, see manage.py jobs' if failed else ''}.")

    def end_what_is_stuck(self, health: dict[str, Any] | None) -> None:
        """End a worker that runs and gives no sign, so that it is started again."""
        silence = health and health["worker"]["heartbeat_seconds"]
        if silence is None or silence < _SILENCE_SECONDS:
            return
        for service in self.services:
            is_steady = time.monotonic() - service.started_at > _SILENCE_SECONDS
            if service.name == "worker" and service.process is not None and is_steady:
                say(f"The worker gave no sign for {silence:.0f} s and is ended.")
                self.processes.end(service.process)

    def keep_running(self) -> None:
        """Look after the processes until somebody asks to stop."""
        checked_at = time.monotonic()
        while True:
            self.tend()
            if time.monotonic() - checked_at > _SECONDS_BETWEEN_CHECKS:
                self.end_what_is_stuck(self.health())
                checked_at = time.monotonic()
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def main() -> int:
    """Serve until asked to stop, and return the exit code."""
    processes = Processes()
    try:
        serve(processes)
    except RefusalError as refusal:
        print(f"\n{refusal}", file=sys.stderr, flush=True)
        return 1
    except StopRequest:
        say("\nStopping …")
        return 0
    finally:
        processes.stop_all()
    return 0


def serve(processes: Processes) -> None:
    """Do everything in its order; only an exception ends it."""
    port = read_port(os.environ.get("PORT", "8000"))
    host = os.environ.get("HOST", "").strip() or "127.0.0.1"
    home = Path(os.environ.get("PLUMBLINE_HOME", "").strip() or ROOT / "var").resolve()
    lock = hold_home(home, f"http://{host}:{port}/")
    refuse_taken_port(host, port)
    if not (home / "static").exists():
        say("The first start puts packages and data in place, which takes a few minutes; the next takes seconds.")
    python = prepare_environment("requirements.txt", processes)
    environment = os.environ | {"PLUMBLINE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    environment |= {name: os.environ.get(name, value) for name, value in _ONE_THREAD.items()}
    prepared = processes.start([python, ROOT / "manage.py", "prepare"], env=environment, cwd=ROOT)
    if processes.wait(prepared):
        raise RefusalError("Plumbline was not started: see above.")
    site = Site(home, host, port, environment, processes)
    site.start(python)
    site.wait_for_first_page()
    say(f"\nPlumbline is at {site.address}\nCtrl-C stops it. Logs are in {home / 'logs'}.\n")
    site.follow_analyses()
    site.keep_running()
    lock.close()


def read_port(text: str) -> int:
    """Return the port as a number."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise RefusalError(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def hold_home(home: Path, address: str) -> Any:
    """Return the lock on the folder that the site writes to, held while it is open."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if home.stat().st_uid != os.geteuid():
            # The settings say more; but by then a lock of ours would be in the way of its owner.
            raise RefusalError(f"{home} belongs to another user. Start Plumbline as that user, or set PLUMBLINE_HOME.")
        lock = _open_private(home / "run.lock")
        lock.seek(0)
        holder = lock.read().strip() or "it is starting"
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise RefusalError(f"Plumbline already runs from {home}: {holder}.") from error
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {address}\n")
        lock.flush()
    except OSError as error:
        raise RefusalError(
            f"Nothing can be written to {home}: {error.strerror}. PLUMBLINE_HOME names another folder."
        ) from error
    return lock


def refuse_taken_port(host: str, port: int) -> None:
    """Say now, and not after a minute of installing, that nobody could be served."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise RefusalError(f"HOST={host} is no address of this machine: {error.strerror}.") from error
        why = "is taken" if error.errno == errno.EADDRINUSE else "is for the administrator only"
        raise RefusalError(
            f"Port {port} {why}. Try another one: PORT={min(max(port, 8000) + 1, 65534)} ./run"
        ) from error


def _open_private(path: Path) -> IO[str]:
    """Return a file to read and to append to, which other users cannot read."""
    return open(path, "a+", opener=lambda name, flags: os.open(name, flags, 0o600))


def _rotate(log: Path) -> None:
    if log.exists() and log.stat().st_size > _MAX_LOG_BYTES:
        log.replace(log.with_suffix(".old.log"))


def _end_of(service: Service) -> str:
    lines = Path(service.log.name).read_text(errors="replace").splitlines()
    return "\n".join(f"  {line}" for line in lines[-15:])


if __name__ == "__main__":
    sys.exit(main())
