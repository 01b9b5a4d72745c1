"""SQLite's files: opened where they are, refused once they were moved away, copied whole, moved into a new site."""

import re
import sqlite3
import stat
from contextlib import closing
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.utils import ConnectionHandler

from registry.core import moving
from registry.core.management.commands import backup
from registry.core.moving import LAST, PARTS, CannotMove, Moved, SqliteBackup, is_of_last_release, move_site, new_name

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


class Cursor:
    """A cursor that takes parameters as Django's does."""

    def __init__(self, opened: sqlite3.Connection) -> None:
        self.cursor = opened.cursor()

    def execute(self, statement: str, values: Any = ()) -> None:
        self.cursor.execute(statement.replace("%s", "?"), values)

    @property
    def rowcount(self) -> int:
        return self.cursor.rowcount


def open_wrapper(file: Path) -> Any:
    settings = {"ENGINE": "registry.core.sqlite3", "NAME": str(file), "OPTIONS": {"timeout": 1}}
    return ConnectionHandler({"default": settings})["default"]


def test_no_database_is_made_where_there_is_none_and_none_is_used_that_was_moved_away(tmp_path):
    file = tmp_path / "a b.sqlite3"
    wrapper = open_wrapper(file)
    with pytest.raises(OperationalError, match=r"there is no database at .*manage\.py prepare"):
        wrapper.ensure_connection()
    assert not file.exists()
    file.touch()
    with wrapper.cursor() as cursor:
        cursor.execute("CREATE TABLE a (b)")
        cursor.execute("INSERT INTO a VALUES (1)")
    away = file.rename(tmp_path / "away.sqlite3")
    for replaced in (False, True):
        if replaced:
            file.touch()
        with pytest.raises(OperationalError, match="the database that was opened is no longer at") as refused:
            wrapper.cursor()
        assert refused.value.__cause__.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN
    wrapper.close()
    with pytest.raises(OperationalError, match="is no longer at"):
        wrapper.ensure_connection()
    away.replace(file)
    with wrapper.cursor() as cursor:
        assert cursor.execute("SELECT b FROM a").fetchall() == [(1,)]
    wrapper.set_autocommit(False)
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO a VALUES (2)")
    file.rename(away)
    with pytest.raises(OperationalError, match="is no longer at"):
        wrapper.commit()
    away.rename(file)
    wrapper.rollback()
    wrapper.close()


def test_a_copy_is_whole_checked_and_private(tmp_path, monkeypatch):
    with closing(sqlite3.connect(tmp_path / "site.sqlite3", isolation_level=None)) as site:
        site.create_function("REGEXP", 2, lambda pattern, text: True)
        site.execute("CREATE TABLE a (b TEXT CHECK (b REGEXP '^[0-9]+$'))")
        site.execute("INSERT INTO a VALUES ('1994')")
        here = SimpleNamespace(vendor="sqlite", connection=site, ensure_connection=lambda: None)
        monkeypatch.setattr(backup, "connection", here)
        file = tmp_path / "new" / "copy.sqlite3"
        out = StringIO()
        call_command("backup", str(file), stdout=out)
        assert re.fullmatch(rf"{re.escape(str(file))}: 0\.0 MB in 0\.\d s, checked\n", out.getvalue())
        assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)
        with closing(sqlite3.connect(file)) as copy:
            assert copy.execute("SELECT b FROM a").fetchall() == [("1994",)]
        with pytest.raises(CommandError, match="exists already"):
            call_command("backup", str(file))
        (file.parent / "b.sqlite3.unfinished").write_text("of another time")
        call_command("backup", str(file.parent / "b.sqlite3"), stdout=StringIO())
        assert {path.name for path in file.parent.iterdir()} == {"copy.sqlite3", "b.sqlite3"}
        with pytest.raises(CommandError, match=r"c\.sqlite3 cannot be written: "):
            call_command("backup", str(file / "c.sqlite3"))
        site.execute("INSERT INTO a VALUES ('no year')")
        with pytest.raises(CommandError, match="the copy is damaged: "):
            call_command("backup", str(file.parent / "d.sqlite3"))
        here.vendor = "postgresql"
        with pytest.raises(CommandError, match="pg_dump"):
            call_command("backup", str(file.parent / "e.sqlite3"))


def test_a_table_of_the_last_release_has_the_name_of_the_app_that_it_is_a_part_of():
    names = ["results_result", "lineage_lineage", "pairs_topicstudy", "suites_elsewheretable", "django_session"]
    assert list(map(new_name, names)) == [
        "results_result", "curation_lineage", "tools_topicstudy", "curation_elsewheretable", "django_session"
    ]  # fmt: skip
    assert is_of_last_release({("lineage", "0001_initial"), ("results", "0001_initial")})
    assert not is_of_last_release({("results", "0001_initial")})


def write_old(file: Path) -> None:
    with closing(sqlite3.connect(file)) as old:
        old.executescript(
            "CREATE TABLE django_migrations (app, name);"
            'CREATE TABLE suites_suite (id INTEGER PRIMARY KEY AUTOINCREMENT, "order" TEXT);'
            "CREATE TABLE core_job (id TEXT, kind TEXT);"
            "INSERT INTO suites_suite (id, \"order\") VALUES (3, 'a'), (5, 'b'); DELETE FROM suites_suite WHERE id = 5;"
            "INSERT INTO core_job VALUES ('x', 'y'), ('z', NULL);"
        )
        old.executemany("INSERT INTO django_migrations VALUES (?, ?)", LAST.items())
        old.commit()


def test_a_backup_gives_its_migrations_columns_rows_and_counters(tmp_path):
    file = tmp_path / "old site.sqlite3"
    write_old(file)
    with SqliteBackup.opened(file) as source, closing(sqlite3.connect(":memory:", uri=True)) as new:
        new.isolation_level = None
        new.executescript(
            'CREATE TABLE curation_suite (id INTEGER PRIMARY KEY AUTOINCREMENT, "order" TEXT);'
            "CREATE TABLE core_job (id TEXT, kind TEXT); INSERT INTO curation_suite VALUES (900, 'x');"
            "DELETE FROM curation_suite;"
        )
        assert source.migrations() == set(LAST.items())
        assert source.columns() == {
            "core_job": {"id", "kind"}, "django_migrations": {"app", "name"}, "suites_suite": {"id", "order"}
        }  # fmt: skip
        cursor: Any = Cursor(new)
        with source.beside(cursor):
            assert source.copy(cursor, "suites_suite", "curation_suite", ["id", "order"]) == 1
            assert source.copy(cursor, "core_job", "core_job", ["id", "kind"]) == 2
            source.copy_counters(cursor, {"suites_suite": "curation_suite", "core_job": "core_job"})
        assert new.execute("PRAGMA database_list").fetchall()[-1][1] == "main"
        assert new.execute('SELECT id, "order" FROM curation_suite').fetchall() == [(3, "a")]
        assert new.execute("SELECT id, kind FROM core_job ORDER BY id").fetchall() == [("x", "y"), ("z", None)]
        assert new.execute("SELECT name, seq FROM sqlite_sequence").fetchall() == [("curation_suite", 5)]
        source.copy_counters(cursor, {})
    (tmp_path / "old site.sqlite3-wal").touch()
    with SqliteBackup.opened(file) as source:
        assert source.migrations()
    (tmp_path / "old site.sqlite3-wal").write_bytes(b"log")
    with pytest.raises(CannotMove, match="it is in use, or was not closed"), SqliteBackup.opened(file):
        pass
    other = tmp_path / "other"
    other.write_text("no database at all, but a text that is long enough to be taken for the head of one" * 9)
    with SqliteBackup.opened(other) as source, pytest.raises(CannotMove, match="it is no backup of a site"):
        source.migrations()


class Old:
    """A source with these migrations and tables, which says what was copied."""

    def __init__(self, applied: dict[str, str], tables: dict[str, set[str]] | None = None) -> None:
        self.applied, self.tables, self.copied = applied, tables or {}, []

    def migrations(self) -> set[tuple[str, str]]:
        return set(self.applied.items())

    def columns(self) -> dict[str, set[str]]:
        return self.tables

    def beside(self, cursor: Any) -> Any:
        return moving.nullcontext()

    def copy(self, cursor: Any, old: str, new: str, columns: list[str]) -> int:
        self.copied.append((old, new, columns))
        return 10

    def copy_counters(self, cursor: Any, tables: dict[str, str]) -> None:
        self.copied.append(tables)


def test_only_a_site_of_the_last_release_is_moved_and_only_where_there_is_a_place_for_all_of_it(monkeypatch):
    behind = LAST | {"results": "0011_other", "core": "0008_other"}
    with pytest.raises(CannotMove, match=r"not of the last release before this one \(core, results\)"):
        move_site(Old(behind))
    with pytest.raises(CannotMove, match=r"\(it was moved already\)"):
        move_site(Old(LAST | {"curation": "0001_initial"}))
    with pytest.raises(CannotMove, match=r"\(journal\)"):
        move_site(Old({app: name for app, name in LAST.items() if app != "journal"}))
    with pytest.raises(CannotMove, match="the new database is not empty"):
        move_site(Old(LAST | {"auth": "0001_initial"}))

    checked: list[str] = []
    described = {"core_job": ["id", "kind"], "curation_suite": ["id"]}
    introspection = SimpleNamespace(
        table_names=lambda cursor=None: list(described) if cursor else [],
        get_table_description=lambda cursor, table: [SimpleNamespace(name=name) for name in described[table]],
    )
    new = SimpleNamespace(
        vendor=connection.vendor,
        cursor=connection.cursor,
        introspection=introspection,
        check_constraints=lambda: checked.append("checked"),
    )
    monkeypatch.setattr(moving, "connection", new)
    monkeypatch.setattr(moving, "_make_tables", lambda: checked.append("made"))
    ContentType.objects.bulk_create(
        ContentType(app_label=app, model=f"of {app}") for app in ("pairs", "cautions", "made up")
    )
    source = Old(LAST, {"core_job": {"kind", "id"}, "suites_suite": {"id"}, "django_migrations": {"app", "name"}})
    assert move_site(source) == Moved(n_tables=2, n_rows=20)
    assert source.copied == [
        ("core_job", "core_job", ["id", "kind"]),
        ("suites_suite", "curation_suite", ["id"]),
        {"core_job": "core_job", "suites_suite": "curation_suite"},
    ]
    assert checked == ["made", "checked"]
    kinds = ContentType.objects.filter(model__startswith="of ").order_by("model")
    assert list(kinds.values_list("app_label", flat=True)) == ["curation", "made up", "tools"]
    assert set(PARTS.values()) == {"curation", "tools"}
    with pytest.raises(CannotMove, match="there is no place for its table runs_run"):
        move_site(Old(LAST, {"runs_run": {"id"}}))
    with pytest.raises(CannotMove, match="columns of core_job are others than those of the last release: args, kind"):
        move_site(Old(LAST, {"core_job": {"id", "args"}}))
