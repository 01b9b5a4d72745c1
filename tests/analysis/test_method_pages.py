"""Every page of docs/methods has the same shape, and its code runs and prints what the page says."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
METHODS = ROOT / "docs" / "methods"
PAGES = sorted(path for path in METHODS.glob("*.md") if path.name != "README.md")
SECTIONS = [
    "The question",
    "When to use it, and when not",
    "Formula",
    "Assumptions",
    "How it fails",
    "Checked against",
    "Worked example",
    "Source",
]
PYTHON_BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_block(code: str, names: dict[str, object], file_name: str) -> None:
    """Run one block: as doctest where it has prompts, as plain code otherwise. Later blocks see its names."""
    if ">>>" not in code:
        exec(compile(code, file_name, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(code, names, file_name, file_name, 0)
    runner = doctest.DocTestRunner()
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, f"an example of {file_name} fails; see the output"


def test_there_are_pages():
    assert PAGES


# Not named "page": that is a fixture of pytest-playwright.
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page_has_every_section_in_order(path):
    headings = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert [heading for heading in headings if heading in SECTIONS] == SECTIONS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_of_page_runs(path, monkeypatch):
    monkeypatch.chdir(ROOT)  # pages name files as data/…
    blocks = PYTHON_BLOCK.findall(path.read_text(encoding="utf-8"))
    assert blocks, "a worked example has code in a ```python block"
    names: dict[str, object] = {"__name__": path.stem}
    for block in blocks:
        run_block(block, names, path.name)
