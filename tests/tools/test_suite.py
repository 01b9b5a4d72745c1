"""What ./test leaves out is said, and is a failure where it was required."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
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
    made = suite.Suite(list(arguments), FakeProcesses(code, output))
    made.python = Path("python")
    return made


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "PLUMBLINE_REQUIRE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(suite, "_answers", lambda *arguments: False)
    monkeypatch.setattr(suite, "_LOOK_SECONDS", 0)


def test_what_is_not_there_is_left_out_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    made = make_suite()
    assert made.find_postgresql() | made.find_redis() == {}
    assert made.summarize() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4].startswith("left out registry tests on PostgreSQL")
    assert lines[-4].endswith("nothing answers at 127.0.0.1:5432, DATABASE_URL is not set")
    assert lines[-3].endswith("no Redis answers at 127.0.0.1:6379")
    assert lines[-1] == "All passed."


def test_what_is_required_and_not_there_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLUMBLINE_REQUIRE", "postgres,redis")
    made = make_suite()
    made.find_postgresql()
    made.find_redis()
    assert made.summarize() == 1
    assert "FAILED: registry tests on PostgreSQL, registry tests on Redis" in capsys.readouterr().out


def test_a_database_that_cannot_be_used_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://me@db/plumbline")
    made = make_suite(output="its user may not create the test database\n")
    assert made.find_postgresql() == {}
    assert made.parts[-1].remark == "its user may not create the test database"


def test_tests_keep_away_from_the_redis_database_that_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://cache:6380/0")
    monkeypatch.setattr(suite, "_answers", lambda *arguments: True)
    assert make_suite().find_redis() == {"REDIS_URL": "redis://cache:6380/15"}


def test_settings_of_the_site_do_not_reach_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_HOME", "/srv/plumbline")
    monkeypatch.setenv("SECRET_KEY", "secret")
    assert {"PLUMBLINE_HOME", "SECRET_KEY"}.isdisjoint(make_suite().environment)


@pytest.mark.parametrize(
    ("arguments", "browser", "expected"),
    [
        ([], False, ["not benchmark and not browser", "-n", "2", "--dist", "worksteal", "--ignore=tests/browser"]),
        (["-k", "sweep"], True, ["not benchmark", "-k", "sweep"]),
        (["--thorough", "-k", "sweep"], True, ["not benchmark", "-k", "sweep"]),
    ],
)
def test_arguments_reach_pytest(arguments: list[str], browser: bool, expected: list[str]) -> None:
    made = make_suite(*arguments)
    assert made.tests("tests", {}, browser=browser).arguments == [
        "-m", "pytest", "-q", "--durations=25", "-m", *expected
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "has_chromium", "expected"),
    [
        ([], True, ["--ignore=tests/browser", "tests/browser"]),
        ([], False, ["--ignore=tests/browser"]),
        (["-k", "sweep"], True, ["sweep"]),
    ],
)
def test_what_needs_a_browser_runs_apart_unless_tests_are_chosen(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], has_chromium: bool, expected: list[str]
) -> None:
    made = make_suite(*arguments)
    monkeypatch.setattr(suite, "prepare_environment", lambda *_: Path("python"))
    found = {"find_chromium": has_chromium, "find_latex": True, "find_postgresql": {}, "find_redis": {}}
    found["find_compiled"] = []
    for name, answer in found.items():
        monkeypatch.setattr(made, name, lambda answer=answer: answer)
    made.run()
    runs = [command for command in made.processes.commands if "pytest" in command]
    assert {command[-1] for command in runs} == set(expected)
    # Each process of the browser's tests would load a site.
    assert all("1" in command for command in runs if command[-1] == "tests/browser")


@pytest.mark.parametrize(("code", "outcome"), [(0, "passed"), (1, "failed")])
@pytest.mark.parametrize("n_lines", [0, 1, 20])
def test_others_are_done_beside_the_tests_each_once_and_what_is_wrong_is_printed_after(
    capsys: pytest.CaptureFixture[str], code: int, outcome: str, n_lines: int
) -> None:
    made = make_suite(code=code, output="a.py:1: error\n" * n_lines)
    made.do(
        suite.Task("first", ["-m", "a"]),
        suite.Task("second", ["-m", "c"]),
        beside=[suite.Task("mypy", ["-m", "mypy"]), suite.Task("third", ["-m", "b"])],
    )
    assert sorted(command[-1] for command in made.processes.commands) == ["a", "b", "c", "mypy"]
    names = ("first", "second", "mypy", "third")
    assert {part.name: part.outcome for part in made.parts} == dict.fromkeys(names, outcome)
    printed = capsys.readouterr().out
    assert printed.count("a.py:1: error") == 4 * n_lines
    assert [line for line in printed.splitlines() if line.startswith("==")] == [
        "== first", "== second", "== mypy, beside the tests on SQLite", "== third, beside the tests on SQLite"
    ]  # fmt: skip


def test_tests_are_compiled_once_where_they_are_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    (task,) = make_suite().find_compiled()
    assert "--collect-only" in task.arguments
    assert make_suite("-k", "sweep").find_compiled() == []
    for code in (0, 1):
        made = make_suite(code=code, output="tests/test_docs.py: 12\n")
        made.do(*made.find_compiled())
        assert ("test_docs" in capsys.readouterr().out) == bool(code)
    compiled = tmp_path / "tests" / "__pycache__"
    compiled.mkdir(parents=True)
    (compiled / "test_docs.cpython-311-pytest-9.2.0.pyc").touch()
    assert make_suite().find_compiled() == []


def test_services_reach_the_tests_of_the_registry() -> None:
    made = make_suite()
    made.do(made.tests("tests", {"REDIS_URL": "redis://cache:6380/15"}, browser=False, folder="tests/registry"))
    assert made.processes.commands[0][-1] == "tests/registry"
    assert "--allow-hosts=127.0.0.1,::1,cache" in made.processes.commands[0]
    assert made.processes.environments[0]["REDIS_URL"] == "redis://cache:6380/15"


@pytest.mark.parametrize(
    ("arguments", "thorough", "left_out"),
    [
        ([], "none", "calibrations and other thorough tests         ./test --thorough runs them"),
        (["--thorough=2/5"], "2/5", "thorough tests of the other files             this is share 2/5 by the commit"),
        (["--thorough"], "all", ""),
    ],
)
def test_how_thorough_it_is_reaches_the_tests_and_is_said(
    capsys: pytest.CaptureFixture[str], arguments: list[str], thorough: str, left_out: str
) -> None:
    made = make_suite(*arguments)
    made.do(made.tests("tests", {}, browser=False))
    assert made.processes.environments[0]["PLUMBLINE_THOROUGH"] == thorough
    made.summarize()
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if "thorough" in line] == [f"left out {' '.join(left_out.split())}"] * bool(left_out)


@pytest.mark.parametrize("share", ["6/5", "0/5", "two", "2/", "2"])
def test_a_share_that_is_none_is_refused(share: str) -> None:
    with pytest.raises(RefusalError, match="2/5, the second of five"):
        make_suite(f"--thorough={share}")


@pytest.mark.parametrize(
    ("code", "arguments", "outcome"),
    [(0, [], "passed"), (1, [], "failed"), (5, [], "failed"), (5, ["-k", "x"], "nothing")],
)
def test_outcomes_are_told_apart(code: int, arguments: list[str], outcome: str) -> None:
    made = make_suite(*arguments, code=code, output="…\n==== 3 passed in 1 s ====\n")
    made.do(made.tests("tests", {}, browser=False))
    assert (made.parts[-1].outcome, made.parts[-1].remark) == (outcome, "3 passed in 1 s")


def test_every_test_that_was_skipped_is_listed_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = "SKIPPED [2] tests/test_a.py:188: the command is not installed"
    made = make_suite(output=f"..s\n{skipped}\n3 passed, 2 skipped in 1 s\n")
    made.do(made.tests("tests on SQLite", {}, browser=False))
    made.summarize()
    assert f"tests on SQLite: {skipped}" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("names", "code"), [([], 0), (["pdflatex"], 0), (["pdflatex", "kpsewhich"], 1)])
def test_without_latex_its_tests_are_left_out(monkeypatch: pytest.MonkeyPatch, names: list[str], code: int) -> None:
    monkeypatch.setattr(suite, "shutil", SimpleNamespace(which=lambda name: name in names or None))
    made = make_suite(code=code)
    assert not made.find_latex()
    assert (made.parts[-1].name, made.parts[-1].outcome) == ("tests of LaTeX", "left out")
    assert "apt install texlive-latex-recommended" in made.parts[-1].remark
    monkeypatch.setenv("PLUMBLINE_REQUIRE", "tex")
    required = make_suite(code=code)
    required.find_latex()
    assert required.parts[-1].outcome == "failed"


def test_latex_on_the_path_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "shutil", SimpleNamespace(which=lambda name: f"/usr/bin/{name}"))
    made = make_suite()
    assert made.find_latex()
    assert made.processes.commands == [["kpsewhich", "booktabs.sty"]]
    assert made.parts == []


def test_a_browser_on_the_path_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "shutil", SimpleNamespace(which={"chromium-browser": "/opt/chromium"}.get))
    made = make_suite()
    assert made.find_chromium()
    assert made.environment["PLUMBLINE_CHROMIUM"] == "/opt/chromium"
    assert made.processes.commands == []


def test_without_a_browser_one_is_installed_or_the_tests_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "shutil", SimpleNamespace(which=lambda name: None))
    monkeypatch.setattr(suite.os, "geteuid", lambda: 1000)
    made = make_suite(code=1, output="Downloading …\nno route to host\n")
    assert not made.find_chromium()
    assert made.processes.commands == [["python", "-m", "playwright", "install", "chromium"]]
    assert made.parts[-1].remark == "no Chromium, and none could be installed: no route to host"
