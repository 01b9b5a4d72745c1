"""Dumps that are kept here, where rows come from, and what commands say: without writing a whole dump."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.http import Http404
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import FORMER, User
from registry.dumps import queries, services
from registry.dumps.access import get_dump_file, get_latest_dump
from registry.dumps.formats import SUFFIXES
from registry.dumps.manifest import ColumnEntry, FileEntry, Manifest, TableEntry
from registry.dumps.origins import HANDED_IN, OUR_OWN, source_entries, table_sources
from registry.dumps.queries import (
    analyses_are_coming,
    check_dumps,
    digest_of_tables,
    dump_folders,
    filled_tables,
    find_dump,
    latest_dump,
    n_to_analyse,
    one_moment,
)
from registry.dumps.services import Loaded, _check_tables, _People, _refuse_filled, export_when_due
from registry.dumps.tables import RECORDED, SCHEMA, TABLES
from registry.journal.models import Seal
from registry.journal.verifying import Share
from registry.leaderboards.models import Analysis
from registry.results.models import Source, UnnamedScores
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_user,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def dumps(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    settings.DUMPS.mkdir()
    return settings.DUMPS


def files_of(table: str) -> list[str]:
    return [f"{table}{suffix}" for suffix in SUFFIXES]


def keep(dumps: Path, day: int, **fields) -> Manifest:
    """A dump of one table, of a day in March 2026."""
    table = TableEntry("results", "A score.", 1200, "d", [], files_of("results"))
    files = [FileEntry(name, 1_000_000, "s") for name in table.files]
    moment = datetime(2026, 3, day, tzinfo=UTC)
    usual = {"schema": SCHEMA, "made_at": moment, "site": "", "digest": f"digest {day}", "tables": [table]}
    manifest = Manifest(**usual | {"files": files, "sources": []} | fields)
    (dumps / manifest.name).mkdir()
    (dumps / manifest.name / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    return manifest


def test_dumps_are_found_by_their_names_the_newest_first(dumps):
    assert (dump_folders(), latest_dump(), find_dump("2026-03-01T000000Z")) == ([], None, None)
    with pytest.raises(Http404, match="There is no dump yet"):
        get_latest_dump()
    first, second, third = (keep(dumps, day) for day in (1, 3, 2))
    for strange in (".unfinished-1", "latest", "2026-03-04T000000Z"):
        (dumps / strange).mkdir()
    (dumps / "latest" / "manifest.json").write_bytes(b"{}")
    assert [folder.name for folder in dump_folders()] == [second.name, third.name, first.name]
    assert latest_dump() == get_latest_dump() == second
    assert find_dump(first.name) == first
    assert find_dump("latest") is find_dump(".unfinished-1") is find_dump("2026-03-04T000000Z") is None


def test_a_file_of_a_dump_is_one_that_it_names(dumps):
    manifest = keep(dumps, 1)
    for name in ("results.parquet", "manifest.json", "croissant.json", "datapackage.json", "SHA256SUMS"):
        assert get_dump_file(manifest.name, name) == dumps / manifest.name / name
    for name, file, said in (
        (manifest.name, "papers.parquet", f"The dump {manifest.name} has no file papers.parquet."),
        ("2020", "results.parquet", "There is no dump 2020, or no longer."),
    ):
        with pytest.raises(Http404, match=said):
            get_dump_file(name, file)


def test_the_page_counts_rows_and_bytes_and_names_earlier_dumps(client, dumps):
    table = TableEntry("papers", "A paper.", 34, "d", [], files_of("papers"))
    older = keep(dumps, 1)
    newest = keep(dumps, 2)
    more = [FileEntry(name, 5, "x") for name in table.files]
    moment = datetime(2026, 3, 9, tzinfo=UTC)
    tables, files = [*newest.tables, table], [*newest.files, *more]
    newest = msgspec.structs.replace(newest, tables=tables, files=files, made_at=moment)
    (dumps / newest.name).mkdir()
    (dumps / newest.name / "manifest.json").write_bytes(msgspec.json.encode(newest))
    shown = client.get("/data/").context
    assert shown["dump"] == newest
    assert (shown["n_rows"], shown["size"], shown["n_to_analyse"]) == (1234, 3_000_015, 0)
    assert [one.name for one in shown["earlier"]] == ["2026-03-02T000000Z", older.name]
    assert [shown[f"{name}_url"] for name in ("manifest", "croissant", "data_package", "checksums")] == [
        f"/data/{newest.name}/{file}" for file in ("manifest.json", "croissant.json", "datapackage.json", "SHA256SUMS")
    ]
    assert read(client, "/data/").status == 200
    assert client.post("/data/").status_code == 405
    assert client.get("/data/?page=2").status_code == 400
    assert client.get("/data/latest/results.parquet")["Location"] == f"/data/{newest.name}/results.parquet"
    assert client.post(f"/data/{newest.name}/manifest.json").status_code == 405
    assert client.post("/data/latest/manifest.json").status_code == 405


def test_a_file_is_for_everybody_and_for_good(client, dumps):
    manifest = keep(dumps, 1)
    response = client.get(f"/data/{manifest.name}/manifest.json")
    assert b"".join(response.streaming_content) == (dumps / manifest.name / "manifest.json").read_bytes()
    told = ("Content-Type", "ETag", "Cache-Control", "Access-Control-Allow-Origin", "Content-Disposition")
    assert [response[name] for name in told] == [
        "application/json", f'"{manifest.name}-manifest.json"', "public, max-age=31536000, immutable", "*",
        'attachment; filename="manifest.json"',
    ]  # fmt: skip
    again = client.get(f"/data/{manifest.name}/manifest.json", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again["Cache-Control"], again["Access-Control-Allow-Origin"]) == (
        304, "public, max-age=31536000, immutable", "*",
    )  # fmt: skip
    (dumps / manifest.name / "SHA256SUMS").write_text("x")
    sums = client.get(f"/data/{manifest.name}/SHA256SUMS")
    assert (sums["Content-Type"], b"".join(sums.streaming_content)) == ("text/plain; charset=utf-8", b"x")


def test_each_dump_that_knows_a_head_is_held_against_the_chain(dumps):
    seal = Seal.objects.create(pk=1, kind="entry", subject="1", digest="d" * 64, head="h" * 64)
    keep(dumps, 1)
    keep(dumps, 2, n_seals=1, head=seal.head)
    assert (check_dumps(Share()).n, check_dumps(Share()).problems) == (1, [])
    wrong, gone = keep(dumps, 3, n_seals=1, head="x" * 64), keep(dumps, 4, n_seals=9, head="y" * 64)
    report = check_dumps(Share())
    assert report.n == 3
    assert [one.partition("; ")[0] for one in report.problems] == [
        f"seal 9: its head was {'y' * 16}…, when dump {gone.name} was made",
        f"seal 1: its head was {'x' * 16}…, when dump {wrong.name} was made",
    ]


def test_analyses_are_coming_where_one_came_in_the_last_ten_minutes():
    assert (n_to_analyse(), analyses_are_coming()) == (0, False)
    board = make_board()
    assert (n_to_analyse(), analyses_are_coming()) == (1, True), "none came yet"
    analyse(board)
    assert (n_to_analyse(), analyses_are_coming()) == (0, False)
    mark_changed(board)
    assert analyses_are_coming()
    for minutes, is_coming in ((9, True), (11, False)):
        Analysis.objects.update(analysed_at=timezone.now() - timedelta(minutes=minutes))
        assert analyses_are_coming() is is_coming


def test_a_dump_is_due_when_the_newest_is_as_old_as_the_setting_says(dumps, settings, monkeypatch):
    made: list[bool] = []
    monkeypatch.setattr(services, "export_dump", lambda: made.append(True))
    coming = [True]
    monkeypatch.setattr(services, "analyses_are_coming", lambda: coming[-1])
    for is_coming, hours, n in ((True, 24, 0), (False, 0, 0), (False, 24, 1), (True, 24, 1)):
        coming.append(is_coming)
        settings.PLUMBLINE_DUMP_HOURS = hours
        export_when_due()
        assert len(made) == n
    keep(dumps, 1, made_at=timezone.now().replace(microsecond=0) - timedelta(hours=5))
    for hours, n in ((6, 1), (4, 2), (0, 2)):
        settings.PLUMBLINE_DUMP_HOURS = hours
        export_when_due()
        assert len(made) == n


def test_the_digest_is_of_the_recorded_tables_in_their_order():
    digests = {table.name: f"digest of {table.name}" for table in TABLES}
    text = "".join(f"{table.name} digest of {table.name}\n" for table in RECORDED)
    assert digest_of_tables(digests) == sha256(text.encode()).hexdigest()
    assert digest_of_tables(digests | {"scores": "other"}) == digest_of_tables(digests)
    assert digest_of_tables(digests | {"results": "other"}) != digest_of_tables(digests)


def test_what_is_read_at_one_moment_may_be_read_in_a_transaction():
    with one_moment():
        assert connection.in_atomic_block
        make_paper()
    assert filled_tables() == ["papers"]


def test_a_site_that_holds_anything_is_told_what():
    _refuse_filled()
    make_user()
    with pytest.raises(Refused) as refused:
        _refuse_filled()
    assert refused.value.code == "filled"
    assert "this one holds accounts. Point PLUMBLINE_HOME" in refused.value.message
    make_result()
    assert filled_tables() == ["entries", "collections", "measures", "leaderboards", "systems", "results"]
    with pytest.raises(Refused, match="holds entries, collections, measures, leaderboards, systems"):
        _refuse_filled()


def test_people_become_accounts_that_nobody_signs_in_to_each_once():
    people = _People()
    ada, former = people.id_of("ada"), people.id_of(f"{FORMER}7")
    assert people.id_of("ada") == ada
    one, other = User.objects.get(pk=ada), User.objects.get(pk=former)
    assert (one.username, one.is_active, one.has_usable_password(), one.deleted_at) == ("ada", False, False, None)
    assert other.deleted_at is not None
    assert User.objects.count() == 2


def manifest_with(tables: dict[str, list[str]], schema: int = SCHEMA) -> Manifest:
    entries = [
        TableEntry(name, "", 0, "", [ColumnEntry(column, "text") for column in columns], [])
        for name, columns in tables.items()
    ]
    return Manifest(schema, datetime(2026, 3, 4, tzinfo=UTC), "", "", entries, [], [])


def test_tables_and_columns_are_those_that_are_known_here():
    known = {table.name: [column.name for column in table.columns] for table in TABLES}
    assert _check_tables(manifest_with(known)) == ()
    fewer = {name: columns[:-1] if name == "papers" else columns for name, columns in known.items()}
    assert _check_tables(manifest_with(fewer, SCHEMA - 1)) == ()
    assert _check_tables(manifest_with({"papers": known["papers"]}, SCHEMA - 1)) == ()
    with pytest.raises(Refused) as refused:
        _check_tables(manifest_with(fewer))
    assert refused.value.code == "manifest"
    strange = known | {"secrets": [], "alien": [], "papers": [*known["papers"], "z", "mood"]}
    with pytest.raises(Refused) as refused:
        _check_tables(manifest_with(strange, SCHEMA - 1))
    assert (refused.value.code, refused.value.message) == (
        "unknown", "nothing was loaded: this site does not know alien, secrets, papers.mood, papers.z",
    )  # fmt: skip


def matrix(label: str, source: str, licence: str) -> UnnamedScores:
    collection, measure = make_collection(), make_measure()
    return UnnamedScores.objects.create(
        collection=collection, measure=measure, label=label, source=source, licence=licence, runs="runs", n_topics=1,
        n_runs=1, content=b"", sha256="0" * 64,
    )  # fmt: skip


def test_every_source_is_named_once_with_how_many_results_stand(settings):
    settings.SUBMITTED_LICENCE = "CC0-1.0"
    Source.objects.create(name="mteb", what="Scores", address="https://example.org/", licence="MIT", terms="Ask.")
    for source in ("mteb", "mteb", "a paper", "another"):
        make_result(source=source)
    for number, (source, licence) in enumerate([("z/m", "MIT"), ("a/m", "CC BY 4.0"), ("z/m", "MIT"), ("mteb", "MIT")]):
        matrix(str(number), source, licence)
    entries = source_entries()
    assert [(one.name, one.what, one.address, one.licence, one.terms, one.n_results) for one in entries[:3]] == [
        ("mteb", "Scores", "https://example.org/", "MIT", "Ask.", 2),
        ("a/m", "Topic scores of runs without names.", "", "CC BY 4.0", "", 0),
        ("z/m", "Topic scores of runs without names.", "", "MIT", "", 0),
    ]
    assert [(one.name, one.licence, one.n_results) for one in entries[3:]] == [
        (HANDED_IN, "CC0-1.0", 2), (OUR_OWN, "MIT", 0),
    ]  # fmt: skip


def test_tables_are_from_what_their_rows_name_and_from_what_they_are_made_of():
    for name in ("mteb", "org/mteb-x", "ir_datasets"):
        Source.objects.create(name=name, what="x", address="https://example.org/")
    assert set(map(tuple, table_sources().values())) == {(), (OUR_OWN,)}, "no table has rows but that of sources"
    board = make_leaderboard()
    make_result(board, source="mteb")
    make_variance(board.measure, 0.01, board.collection, sources=["runs of ir_datasets, 2020", "somewhere"])
    make_paper(described_from="dblp, as org/mteb-x@06c2 carries it")
    found = table_sources()
    assert found["results"] == ["mteb"]
    assert found["residual_variances"] == [OUR_OWN, "ir_datasets"]
    assert found["papers"] == ["mteb", "org/mteb-x"]
    assert found["collections"] == [OUR_OWN, "ir_datasets", "mteb"]
    assert found["leaderboards"] == [OUR_OWN, "ir_datasets", "mteb"]
    assert found["systems"] == ["mteb"]
    assert (found["entries"], found["models"], found["topic_scores"]) == ([HANDED_IN], [], [])
    make_result(board, source="a paper")
    found = table_sources()
    assert found["results"] == [HANDED_IN, "mteb"]
    matrix("m", "elsewhere/matrix", "MIT")
    assert table_sources()["unnamed_scores"] == ["elsewhere/matrix"]


def test_commands_say_what_they_did(capsys, dumps, monkeypatch, settings):
    manifest = keep(dumps, 1)
    base = "registry.dumps.management.commands"

    def export(progress):
        progress("results", 1200)
        progress("papers", 1)
        return manifest

    monkeypatch.setattr(f"{base}.export_dump.export_dump", export)
    call_command("export_dump")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{settings.DUMPS / manifest.name}: 1,200 rows, 3.0 MB (0.")
    assert second == "digest digest 1"
    call_command("export_dump", verbosity=2)
    assert capsys.readouterr().out.splitlines()[:2] == ["  results: 1,200 rows", "  papers: 1 row"]

    def load(folder, progress):
        progress("papers", 12)
        return Loaded(manifest, 3400, "abc", left_out)

    monkeypatch.setattr(f"{base}.load_dump.load_dump", load)
    left_out = ()
    call_command("load_dump", str(dumps))
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("3,400 rows of 2026-03-01 00:00 UTC (0.")
    assert first.endswith(" s); its scores and seals follow from them")
    assert second == "digest abc, as the dump says"
    left_out = ("oldies", "results.colour")
    call_command("load_dump", str(dumps), verbosity=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines.pop() == "left out, as this release has no place for it: oldies, results.colour"
    assert lines[::2] == [
        "  papers: 12 rows", "digest abc, as the dump says",
    ]  # fmt: skip
    with pytest.raises(CommandError, match="the following arguments are required: FOLDER"):
        call_command("load_dump")


def test_a_public_digest_changes_with_any_public_row():
    before = queries.public_digest()
    assert queries.public_digest() == before
    make_entry()
    assert queries.public_digest() != before
