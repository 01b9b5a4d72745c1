"""Nothing of the thorough tests is lost among shares and databases."""

import re
from pathlib import Path

import pytest

from tests.thoroughness import (
    IN_EVERY_SHARE,
    ON_BOTH_DATABASES,
    TESTS,
    examples_of,
    files_on_both_databases,
    is_thorough,
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
    assert all(map(runs_here, files_on_both_databases()))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("REDIS_URL", "")
    assert all(map(runs_here, FILES))


def test_every_file_for_both_databases_is_there() -> None:
    assert files_on_both_databases() <= set(FILES)


def test_what_needs_postgresql_or_redis_is_run_there() -> None:
    needing = {
        path for path in FILES if re.search(r"pytest\.mark\.(postgres|redis)\b", path.read_text(encoding="utf-8"))
    }
    needing -= {path for path in FILES if "\npytestmark = pytest.mark.slow\n" in path.read_text(encoding="utf-8")}
    assert len(needing) > 2
    assert needing <= files_on_both_databases()


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
