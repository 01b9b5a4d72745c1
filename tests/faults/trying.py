"""Faults put into a process that has collected the tests of a room, each in a copy of it that ends with its trial.

To start Python, Django and pytest takes longer than what shows most faults. So this is started once, in a checkout:
``python trying.py ROOM FAULTS FOUND NOTES``. It runs each test of the room and notes which lines the test and its
fixtures run, which is kept in NOTES, then forks for each fault, changes the functions of the copy, and runs there the
tests of the line, the quickest first.

FAULTS is a JSON list of ``{"path", "line", "source"}``, the source being the whole file as the fault leaves it. FOUND
becomes ``{"seconds": …, "codes": […]}``: the exit code of the tests for each, negative where they did not end, null
where only a new process can tell, as the line runs while its module is read, or never.
"""

import ast
import gc
import json
import os
import select
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import coverage
import pytest

PASSED, FAILED, UNKNOWN = 0, 1, 3
#: Where the small world is kept for trials of what has no part in building it.
BUILT = "PLUMBLINE_BUILT_WORLD"
#: What every page says of a small world is a test of every room.
WORLD = "tests/world"
#: What public functions say to arguments that they refuse is a test of every room of analysis.
REFUSALS = "tests/analysis/test_public_functions.py"
#: Tests of a line are tried up to so many seconds of processor time together, the quickest first.
_MOST_SECONDS = 10
#: What is told of the time that a trial may take: so much, and so many times the processor time of its tests.
_PATIENCE, _SLOWER = 60, 20

#: For each line of each file, by its number as JSON has it, the tests that run it.
Tests = dict[str, dict[str, list[str]]]


class Trier:
    """A plugin of pytest that runs the tests of a room for each fault."""

    def __init__(self, room: Path, faults: list[dict[str, Any]], found: Path, kept: Path) -> None:
        self.room = room
        self.faults = faults
        self.found = found
        self.kept = kept
        #: How many tests were run until one failed, as the copy of the process tells.
        self.n_run = found.with_suffix(".n_run")
        self.has_failed = False
        self.measured: Measured | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        built = self.found.with_suffix(".sqlite3")
        os.environ[BUILT] = str(built)
        if self.forked(lambda: self.note(session.items), 7200) != PASSED:
            pytest.exit("The tests of the room must pass before faults are made.", returncode=1)
        notes = Notes.read(self.kept)
        items = {item.nodeid: item for item in session.items}
        functions = _functions_below(self.room)
        codes: list[int | None] = []
        for fault in self.faults:
            change = Change(fault, functions)
            names = notes.quickest(change.tests_among(notes.tests.get(fault["path"], {})))
            if change.is_within(notes.building.get(fault["path"], [])):
                os.environ.pop(BUILT, None)
            elif built.exists():
                os.environ[BUILT] = str(built)
            limit = _PATIENCE + _SLOWER * sum(notes.seconds[name] for name in names)
            codes.append(self.code_of(change, [items[name] for name in names], limit))
        self.found.write_text(json.dumps({"seconds": sum(notes.seconds.values()), "codes": codes}))
        return True

    def code_of(self, change: "Change", items: list[pytest.Item], limit: float) -> int | None:
        """The exit code of tests with a fault; None where there are none. Left out is what fails without it as well."""
        while items:
            self.n_run.write_text(str(len(items)))
            code = self.forked(lambda items=items: self.tried(change, items), limit)
            n_run = int(self.n_run.read_text())
            if code == UNKNOWN:
                return None
            if code == PASSED or self.forked(lambda needed=items[:n_run]: self.tried(None, needed), limit) == PASSED:
                return code
            failed = int(self.n_run.read_text()) - 1
            items = items[:failed] + items[failed + 1 :]
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_failed |= report.failed

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """Yield what a fixture of several tests runs is noted as its own."""
        if self.measured is None or fixturedef.scope == "function":
            yield
        else:
            if fixturedef.argname == "world":
                self.measured.building = f"fixture {id(fixturedef)}"
            with_fixture = self.measured.switched(f"fixture {id(fixturedef)}")
            next(with_fixture)
            yield
            next(with_fixture, None)

    def note(self, items: list[pytest.Item]) -> int:
        """Run every test of which nothing is noted, and write down what each runs and how long it takes."""
        notes = Notes.read(self.kept)
        notes.forget_what_changed(self.room, items)
        new = [item for item in items if item.nodeid not in notes.seconds]
        if not new:
            notes.write(self.kept)
            return PASSED
        self.measured = Measured(self.room)
        for item, following in zip(new, [*new[1:], None], strict=True):
            started = time.process_time()
            switched = self.measured.switched(item.nodeid)
            next(switched)
            self.run(item, following)
            next(switched, None)
            notes.seconds[item.nodeid] = time.process_time() - started
            if self.has_failed:
                print(f"{item.nodeid} fails as it is.", flush=True)
                return FAILED
        notes.add(self.measured.tests_of_lines(new))
        notes.building |= self.measured.lines_of_building()
        notes.write(self.kept)
        return PASSED

    def tried(self, change: "Change | None", items: list[pytest.Item]) -> int:
        """The exit code of tests with a fault, or as the code stands."""
        try:
            if change is not None:
                change.begin()
        except ValueError:  # Another number of variables of functions around it.
            return UNKNOWN
        for place, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True)):
            self.run(item, following)
            if self.has_failed:
                self.n_run.write_text(str(place + 1))
                return FAILED
        return PASSED

    def forked(self, run: Callable[[], int], seconds: float) -> int:
        """Return what a copy of this process returns, or minus the signal that ended it; what it wrote is gone."""
        home = Home()
        code = _forked(run, seconds)
        home.clean()
        return code

    def run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """Run a test; what it shares with the following one stays."""
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


class Change:
    """A fault in a file, and the functions that it changes."""

    def __init__(self, fault: dict[str, Any], functions: dict[CodeType, list[FunctionType]]) -> None:
        self.path = Path(fault["path"]).resolve()
        self.line: int = fault["line"]
        self.source: str = fault["source"]
        self.is_loaded = any(getattr(module, "__file__", None) == str(self.path) for module in [*sys.modules.values()])
        self.function = _outermost_function(ast.parse(self.path.read_text()), self.line)
        self.changes = find_changes(self.path, self.function, self.source, functions) if self.function else []

    def tests_among(self, tests: dict[str, list[str]]) -> list[str]:
        """Those of the last line up to the fault that any ran in its function; none where it runs as a file is read."""
        if self.function is None or (self.is_loaded and not self.changes):
            return []
        lines = range(self.line, self.function.lineno - 1, -1)
        return next((names for line in lines if (names := tests.get(str(line)))), [])

    def is_within(self, lines: list[int]) -> bool:
        """Return whether some of these lines are of its function up to the fault, or cannot be told from it."""
        first = self.function.lineno if self.function else 0
        return any(first <= line <= self.line for line in lines)

    def begin(self) -> None:
        """Change the functions, or the file where it has not been read."""
        for function, code in self.changes:
            function.__code__ = code
        if not self.is_loaded:
            read = SourceFileLoader.get_code

            def get_code(loader: SourceFileLoader, name: str) -> Any:
                changed = compile(self.source, loader.path, "exec") if loader.path == str(self.path) else None
                return changed or read(loader, name)

            SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


@dataclass
class Notes:
    """What the tests of a room run, kept from one draw to the next; of what changed since, it is noted again."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests: Tests = field(default_factory=dict)
    #: The text of each file of the room, and a digest of each file of tests.
    sources: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    #: Lines of each file of the room that run while the small world is built.
    building: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Notes":
        return cls(**json.loads(path.read_text())) if path.exists() else cls()

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(vars(self)))
        new.rename(path)

    def forget_what_changed(self, room: Path, items: list[pytest.Item]) -> None:
        """Leave the tests that stand as they stood, and the lines of code where they are now."""
        files = {item.nodeid: os.path.relpath(item.path) for item in items}
        digests = {file: sha256(Path(file).read_bytes()).hexdigest() for file in {*files.values()}}
        self.seconds = {
            name: seconds
            for name, seconds in self.seconds.items()
            if name in files and self.digests.get(files[name]) == digests[files[name]]
        }
        self.digests = digests
        texts = {str(path): path.read_text() for path in room.rglob("*.py")}
        moved = {
            file: _moved(self.sources.get(file, ""), text, self.tests.get(file, {})) for file, text in texts.items()
        }
        self.tests = {
            file: {line: [name for name in names if name in self.seconds] for line, names in lines.items()}
            for file, lines in moved.items()
        }
        self.sources = texts

    def add(self, tests: Tests) -> None:
        for file, lines in tests.items():
            known = self.tests.setdefault(file, {})
            for line, names in lines.items():
                known[line] = sorted({*known.get(line, []), *names})

    def quickest(self, names: list[str]) -> list[str]:
        """The quickest of some tests, as many as are tried; those of the room first, then as many of the world."""
        own = [name for name in names if not name.startswith(WORLD)]
        return self._quickest(own) + self._quickest([name for name in names if name.startswith(WORLD)])

    def _quickest(self, names: list[str]) -> list[str]:
        in_order = sorted(names, key=lambda name: self.seconds[name])
        together = accumulate(self.seconds[name] for name in in_order)
        return [
            name
            for place, (name, seconds) in enumerate(zip(in_order, together, strict=True))
            if seconds <= _MOST_SECONDS or not place
        ]


def _moved(old: str, new: str, lines: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return what was noted of the lines of a file, where these stand in another text of it."""
    if old == new:
        return lines
    matched = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False).get_matching_blocks()
    places = {str(block.a + n + 1): str(block.b + n + 1) for block in matched for n in range(block.size)}
    return {places[line]: names for line, names in lines.items() if line in places}


class Measured:
    """Which tests run each line of a room, as coverage sees them."""

    def __init__(self, room: Path) -> None:
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=[str(room)])
        self.coverage.set_option("run:disable_warnings", ["module-not-measured", "already-imported"])
        self.contexts = [""]
        #: The context of what builds the small world.
        self.building = ""
        self.coverage.start()

    def switched(self, context: str) -> Iterator[None]:
        """Yield what runs until this goes on is noted under a name, then again under what it was before."""
        self.contexts.append(context)
        self.coverage.switch_context(context)
        yield
        self.contexts.pop()
        self.coverage.switch_context(self.contexts[-1])

    def tests_of_lines(self, items: list[pytest.Item]) -> Tests:
        """The names of the tests of each line of each file."""
        self.coverage.stop()
        users: dict[str, list[str]] = defaultdict(list)
        for item in items:
            users[item.nodeid].append(item.nodeid)
            fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            for fixture in {id(fixture): fixture for several in fixtures.values() for fixture in several}:
                users[f"fixture {fixture}"].append(item.nodeid)
        data = self.coverage.get_data()
        return {
            os.path.relpath(path): {
                str(line): sorted({name for context in contexts for name in users.get(context, [])})
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }

    def lines_of_building(self) -> dict[str, list[int]]:
        """The lines of each file that ran while the small world was built."""
        data = self.coverage.get_data()
        lines = {
            os.path.relpath(path): [
                line for line, contexts in data.contexts_by_lineno(path).items() if self.building in contexts
            ]
            for path in data.measured_files()
        }
        return lines if self.building else {}


class Home:
    """The folder that the tests write to, left to each trial as it was found."""

    def __init__(self) -> None:
        home = os.environ.get("PLUMBLINE_HOME")
        self.path = Path(home) if home else None
        self.known = set(self.path.iterdir()) if self.path else set()

    def clean(self) -> None:
        for path in set(self.path.iterdir()) - self.known if self.path else ():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def find_changes(
    path: Path, function: ast.FunctionDef, source: str, functions: dict[CodeType, list[FunctionType]]
) -> list[tuple[FunctionType, CodeType]]:
    """The functions that another source changes in one, each with its new code."""
    old, new = (
        next((code for code in _codes_in(compile(text, str(path), "exec")) if _is_of(code, function)), None)
        for text in (path.read_text(), source)
    )
    if old is None or new is None:
        return []
    return [(changed, other) for code, other in _pairs(old, new) for changed in functions.get(code, [])]


def _functions_below(room: Path) -> dict[CodeType, list[FunctionType]]:
    gc.unfreeze()
    below = str(room.resolve()) + os.sep
    found: dict[CodeType, list[FunctionType]] = defaultdict(list)
    for value in gc.get_objects():
        if type(value) is FunctionType and value.__code__.co_filename.startswith(below):
            found[value.__code__].append(value)
    gc.freeze()
    return dict(found)


def _outermost_function(tree: ast.AST, line: int) -> ast.FunctionDef | None:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            if node.body[0].lineno <= line <= (node.end_lineno or 0):
                return node
        elif found := _outermost_function(node, line):
            return found
    return None


def _is_of(code: CodeType, function: ast.FunctionDef) -> bool:
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return code.co_name == function.name and code.co_firstlineno == first


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield value
            yield from _codes_in(value)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """A code and the one that takes its place, with those of the functions within it that both have."""
    yield old, new
    others = defaultdict(list)
    for value in new.co_consts:
        if isinstance(value, CodeType):
            others[value.co_name].append(value)
    for value in old.co_consts:
        if isinstance(value, CodeType) and others[value.co_name]:
            yield from _pairs(value, others[value.co_name].pop(0))


def _forked(run: Callable[[], int], seconds: float) -> int:
    """Return what a copy of this process returns, or minus the signal that ended it."""
    pid = os.fork()
    if not pid:
        code = FAILED
        try:
            os.setsid()
            code = run()
        finally:
            os._exit(code)
    is_done, *_ = select.select([os.pidfd_open(pid)], [], [], seconds)
    if not is_done:
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def tests_of_all(room: Path, tree: Path) -> list[str]:
    """Return the tests that are of rooms like this one; none where a checkout has none."""
    wanted = (WORLD, REFUSALS) if room.parts[0] == "analysis" else (WORLD,)
    return [path for path in wanted if (tree / path).exists()]


def main() -> int:
    room, faults, found, kept, *options = sys.argv[1:]
    trier = Trier(Path(room), json.loads(Path(faults).read_text()), Path(found), Path(kept))
    return int(pytest.main([*options, str(Path("tests", room)), *tests_of_all(Path(room), Path())], plugins=[trier]))


if __name__ == "__main__":
    sys.exit(main())
