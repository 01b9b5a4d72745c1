"""Runs the tests of a room, and those of the small world, against faults made in it, in copies of the checkout.

First every test of the room runs once as it is, which tells what runs each line. A fault is tried by those tests in a
process that has read everything already (``trying``). Where they pass, or where its line runs as a module is read, it
is tried by all tests of the room in a new process. Where all pass, it survives.
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
from tests.faults.trying import tests_of_all

ROOT = Path(__file__).parents[2]
_MARKS = "not slow and not benchmark and not browser and not tex"
_NO_TESTS, _ENDED = 5, -9
#: What tests have made already and make no second time of the same files.
_DATABASES = Path(".pytest_cache", "databases")
#: What is known of the tests of rooms since an earlier draw.
_NOTES = Path(".pytest_cache", "faults")
_TRYING = Path(__file__).with_name("trying.py")


@dataclass(frozen=True)
class Trial:
    """What became of a fault."""

    fault: Fault
    is_caught: bool
    seconds: float
    #: It is caught since the tests did not end in time.
    has_hung: bool = False
    #: No test of the first process ran its line.
    is_untried: bool = False

    def __str__(self) -> str:
        survived = "untried" if self.is_untried else "SURVIVED"
        word = survived if not self.is_caught else "no end" if self.has_hung else "caught"
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
        self.kept = root / _NOTES / f"{path.replace('/', '-')}.json"
        _copy(root, tree)

    def try_quickly(self, faults: list[Fault]) -> tuple[list[int | None], float]:
        """The exit code of the tests that run the line of each fault, None where only a new process can tell.

        And how many seconds of processor time all tests of the room take, while it is noted what they run.
        """
        with tempfile.TemporaryDirectory() as folder:
            given, found = Path(folder, "faults.json"), Path(folder, "found.json")
            given.write_text(json.dumps([self.describe(fault) for fault in faults]))
            _, output = self.run([str(_TRYING), str(self.path), str(given), str(found), str(self.kept)], [])
            if not found.exists():
                raise SystemExit(f"The tests of {self.path} must pass before faults are made:\n{output[-2000:]}")
            known = json.loads(found.read_text())
        return known["codes"], known["seconds"]

    def describe(self, fault: Fault) -> dict[str, object]:
        """Return what ``trying`` asks to know of a fault."""
        source = fault.apply((self.tree / fault.path).read_bytes()).decode()
        return {"path": str(fault.path), "line": fault.line, "source": source}

    def tried(self, fault: Fault, *, seconds: float) -> int:
        """The exit code of all tests with a fault in the source; 0 where they pass."""
        path = self.tree / fault.path
        source = path.read_bytes()
        path.write_bytes(fault.apply(source))
        # Python takes a compiled file for the source where size and second are the same.
        os.utime(path, (time.time(), time.time() + random.randrange(1_000_000)))
        try:
            tests = [str(self.tests), *tests_of_all(self.path, self.tree)]
            code, output = self.run(["-m", "pytest", "-x"], tests, seconds=seconds)
        finally:
            path.write_bytes(source)
        if code == _NO_TESTS:
            raise SystemExit(f"No test was found in {self.tests}:\n{output}")
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


def try_fault(room: Room, fault: Fault, *, seconds: float) -> Trial:
    """Run all tests of a room with a fault."""
    started = time.monotonic()
    code = room.tried(fault, seconds=60 + 10 * seconds)
    return Trial(fault, code != 0, time.monotonic() - started, code == _ENDED)


def try_room(path: str, *, n: int, seed: int, jobs: int, is_quick: bool = False, root: Path = ROOT) -> list[Trial]:
    """Return what became of ``n`` faults in a room; each is printed as soon as it is known.

    A quick trial is of what the first process can tell: a fault survives where the tests of its line pass.
    """
    faults = draw_faults(root, Path(path), n, random.Random(seed))
    with tempfile.TemporaryDirectory(prefix="plumbline-faults-") as folder, ThreadPoolExecutor(jobs) as pool:
        free = [Room(path, Path(folder, str(number)), root) for number in range(jobs)]
        found = list(pool.map(Room.try_quickly, free, (faults[number::jobs] for number in range(jobs))))
        seconds = max(seconds for _, seconds in found)
        print(f"The tests of {path} take {seconds:.0f} s of processor time, with what they run noted.", flush=True)
        # Every so many faults were tried by the same process.
        codes = {fault: found[place % jobs][0][place // jobs] for place, fault in enumerate(faults)}
        rooms: queue.SimpleQueue[Room] = queue.SimpleQueue()
        for room in free:
            rooms.put(room)

        def try_one(fault: Fault) -> Trial:
            code = codes[fault]
            if code or is_quick:
                trial = Trial(fault, bool(code), 0.0, (code or 0) < 0, code is None)
            else:
                room = rooms.get()
                try:
                    trial = try_fault(room, fault, seconds=seconds)
                finally:
                    rooms.put(room)
            print(trial, flush=True)
            return trial

        return list(pool.map(try_one, faults))


def _copy(root: Path, tree: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tree / name)
    if (root / _DATABASES).is_dir():
        shutil.copytree(root / _DATABASES, tree / _DATABASES)


def main() -> None:
    """Try faults, and print the share that was caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("room", help="a folder of the code whose tests stand below tests/, like registry/search")
    parser.add_argument("--n", type=int, default=20, help="how many faults are drawn (20)")
    parser.add_argument("--seed", default="random", help="a number repeats a draw (random)")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults are tried at a time (2)")
    parser.add_argument("--quick", action="store_true", help="leave out what takes all tests of the room to tell")
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed == "random" else int(given.seed)
    print(f"{given.room}: {given.n} faults, seed {seed}.", flush=True)
    drawn = try_room(given.room.rstrip("/"), n=given.n, seed=seed, jobs=given.jobs, is_quick=given.quick)
    trials = [trial for trial in drawn if not trial.is_untried]
    n_caught = sum(trial.is_caught for trial in trials)
    print(f"{given.room}: {n_caught} of {len(trials)} caught ({n_caught / len(trials):.0%}), seed {seed}.")


if __name__ == "__main__":
    main()
