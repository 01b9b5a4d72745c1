"""Every page of docs/methods has the same shape, its code prints what the page says, its picture shows the same."""

import doctest
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.drawing import IMAGES, PICTURES, draw
from tests.thoroughness import every

ROOT = Path(__file__).parents[2]
METHODS = ROOT / "docs" / "methods"
#: But for lists, which are about no one method.
PAGES = sorted(path for path in METHODS.glob("*.md") if path.stem not in {"README", "papers", "changes"})
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
#: Pages whose method is nobody else's, with the reason.
WITHOUT_DOI: dict[str, str] = {}
DOI = re.compile(r"\bdoi:(10\.\d{4,9}/\S+)")
PICTURE = re.compile(r"!\[([^\]]+)\]\(([^)]+)\)")
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
    assert re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) == SECTIONS


def section(path: Path, heading: str) -> str:
    """Return the text below one heading."""
    return path.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page_has_a_source_with_doi(path):
    assert bool(DOI.search(section(path, "Source"))) != (path.stem in WITHOUT_DOI)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page_says_with_numbers_what_it_was_checked_against(path):
    rows = [line for line in section(path, "Checked against").splitlines() if line.startswith("|")]
    assert len([row for row in rows[2:] if re.search(r"\d", row)]) >= 2


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_worked_example_has_a_picture_whose_words_say_what_it_shows(path):
    ((words, target),) = PICTURE.findall(section(path, "Worked example"))
    assert target == f"../images/methods/{path.stem}.svg"
    assert len(words) > 60
    assert re.search(r"\d", words)
    assert PICTURE.findall(path.read_text(encoding="utf-8")) == [(words, target)]


@pytest.mark.parametrize("name", every(3, sorted(PICTURES), __file__))
def test_picture_shows_what_the_page_computes(name):
    """Drawn again, it is the same to the byte: ``python docs/images/draw_methods.py`` where this fails."""
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == draw(name)


def test_there_is_a_picture_for_every_page_and_no_other():
    names = {path.stem for path in PAGES}
    assert set(PICTURES) == names
    assert {path.name for path in IMAGES.iterdir()} == {f"{name}.svg" for name in names}


@pytest.mark.parametrize("path", sorted(IMAGES.glob("*.svg")), ids=lambda path: path.stem)
def test_picture_is_small_and_needs_nothing_else(path):
    assert path.stat().st_size < 60_000
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script|<image|@import|url\(|\son\w+=|href=|nan\b", text)
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme:dark" in text


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_of_page_runs(path, monkeypatch):
    monkeypatch.chdir(ROOT)  # pages name files as data/…
    blocks = PYTHON_BLOCK.findall(path.read_text(encoding="utf-8"))
    assert blocks, "a worked example has code in a ```python block"
    names: dict[str, object] = {"__name__": path.stem}
    for block in blocks:
        run_block(block, names, path.name)
