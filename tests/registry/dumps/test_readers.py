"""The tools that people read data sets with: mlcroissant, pandas, Hugging Face ``datasets``."""

import json
import subprocess
from pathlib import Path

import mlcroissant
import pandas
import pyarrow.parquet as pq
import pytest

from registry.dumps.croissant import CROISSANT
from registry.dumps.tables import TABLES
from registry.results.models import Result
from tests.registry.dumps.world import elsewhere, export, make_registry

pytestmark = pytest.mark.django_db


@pytest.fixture
def dump(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    with elsewhere():
        make_registry()
        folder, _ = export()
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mlcroissant_validates_it_and_reads_every_table(dump):
    dataset = mlcroissant.Dataset(str(dump / CROISSANT))
    issues = dataset.metadata.ctx.issues
    assert issues.errors == set()
    assert issues.warnings == set()
    assert {one.id for one in dataset.metadata.record_sets} == {table.name for table in TABLES}
    for table in TABLES:
        records = list(dataset.records(table.name))
        rows = pq.read_table(dump / f"{table.name}.parquet").num_rows
        assert len(records) == rows, table.name
    (apart,) = [one for one in dataset.records("scores") if one["scores/system"] == b"apart"]
    assert apart["scores/value"] == 0.9


def test_every_file_but_those_of_text_is_described_with_its_checksum(dump):
    described = {one["@id"]: one["sha256"] for one in json.loads((dump / CROISSANT).read_text())["distribution"]}
    sums = dict(reversed(line.split("  ")) for line in (dump / "SHA256SUMS").read_text().splitlines())
    assert {name: digest for name, digest in sums.items() if name in described} == described
    assert sums.keys() - described.keys() == {"manifest.json", CROISSANT}
    checked = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=dump, capture_output=True)
    assert checked.returncode == 0, checked.stderr


def test_pandas_reads_each_format_to_the_same_numbers(dump):
    of_parquet = pandas.read_parquet(dump / "scores.parquet")
    of_csv = pandas.read_csv(dump / "scores.csv.gz", dtype={"printed": str})
    of_lines = pandas.read_json(dump / "scores.jsonl.gz", lines=True, dtype={"printed": str}, precise_float=True)
    assert list(of_parquet["value"]) == list(of_csv["value"]) == list(of_lines["value"])
    assert list(of_parquet["printed"]) == list(of_csv["printed"]) == list(of_lines["printed"])
    assert "0.900" in set(of_csv["printed"])


def test_hugging_face_reads_it(dump, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(
        "parquet", data_files=str(dump / "scores.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert set(found["system"]) >= {"apart", "Model X"}
    with elsewhere():
        make_registry()
        assert found.num_rows == Result.objects.standing().count()
