"""Nothing of the thorough tests is lost among shares and databases."""

import re
from pathlib import Path

import pytest

from tests.thoroughness import (
    IN_EVERY_SHARE,
    ON_BOTH_DATABASES,
    TESTS,
    examples_of,
    is_thorough,
    on_both_databases,
    part_of_share,
    runs_here,
    runs_slow_tests,
)

FILES = sorted(TESTS.rglob("test_*.py"))
ONLY_HERE = TESTS / "registry" / "core" / "test_latex.py"

#: SQL, locks and what only one of the databases has.
OWN_WAYS = re.compile(r"select_for_update|\.cursor\(|\.vendor\b|RawSQL|\.raw\(|contrib\.postgres")


def test_the_shares_are_all_files_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path] = []
    for number in range(1, 6):
        monkeypatch.setenv("PLUMBLINE_THOROUGH", f"{number}/5")
        found += [path for path in FILES if is_thorough(path) and runs_slow_tests(path)]
        assert all(map(runs_slow_tests, IN_EVERY_SHARE))
    assert sorted(found) == FILES
    assert set(FILES) >= IN_EVERY_SHARE


def test_the_shares_together_go_over_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = []
    for number in range(1, 6):
        monkeypatch.setenv("PLUMBLINE_THOROUGH", f"{number}/5")
        parts.append(part_of_share(range(23)))
    assert sorted(item for part in parts for item in part) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}
    monkeypatch.setenv("PLUMBLINE_THOROUGH", "all")
    assert list(part_of_share(range(23))) == list(range(23))


@pytest.mark.parametrize(
    ("thorough", "slow", "on_postgresql", "examples"),
    [("none", False, False, "plain"), ("all", True, True, "thorough"), ("", True, True, "usual")],
)
def test_what_is_thorough_runs_slow_tests_and_on_both_databases(
    monkeypatch: pytest.MonkeyPatch, thorough: str, slow: bool, on_postgresql: bool, examples: str
) -> None:
    monkeypatch.setenv("PLUMBLINE_THOROUGH", thorough)
    monkeypatch.setenv("DATABASE_URL", "postgres://db/plumbline")
    assert runs_slow_tests(ONLY_HERE) is slow
    assert examples_of(ONLY_HERE) == examples
    assert runs_here(ONLY_HERE) is on_postgresql
    assert runs_here(ONLY_HERE, "test_of_a_table") is on_postgresql
    assert all(map(runs_here, on_both_databases()))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("REDIS_URL", "")
    assert all(map(runs_here, FILES))


def test_of_some_files_single_tests_are_for_both_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    reviewing, sweep = (TESTS / "registry" / f"{name}.py" for name in ("submissions/test_reviewing", "core/test_sweep"))
    monkeypatch.setenv("DATABASE_URL", "postgres://db/plumbline")
    monkeypatch.setenv("PLUMBLINE_THOROUGH", "none")
    assert runs_here(reviewing, "test_starting_the_review_compares_anew")
    assert not runs_here(reviewing, "test_each_state_allows_what_it_should")
    assert runs_here(sweep, "test_whatever_it_has")
    monkeypatch.setenv("PLUMBLINE_THOROUGH", "all")
    assert runs_here(reviewing, "test_each_state_allows_what_it_should")


def test_every_file_and_test_for_both_databases_is_there() -> None:
    assert len(on_both_databases()) > 50
    for path, tests in on_both_databases().items():
        assert path in FILES
        assert tests <= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)), path


def test_what_needs_postgresql_or_redis_is_run_there() -> None:
    needing = {
        path for path in FILES if re.search(r"pytest\.mark\.(postgres|redis)\b", path.read_text(encoding="utf-8"))
    }
    needing -= {path for path in FILES if "\npytestmark = pytest.mark.slow\n" in path.read_text(encoding="utf-8")}
    assert len(needing) > 2
    assert needing <= {path for path, tests in on_both_databases().items() if not tests}


def test_where_many_write_at_once_both_databases_are_tried() -> None:
    n_found = 0
    for path, tests in on_both_databases().items():
        text = path.read_text(encoding="utf-8")
        at_once = set(re.findall(r"^def (test_\w+)\(.*\blab\b.*\):", text, re.MULTILINE))
        assert not tests or at_once <= tests, path
        n_found += len(at_once)
    assert n_found > 3


def test_every_app_with_ways_of_one_database_runs_on_both() -> None:
    root = TESTS.parent / "registry"
    apps = {
        path.relative_to(root).parts[0]
        for path in root.glob("*/**/*.py")
        if "migrations" not in path.parts and OWN_WAYS.search(path.read_text(encoding="utf-8"))
    }
    assert len(apps) > 5
    tested_with_others = {"journal"}
    assert apps - tested_with_others <= {folder.split("/")[0] for folder in ON_BOTH_DATABASES}
