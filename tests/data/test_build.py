"""Building data/ again gives the same bytes."""

import gzip
import subprocess
import sys
from pathlib import Path

from tests.data.shipped import DATA
from tests.shared_data import SHARED, shared_file


def tables(folder: Path) -> dict[Path, bytes]:
    """Every table below a folder; of a compressed one what it holds, for another zlib packs it otherwise."""
    plain = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.csv")}
    packed = {path.relative_to(folder): gzip.decompress(path.read_bytes()) for path in folder.rglob("*.csv.gz")}
    return plain | packed


def test_the_builder_reproduces_the_folder(tmp_path):
    shared_file("published/robust04_papers.csv")
    command = [sys.executable, str(DATA / "build.py"), "--shared", str(SHARED), "--output", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    built, shipped = tables(tmp_path), tables(DATA)
    assert built.keys() == shipped.keys()
    assert [str(path) for path in built if built[path] != shipped[path]] == []
