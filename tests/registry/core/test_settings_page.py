"""docs/settings.md names every variable that the project reads, with its default, and no other."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = [
    ROOT / "registry" / "settings.py",
    ROOT / "tests" / "thoroughness.py",
    *(ROOT / "tools").glob("*.py"),
    ROOT / "tools" / "find-python",
]
PAGE = (ROOT / "docs" / "settings.md").read_text()
DOCUMENTED = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, flags=re.MULTILINE))


def read_variables() -> set[str]:
    text = "\n".join(path.read_text() for path in SOURCES)
    helpers = re.findall(r'env_\w+\(\s*"([A-Z_]+)"', text)
    direct = re.findall(r'os\.environ(?:\.get\(|\[)"([A-Z_]+)"', text)
    return {*helpers, *direct, *re.findall(r"\$\{([A-Z_]+):-", text)}


def test_every_variable_is_documented() -> None:
    assert read_variables() - DOCUMENTED == set()


def test_nothing_is_documented_that_is_not_read() -> None:
    assert DOCUMENTED - read_variables() == set()


@pytest.mark.parametrize("name", ["docs/settings.md", ".env.example", "compose.yaml"])
def test_no_page_names_an_unknown_variable(name: str) -> None:
    text = (ROOT / name).read_text()
    assert set(re.findall(r"\bPLUMBLINE_[A-Z_]+", text)) - read_variables() == set()
