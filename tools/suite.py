"""The work of ./test: the tests, on every database and broker that is there; one closing summary.

Each part is a process of its own, and one more of them run at once than there are cores, as many wait for files,
clocks and processes of their own. The tests on SQLite are several parts, a process for some of the folders. What a part
prints is seen when it ends; tests that are chosen are seen as they go on.

``--approve`` writes what pages of the small world and refusals of statistics say now, to be reviewed like code.

``--thorough`` adds calibrations by simulation, crashes, thousands of examples, and every test of the registry on both
databases; ``--thorough=2/5`` does that for the second of five shares of the files.

Standard library only: this runs before anything is installed.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from environment import ROOT, RefusalError, prepare_environment, say
from processes import Processes, StopRequest

_NO_TESTS_FOUND = 5
_LOOK_SECONDS = 0.2
_BROWSER = "tests/browser"
#: Into how many parts the tests on SQLite are divided: each starts Django and the libraries of numbers for itself.
_N_PARTS = 8
_CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OURS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PORT", "HOST", "DJANGO_SETTINGS_MODULE", "PYTEST_ADDOPTS")
_OURS += ("PYTHONDONTWRITEBYTECODE",)  # Each process reads what another has compiled.
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


@dataclass
class Running:
    """A task that was begun, and what it prints."""

    task: Task
    process: "subprocess.Popen[str]"
    output: Path
    started: float


class Suite:
    """The parts of a test run, and what they came to."""

    def __init__(self, arguments: list[str], processes: Processes) -> None:
        self.processes = processes
        self.selection = [argument for argument in arguments if argument.partition("=")[0] != "--thorough"]
        wishes = [argument.partition("=")[2] or "all" for argument in arguments if argument not in self.selection]
        if "--approve" in self.selection:
            self.selection[:0] = ["tests/world", "tests/analysis/test_public_functions.py"]
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
        """Run the suite; return 0 where everything passed and everything required was there."""
        self.python = prepare_environment("requirements-test.txt", self.processes)
        tasks: list[Task] = []
        if self.selection:
            self.leave_out("ruff and mypy", "tests were selected")
        else:
            tasks.append(Task("ruff check", ["-m", "ruff", "check", "."]))
            tasks.append(Task("ruff format", ["-m", "ruff", "format", "--check", "."]))
        has_chromium = self.find_chromium()
        self.find_latex()
        services = self.find_postgresql() | self.find_redis()
        if services:
            names = {"DATABASE_URL": "PostgreSQL", "REDIS_URL": "Redis"}
            on = " and ".join(names[name] for name in services)
            tasks.append(self.tests(f"registry tests on {on}", ["tests/registry"], services))
        if self.selection:
            tasks.insert(0, self.tests("tests on SQLite", [], browser=has_chromium))
        else:
            # Playwright leaves an event loop running in its process, where Django's database refuses to work.
            if has_chromium:
                tasks.append(self.tests("tests in a browser", [_BROWSER], browser=True))
            parts = folders_in_parts(ROOT / "tests", _N_PARTS)
            tasks += [self.tests(f"tests on SQLite, {n} of {len(parts)}", part) for n, part in enumerate(parts, 1)]
            tasks.append(Task("mypy", ["-m", "mypy"]))
        self.do(tasks)
        return self.summarize()

    def do(self, tasks: Sequence[Task]) -> None:
        """Do tasks: several at once, each printed as it ends; one after the other where tests were selected."""
        if self.selection:
            for task in tasks:
                self.do_alone(task)
            return
        waiting, running = deque(tasks), list[Running]()
        with tempfile.TemporaryDirectory() as folder:
            while waiting or running:
                while waiting and len(running) <= (os.cpu_count() or 1):
                    running.append(self.begin(waiting.popleft(), Path(folder, str(len(waiting)))))
                for begun in [begun for begun in running if begun.process.poll() is not None]:
                    running.remove(begun)
                    self.end(begun)
                time.sleep(_LOOK_SECONDS)

    def do_alone(self, task: Task) -> None:
        """Do a task whose lines are printed as they come."""
        started = time.monotonic()
        say(f"== {task.name}")
        command, environment = [self.python, *task.arguments], self.environment | task.services
        code, output = self.processes.finish(command, _echo, env=environment, cwd=ROOT)
        self.note(task, code, output, started)

    def begin(self, task: Task, output: Path) -> Running:
        """Start a task, which prints into a file."""
        say(f".. {task.name}: begun")
        started = time.monotonic()
        command, environment = [self.python, *task.arguments], self.environment | task.services
        with output.open("w") as file:
            process = self.processes.start(command, file, env=environment, cwd=ROOT)
        return Running(task, process, output, started)

    def end(self, begun: Running) -> None:
        """Print the output of a task that has begun."""
        code = self.processes.wait(begun.process)
        text = begun.output.read_text(errors="replace")
        say(f"== {begun.task.name}")
        _echo(text)
        self.note(begun.task, code, text, begun.started)

    def note(self, task: Task, code: int, output: str, started: float) -> None:
        """Take what a task came to into the summary."""
        is_empty = code == _NO_TESTS_FOUND and self.selection
        outcome = "nothing" if is_empty else "failed" if code else "passed"
        lines = output.strip().splitlines()
        self.skipped += [f"{task.name}: {line}" for line in lines if line.startswith("SKIPPED")]
        remark = lines[-1].strip("= ") if lines and "pytest" in task.arguments else ""
        self.parts.append(Part(task.name, outcome, time.monotonic() - started, remark))

    def tests(
        self, name: str, paths: Sequence[str], services: dict[str, str] | None = None, *, browser: bool = False
    ) -> Task:
        """Return the task of the tests that need a browser, or of the others: selected ones, else those below paths."""
        marks = "not benchmark" if browser else "not benchmark and not browser"
        arguments: list[str | Path] = ["-m", "pytest", "-q", "--durations=10", "-m", marks]
        if services:
            hosts = {urlsplit(url).hostname or "" for url in services.values()} | {"127.0.0.1", "::1"}
            arguments += [f"--allow-hosts={','.join(sorted(hosts))}"]
        if sys.stdout.isatty():
            arguments += ["--color=yes"]
        return Task(name, [*arguments, *(self.selection or paths)], services or {})

    def leave_out(self, name: str, why: str, requirement: str = "") -> None:
        """Note a part that was not run; it failed where it was required."""
        outcome = "failed" if requirement in self.required else "left out"
        self.parts.append(Part(name, outcome, remark=why))

    def find_postgresql(self) -> dict[str, str]:
        """Return where tests can make a PostgreSQL database."""
        configured = os.environ.get("DATABASE_URL", "")
        url = configured or f"postgres://postgres@127.0.0.1:5432/plumbline_{os.getpid()}"
        name = "registry tests on PostgreSQL"
        if not configured and not _answers("127.0.0.1", 5432):
            self.leave_out(name, "nothing answers at 127.0.0.1:5432, DATABASE_URL is not set", "postgres")
            return {}
        code, why = self.processes.finish([self.python, "-c", _PROBE_POSTGRESQL, url], env=self.environment)
        if code or why.strip():
            self.leave_out(name, why.strip().splitlines()[-1], "postgres")
            return {}
        return {"DATABASE_URL": url}

    def find_redis(self) -> dict[str, str]:
        """Return where tests can use Redis: database 15 of the server, which they may empty."""
        address = urlsplit(os.environ.get("REDIS_URL", "") or "redis://127.0.0.1:6379")
        if not _answers(address.hostname or "", address.port or 6379, b"PING\r\n"):
            self.leave_out(
                "registry tests on Redis", f"no Redis answers at {address.hostname}:{address.port or 6379}", "redis"
            )
            return {}
        return {"REDIS_URL": address._replace(path="/15").geturl()}

    def find_chromium(self) -> bool:
        """Return whether there is a browser now: on the path, else installed."""
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
        """Return whether pdflatex is there, with what exported tables need; pytest skips its tests by itself."""
        has_latex = shutil.which("pdflatex") and shutil.which("kpsewhich")
        if has_latex and self.processes.finish(["kpsewhich", "booktabs.sty"])[0] == 0:
            return True
        self.leave_out("tests of LaTeX", "no pdflatex with booktabs: apt install texlive-latex-recommended", "tex")
        return False

    def summarize(self) -> int:
        """Print the parts, and return the exit code."""
        if self.thorough == "none":
            self.leave_out("calibrations and other thorough tests", "./test --thorough runs them")
        elif self.thorough != "all":
            self.leave_out("thorough tests of the other files", f"this is share {self.thorough} by the commit")
        say("\n".join(["", "-" * 78, *map(str, self.parts), *self.skipped]))
        failed = [part.name for part in self.parts if part.outcome == "failed"]
        say(f"FAILED: {', '.join(failed)}" if failed else "All passed.")
        return 1 if failed else 0


def folders_in_parts(tests: Path, n_parts: int) -> list[list[str]]:
    """Return the folders of tests and the files beside them in parts of about one size; the registry folder by folder.

    They are paths from the folder above, the largest first. Tests in a browser are in none.
    """
    sizes: Counter[Path] = Counter()
    for file in tests.rglob("test_*.py"):
        names = file.relative_to(tests).parts
        piece = tests.joinpath(*names[: 2 if names[0] == "registry" else 1])
        if piece != tests.parent / _BROWSER:
            sizes[piece] += file.stat().st_size
    parts: list[list[Path]] = [[] for _ in range(min(n_parts, len(sizes)))]
    for piece in sorted(sizes, key=lambda piece: (-sizes[piece], piece)):
        min(parts, key=lambda part: sum(sizes[piece] for piece in part)).append(piece)
    parts.sort(key=lambda part: -sum(sizes[piece] for piece in part))
    return [[str(piece.relative_to(tests.parent)) for piece in part] for part in parts]


def _share(wish: str) -> str:
    """Return the wish, ``all`` or a share of the files as ``2/5``; refuse any other."""
    number, _, n_shares = wish.partition("/")
    if wish == "all" or (number.isdecimal() and n_shares.isdecimal() and 1 <= int(number) <= int(n_shares)):
        return wish
    raise RefusalError(f"--thorough={wish}: a share is written as --thorough=2/5, the second of five.")


def _echo(line: str) -> None:
    print(line, end="", flush=True)


def _answers(host: str, port: int, greeting: bytes = b"") -> bool:
    """Return whether a server accepts a connection, and answers a greeting."""
    try:
        with socket.create_connection((host, port), timeout=3) as connection:
            connection.settimeout(3)
            connection.sendall(greeting)
            return not greeting or bool(connection.recv(1))
    except OSError:
        return False


def main() -> int:
    """Run the suite, and return the exit code."""
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
