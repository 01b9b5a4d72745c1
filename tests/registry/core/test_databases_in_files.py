"""SQLite's files: opened where they are, refused once they were moved away, copied whole, refused by other releases."""

import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections
from django.db.utils import ConnectionHandler

from registry.core.storage import make_database

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


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


@contextmanager
def served_from(file: str) -> Iterator[Any]:
    """Have the site use this database for a while."""
    before = connections["default"]
    connections["default"] = wrapper = open_wrapper(Path(file))
    try:
        yield wrapper
    finally:
        connections["default"] = before
        wrapper.close()


@pytest.mark.parametrize(("name", "vendor", "is_made"), [
    ("site.sqlite3", "postgresql", False), (":memory:", "sqlite", False), ("site.sqlite3", "sqlite", True),
])  # fmt: skip
def test_a_database_is_made_where_it_is_a_file_that_is_not_there(tmp_path, monkeypatch, name, vendor, is_made):
    monkeypatch.chdir(tmp_path)
    with served_from(name) as wrapper:
        wrapper.vendor = vendor
        make_database()
    assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()] == [0o600] * is_made


def test_a_copy_is_whole_checked_and_private(tmp_path):
    (tmp_path / "site.sqlite3").touch()
    with served_from(tmp_path / "site.sqlite3") as wrapper, wrapper.cursor() as site:
        site.execute("CREATE TABLE a (b TEXT CHECK (b REGEXP '^[0-9]+$'))")
        site.execute("INSERT INTO a VALUES ('1994')")
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
        site.execute("PRAGMA ignore_check_constraints = 1")
        site.execute("INSERT INTO a VALUES ('no year')")
        with pytest.raises(CommandError, match="the copy is damaged: "):
            call_command("backup", str(file.parent / "d.sqlite3"))
        wrapper.vendor = "postgresql"
        with pytest.raises(CommandError, match="pg_dump"):
            call_command("backup", str(file.parent / "e.sqlite3"))
