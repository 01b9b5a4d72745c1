"""pip install of the statistics and of the client: everything that they need, and nothing left in the checkout."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_architecture import ROOT

#: Where each package's project stands, and the folder of its module in there.
PACKAGES = {"analysis": (ROOT, "analysis"), "plumbline": (ROOT / "clients/python", "src/plumbline")}


def files_below(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def checkout_of(package: str, folder: Path) -> Path:
    """A copy of the package's project, without what the tests left in it."""
    project, module = PACKAGES[package]
    shutil.copytree(project / module, folder / module, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*project.glob("*.md"), *project.glob("LICENSE"), project / "pyproject.toml"):
        shutil.copy(path, folder)
    return folder


def install(checkout: Path, target: Path) -> None:
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", "-q", *offline, "--target", str(target), str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=target.parent)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_installing_it_leaves_its_checkout_as_it_was(package: str, tmp_path: Path) -> None:
    checkout = checkout_of(package, tmp_path / "checkout")
    before = files_below(checkout)
    install(checkout, tmp_path / "installed")
    assert files_below(checkout) == before
    assert files_below(tmp_path / "installed" / package) == files_below(checkout / PACKAGES[package][1])


@pytest.mark.parametrize("package", PACKAGES)
def test_it_is_built_by_what_the_tests_have_pinned(package: str) -> None:
    needed = tomllib.loads((PACKAGES[package][0] / "pyproject.toml").read_text())["build-system"]["requires"]
    assert set(needed) <= set((ROOT / "requirements-test.txt").read_text().splitlines())
