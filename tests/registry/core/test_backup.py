"""A backup is the whole database at one moment, and a site can be started from it."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings

from tests.registry.core.lab import Lab

MAKE = "from tests.registry.factory import make_entry; make_entry(subject_id=%r)"
COUNT = "SELECT count(*) FROM journal_entry WHERE action = 'results.file.loaded'"


def make_entry(lab: Lab, subject: str) -> None:
    lab.shell(MAKE % subject)


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


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pg_restore"), reason="needs PostgreSQL's client")
def test_a_team_goes_back_to_its_backup(database_url: str, tmp_path: Path) -> None:
    lab = Lab(tmp_path, database_url)
    make_entry(lab, "before")
    file = str(tmp_path / "backup")
    subprocess.run(["pg_dump", "--format=custom", f"--file={file}", database_url], check=True)
    make_entry(lab, "after")
    assert lab.query(COUNT) == [(2,)]

    server = urlsplit(database_url)._replace(path="/postgres").geturl()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {lab.database} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {lab.database}")
    subprocess.run(["pg_restore", "--no-acl", f"--dbname={database_url}", file], check=True)
    lab.run("manage.py", "migrate", "--check")
    lab.run("manage.py", "check", "--database", "default")
    assert lab.query(COUNT) == [(1,)]
    with pytest.raises(psycopg.Error, match="keeps what was written"):
        lab.query("DELETE FROM journal_entry")
    lab.run("manage.py", "verify")


@pytest.mark.sqlite
def test_without_a_database_there_is_no_backup_and_one_line_about_it(tmp_path: Path) -> None:
    environment = os.environ | {"PLUMBLINE_HOME": str(tmp_path / "home"), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "backup", str(tmp_path / "copy")]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("The database cannot be used: there is no database at ")
    assert ended.stderr.count("\n") == 1
    assert not list(tmp_path.glob("copy*"))
