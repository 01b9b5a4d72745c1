"""The virtual environment: made once, made anew when the pins change, with reasons where it can't be."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"

PREPARE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import environment
from processes import Processes
environment.ROOT = Path(sys.argv[2])
environment.VENV = environment.ROOT / ".venv"
environment.PYTHON = environment.VENV / "bin" / "python"
processes = Processes()
try:
    print(environment.prepare_environment("requirements.txt", processes))
except environment.RefusalError as refusal:
    print("REFUSED", refusal)
finally:
    processes.stop_all()
"""

WHEEL = """\
import zipfile, sys
name, folder = "plumb_bob-1.0", sys.argv[1]
with zipfile.ZipFile(f"{folder}/{name}-py3-none-any.whl", "w") as wheel:
    wheel.writestr("plumb_bob.py", "WEIGHT = 7")
    wheel.writestr(f"{name}.dist-info/METADATA", "Metadata-Version: 2.1\\nName: plumb-bob\\nVersion: 1.0\\n")
    wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{name}.dist-info/RECORD", "")
"""


def prepare(root: Path, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PREPARE, str(TOOLS), str(root)],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(root), "HOME": str(root)} | variables,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run([sys.executable, "-c", WHEEL, str(tmp_path)], check=True)
    pin(tmp_path)
    return tmp_path


def pin(root: Path, *, version: str = "1.0", content: bytes = b"", remark: str = "") -> None:
    """Lock the one package, as the wheel in the folder has it or as other content would have it."""
    digest = hashlib.sha256(content or next(root.glob("*.whl")).read_bytes()).hexdigest()
    (root / "requirements.lock").write_text(f"# pins\n\nplumb-bob=={version} \\\n    --hash=sha256:{digest}{remark}\n")


@pytest.mark.slow
def test_it_is_made_once_and_kept_up_to_date(root: Path) -> None:
    assert "Installing 1 packages from requirements.lock" in prepare(root)
    python = root / ".venv" / "bin" / "python"
    subprocess.run([python, "-c", "import plumb_bob"], check=True)
    assert prepare(root) == f"{python}\n"

    pin(root, remark="  # needed")
    assert "Installing 1 packages" in prepare(root)

    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert "Making a virtual environment" in prepare(root)
    assert prepare(root) == f"{python}\n"


@pytest.mark.slow
def test_a_package_that_is_missing_or_another_is_named(root: Path) -> None:
    pin(root, version="2.0")
    output = prepare(root)
    assert "REFUSED The packages cannot be installed: the package index has no package that fits this Python" in output
    assert "plumb-bob==2.0" in output
    pin(root, content=b"another wheel of that name")
    assert "REFUSED The packages cannot be installed: a package is not the one that was pinned" in prepare(root)
    pin(root)
    assert "REFUSED" not in prepare(root)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements.lock").write_text("a==1\n")
    (tmp_path / ".venv").write_text("a file")
    assert f"REFUSED The virtual environment {tmp_path}/.venv cannot be made" in prepare(tmp_path)


def test_an_old_python_is_told_what_is_missing(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Python 3.9.2' && exit 0\nexit 1\n")
    old.chmod(0o755)
    for tool in ("sh", "dirname"):
        (tmp_path / tool).symlink_to(f"/bin/{tool}" if Path(f"/bin/{tool}").exists() else f"/usr/bin/{tool}")
    done = subprocess.run(
        [TOOLS / "find-python", "./run"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Plumbline needs Python 3.11 or newer; here is: Python 3.9.2." in done.stderr
    assert "PYTHON=/path/to/python3 ./run" in done.stderr
