"""A dump of a few rows, written and loaded: what it says of itself, to the byte, and what a site holds afterwards."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from analysis.readers.rejections import Refused
from analysis.readers.slugs import slug_of_system
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.dumps import services
from registry.dumps.formats import PARQUET
from registry.dumps.manifest import read_manifest
from registry.dumps.queries import dump_folders, public_digest
from registry.dumps.services import export_dump, load_dump
from registry.dumps.tables import RECORDED, SCHEMA, TABLES
from registry.journal.models import Seal
from registry.journal.sealing import last_head, seal_new
from registry.results.models import Result, Source, System
from registry.search.models import Thing
from tests.registry.dumps.world import elsewhere, rewrite
from tests.registry.factory import make_collection, make_entry, make_leaderboard, make_result, make_system, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def dumps(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    settings.SITE_URL = "https://plumbline.example"
    return settings.DUMPS


def make_few() -> Result:
    """A result of a known source, recorded by somebody."""
    Source.objects.create(name="mteb", what="Scores", address="https://example.org/", licence="MIT")
    Source.objects.create(name="unused", what="Nothing", address="https://example.org/", licence="MIT")
    board = make_leaderboard(make_collection("robust"), results_version=1)
    system = make_system("BM25", "lab")
    result = make_result(board, system, source="mteb", recorded_by=make_entry(actor=make_user("ada", email="a@b.org")))
    make_result(board, source="mteb", recorded_by=make_entry(actor=make_user("former-contributor-3")))
    seal_new()
    return result


def test_a_dump_says_what_it_is_and_what_each_of_its_files_is(dumps):
    make_few()
    told: list[tuple[str, int]] = []
    before = datetime.now(UTC).replace(microsecond=0)
    manifest = export_dump(progress=lambda what, n: told.append((what, n)))
    folder = dumps / manifest.name
    assert dump_folders() == [folder]
    assert (manifest.schema, manifest.site, manifest.digest) == (SCHEMA, "https://plumbline.example", public_digest())
    assert before <= manifest.made_at <= datetime.now(UTC)
    assert manifest.made_at.microsecond == 0
    assert (manifest.n_seals, manifest.head) == last_head()
    assert manifest.n_seals > 0
    assert [one.name for one in manifest.tables] == [table.name for table in TABLES]
    rows = {one.name: one.rows for one in manifest.tables}
    assert (rows["results"], rows["scores"], rows["sources"], rows["papers"]) == (2, 2, 2, 0)
    assert told == list(rows.items())
    results = next(one for one in manifest.tables if one.name == "results")
    assert (results.files, results.sources) == (["results.parquet", "results.csv.gz", "results.jsonl.gz"], ["mteb"])
    assert results.about.startswith("A score as printed, in every version")
    assert [one.name for one in results.columns][:2] == ["id", "leaderboard_id"]
    assert {one.name for one in manifest.sources} == {"mteb", "handed in", "Plumbline"}
    assert [one.name for one in manifest.files] == [name for table in manifest.tables for name in table.files]
    for file in manifest.files:
        content = (folder / file.name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.bytes, file.sha256)
    about = ["croissant.json", "datapackage.json", "manifest.json"]
    names = sorted([*about, *(file.name for file in manifest.files)])
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert (folder / "SHA256SUMS").read_text().splitlines() == lines
    assert {path.name for path in folder.iterdir()} == {*names, "SHA256SUMS"}
    for name in about:
        text = (folder / name).read_text()
        assert text.startswith('{\n "')
        assert text.endswith("}\n")
        assert json.loads(text)
    assert read_manifest(folder) == manifest
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}
    assert oct(folder.stat().st_mode & 0o777) == oct(dumps.stat().st_mode & 0o777) == "0o700"


@pytest.fixture
def folder(dumps) -> Path:
    """A dump of few rows; the database is empty again."""
    with elsewhere():
        make_few()
        manifest = export_dump()
    return dumps / manifest.name


def test_an_empty_site_holds_what_was_loaded_and_goes_on_from_there(folder, monkeypatch):
    monkeypatch.setattr(services, "_ROWS_AT_ONCE", 1)
    told: list[tuple[str, int]] = []
    loaded = load_dump(folder, progress=lambda what, n: told.append((what, n)))
    manifest = read_manifest(folder)
    rows = {one.name: one.rows for one in manifest.tables}
    assert loaded.manifest == manifest
    assert (loaded.digest, loaded.left_out) == (manifest.digest, ())
    assert loaded.n_rows == sum(rows[table.name] for table in RECORDED)
    assert told == [(table.name, rows[table.name]) for table in RECORDED]
    assert sorted(Result.objects.values_list("source", "system__name"))[0] == ("mteb", "BM25")
    people = {user.username: user for user in User.objects.all()}
    assert set(people) == {"ada", "former-contributor-3"}
    assert (people["ada"].deleted_at, people["ada"].email, people["ada"].is_active) == (None, "", False)
    assert people["former-contributor-3"].deleted_at is not None
    assert Result.objects.get(system__name="BM25").recorded_by.actor == people["ada"]
    assert Seal.objects.count() == manifest.n_seals
    assert Thing.objects.filter(kind=Thing.Kind.SYSTEM, title="BM25").exists()
    assert make_result().pk > max(Result.objects.filter(source="mteb").values_list("pk", flat=True))


def test_what_an_earlier_schema_lacks_is_as_by_default(folder):
    import pyarrow.parquet as pq

    manifest = json.loads((folder / "manifest.json").read_text())
    for table in manifest["tables"]:
        lacking = {"systems": "slug", "collections": "n_topics"}.get(table["name"])
        if lacking:
            table["columns"] = [column for column in table["columns"] if column["name"] != lacking]
            path = folder / f"{table['name']}{PARQUET}"
            pq.write_table(pq.read_table(path).drop_columns([lacking]), path)
            entry = next(file for file in manifest["files"] if file["name"] == path.name)
            content = path.read_bytes()
            entry |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    fewer = [table for table in manifest["tables"] if table["name"] != "confirmations"]
    rewrite(folder, tables=fewer, files=manifest["files"], schema=SCHEMA - 1, digest="0" * 64)
    loaded = load_dump(folder)
    assert loaded.left_out == ()
    assert loaded.digest not in {public_digest(), "0" * 64}
    assert System.objects.get(name="BM25").slug == slug_of_system("bm25", "lab")
    assert Collection.objects.get().n_topics is None


@pytest.mark.parametrize(
    ("changed", "code"),
    [({"digest": "0" * 64}, "differs"), ({"schema": SCHEMA + 1}, "newer"), ({"tables": []}, "manifest")],
)
def test_nothing_is_loaded_of_what_comes_out_otherwise(folder, changed, code):
    rewrite(folder, **changed)
    with pytest.raises(Refused) as refused:
        load_dump(folder)
    assert refused.value.code == code
    assert not Result.objects.exists()
    assert not User.objects.exists()


def test_a_dump_that_contradicts_itself_is_refused_though_its_schema_is_an_earlier_one(folder):
    import pyarrow.parquet as pq

    path = folder / "systems.parquet"
    table = pq.read_table(path)
    pq.write_table(table.slice(0, 0), path)
    manifest = json.loads((folder / "manifest.json").read_text())
    content = path.read_bytes()
    for file in manifest["files"]:
        if file["name"] == path.name:
            file |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    # No digest would tell: a dump of an earlier schema has another one.
    fewer = [table for table in manifest["tables"] if table["name"] != "confirmations"]
    rewrite(folder, tables=fewer, files=manifest["files"], schema=SCHEMA - 1)
    with pytest.raises(Refused) as refused:
        load_dump(folder)
    assert refused.value.code == "inconsistent"
    assert not Result.objects.exists()


def test_the_newest_are_kept_and_a_filled_site_refuses(settings, dumps, folder):
    settings.PLUMBLINE_KEPT_DUMPS = 2
    for day in (1, 2, 3):
        (dumps / f"2020-01-0{day}T000000Z").mkdir()
        (dumps / f"2020-01-0{day}T000000Z" / "manifest.json").write_text("{}")
    (dumps / ".unfinished-left").mkdir()
    folder.rename(dumps / "2021-01-01T000000Z")
    made = export_dump()
    assert [one.name for one in dump_folders()] == [made.name, "2021-01-01T000000Z"]
    assert not list(dumps.glob(".unfinished-*"))
    make_user("somebody")
    with pytest.raises(Refused) as refused:
        load_dump(dumps / "2021-01-01T000000Z")
    assert refused.value.code == "filled"
