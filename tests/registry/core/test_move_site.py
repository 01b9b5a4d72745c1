"""A site of the last release is moved into a new database with its accounts, drafts, log and seals."""

import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from registry.core.moving import LAST, CannotMove, is_of_last_release, move_site, new_name
from tests.databases import ROOT, migrated_sqlite, new_postgresql, run_python

OLD_SITE = Path(__file__).parent / "old_site"
#: In which app each table was that is in another now.
OLD_NAMES = {
    **dict.fromkeys(("lineage", "lineagedecision", "paperlink", "systemfacts", "trainingdeclaration"), "lineage"),
    **dict.fromkeys(("suite", "suitemember", "elsewheretable"), "suites"),
    **dict.fromkeys(("cautionanswer", "cautiondecision"), "cautions"),
    **dict.fromkeys(("oddity", "odditydecision"), "oddities"),
    "topicstudy": "pairs",
    "resolution": "resolution",
    "errand": "submissions",
}
VERIFIED = """
import io
from django.core.management import call_command
def assert_verified():
    told = io.StringIO()
    call_command("verify", stdout=told)
    assert ", 0 problems" in told.getvalue()
assert_verified()
"""
REFUSALS = """
import sys, django; django.setup()
from django.core.management import CommandError, call_command
for name in sys.argv[1:]:
    try:
        call_command("move_site", name)
    except CommandError as refusal:
        print(str(refusal).replace(chr(10), " "))
"""
WHO = """
from django.contrib.admin.models import LogEntry
from registry.accounts.models import ApiToken, User
from registry.submissions.models import Submission
from registry.submissions.services.drafting import update_row
karen, grace = User.objects.get(username="karen"), User.objects.get(username="grace")
assert karen.check_password("a long password to sign in with")
assert ApiToken.objects.live().get().user == karen
assert grace.has_perms(["curation.view_lineage", "curation.view_oddity"])
assert not grace.has_perm("curation.view_suite")
assert LogEntry.objects.get().get_edited_object().key == "model:bge"
drafts = Submission.objects.filter(state="draft", contributor=karen)
print(sorted(drafts.values_list("rows__cells__system", flat=True)))
draft = drafts.get()
update_row(submission=draft, line=1, cells={"value": "0.32"}, version=draft.version, actor=karen)
assert User.objects.create_user("new").pk == 7
"""


def old_name(table: str) -> str:
    model = table.partition("_")[2]
    return f"{OLD_NAMES[model]}_{model}" if model in OLD_NAMES else table


class Given:
    """A database of which only its migrations are known."""

    def __init__(self, applied: set[tuple[str, str]]) -> None:
        self._applied = applied

    def migrations(self) -> set[tuple[str, str]]:
        return self._applied


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "less", "why"),
    [
        (set(), set(), "the new database is not empty: point DATABASE_URL or PLUMBLINE_HOME to an empty place"),
        ({("sessions", "0001_initial"), ("core", "0001_initial")}, set(), "the new database is not empty: point "),
        ({(app, "0000_first") for app in LAST}, set(), "the new database is not empty: point "),
        (set(), {"catalog"}, "it is not of the last release before this one (catalog)"),
        ({("catalog", "0006_later")}, {"journal"}, "it is not of the last release before this one (catalog, journal)"),
        ({("curation", "0001_initial")}, set(), "it is not of the last release before this one (it was moved already)"),
    ],
)
def test_what_cannot_be_moved_is_told_apart(more: set[tuple[str, str]], less: set[str], why: str) -> None:
    applied = more | {(app, name) for app, name in LAST.items() if app not in less}
    with pytest.raises(CannotMove) as refusal:
        move_site(Given(applied))  # type: ignore[arg-type]
    assert str(refusal.value).startswith(why)


def test_a_database_of_the_last_release_is_known_by_the_apps_that_are_parts_of_others_now() -> None:
    assert is_of_last_release({("lineage", "0001_initial"), ("core", "0001_initial")})
    assert not is_of_last_release({("curation", "0001_initial"), ("core", "0001_initial")})
    assert not is_of_last_release(set())
    names = ("lineage_systemfacts", "pairs_topicstudy", "results_result", "django_content_type", "accounts_user_groups")
    assert [new_name(name) for name in names] == ["curation_systemfacts", "tools_topicstudy", *names[2:]]


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the old site."""
    file = tmp_path_factory.mktemp("old") / "backup.sqlite3"
    file.write_bytes(lzma.decompress((OLD_SITE / "old.sqlite3.xz").read_bytes()))
    return file


def embedded(home: Path) -> dict[str, str]:
    return os.environ | {"PLUMBLINE_HOME": str(home), "DATABASE_URL": "", "REDIS_URL": ""}


@pytest.fixture(scope="module")
def moved(backup: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the old site is now."""
    home = tmp_path_factory.mktemp("moved")
    told = run_python("manage.py", "move_site", str(backup), environment=embedded(home))
    assert "rows of 78 tables are moved" in told
    return home


def rows(file: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as opened:
        return opened.execute(question).fetchall()


def refused(home: Path, *arguments: str) -> str:
    """What a command says that fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], env=embedded(home), cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


#: Tables that the release before did not have; with each come a kind of content and permissions.
MADE_SINCE = {
    "catalog_collectionlink", "catalog_density", "curation_collectionpaper", "leaderboards_methodchange",
    "results_model", "runs_owncollection", "runs_ownmeasure", "submissions_upstreamupdate", "tools_redrawnfigures",
}  # fmt: skip
#: What is derived, and made again after the move.
MADE_AGAIN = {"search_indexstate", "search_term"}
NEW_PERMISSIONS = (
    "content_type_id IN (SELECT id FROM django_content_type WHERE app_label || '_' || model IN "
    f"({', '.join(repr(name) for name in sorted(MADE_SINCE))}))"
)


@pytest.mark.slow
@pytest.mark.sqlite
def test_every_row_of_every_table_is_there(backup: Path, moved: Path) -> None:
    new, tables = moved / "plumbline.sqlite3", "SELECT name FROM sqlite_master WHERE type = 'table'"
    ours = {name for (name,) in rows(new, tables)} - {"django_migrations", "sqlite_sequence"}
    assert ours >= MADE_SINCE
    assert {name for name in MADE_SINCE | MADE_AGAIN if rows(new, f"SELECT * FROM {name}")} == set()
    ours -= MADE_SINCE
    assert {old_name(name) for name in ours} == {name for (name,) in rows(backup, tables)} - {
        "django_migrations",
        "sqlite_sequence",
    }
    for table in ours - {"django_content_type"} - MADE_AGAIN:
        named = f"SELECT name FROM pragma_table_info('{old_name(table)}')"
        columns = ", ".join(f'"{name}"' for (name,) in rows(backup, named))
        kept = f"WHERE NOT {NEW_PERMISSIONS}" if table == "auth_permission" else ""
        here, there = (
            rows(file, f"SELECT {columns} FROM {name} {kept} ORDER BY {columns}")
            for file, name in ((new, table), (backup, old_name(table)))
        )
        assert here == there, table
    counters = "SELECT name, seq FROM sqlite_sequence WHERE seq > 0 AND name <> 'django_migrations'"
    here = {old_name(name): last for name, last in rows(new, counters)}
    there = {name: last for name, last in rows(backup, counters) if name not in MADE_AGAIN}
    n_made = len(MADE_SINCE)
    come = {"auth_permission": 4 * n_made, "django_content_type": n_made}
    assert {name: there[name] for name in come} == {name: here[name] - n for name, n in come.items()}
    assert here | {name: there[name] for name in come} == there


@pytest.mark.slow
@pytest.mark.sqlite
def test_its_tables_and_triggers_are_those_of_a_new_site(moved: Path) -> None:
    asked = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
    assert rows(moved / "plumbline.sqlite3", asked) == rows(migrated_sqlite(), asked)


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_record_is_what_was_recorded_and_people_go_on(moved: Path, tmp_path: Path) -> None:
    shutil.copytree(moved, tmp_path, dirs_exist_ok=True)
    go_on(embedded(tmp_path))


def go_on(environment: dict[str, str]) -> None:
    program = f"{VERIFIED}{WHO}assert_verified()\n"
    assert run_python("manage.py", "shell", "-v0", "-c", program, environment=environment) == "['a draft']\n"


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_database_in_which_something_is_stays_as_it_is(backup: Path, moved: Path) -> None:
    file = moved / "plumbline.sqlite3"
    before = rows(file, "SELECT count(*) FROM journal_entry")
    assert "the new database is not empty" in refused(moved, "move_site", str(backup))
    assert rows(file, "SELECT count(*) FROM journal_entry") == before


@pytest.mark.slow
@pytest.mark.sqlite
def test_what_is_no_site_of_the_last_release_is_refused(backup: Path, moved: Path, tmp_path: Path) -> None:
    behind = tmp_path / "behind.sqlite3"
    shutil.copy(backup, behind)
    with closing(sqlite3.connect(behind)) as opened, opened:
        opened.execute("DELETE FROM django_migrations WHERE name = '0012_retraction'")
    (tmp_path / "text").write_text("no database")
    refusals = {
        str(behind): "it is not of the last release before this one (results)",
        str(moved / "plumbline.sqlite3"): "it is not of the last release before this one",
        str(tmp_path / "text"): "it is no backup of a site",
        str(tmp_path / "missing"): "there is no file",
        "postgres://localhost/old": "A site on PostgreSQL is moved into PostgreSQL",
    }
    environment = embedded(tmp_path / "new") | {"DJANGO_SETTINGS_MODULE": "registry.settings"}
    told = run_python("-c", REFUSALS, *refusals, environment=environment).splitlines()
    assert len(told) == len(refusals)
    for why, refusal in zip(refusals.values(), told, strict=True):
        assert why in refusal
    assert "Bring it to that one first" in told[0]
    assert not (tmp_path / "new" / "plumbline.sqlite3").exists()


@pytest.mark.slow
@pytest.mark.sqlite
def test_an_old_site_is_not_changed_in_place(backup: Path, tmp_path: Path) -> None:
    file = tmp_path / "plumbline.sqlite3"
    shutil.copy(backup, file)
    file.chmod(0o600)
    for command in ("migrate", "prepare"):
        assert "Move it into a new one with manage.py move_site" in refused(tmp_path, command)
    with closing(sqlite3.connect(file)) as opened:
        assert not opened.execute("SELECT name FROM sqlite_master WHERE name LIKE 'curation%'").fetchall()


@pytest.fixture
def databases() -> Iterator[tuple[str, str]]:
    """An old site and an empty database, on PostgreSQL."""
    if not os.environ.get("DATABASE_URL"):
        pytest.skip("needs PostgreSQL: set DATABASE_URL")
    with new_postgresql() as old, new_postgresql() as new:
        for address in (old, new):
            with psycopg.connect(address) as opened:
                opened.execute("DROP SCHEMA public CASCADE")
                opened.execute("CREATE SCHEMA public")
        with psycopg.connect(old) as opened:
            opened.execute(lzma.decompress((OLD_SITE / "old.sql.xz").read_bytes()))
        yield old, new


@pytest.mark.slow
@pytest.mark.postgres
def test_on_postgresql_too(databases: tuple[str, str]) -> None:
    old, new = databases
    environment = os.environ | {"DATABASE_URL": new}
    assert "rows of 78 tables" in run_python("manage.py", "move_site", old, environment=environment)
    with psycopg.connect(old) as before, psycopg.connect(new) as after:
        tables = after.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        same = {name for (name,) in tables} - {"django_migrations", "django_content_type"} - MADE_AGAIN - MADE_SINCE
        assert len(tables) == len(same) + 2 + len(MADE_AGAIN | MADE_SINCE)
        for table in same:
            named = "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY column_name"
            columns = ", ".join(f't."{name}"' for (name,) in before.execute(named, [old_name(table)]))
            kept = f"WHERE NOT {NEW_PERMISSIONS}" if table == "auth_permission" else ""
            asked = f"SELECT jsonb_agg(j ORDER BY j) FROM {{}} t, jsonb_build_array({{}}) j {kept}"
            here, there = (
                database.execute(asked.format(name, columns)).fetchone()
                for database, name in ((after, table), (before, old_name(table)))
            )
            assert here == there, table
    go_on(environment)
