"""Databases for tests, migrated once and then copied."""

import fcntl
import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).parents[1]

#: Whatever the schema follows from: with another digest of these the SQLite database is made anew.
_SOURCES = ("registry/**/migrations/*.py", "registry/core/triggers.py", "requirements.txt")
_KEPT = ROOT / ".pytest_cache" / "databases"


def run_python(*arguments: str, environment: dict[str, str], text: str = "") -> str:
    """The output of a Python program that must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def migrated_sqlite() -> Path:
    """An empty SQLite registry with every migration, kept for later test runs."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()
    path = _KEPT / f"{digest[:16]}.sqlite3"
    with _one_at_a_time(_KEPT):
        if not path.exists():
            for outdated in _KEPT.glob("*.sqlite3"):
                outdated.unlink()
            with tempfile.TemporaryDirectory(dir=_KEPT) as home:
                environment = os.environ | {"PLUMBLINE_HOME": home, "DATABASE_URL": ""}
                run_python("manage.py", "migrate", "--create", "-v0", environment=environment)
                Path(home, "plumbline.sqlite3").rename(path)
    return path


def migrated_postgresql() -> str:
    """The name of an empty registry beside the database of DATABASE_URL, made once for all processes of a test run."""
    home = Path(os.environ["PLUMBLINE_TEST_HOME"])
    with _one_at_a_time(home):
        known = home / "migrated-postgresql"
        if not known.exists():
            name = f"plumbline_migrated_{uuid.uuid4().hex[:12]}"
            with _server() as connection:
                connection.execute(f"CREATE DATABASE {name}")
            run_python("manage.py", "migrate", "-v0", environment=os.environ | {"DATABASE_URL": _url_of(name)})
            known.write_text(name)
        return known.read_text()


def drop_migrated_postgresql() -> None:
    """End what ``migrated_postgresql`` made in this test run, if anything."""
    known = Path(os.environ["PLUMBLINE_TEST_HOME"], "migrated-postgresql")
    if known.exists():
        with _server() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {known.read_text()} WITH (FORCE)")
        known.unlink()


@contextmanager
def new_postgresql() -> Iterator[str]:
    """Where an empty registry is, in a PostgreSQL database of its own."""
    name = f"plumbline_chaos_{uuid.uuid4().hex[:12]}"
    template = migrated_postgresql()
    with _server() as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield _url_of(name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def create_test_database(connection: Any) -> None:
    """Give Django its test database: a copy of the migrated one."""
    from django.conf import settings

    creation, is_sqlite = connection.creation, connection.vendor == "sqlite"
    if not is_sqlite:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_postgresql()
    creation._create_test_db(verbosity=0, autoclobber=True)
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = creation._get_test_db_name()
    connection.ensure_connection()
    if is_sqlite:
        with closing(sqlite3.connect(migrated_sqlite())) as migrated:
            migrated.backup(connection.connection)
    # Asked of the database once a process: no test counts the question among its own.
    assert connection.features.supports_json_field


def _sources() -> list[Path]:
    return sorted(path for pattern in _SOURCES for path in ROOT.glob(pattern))


def _server() -> psycopg.Connection[Any]:
    return psycopg.connect(_url_of("postgres"), autocommit=True)


def _url_of(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """What one process of a test run makes, the others wait for."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
