"""What ./test leaves out is said, and is a failure where it was required."""

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
import suite
from environment import RefusalError


class FakeProcess:
    """Ends as told, once it was looked at so many times."""

    def __init__(self, code: int, n_looks: int = 2) -> None:
        self.code, self.n_looks = code, n_looks

    def poll(self) -> int | None:
        self.n_looks -= 1
        return None if self.n_looks >= 0 else self.code


class FakeProcesses:
    """Every process ends as told; remembers the commands in the order of their starts."""

    def __init__(self, code: int = 0, output: str = "") -> None:
        self.answer = code, output
        self.commands: list[list[str]] = []
        self.environments: list[dict[str, str]] = []

    def start(self, command: list[object], output: IO[str], **options: object) -> FakeProcess:
        output.write(self.answer[1])
        self.note(command, **options)
        return FakeProcess(self.answer[0])

    def wait(self, process: FakeProcess) -> int:
        return process.code

    def finish(
        self, command: list[object], watch: Callable[[str], None] = lambda line: None, **options: object
    ) -> tuple[int, str]:
        self.note(command, **options)
        for line in self.answer[1].splitlines(keepends=True):
            watch(line)
        return self.answer

    def note(self, command: list[object], *, env: dict[str, str] | None = None, **options: object) -> None:
        self.commands.append([str(part) for part in command])
        self.environments.append(env or {})


def make_suite(*arguments: str, code: int = 0, output: str = "") -> suite.Suite:
    tests = suite.Suite(list(arguments), FakeProcesses(code, output))
    tests.python = Path("python")
    return tests


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "PLUMBLINE_REQUIRE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "create_connection", lambda address, timeout: socket.socket())  # nobody is there
    monkeypatch.setattr(time, "sleep", lambda seconds: None)


def test_what_is_not_there_is_left_out_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    tests = make_suite()
    assert tests.find_postgresql() | tests.find_redis() == {}
    assert tests.summarize() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4].startswith("left out registry tests on PostgreSQL")
    assert lines[-4].endswith("nothing answers at 127.0.0.1:5432, DATABASE_URL is not set")
    assert lines[-3].endswith("no Redis answers at 127.0.0.1:6379")
    assert lines[-1] == "All passed."


def test_what_is_required_and_not_there_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLUMBLINE_REQUIRE", "postgres,redis")
    tests = make_suite()
    tests.find_postgresql()
    tests.find_redis()
    assert tests.summarize() == 1
    assert "FAILED: registry tests on PostgreSQL, registry tests on Redis" in capsys.readouterr().out


def test_tests_keep_away_from_the_redis_database_that_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://cache:6380/0")
    site, server = socket.socketpair()
    server.sendall(b"+PONG")
    monkeypatch.setattr(socket, "create_connection", lambda address, timeout: site)
    with site, server:
        assert make_suite().find_redis() == {"REDIS_URL": "redis://cache:6380/15"}


@pytest.mark.parametrize(
    ("arguments", "has_chromium", "expected"),
    [
        ([], True, ["ruff", "ruff", "tests/browser", "tests/analysis", "tests/registry/api", "mypy"]),
        ([], False, ["ruff", "ruff", "tests/analysis", "tests/registry/api", "mypy"]),
        (["-k", "sweep"], True, ["sweep"]),
    ],
)
def test_everything_is_a_process_of_its_own_unless_tests_are_chosen(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], has_chromium: bool, expected: list[str]
) -> None:
    tests = make_suite(*arguments)
    monkeypatch.setattr(suite, "prepare_environment", lambda *_: Path("python"))
    monkeypatch.setattr(suite, "folders_in_parts", lambda *_: [["tests/analysis"], ["tests/registry/api"]])
    answers = {"find_chromium": has_chromium, "find_latex": True, "find_postgresql": {}, "find_redis": {}}
    for name, answer in answers.items():
        monkeypatch.setattr(tests, name, lambda answer=answer: answer)
    assert tests.run() == 0
    assert [command[2] if command[2] in ("ruff", "mypy") else command[-1] for command in tests.processes.commands] == (
        expected
    )


def test_selected_tests_run_on_each_database_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = make_suite("-k", "sweep")
    monkeypatch.setattr(suite, "prepare_environment", lambda *_: Path("python"))
    services = {"DATABASE_URL": "postgres://me@db/plumbline"}
    answers = {"find_chromium": True, "find_latex": True, "find_postgresql": services, "find_redis": {}}
    for name, answer in answers.items():
        monkeypatch.setattr(tests, name, lambda answer=answer: answer)
    tests.run()
    assert [environment.get("DATABASE_URL") for environment in tests.processes.environments] == [
        None, "postgres://me@db/plumbline"
    ]  # fmt: skip


def test_every_test_is_in_one_part_and_the_parts_are_of_one_size(tmp_path: Path) -> None:
    sizes = {
        "analysis/best/test_a": 9,
        "registry/api/test_b": 3,
        "registry/api/v1/test_c": 2,
        "registry/core/test_d": 4,
    }
    sizes |= {"test_docs": 1, "registry/test_e": 1, "browser/test_f": 8, "registry/core/helpers": 90}
    for name, size in sizes.items():
        file = tmp_path / "tests" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x" * size)
    assert suite.folders_in_parts(tmp_path / "tests", 3) == [
        ["tests/analysis"],
        ["tests/registry/api", "tests/test_docs.py"],
        ["tests/registry/core", "tests/registry/test_e.py"],
    ]


def test_the_parts_have_every_file_of_tests() -> None:
    parts = [suite.ROOT / path for part in suite.folders_in_parts(suite.ROOT / "tests", 8) for path in part]
    files = [file for path in parts for file in (path.rglob("test_*.py") if path.is_dir() else [path])]
    in_browser = (suite.ROOT / "tests" / "browser").rglob("test_*.py")
    assert sorted([*files, *in_browser]) == sorted((suite.ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize(("code", "outcome"), [(0, "passed"), (1, "failed")])
@pytest.mark.parametrize("n_lines", [0, 1, 20])
def test_one_task_more_than_there_are_cores_is_done_at_once_and_each_is_printed_as_it_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int, outcome: str, n_lines: int
) -> None:
    monkeypatch.setattr(suite.os, "cpu_count", lambda: 2)
    tests = make_suite(code=code, output="a.py:1: error\n" * n_lines)
    tests.do([suite.Task(name, ["-m", name]) for name in "abcd"])
    assert [command[-1] for command in tests.processes.commands] == list("abcd")
    assert {part.name: part.outcome for part in tests.parts} == dict.fromkeys("abcd", outcome)
    printed = capsys.readouterr().out
    assert printed.count("a.py:1: error") == 4 * n_lines
    lines = [line for line in printed.splitlines() if line and not line.startswith("a.py")]
    assert lines[:4] == [".. a: begun", ".. b: begun", ".. c: begun", "== a"]
    assert lines[4:] == ["== b", "== c", ".. d: begun", "== d"]


@pytest.mark.parametrize("share", ["6/5", "0/5", "two", "2/", "2"])
def test_a_share_that_is_none_is_refused(share: str) -> None:
    with pytest.raises(RefusalError, match="2/5, the second of five"):
        make_suite(f"--thorough={share}")


def test_every_test_that_was_skipped_is_listed_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = "SKIPPED [2] tests/test_a.py:188: the command is not installed"
    tests = make_suite(output=f"..s\n{skipped}\n3 passed, 2 skipped in 1 s\n")
    tests.do([tests.tests("tests on SQLite", [])])
    tests.summarize()
    assert f"tests on SQLite: {skipped}" in capsys.readouterr().out.splitlines()
