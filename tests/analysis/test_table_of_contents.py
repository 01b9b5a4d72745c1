"""The library's table of contents, and the pages of its statistics, name everything that is public."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import analysis
from tests.analysis.public_surface import public_objects

METHODS = Path(__file__).parents[2] / "docs" / "methods"
#: But for lists, which are about no one method.
PAGES = sorted(path for path in METHODS.glob("*.md") if path.stem not in {"README", "papers", "changes"})
MODULES = sorted(module.name for module in pkgutil.iter_modules(analysis.__path__) if not module.name.startswith("_"))
FUNCTIONS = sorted(name for name, public in public_objects() if inspect.isfunction(public))
#: Getting scores in is no statistic: docs/file-formats.md describes it.
READERS = {"parse_run", "parse_judgements", "parse_score_cells", "parse_score_table"}
#: ``package`` (what it is for): name, name.  A package is followed by what it offers.
ENTRY = re.compile(r"``(\w+)``(?: \([^)]*\))?: ([\w\s,]+)")


def contents() -> set[tuple[str, str]]:
    """Return (package, name) of everything that the table of contents names."""
    return {(module, name) for module, names in ENTRY.findall(analysis.__doc__) for name in re.findall(r"\w+", names)}


def code_named(path: Path) -> set[tuple[str, str]]:
    """Return (module, name) of what a page says at its end about where its code is."""
    (words,) = re.findall(r"\n\nCode: (.+)\.\n\Z", path.read_text(encoding="utf-8"), re.DOTALL)
    code_names = set()
    for part in " ".join(words.split()).split("; "):
        module, names = re.fullmatch(r"`analysis\.(\w+)`: (.+)", part).groups()
        code_names |= {(module, name.strip("`")) for name in names.split(", ")}
    return code_names


@pytest.mark.parametrize("name", MODULES)
def test_the_contents_name_every_public_module(name):
    assert f"``{name}``" in analysis.__doc__ or f"analysis.{name}." in analysis.__doc__


def test_the_contents_name_every_public_function_and_nothing_else():
    named = contents() - {("scores", "ScoreMatrix"), ("scores", "InstanceScores")}
    assert {name for _, name in named} == set(FUNCTIONS)


def test_the_contents_can_be_overlooked():
    assert 100 < len(contents()) <= 120


def test_a_name_means_one_thing():
    """No two packages offer different things under one name."""
    offered = [name for name, _ in public_objects()]
    assert [name for name in set(offered) if offered.count(name) > 1] == []


@pytest.mark.parametrize(("module", "name"), sorted(contents() | {pair for path in PAGES for pair in code_named(path)}))
def test_what_is_named_is_public_there(module, name):
    assert name in importlib.import_module(f"analysis.{module}").__all__


def test_every_statistic_is_named_by_a_page():
    named = {name for path in PAGES for _, name in code_named(path)}
    assert set(FUNCTIONS) - READERS - named == set()


def test_reading_the_contents_imports_nothing():
    code = (
        "import sys, analysis; sys.exit(any(name.startswith(('analysis.', 'numpy', 'scipy')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=METHODS.parents[1], check=False).returncode == 0
