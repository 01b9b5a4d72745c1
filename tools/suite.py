"""What ./test does: the tests, on every database and broker that is there; one closing summary.

The tests on SQLite are seen as they go on. The types, the browser and the other database are done beside them, one
after the other: each of these waits much of its time, and leaves a core idle where it is alone.

``--thorough`` adds calibrations by simulation, crashes, thousands of examples, and every test of the registry on both
databases; ``--thorough=2/5`` does that for the second of five shares of the files.

Standard library only: this runs before anything is installed.
"""

import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from environment import ROOT, RefusalError, prepare_environment, say
from processes import Processes, StopRequest

_NO_TESTS_FOUND = 5
_LOOK_SECONDS = 0.2
_BROWSER = "tests/browser"
_CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OURS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PORT", "HOST", "DJANGO_SETTINGS_MODULE", "PYTEST_ADDOPTS")
_OURS += ("PYTHONDONTWRITEBYTECODE",)  # Six processes read what the first has compiled.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

#: Prints why tests cannot make a database there; nothing where they can.
_PROBE_POSTGRESQL = """
import sys, psycopg
from urllib.parse import urlsplit
try:
    with psycopg.connect(urlsplit(sys.argv[1])._replace(path="/postgres").geturl(), connect_timeout=3) as connection:
        query = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
        if not connection.execute(query).fetchone()[0]:
            print("its user may not create the test database")
except psycopg.Error as error:
    print(str(error).strip().splitlines()[-1])
"""


@dataclass(frozen=True)
class Part:
    """One line of the summary."""

    name: str
    outcome: str
    seconds: float = 0.0
    remark: str = ""

    def __str__(self) -> str:
        seconds = f"{self.seconds:.0f} s" if self.seconds else ""
        return f"{self.outcome:<9}{self.name:<44}{seconds:>7}  {self.remark}".rstrip()


@dataclass(frozen=True)
class Task:
    """A Python program that becomes a part of the summary."""

    name: str
    arguments: list[str | Path]
    services: dict[str, str] = field(default_factory=dict)
    #: Whether what it prints is of no use unless it fails.
    is_silent: bool = False


class Suite:
    """The parts of a test run, and what they came to."""

    def __init__(self, arguments: list[str], processes: Processes) -> None:
        self.processes = processes
        self.selection = [argument for argument in arguments if argument.partition("=")[0] != "--thorough"]
        wishes = [argument.partition("=")[2] or "all" for argument in arguments if argument not in self.selection]
        self.thorough = _share(wishes[-1]) if wishes else "none"
        self.required = {name for name in os.environ.get("PLUMBLINE_REQUIRE", "").split(",") if name}
        self.environment = {
            name: value for name, value in os.environ.items() if name not in _OURS and not name.startswith("PLUMBLINE_")
        } | _ONE_THREAD
        self.environment["PLUMBLINE_THOROUGH"] = self.thorough
        self.parts: list[Part] = []
        self.skipped: list[str] = []
        self.python: Path

    def run(self) -> int:
        """The exit code: 0 where everything passed and everything required was there."""
        self.python = prepare_environment("requirements-test.txt", self.processes)
        beside: list[Task] = []
        if self.selection:
            self.leave_out("ruff and mypy", "tests were selected")
        else:
            self.do(Task("ruff check", ["-m", "ruff", "check", "."]))
            self.do(Task("ruff format", ["-m", "ruff", "format", "--check", "."]))
            beside.append(Task("mypy", ["-m", "mypy"]))
        has_chromium = self.find_chromium()
        self.find_latex()
        # Playwright leaves an event loop running in its process, where Django's database refuses to work.
        is_apart = has_chromium and not self.selection
        if is_apart:
            # In one process: each would load a site of its own.
            beside.append(self.tests("tests in a browser", {}, browser=True, folder=_BROWSER, n_processes=1))
        services = self.find_postgresql() | self.find_redis()
        if services:
            names = {"DATABASE_URL": "PostgreSQL", "REDIS_URL": "Redis"}
            on = " and ".join(names[name] for name in services)
            beside.append(self.tests(f"registry tests on {on}", services, browser=False, folder="tests/registry"))
        # One more than there are cores: many wait for files, clocks and processes of their own.
        on_sqlite = self.tests("tests on SQLite", {}, browser=has_chromium and not is_apart, n_processes=3)
        self.do(*self.find_compiled(), on_sqlite, beside=beside)
        return self.summarize()

    def do(self, *tasks: Task, beside: Sequence[Task] = ()) -> None:
        """Do tasks, whose lines are printed as they come, and others beside them, whose lines come at the end."""
        said: list[str] = []
        others = self._do_beside(beside, said)

        def watch(line: str, *, is_silent: bool) -> None:
            if not is_silent:
                _echo(line)
            next(others, None)

        for task in tasks:
            started = time.monotonic()
            say(f"== {task.name}")
            next(others, None)
            command, environment = [self.python, *task.arguments], self.environment | task.services
            watching = partial(watch, is_silent=task.is_silent)
            code, output = self.processes.finish(command, watching, env=environment, cwd=ROOT)
            if code and task.is_silent:
                _echo(output)
            self.note(task, code, output, started)
        for _ in others:
            time.sleep(_LOOK_SECONDS)
        _echo("".join(said))

    def _do_beside(self, tasks: Sequence[Task], said: list[str]) -> Iterator[None]:
        """Does one task after the other, and looks whether one has ended whenever it is asked to go on."""
        for task in tasks:
            started = time.monotonic()
            with tempfile.TemporaryFile("w+", errors="replace") as output:
                command = [self.python, *task.arguments]
                process = self.processes.start(command, output, env=self.environment | task.services, cwd=ROOT)
                while process.poll() is None:
                    yield
                code = self.processes.wait(process)
                output.seek(0)
                text = output.read()
            said.append(f"== {task.name}, beside the tests on SQLite\n{text}")
            self.note(task, code, text, started)

    def note(self, task: Task, code: int, output: str, started: float) -> None:
        """Take what a task came to into the summary."""
        is_empty = code == _NO_TESTS_FOUND and self.selection
        outcome = "nothing" if is_empty else "failed" if code else "passed"
        lines = output.strip().splitlines()
        self.skipped += [f"{task.name}: {line}" for line in lines if line.startswith("SKIPPED")]
        remark = lines[-1].strip("= ") if lines and "pytest" in task.arguments and not task.is_silent else ""
        self.parts.append(Part(task.name, outcome, time.monotonic() - started, remark))

    def tests(
        self, name: str, services: dict[str, str], *, browser: bool, folder: str = "", n_processes: int = 2
    ) -> Task:
        """The tests below a folder, with those that need a browser or without."""
        marks = "not benchmark" if browser else "not benchmark and not browser"
        arguments: list[str | Path] = ["-m", "pytest", "-q", "--durations=25", "-m", marks]
        if services:
            hosts = {urlsplit(url).hostname or "" for url in services.values()} | {"127.0.0.1", "::1"}
            arguments += [f"--allow-hosts={','.join(sorted(hosts))}"]
        if self.selection:
            arguments += self.selection
        else:
            arguments += ["-n", str(n_processes), "--dist", "worksteal", folder or f"--ignore={_BROWSER}"]
        if sys.stdout.isatty():
            arguments += ["--color=yes"]
        return Task(name, arguments, services)

    def find_compiled(self) -> list[Task]:
        """What compiles the tests once, in a fresh clone: else each process that runs them would do that for itself."""
        if self.selection or any((ROOT / "tests").glob("**/*-pytest-*.pyc")):
            return []
        arguments: list[str | Path] = ["-m", "pytest", "--collect-only", "-qq", f"--ignore={_BROWSER}"]
        return [Task("tests are compiled", arguments, is_silent=True)]

    def leave_out(self, name: str, why: str, requirement: str = "") -> None:
        """Note what was not run; a failure where it was required."""
        outcome = "failed" if requirement in self.required else "left out"
        self.parts.append(Part(name, outcome, remark=why))

    def find_postgresql(self) -> dict[str, str]:
        """Where tests can make a PostgreSQL database."""
        given = os.environ.get("DATABASE_URL", "")
        url = given or f"postgres://postgres@127.0.0.1:5432/plumbline_{os.getpid()}"
        name = "registry tests on PostgreSQL"
        if not given and not _answers("127.0.0.1", 5432):
            self.leave_out(name, "nothing answers at 127.0.0.1:5432, DATABASE_URL is not set", "postgres")
            return {}
        code, why = self.processes.finish([self.python, "-c", _PROBE_POSTGRESQL, url], env=self.environment)
        if code or why.strip():
            self.leave_out(name, why.strip().splitlines()[-1], "postgres")
            return {}
        return {"DATABASE_URL": url}

    def find_redis(self) -> dict[str, str]:
        """Where tests can use Redis: database 15 of the server, which they may empty."""
        given = urlsplit(os.environ.get("REDIS_URL", "") or "redis://127.0.0.1:6379")
        if not _answers(given.hostname or "", given.port or 6379, b"PING\r\n"):
            self.leave_out(
                "registry tests on Redis", f"no Redis answers at {given.hostname}:{given.port or 6379}", "redis"
            )
            return {}
        return {"REDIS_URL": given._replace(path="/15").geturl()}

    def find_chromium(self) -> bool:
        """Whether there is a browser now: on the path, else installed."""
        path = next(filter(None, map(shutil.which, _CHROMIUM_NAMES)), None)
        if path is None and self.selection:
            self.leave_out("browser tests", "no Chromium on the path", "browser")
            return False
        if path is None:
            say("Installing Chromium for the browser tests …")
            if os.geteuid() == 0 and shutil.which("apt-get"):
                for action in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
                    self.processes.finish(["apt-get", "-q", *action])
                path = shutil.which("chromium")
        if path is not None:
            self.environment["PLUMBLINE_CHROMIUM"] = path
            return True
        code, output = self.processes.finish([self.python, "-m", "playwright", "install", "chromium"])
        if code:
            lines = output.strip().splitlines() or ["no reason given"]
            self.leave_out("browser tests", f"no Chromium, and none could be installed: {lines[-1]}", "browser")
        return code == 0

    def find_latex(self) -> bool:
        """Whether pdflatex is there, with what exported tables need; pytest skips its tests by itself."""
        found = shutil.which("pdflatex") and shutil.which("kpsewhich")
        if found and self.processes.finish(["kpsewhich", "booktabs.sty"])[0] == 0:
            return True
        self.leave_out("tests of LaTeX", "no pdflatex with booktabs: apt install texlive-latex-recommended", "tex")
        return False

    def summarize(self) -> int:
        """Print the parts; the exit code."""
        if self.thorough == "none":
            self.leave_out("calibrations and other thorough tests", "./test --thorough runs them")
        elif self.thorough != "all":
            self.leave_out("thorough tests of the other files", f"this is share {self.thorough} by the commit")
        say("\n".join(["", "-" * 78, *map(str, self.parts), *self.skipped]))
        failed = [part.name for part in self.parts if part.outcome == "failed"]
        say(f"FAILED: {', '.join(failed)}" if failed else "All passed.")
        return 1 if failed else 0


def _share(wish: str) -> str:
    """All, or which of how many shares of the files."""
    number, _, n_shares = wish.partition("/")
    if wish == "all" or (number.isdecimal() and n_shares.isdecimal() and 1 <= int(number) <= int(n_shares)):
        return wish
    raise RefusalError(f"--thorough={wish}: a share is written as --thorough=2/5, the second of five.")


def _echo(line: str) -> None:
    print(line, end="", flush=True)


def _answers(host: str, port: int, greeting: bytes = b"") -> bool:
    """Whether a server accepts a connection, and answers a greeting."""
    try:
        with socket.create_connection((host, port), timeout=3) as connection:
            connection.settimeout(3)
            connection.sendall(greeting)
            return not greeting or bool(connection.recv(1))
    except OSError:
        return False


def main() -> int:
    """Run the suite; the exit code."""
    processes = Processes()
    try:
        return Suite(sys.argv[1:], processes).run()
    except RefusalError as refusal:
        print(f"\n{refusal}", file=sys.stderr, flush=True)
        return 1
    except StopRequest:
        say("\nStopped.")
        return 130
    finally:
        processes.stop_all()


if __name__ == "__main__":
    sys.exit(main())
