"""``data/build.py``, which needs a folder that does not ship."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_without_what_was_gathered_it_says_what_is_lacking_and_writes_nothing(tmp_path: Path) -> None:
    gathered, output = tmp_path / "gathered", tmp_path / "output"
    (gathered / "more").mkdir(parents=True)
    command = [sys.executable, "data/build.py", "--shared", str(gathered), "--output", str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"{gathered} lacks collections.csv, measures.csv, " in done.stderr
    assert "published, per_topic, replicates, record; nothing was written" in done.stderr.replace("\n", " ")
    assert not output.exists()
