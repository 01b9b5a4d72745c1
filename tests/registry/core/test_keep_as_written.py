"""Snapshots and the journal cannot be changed or removed, by whatever route."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction

from registry.core.checks import KEPT_AS_WRITTEN, check_triggers
from registry.core.triggers import existing_triggers, trigger_names
from registry.leaderboards.models import Snapshot
from tests.registry.factory import make_entry, make_leaderboard

pytestmark = pytest.mark.django_db


def make_snapshot() -> Snapshot:
    return Snapshot.objects.create(pk="0123456789abcdef", leaderboard=make_leaderboard(), content="{}")


@pytest.fixture(params=[make_snapshot, make_entry], ids=["snapshot", "journal"])
def row(request: pytest.FixtureRequest) -> models.Model:
    make: Callable[[], models.Model] = request.param
    return make()


def assert_refused(statement: str, *params: object) -> None:
    with (
        pytest.raises(IntegrityError, match="keeps what was written"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, params)


def test_updates_and_deletes_are_refused(row: models.Model) -> None:
    assert_refused(f"UPDATE {row._meta.db_table} SET id = id")
    assert_refused(f"DELETE FROM {row._meta.db_table}")
    for act in (row.save, row.delete):
        with pytest.raises(IntegrityError, match="keeps what was written"), transaction.atomic():
            act()
    assert type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.sqlite
def test_a_replacement_is_refused_without_recursive_triggers(row: models.Model) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers=OFF")
    assert_refused(f"REPLACE INTO {row._meta.db_table} SELECT * FROM {row._meta.db_table}")


@pytest.mark.postgres
def test_truncation_is_refused(row: models.Model) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert_refused(f"TRUNCATE {row._meta.db_table} CASCADE")


def test_every_migration_leaves_the_triggers_standing() -> None:
    wanted = set().union(*(trigger_names(table, connection.vendor) for table in KEPT_AS_WRITTEN))
    assert wanted <= existing_triggers(connection)
    assert list(check_triggers(databases=["default"])) == []


def test_a_missing_trigger_is_reported() -> None:
    with connection.cursor() as cursor:
        suffix = " ON journal_entry" if connection.vendor == "postgresql" else ""
        for name in ("update", "delete"):
            cursor.execute(f"DROP TRIGGER journal_entry_no_{name}{suffix}")
    (warning,) = check_triggers(databases=["default"])
    assert warning.id == "plumbline.W009"
    assert warning.msg == "Triggers are missing: journal_entry_no_delete, journal_entry_no_update."
    assert warning.hint == "Run manage.py migrate; after restoring a dump, restore its triggers too."


def test_flush_says_why_it_is_refused() -> None:
    with pytest.raises(CommandError, match="never erased"):
        call_command("flush", interactive=False)
