"""Whatever is changed, removed or added behind the journal is named: each column of each table of the record."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction

from analysis.heads import leaf_of, read_heads, root_by_proof
from plumbline.desk import verify_heads
from registry.accounts.models import User
from registry.core.jobs import ROUTINES
from registry.dumps.services import export_dump
from registry.journal.chain import check_seals
from registry.journal.models import Entry, Seal
from registry.journal.sealing import KINDS, register, seal_new
from registry.journal.services import note_writes, record
from registry.journal.verifying import Share
from registry.leaderboards.models import Snapshot
from registry.results.models import Source, System
from tests.registry.accounts.people import make_person
from tests.thoroughness import every
from tests.world.building import fixed_world, world_on_record

#: The small world is made on SQLite alone; test_verify tries some forgeries on both.
pytestmark = pytest.mark.sqlite

#: Another value, by what a column holds.
OTHER: dict[type[Any], Callable[[Any], Any]] = {
    bool: lambda value: not value,
    int: lambda value: value + 1000,
    float: lambda value: value + 0.125,
    str: lambda value: f"~{value[1:]}",
    datetime: lambda value: value - timedelta(days=1),
    date: lambda value: value - timedelta(days=1),
    bytes: lambda value: value + b"~",
}
#: One where there is none.
MADE: dict[type[Any], Any] = {
    models.BooleanField: True,
    models.IntegerField: 1000,
    models.FloatField: 0.5,
    models.DateTimeField: datetime(2020, 1, 1, tzinfo=UTC),
    models.DateField: date(2020, 1, 1),
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with fixed_world() as clock, world_on_record(django_db_blocker, clock):
        with django_db_blocker.unblock():
            seal_new()
        yield


@pytest.fixture
def record_of_the_world(world: None, db: None) -> None:
    """The small world, all of it sealed."""


def problems() -> list[str]:
    return check_seals(Share()).problems


def other_than(field: Any, value: Any) -> Any:
    if isinstance(field, models.JSONField):
        return [value]
    if value is None:
        target = field.target_field if isinstance(field, models.ForeignKey) else field
        return next((made for kind, made in MADE.items() if isinstance(target, kind)), "~")
    value = bytes(value) if isinstance(value, memoryview) else value
    return OTHER[type(value)](value)


@contextmanager
def unguarded() -> Iterator[None]:
    """No trigger and no check stops what is written inside."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")
        try:
            yield
        finally:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
            transaction.set_rollback(True)


def test_each_column_of_each_table_is_covered_and_rows_removed_and_added(record_of_the_world, subtests):
    """Columns that no test knows, too: what is tried follows from the tables of the dump, judgements and roles."""
    assert problems() == []
    empty: set[str] = set()
    with unguarded():
        for kind in KINDS.values():
            rows = kind.rows() if kind.rows else kind.model._base_manager.all()
            row = rows.order_by("pk").values().first()
            if row is None:
                empty.add(kind.name)
                continue
            key = kind.model._meta.pk
            tried = every(5, kind.columns, __file__, start=len(kind.name))
            for field in [*map(kind.model._meta.get_field, tried), key]:
                with subtests.test(f"{kind.name}.{field.attname}"), transaction.atomic():
                    value = other_than(field, row[field.attname])
                    kind.model._base_manager.filter(pk=row[key.attname]).update(**{field.attname: value})
                    found = problems()
                    # Who lost a role is none of those with roles.
                    what = "gone" if field is key or field.attname == "is_editor" else "changed"
                    told = [one for one in found if one.startswith(f"{kind.label} {row[key.attname]}: {what}, and no")]
                    told += [one for one in found if one.startswith(f"{kind.label} {value}: added, and no entry")]
                    assert len(told) == len(found) == (2 if field is key else 1)
                    transaction.set_rollback(True)
    assert empty == {"unnamed_scores"}, "make some in the small world"


def test_it_says_what_a_row_was_in_the_last_dump_and_what_it_is(record_of_the_world, settings, tmp_path: Path):
    settings.DUMPS = tmp_path / "dumps"
    dump, system = export_dump(), System.objects.earliest("pk")
    System.objects.filter(pk=system.pk).update(name="Ours")
    assert seal_new() == 0
    (told,) = problems()
    assert told.startswith(f"system {system.pk}: changed, and no entry says so; sealed with entry ")
    assert told.endswith(f'. In dump {dump.name} name was "{system.name}" and is "Ours"')
    record(action="results.system.renamed", subject=system, before={"name": system.name}, after={"name": "Ours"})
    system.save()
    assert seal_new() > 0
    assert problems() == []


def test_a_superuser_who_was_made_by_hand_is_named_and_a_sign_up_is_not(record_of_the_world):
    person = make_person("newcomer")
    assert seal_new() == 0
    assert problems() == []
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    assert seal_new() == 0
    (told,) = problems()
    assert told.startswith(f"user {person.pk}: added, and no entry says so")


def test_a_chain_made_anew_is_named_by_whoever_kept_a_head_also_without_the_site(
    record_of_the_world, client, settings, tmp_path: Path
):
    settings.DUMPS = tmp_path / "dumps"
    ROUTINES["journal.sign_today"].step()
    told = client.get("/log/heads/")
    assert told["Content-Type"].startswith("text/plain")
    kept = tmp_path / "kept.txt"
    kept.write_bytes(told.content)
    call_command("verify", against=kept, stdout=(said := StringIO()))
    assert "1 heads as kept.txt has them" in said.getvalue()
    assert "told last: the head of 2026-03-20, of " in said.getvalue()
    (head,) = read_heads(kept.read_text())
    honest = settings.DUMPS / export_dump().name
    assert (honest / "heads.txt").read_text() == kept.read_text()
    assert verify_heads(honest, kept.read_text()) == []
    with unguarded():
        System.objects.update(team="Others")
        Seal.objects.all().delete()
        note_writes()
        assert [one for one in problems() if "made anew" not in one] == []
        settings.DUMPS = tmp_path / "forged"
        forged = settings.DUMPS / export_dump().name
        expected = f"head of 2026-03-20: the first {head.size:,} seals are not those that it was told of"
        with pytest.raises(CommandError, match="not what was recorded"):
            call_command("verify", against=kept, stdout=(said := StringIO()))
        assert expected in said.getvalue()
        assert verify_heads(forged, kept.read_text()) == [expected]


def test_a_citation_proves_that_its_snapshot_was_sealed(record_of_the_world, client):
    snapshot = Snapshot.objects.exclude(leaderboard=None).latest("pk")
    address = f"/snapshots/{snapshot.pk}.csl.json"
    assert "custom" not in client.get(address).json()[0]
    ROUTINES["journal.sign_today"].step()
    proof = client.get(address).json()[0]["custom"]
    place, kind, subject, _ = proof["leaf"].split()
    assert (kind, subject) == ("snapshots", snapshot.pk)
    (head,) = read_heads(proof["head"])
    path = [bytes.fromhex(one) for one in proof["path"]]
    assert root_by_proof(leaf_of(proof["leaf"]), int(place) - 1, head.size, path) == head.root
    assert head.is_signed()


def test_a_column_that_is_added_is_covered_once_the_site_is_migrated(record_of_the_world):
    whole = KINDS["sources"]
    try:
        register(replace(whole, only=("name", "what")))
        assert problems() == ["sources: its columns are not those that were sealed; run manage.py migrate"]
        note_writes()
        Source.objects.update(licence="Another")
        assert seal_new() == 0
        assert problems() == []
    finally:
        register(whole)
    note_writes()
    assert problems() == []
    assert Entry.objects.latest("pk").after == {"tables": ["sources"]}
    Source.objects.update(licence="A third")
    assert seal_new() == 0
    assert {one.partition(": ")[2][:24] for one in problems()} == {"changed, and no entry sa"}


def test_a_trigger_that_is_missing_is_told_and_migrating_mends_it(record_of_the_world):
    def missing() -> list[str]:
        return [
            one.msg for one in run_checks(tags=[Tags.database], databases=["default"]) if one.id == "plumbline.W014"
        ]

    assert missing() == []
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER results_paper_noted_update")
    assert missing() == ["Triggers are missing: results_paper_noted_update."]
    note_writes()
    assert missing() == []
