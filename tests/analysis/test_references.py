"""Citations of the statistics and of their pages: every DOI is that of the paper that is named before it."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.analysis.bibliography import SOURCES

ROOT = Path(__file__).parents[2]
#: Readers show identifiers of papers as examples, and cite none.
READERS = (ROOT / "analysis" / "readers").rglob("*.py")
FILES = [*sorted({*(ROOT / "analysis").rglob("*.py")} - {*READERS}), *sorted((ROOT / "docs" / "methods").glob("*.md"))]
ANY = re.compile(r"\b10\.\d{4,9}/[^\s,;\]\"'<>`]+")
WELL_FORMED = re.compile(r"10\.\d{4,9}/[-._()/a-zA-Z0-9]+")


@cache
def citations() -> list[tuple[str, str, str]]:
    """Return (file, DOI, the words before it) of every DOI, whether written as doi:… or as a link."""
    cited = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for match in ANY.finditer(text):
            doi = match.group().rstrip(".:")
            if doi.count(")") > doi.count("("):
                doi = doi.rstrip(").")
            cited.append((path.name, doi, " ".join(text[max(0, match.start() - 420) : match.start()].split())))
    return cited


def test_there_are_citations():
    assert len({doi for _, doi, _ in citations()}) > 50


@pytest.mark.parametrize("doi", sorted({doi for _, doi, _ in citations()}))
def test_doi_is_well_formed_and_known(doi):
    """A new one is looked up and written into tests/analysis/bibliography.py."""
    assert WELL_FORMED.fullmatch(doi)
    assert doi in SOURCES


@pytest.mark.parametrize("doi", SOURCES)
def test_the_first_author_and_the_year_stand_before_the_doi(doi):
    author, year, _ = SOURCES[doi]
    before = [(name, words) for name, cited, words in citations() if cited == doi]
    assert before, "cited nowhere"
    for name, words in before:
        assert re.search(rf"\b{author}\b", words), f"{name} gives {author}'s DOI to somebody else"
        assert str(year) in words or author in words[-120:], f"{name} doesn't say when {author} wrote it"


def test_one_paper_has_one_doi():
    assert len(set(SOURCES.values())) == len(SOURCES)
    assert len({doi.lower() for doi in SOURCES}) == len(SOURCES)


def test_every_doi_is_introduced_as_one():
    for path in FILES:
        for match in ANY.finditer(text := path.read_text(encoding="utf-8")):
            before = text[max(0, match.start() - 16) : match.start()]
            assert before.endswith(("doi:", "doi.org/", 'doi="')), f"{path.name}: {match.group()}"
