"""Databases and static files for the sites of tests, made once and then copied."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).parents[1]

#: Whatever the schema follows from, and what ships with it: with another digest of these a database is made anew.
_SCHEMA = (
    "registry/**/migrations/*.py",
    "registry/core/triggers.py",
    "registry/journal/*.py",
    "registry/dumps/tables.py",
    "requirements.txt",
)
_SITE = ("registry/**/*.py", "analysis/**/*", "data/**/*", "requirements.txt")
_STATIC = (
    "registry/settings.py",
    "registry/core/staticfiles.py",
    "static/**/*",
    "docs/images/**/*",
    "requirements.txt",
)
_KEPT = ROOT / ".pytest_cache" / "databases"

#: In one process: starting Django costs more than most of these commands.
_LOADING = """
import django
django.setup()
from django.core.management import call_command
call_command("load_catalog", "data", verbosity=0)
call_command("load_results", "data/results/robust04_papers.csv", verbosity=0)
call_command("recompute", verbosity=0)
call_command("index_search", verbosity=0)
"""


def run_python(*arguments: str, environment: dict[str, str], text: str = "") -> str:
    """The output of a Python program that must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments], input=text, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def migrated_sqlite() -> Path:
    """An empty SQLite registry with every migration, kept for later test runs."""

    def migrate(home: str) -> None:
        run_python("manage.py", "migrate", "--create", "-v0", environment=_embedded(home))

    return _kept("migrated", _SCHEMA, migrate)


def loaded_sqlite() -> Path:
    """A SQLite registry with the catalog that ships and the papers of Robust04, analysed, indexed; kept for a day."""
    migrated = migrated_sqlite()

    def load(home: str) -> None:
        file = Path(home, "plumbline.sqlite3")
        shutil.copyfile(migrated, file)
        file.chmod(0o600)
        run_python("-c", _LOADING, environment=_embedded(home) | {"DJANGO_SETTINGS_MODULE": "registry.settings"})

    return _kept("loaded", _SITE, load, str(date.today()))


def collect_static_files(home: Path) -> None:
    """Give the site of a home what ``collectstatic`` collects; kept for later test runs."""

    def collect(made: str) -> None:
        run_python("manage.py", "collectstatic", "--noinput", "-v0", environment=_embedded(made))

    kept = _kept("static", _STATIC, collect, made="static")
    shutil.copytree(kept, home / "static", dirs_exist_ok=True)


def migrated_postgresql() -> str:
    """The name of an empty registry beside the database of DATABASE_URL, made once in a test run."""
    known = Path(os.environ["PLUMBLINE_TEST_HOME"], "migrated-postgresql")
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


def _kept(
    name: str, patterns: tuple[str, ...], make: Callable[[str], None], *more: str, made: str = "plumbline.sqlite3"
) -> Path:
    """Return what stands as ``made`` in a home that ``make`` fills, made anew where the files of these patterns are
    others."""
    digest = hashlib.sha256("".join(more).encode())
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()):
        digest.update(path.read_bytes())
    suffix = Path(made).suffix
    kept = _KEPT / f"{name}-{digest.hexdigest()[:16]}{suffix}"
    with _one_at_a_time(_KEPT / name):
        if not kept.exists():
            for outdated in _KEPT.glob(f"{name}-*{suffix}"):
                shutil.rmtree(outdated) if outdated.is_dir() else outdated.unlink()
            with tempfile.TemporaryDirectory(dir=_KEPT) as home:
                make(home)
                Path(home, made).rename(kept)
    return kept


def _embedded(home: str) -> dict[str, str]:
    return os.environ | {"PLUMBLINE_HOME": home, "DATABASE_URL": "", "REDIS_URL": ""}


def _server() -> psycopg.Connection[Any]:
    return psycopg.connect(_url_of("postgres"), autocommit=True)


def _url_of(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """What one process makes, others wait for that run tests at the same time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
