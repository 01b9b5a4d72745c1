"""docs/pasting.md does what it says: its examples are read as it shows."""

import csv
import re

import pytest

from analysis.readers import columns, grids
from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.bibtex_entries import MAX_BYTES as MAX_BIBTEX
from analysis.readers.bibliography.papers import PaperDraft, read_identifier
from analysis.readers.exchange.formats import FORMATS
from analysis.readers.pasted import tables
from analysis.readers.tables import MAX_RESULTS, Record
from tests.analysis.readers.examples import Names
from tests.data.shipped import DATA

PAGE = (DATA.parent / "docs" / "pasting.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```(\w+ .*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
TABLES = {info.rpartition(" ")[2]: text for info, text in BLOCKS.items() if " table " in info}
EXCHANGED = {info.rpartition(" ")[2]: text for info, text in BLOCKS.items() if info.split(" ")[1] in FORMATS}


def expected(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(BLOCKS[f"csv reads {name}"].splitlines()))


def table_below(heading: str) -> list[tuple[str, str]]:
    """Return the cells of the first two columns of the first table below a heading."""
    part = PAGE.partition(f"{heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^\| `(.*?)` \| (.*?) \|", part, re.MULTILINE)


def shown(cells: dict[str, str], like: dict[str, str]) -> dict[str, str]:
    """Return the cells that hold something, and those that the example shows as blank."""
    return {column: text for column, text in cells.items() if text or column in like}


def test_the_examples_are_found():
    assert set(TABLES) == {"plain", "wide", "latex", "groups", "headings", "across", "pdf",
                           "several", "topics", "trec-eval", "beir", "hugging-face", "frame"}  # fmt: skip
    assert set(EXCHANGED) == set(FORMATS) - {"csv"}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_read_as_shown(name):
    table = tables.read_pasted(TABLES[name], Names())
    assert isinstance(table, tables.PastedTable), table
    assert not table.rejections
    (like, *_) = wanted = expected(name)
    assert [shown(row.cells, like) for row in table.rows] == wanted


@pytest.mark.parametrize("name", EXCHANGED)
def test_files_of_other_tools_are_read_as_shown(name):
    records = FORMATS[name].read(EXCHANGED[name])
    assert all(isinstance(record, Record) for record in records), records
    (like, *_) = wanted = expected(name)
    assert [shown(record.cells, like) for record in records] == wanted


def test_every_format_of_exchange_is_listed_with_its_media_type():
    listed = dict(table_below("## Files of other tools"))
    assert listed == {name: f"`{form.media_type}`" for name, form in FORMATS.items()}


def test_every_name_of_a_column_is_listed():
    listed = {column: names.split(", ") for column, names in table_below("### One result a row")}
    known = {column: names.split("|") for column, names in columns._ALIASES.items()}
    assert listed == {column: [" ".join(name.split()) for name in names] for column, names in known.items()}


@pytest.mark.parametrize(("printed", "score"), table_below("### Scores"))
def test_scores_are_split_as_shown(printed, score):
    assert f"`{grids.split_score(printed)[0]}`" == score


@pytest.mark.parametrize(("pasted", "address"), table_below("### Identifiers"))
def test_identifiers_are_read_as_shown(pasted, address):
    identifier = read_identifier(pasted)
    assert isinstance(identifier, PaperDraft), identifier
    assert f"`{identifier.url}`" == address


def test_bibtex_is_read_as_shown():
    paper = read_bibtex(BLOCKS["bibtex paper"])
    assert isinstance(paper, PaperDraft), paper
    facts = dict(line.split(": ", 1) for line in BLOCKS["text reads-paper"].splitlines())
    assert {name: str(getattr(paper, name)) for name in facts} == facts


def test_the_bounds_are_true():
    bounds = " ".join(PAGE.partition("### Bounds\n")[2].partition("\n#")[0].split())
    numbers = [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*[0-9]", bounds)]
    assert numbers == [
        tables.MAX_LENGTH, tables.MAX_MARKED_UP, MAX_RESULTS, grids.MAX_COLUMNS, grids.MAX_CELL_LENGTH,
    ]  # fmt: skip
    assert f"at most {MAX_BIBTEX:,} bytes" in PAGE
