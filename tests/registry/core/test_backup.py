"""A backup is the whole database at one moment, and a site can be started from it."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.registry.core.lab import Lab

MAKE = "from tests.registry.factory import make_entry; make_entry(subject_id=%r)"
COUNT = "SELECT count(*) FROM journal_entry WHERE action = 'results.file.loaded'"


def make_entry(lab: Lab, subject: str) -> None:
    lab.run("manage.py", "shell", "-v0", "-c", MAKE % subject)


@pytest.mark.sqlite
@pytest.mark.slow
def test_a_site_goes_back_to_its_backup(embedded_lab: Lab, tmp_path: Path) -> None:
    make_entry(embedded_lab, "before")
    file = tmp_path / "backup.sqlite3"
    assert "checked" in embedded_lab.run("manage.py", "backup", str(file))
    make_entry(embedded_lab, "after")
    assert embedded_lab.query(COUNT) == [(2,)]

    for leftover in tmp_path.glob("plumbline.sqlite3*"):
        leftover.unlink()
    file.rename(tmp_path / "plumbline.sqlite3")
    embedded_lab.run("manage.py", "migrate", "--check")
    assert embedded_lab.query(COUNT) == [(1,)]
    with pytest.raises(sqlite3.IntegrityError, match="keeps what was written"):
        embedded_lab.query("DELETE FROM journal_entry")
    embedded_lab.run("manage.py", "verify")


@pytest.mark.sqlite
@pytest.mark.django_db
def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "precious"


@pytest.mark.sqlite
@pytest.mark.django_db
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot be written: .*No such file or directory"):
        call_command("backup", tmp_path / "missing" / "folder" / "copy")


@pytest.mark.sqlite
def test_without_a_database_there_is_no_backup_and_one_line_about_it(tmp_path: Path) -> None:
    environment = os.environ | {"PLUMBLINE_HOME": str(tmp_path / "home"), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "backup", str(tmp_path / "copy")]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("The database cannot be used: there is no database at ")
    assert ended.stderr.count("\n") == 1
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.postgres
@pytest.mark.django_db
def test_postgresql_has_its_own_tool(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", tmp_path / "copy")
