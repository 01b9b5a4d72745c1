"""Building data/ again gives the same bytes."""

import subprocess
import sys

from tests.data.shipped import DATA
from tests.shared_data import SHARED, shared_file


def test_the_builder_reproduces_the_folder(tmp_path):
    shared_file("published/robust04_papers.csv")
    command = [sys.executable, str(DATA / "build.py"), "--shared", str(SHARED), "--output", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.csv")}
    shipped = {path.relative_to(DATA): path.read_bytes() for path in DATA.rglob("*.csv")}
    assert built.keys() == shipped.keys()
    assert [str(path) for path in built if built[path] != shipped[path]] == []
