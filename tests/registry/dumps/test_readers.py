"""The tools that people read data sets with: mlcroissant, Frictionless, pandas, Hugging Face ``datasets``."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pandas
import pyarrow.parquet as pq
import pytest

from registry.dumps.manifest import CROISSANT, DATA_PACKAGE
from registry.dumps.tables import TABLES
from registry.results.models import Result
from tests.registry.dumps.world import elsewhere, export, make_registry


@pytest.fixture
def dump(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    with elsewhere():
        make_registry()
        folder, _ = export()
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mlcroissant_validates_it_and_reads_every_table(dump):
    import mlcroissant  # It takes a second, of every process that collects tests.

    dataset = mlcroissant.Dataset(str(dump / CROISSANT))
    issues = dataset.metadata.ctx.issues
    assert issues.errors == set()
    assert issues.warnings == set()
    assert dataset.metadata.ctx.is_v1_1()
    assert {record_set.id for record_set in dataset.metadata.record_sets} == {table.name for table in TABLES}
    for table in TABLES:
        records = list(dataset.records(table.name))
        rows = pq.read_table(dump / f"{table.name}.parquet").num_rows
        assert len(records) == rows, table.name
    (apart,) = [record for record in dataset.records("scores") if record["scores/system"] == b"apart"]
    assert apart["scores/value"] == 0.9


def test_every_file_but_those_of_text_is_described_with_its_checksum(dump):
    described = {file["@id"]: file["sha256"] for file in json.loads((dump / CROISSANT).read_text())["distribution"]}
    sums = dict(reversed(line.split("  ")) for line in (dump / "SHA256SUMS").read_text().splitlines())
    assert {name: digest for name, digest in sums.items() if name in described} == described
    assert sums.keys() - described.keys() == {"manifest.json", "heads.txt", CROISSANT, DATA_PACKAGE}
    checked = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=dump, capture_output=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
def test_frictionless_validates_every_row_of_every_file(dump):
    # In a process of its own: it leaves files to the garbage collector, which is an error here.
    command = [sys.executable, "-m", "frictionless", "validate", "--json", "--trusted", DATA_PACKAGE]
    done = subprocess.run(command, cwd=dump, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert (done.returncode, report["valid"], report["stats"]["errors"]) == (0, True, 0), done.stdout[-2000:]
    described = {task["name"]: task["labels"] for task in report["tasks"]}
    assert described == {table.name: [column.name for column in table.columns] for table in TABLES}
    file = gzip.compress(gzip.decompress((dump / "scores.csv.gz").read_bytes()).replace(b",0.9,", b",no number,"))
    (dump / "scores.csv.gz").write_bytes(file)
    done = subprocess.run(command, cwd=dump, capture_output=True, text=True)
    kinds = {error["type"] for task in json.loads(done.stdout)["tasks"] for error in task["errors"]}
    assert {"type-error", "hash-count"} & kinds, "another value and another file are seen"


def test_scores_carry_the_cautions_of_the_standing_analysis(dump):
    scores = {row["system"]: row for row in pq.read_table(dump / "scores.parquet").to_pylist()}
    assert "stands-apart" in scores["apart"]["cautions"].split(";")
    assert scores["Model X"]["cautions"] is None, "no analysis has seen it"
    assert "" in {row["cautions"] for row in scores.values()}


def test_pandas_reads_each_format_to_the_same_numbers(dump):
    of_parquet = pandas.read_parquet(dump / "scores.parquet")
    of_csv = pandas.read_csv(dump / "scores.csv.gz", dtype={"printed": str})
    of_lines = pandas.read_json(dump / "scores.jsonl.gz", lines=True, dtype={"printed": str}, precise_float=True)
    assert list(of_parquet["value"]) == list(of_csv["value"]) == list(of_lines["value"])
    assert list(of_parquet["printed"]) == list(of_csv["printed"]) == list(of_lines["printed"])
    assert "0.900" in set(of_csv["printed"])


@pytest.mark.slow
def test_hugging_face_reads_it(dump, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    datasets = pytest.importorskip("datasets")
    scores = datasets.load_dataset(
        "parquet", data_files=str(dump / "scores.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert set(scores["system"]) >= {"apart", "Model X"}
    with elsewhere():
        make_registry()
        assert scores.num_rows == Result.objects.standing().count()
