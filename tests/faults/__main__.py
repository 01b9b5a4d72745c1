"""Runs the tests of a room against faults made in it, in copies of the checkout.

First every test of the room runs once as it is, which tells what runs each line. A fault is tried by those tests, and
where they pass by all of the room: what runs once, as a module is loaded, stands under the test that came first. Where
all pass, it survives.
"""

import argparse
import json
import os
import queue
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.making import Fault, draw_faults

ROOT = Path(__file__).parents[2]
_MARKS = "not slow and not benchmark and not browser and not tex"
_NO_TESTS, _ENDED = 5, -9
_COVERAGE = "[run]\ndata_file = {data}\nsource = {room}\ndynamic_context = test_function\n"

#: Prints which tests ran each line of a room, as JSON.
_LINES = """
import json, os, sys, coverage
data = coverage.CoverageData(sys.argv[1])
data.read()
found = {os.path.relpath(path): data.contexts_by_lineno(path) for path in data.measured_files()}
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Trial:
    """What became of a fault."""

    fault: Fault
    is_caught: bool
    seconds: float
    #: It is caught since the tests did not end in time.
    has_hung: bool = False

    def __str__(self) -> str:
        word = "SURVIVED" if not self.is_caught else "no end" if self.has_hung else "caught"
        return f"{word:<9}{self.seconds:>5.0f} s  {self.fault}"


class Room:
    """A folder of the code with the tests beside it, in a copy of the checkout."""

    def __init__(self, path: str, tree: Path, root: Path = ROOT) -> None:
        self.path = Path(path)
        self.tests = Path("tests", path)
        for folder in (self.path, self.tests):
            if not (root / folder).is_dir():
                raise SystemExit(f"{folder} is no folder: a room is named like registry/search or analysis/best.")
        self.tree = tree
        _copy(root, tree)

    def find_tests_of_lines(self) -> tuple[dict[str, dict[str, list[str]]], float]:
        """The tests that run each line of each file, and how long all tests of the room take."""
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            data, settings = Path(folder, "coverage"), Path(folder, "settings")
            settings.write_text(_COVERAGE.format(data=data, room=self.path))
            code, output = self.run(
                ["-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest"], [str(self.tests)]
            )
            if code:
                raise SystemExit(f"The tests of {self.path} must pass before faults are made:\n{output[-2000:]}")
            lines = subprocess.run(
                [sys.executable, "-c", _LINES, str(data)], cwd=self.tree, capture_output=True, check=True
            )
        found: dict[str, dict[str, list[str]]] = json.loads(lines.stdout)
        return found, time.monotonic() - started

    def tried(self, fault: Fault, tests: list[str], *, seconds: float) -> int:
        """The exit code of tests with a fault; 0 where they pass."""
        path = self.tree / fault.path
        source = path.read_bytes()
        path.write_bytes(fault.apply(source))
        # Python takes a compiled file for the source where size and second are the same.
        os.utime(path, (time.time(), time.time() + random.randrange(1_000_000)))
        try:
            code, output = self.run(["-m", "pytest", "-x"], tests, seconds=seconds)
        finally:
            path.write_bytes(source)
        if code == _NO_TESTS:
            raise SystemExit(f"No test was found in {tests}:\n{output}")
        return code

    def run(self, command: list[str], tests: list[str], *, seconds: float = 3600) -> tuple[int, str]:
        """The exit code of tests, and what they printed; -9 where they were ended because of their time."""
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"} and not name.startswith("PLUMBLINE_")
        }
        process = subprocess.Popen(
            [sys.executable, *command, "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", _MARKS, *tests],
            cwd=self.tree,
            env=environment | threads,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            return _ENDED, output
        return process.returncode, output


def name_tests(contexts: list[str], tree: Path) -> list[str]:
    """The names by which pytest knows the tests that coverage saw, where each stands in a file of the tree."""
    found = set()
    for context in filter(None, contexts):
        parts = context.split(".")
        for length in range(len(parts) - 1, 0, -1):
            path = Path(*parts[:length]).with_suffix(".py")
            if (tree / path).is_file():
                found.add("::".join([path.as_posix(), *parts[length:]]))
                break
    return sorted(found)


def try_fault(room: Room, fault: Fault, lines: dict[str, dict[str, list[str]]], *, seconds: float) -> Trial:
    """Run what runs the line of a fault, then all of the room."""
    started = time.monotonic()
    contexts = lines.get(str(fault.path), {}).get(str(fault.line), [])
    named = name_tests(contexts, room.tree)
    limit = 60 + 3 * seconds
    tried = [named, [str(room.tests)]] if named else [[str(room.tests)]]
    code = next(filter(None, (room.tried(fault, tests, seconds=limit) for tests in tried)), 0)
    return Trial(fault, code != 0, time.monotonic() - started, code == _ENDED)


def try_room(path: str, *, n: int, seed: int, jobs: int, root: Path = ROOT) -> list[Trial]:
    """What became of ``n`` faults in a room; each is printed as soon as it is known."""
    with tempfile.TemporaryDirectory(prefix="plumbline-faults-") as folder:
        rooms: queue.SimpleQueue[Room] = queue.SimpleQueue()
        first = Room(path, Path(folder, "0"), root)
        lines, seconds = first.find_tests_of_lines()
        print(f"The tests of {path} take {seconds:.0f} s while the lines that they run are noted.", flush=True)
        rooms.put(first)
        for number in range(1, jobs):
            rooms.put(Room(path, Path(folder, str(number)), root))

        def try_one(fault: Fault) -> Trial:
            room = rooms.get()
            try:
                trial = try_fault(room, fault, lines, seconds=seconds)
            finally:
                rooms.put(room)
            print(trial, flush=True)
            return trial

        faults = draw_faults(root, Path(path), n, random.Random(seed))
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(try_one, faults))


def _copy(root: Path, tree: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tree / name)


def main() -> None:
    """Try faults, and print the share that was caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("room", help="a folder of the code whose tests stand below tests/, like registry/search")
    parser.add_argument("--n", type=int, default=20, help="how many faults are drawn (20)")
    parser.add_argument("--seed", default="random", help="a number repeats a draw (random)")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults are tried at a time (2)")
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed == "random" else int(given.seed)
    print(f"{given.room}: {given.n} faults, seed {seed}.", flush=True)
    trials = try_room(given.room.rstrip("/"), n=given.n, seed=seed, jobs=given.jobs)
    n_caught = sum(trial.is_caught for trial in trials)
    print(f"{given.room}: {n_caught} of {len(trials)} caught ({n_caught / len(trials):.0%}), seed {seed}.")


if __name__ == "__main__":
    main()
