"""``export_dump`` and ``load_dump``: everything public and nothing else, whole or not at all."""

import csv
import gzip
import json
import resource
import shutil
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from analysis.readers.identifiers import slug_of_paper, slug_of_system
from analysis.readers.tables import unguard_formula
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.core.loading import digest_of
from registry.core.models import Job
from registry.dumps.formats import CSV, JSON_LINES, PARQUET
from registry.dumps.queries import dump_folders, public_digest
from registry.dumps.services import clear_away, export_dump, export_when_due, load_dump
from registry.dumps.tables import RECORDED, SCHEMA, TABLES
from registry.journal.models import Entry
from registry.leaderboards.services import enqueue_stale
from registry.results.models import Paper, Result, System
from tests.registry.dumps.world import PRIVATE, elsewhere, export, make_registry, rewrite
from tests.registry.factory import make_collection, make_entry, make_paper, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

#: Models that no dump has, and why.
NOT_TAKEN_HOME = {
    "accounts": "people, but for the names under which the record shows them",
    "catalog.Curator": "a right that an account has here",
    "core": "background work and limits of this site",
    "journal.Seal": "taken along to be read; a site seals what it holds",
    "journal.Head": "told at /log/heads/, and as a file of each dump",
    "journal.TouchedRow": "what is not sealed yet",
    "journal.VerifiedShare": "when this site was last verified",
    "tools.TopicStudy": "found again from the topic scores",
    "tools.RedrawnFigures": "drawn again from the topic scores",
    "tools.ExampleAnswers": "found again from the record",
    "runs": "what people sent for their own eyes; judgements, of which some are sealed",
    "search": "made of the rest",
    "submissions": "drafts and reviews; what is published of them is a result",
}


RECORDED_NAMES = {table.name for table in RECORDED}


@pytest.fixture(autouse=True)
def dumps(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    return settings.DUMPS


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the dump is kept that tests have copies of, once one was made."""
    return tmp_path_factory.mktemp("exported")


@pytest.fixture
def dump(dumps: Path, exported: Path) -> Path:
    """A dump of a registry that is no longer here: the database is empty."""
    if not list(exported.iterdir()):
        with elsewhere():
            make_registry()
            folder, _ = export()
        shutil.copytree(folder, exported / folder.name)
    (exported_dump,) = exported.iterdir()
    return shutil.copytree(exported_dump, dumps / exported_dump.name, dirs_exist_ok=True)


def answers(client: Client, result: Result) -> list[str]:
    """Return what the site says of a result and of where it stands."""
    board = result.leaderboard.get_absolute_url().rstrip("/")
    paths = (f"{board}.json", f"{board}.csv", f"/api/v1/results/{result.pk}/", f"/results/{result.pk}/", "/log/")
    return [client.get(path).content.decode() for path in paths]


def test_what_is_loaded_is_the_registry_that_was_exported(client, capsys):
    with elsewhere():
        result = make_registry()
        folder, manifest = export()
        before = answers(client, result)
        assert manifest.digest == public_digest()
    assert not Result.objects.exists()
    call_command("load_dump", str(folder))
    assert f"digest {manifest.digest}, as the dump says" in capsys.readouterr().out
    assert public_digest() == manifest.digest
    assert answers(client, result) == before


def test_what_was_loaded_goes_on_living_there(client, dump):
    loaded = load_dump(dump)
    assert loaded.n_rows == sum(table.rows for table in loaded.manifest.tables if table.name in RECORDED_NAMES)
    call_command("verify")
    last = max(Result.objects.values_list("pk", flat=True))
    assert make_system("newer").pk > 0
    assert make_entry().pk > max(
        Entry.objects.filter(action__startswith="results.correction").values_list("pk", flat=True)
    )
    assert make_collection("another").pk
    read(client, f"/results/{last}/")
    assert "apart" in read(client, "/search/?q=apart").text
    enqueue_stale()
    waiting = Job.objects.filter(kind="leaderboards.analyse_leaderboard")
    assert {job.args["leaderboard_id"] for job in waiting} == set(
        Result.objects.filter(system__name="Model X").values_list("leaderboard", flat=True)
    )


def test_people_are_names_that_nobody_can_sign_in_to(dump):
    load_dump(dump)
    people = {user.username: user for user in User.objects.all()}
    assert people.keys() >= {"reader", "an-editor"}
    assert [name for name in people if name.startswith("former-contributor")]
    assert "hidden-author" not in people
    for user in people.values():
        assert (user.is_active, user.email, user.full_name, user.has_usable_password()) == (False, "", "", False)


def test_nothing_private_is_in_any_file(dump):
    for path in dump.iterdir():
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        elif path.suffix == PARQUET:
            content = json.dumps(pq.read_table(path).to_pylist(), default=str, ensure_ascii=False).encode()
        assert [secret for secret in PRIVATE if secret.encode() in content] == [], path.name
    names = {row["actor"] for row in pq.read_table(dump / "entries.parquet").to_pylist()}
    assert names - {None} >= {"reader", "an-editor"}


def test_every_model_is_in_the_dump_or_left_out_with_a_reason():
    ours = [model for model in apps.get_models(include_auto_created=True) if model.__module__.startswith("registry.")]
    taken = {table.model for table in RECORDED}
    left = {model for model in ours if model not in taken}
    reasons = {
        model: [key for key in (model._meta.app_label, model._meta.label) if key in NOT_TAKEN_HOME] for model in left
    }
    assert [model._meta.label for model, reasons_of_model in reasons.items() if not reasons_of_model] == []
    assert [table.name for table in RECORDED if table.model not in ours] == []


def test_the_schema_counts_up_with_the_columns():
    path = Path(__file__).with_name("schema.json")
    now = {table.name: {column.name: column.kind for column in table.columns} for table in TABLES}
    approved = json.loads(path.read_text())
    assert approved == {"schema": SCHEMA, "tables": now}, (
        "The columns of the dump changed. Is what came public? Then count up SCHEMA in registry/dumps/tables.py, and "
        "write schema.json anew: python -m tests.registry.dumps"
    )


def test_the_three_formats_say_the_same(dump):
    for table in TABLES:
        rows = pq.read_table(dump / f"{table.name}{PARQUET}").to_pylist()
        with gzip.open(dump / f"{table.name}{JSON_LINES}", "rt", encoding="utf-8") as file:
            objects = [json.loads(line) for line in file]
        with gzip.open(dump / f"{table.name}{CSV}", "rt", encoding="utf-8", newline="") as file:
            limit = csv.field_size_limit(sys.maxsize)
            lines = list(csv.DictReader(file))
            csv.field_size_limit(limit)
        assert len(rows) == len(objects) == len(lines), table.name
        texts = [column.name for column in table.columns if column.kind == "text"]
        of_json = [column.name for column in table.columns if column.kind == "json"]
        for row, document, line in zip(rows, objects, lines, strict=True):
            assert list(row) == list(document) == list(line)
            assert [row[name] for name in texts] == [document[name] for name in texts]
            assert [row[name] or "" for name in texts] == [unguard_formula(line[name]) for name in texts]
            for name in of_json:
                assert (None if row[name] is None else json.loads(row[name])) == document[name]


def test_texts_that_a_spreadsheet_would_run_are_guarded_in_the_csv(dump):
    with gzip.open(dump / f"papers{CSV}", "rt", encoding="utf-8", newline="") as file:
        titles = [line["title"] for line in csv.DictReader(file)]
    assert '\'=cmd|"quoted", and\nbroken' in titles


def test_two_dumps_of_one_registry_have_one_digest_and_the_same_rows(tmp_path, settings):
    with elsewhere():
        make_registry()
        first = export_dump()
        settings.DUMPS = tmp_path / "other"
        other = export_dump()
    assert first.digest == other.digest
    assert [file.sha256 for file in first.files] == [file.sha256 for file in other.files]


def refusal(folder: Path) -> str:
    """Return why nothing was loaded, and that nothing was."""
    with pytest.raises(CommandError) as caught:
        call_command("load_dump", str(folder))
    assert not Entry.objects.exists()
    assert not Collection.objects.exists()
    assert not User.objects.exists()
    return str(caught.value)


def test_a_dump_that_is_not_whole_is_refused_whole_with_every_file_that_is_wrong(dump):
    shortened, other, lost = (dump / f"{name}.parquet" for name in ("papers", "results", "systems"))
    n_bytes = shortened.stat().st_size
    shortened.write_bytes(shortened.read_bytes()[:4])
    content = bytearray(other.read_bytes())
    content[len(content) // 2] ^= 1
    other.write_bytes(content)
    lost.unlink()
    said = refusal(dump)
    assert "nothing was loaded: " in said
    assert f"papers.parquet has 4 of {n_bytes:,} bytes" in said
    assert "results.parquet is not what was written (SHA-256)" in said
    assert "systems.parquet is missing" in said
    assert said.endswith(". Fetch the dump again.")
    (dump / "manifest.json").write_text("{")
    assert "manifest.json is cut off or damaged" in refusal(dump)
    (dump / "manifest.json").unlink()
    assert "holds no dump" in refusal(dump)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"schema": SCHEMA + 1, "tables": "of a kind that nobody knows yet"},
            f"of schema {SCHEMA + 1} and this site knows those up to {SCHEMA}. Update Plumbline",
        ),
        ({"digest": "0" * 64}, "the dump says 000"),
    ],
)
def test_a_dump_of_a_newer_schema_or_that_comes_to_something_else_is_refused(dump, changed, message):
    rewrite(dump, **changed)
    assert message in refusal(dump)


def test_a_dump_of_an_earlier_schema_gets_what_it_lacks(dump, capsys):
    manifest = json.loads((dump / "manifest.json").read_text())
    later = {"collections": "relevant_per_topic", "systems": "slug", "papers": "slug"}
    for table in manifest["tables"]:
        if lacking := later.get(table["name"]):
            table["columns"] = [column for column in table["columns"] if column["name"] != lacking]
            path = dump / f"{table['name']}.parquet"
            pq.write_table(pq.read_table(path).drop_columns([lacking]), path)
            for file in manifest["files"]:
                if file["name"] == path.name:
                    file |= {"bytes": path.stat().st_size, "sha256": digest_of(path)}
    rewrite(dump, tables=manifest["tables"], files=manifest["files"], schema=SCHEMA - 1)
    call_command("load_dump", str(dump))
    assert "of the tables and columns that both have, as the dump says" in capsys.readouterr().out
    assert set(Collection.objects.values_list("relevant_per_topic", flat=True)) == {None}
    for slug, *names in System.objects.values_list("slug", "name_key", "team_key"):
        assert slug == slug_of_system(*names)
    for slug, identity in Paper.objects.values_list("slug", "identity"):
        assert slug == slug_of_paper(identity)
    assert System.objects.count() > 1


def test_a_dump_is_loaded_into_an_empty_site_alone(dump):
    make_paper("Somebody (2020)")
    with pytest.raises(CommandError, match="this one holds papers"):
        call_command("load_dump", str(dump))
    assert not Result.objects.exists()


def test_only_the_parquet_files_are_needed(dump):
    for path in [*dump.glob("*.gz"), dump / "SHA256SUMS", dump / "croissant.json"]:
        path.unlink()
    load_dump(dump)
    assert Result.objects.exists()


def test_what_cannot_be_written_leaves_nothing_behind(dumps, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what is imported meanwhile would be cut off, too
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(CommandError, match=r"nothing is left of it: .*File too large"):
            call_command("export_dump", stdout=StringIO())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(dumps.iterdir()) == []


def test_a_dump_is_made_when_the_last_is_old_and_few_are_kept(dumps, settings):
    settings.PLUMBLINE_KEPT_DUMPS = 2
    export_when_due()
    (first,) = dump_folders()
    export_when_due()
    assert dump_folders() == [first]
    for day in (1, 2, 3):
        aged = dumps / f"2020-01-0{day}T000000Z"
        shutil.copytree(first, aged)
        rewrite(aged, made_at=f"2020-01-0{day}T00:00:00Z")
    shutil.rmtree(first)
    export_when_due()
    assert [folder.name[:10] for folder in dump_folders()][1:] == ["2020-01-03"]


def test_the_first_dump_waits_for_the_analyses_that_are_coming(client):
    board, other = make_board(), make_board()
    analyse(board)
    export_when_due()
    assert dump_folders() == []
    assert "The first is made when all leaderboards are analysed; 1 leaderboard waits." in read(client, "/data/").text
    analyse(other)
    assert "The first is made in the next two minutes." in read(client, "/data/").text
    export_when_due()
    assert len(dump_folders()) == 1


def test_the_first_dump_waits_for_no_analysis_that_does_not_come(monkeypatch):
    board, _ = make_board(), make_board()
    analyse(board)
    in_an_hour = timezone.now() + timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: in_an_hour)
    export_when_due()
    assert len(dump_folders()) == 1


def test_what_is_left_of_a_killed_dump_goes_and_what_is_being_written_stays(dumps):
    left = dumps / ".unfinished-left"
    left.mkdir(parents=True)
    clear_away()
    assert not left.exists()

    def look(table, n_rows):
        clear_away()
        with pytest.raises(BlockingIOError, match="another one is being written"):
            export_dump()
        assert len([*dumps.glob(".unfinished-*")]) == 2
        raise OSError("no room")

    left.mkdir()
    with pytest.raises(OSError, match="no room"):
        export_dump(progress=look)
    assert list(dumps.glob(".unfinished-*")) == []
