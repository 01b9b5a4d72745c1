"""The statistics are a package that installs without the site."""

import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from analysis.boards import make_snapshot
from tests.analysis.boards.boards_that_ship import BOARDS

ROOT = Path(__file__).parents[2]
#: What it says that it needs.
NEEDED = ("numpy", "scipy", "lazy_loader", "msgspec", "yaml")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # A build leaves files beside what it builds.
    source = folder / "source"
    shutil.copytree(ROOT / "analysis", source / "analysis", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "registry" / "core", source / "registry" / "core")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source]
    subprocess.run(command, check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_it_holds_the_statistics_and_their_tables_and_nothing_of_the_site(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"analysis"}
    shipped = {path.relative_to(ROOT).as_posix() for path in (ROOT / "analysis").rglob("*") if path.is_file()}
    assert {name for name in shipped if "__pycache__" not in name} <= set(names)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return a Python that has the library, what it says that it needs, and nothing else."""
    packages = tmp_path_factory.mktemp("packages")
    spec = find_spec("numpy")
    assert spec is not None
    assert spec.origin is not None
    here = Path(spec.origin).parents[1]
    for name in NEEDED:
        for path in (*here.glob(name), *here.glob(f"{name}.libs"), *here.glob(f"{name}-*.dist-info")):
            (packages / path.name).symlink_to(path)
    zipfile.ZipFile(wheel).extractall(packages)
    return [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path.insert(0, {str(packages)!r}); exec(sys.argv.pop(1))",
    ]


def test_there_is_no_django(python):
    without = subprocess.run([*python, "import django"], capture_output=True, text=True)
    assert "No module named 'django'" in without.stderr


def test_a_snapshot_is_computed_again(python, tmp_path):
    inputs, matrix = BOARDS["robust04"]()
    snapshot = tmp_path / "snapshot.json"
    snapshot.write_text(make_snapshot(inputs, matrix).text, encoding="utf-8")
    run = "import runpy; runpy.run_module('analysis.boards', run_name='__main__')"
    done = subprocess.run([*python, run, "verify", str(snapshot)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


EXAMPLES = """
import analysis, doctest, importlib, pkgutil
names = [module.name for module in pkgutil.walk_packages(analysis.__path__, "analysis.")]
names = [name for name in names if not name.startswith("analysis.runs.")]  # They need the extra "runs".
tried = [doctest.testmod(importlib.import_module(name)) for name in names if not name.endswith("__main__")]
print(sum(test.attempted for test in tried))
sys.exit(sum(test.failed for test in tried))
"""


def test_its_examples_print_what_they_say(python, tmp_path):
    done = subprocess.run([*python, EXAMPLES], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout) > 250
