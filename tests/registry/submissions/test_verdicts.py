"""A row is judged alike whichever way it comes in: form, CSV, spreadsheet, Markdown, LaTeX, JSON."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.columns import COLUMNS
from analysis.readers.exchange.formats import read_csv, read_json_results, write_csv, write_json_results
from analysis.readers.grids import split_score
from analysis.readers.pasted.tables import read_pasted
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from registry.catalog.queries import CatalogNames
from registry.results.pipeline.rows import ResultRow, result_reader
from tests.analysis.readers.examples import examples, storable, write_delimited, write_latex, write_markdown
from tests.registry.factory import make_collection, make_measure

TODAY = date(2026, 11, 21)
#: What scores were seen to be written as, in papers and by those who try what happens.
SCORES = (
    "0.2531", ".253", "0.30", "0.3", "1", "0", "-0", "+0.5", "1.0001", "-0.1", "23.4", "23.4%", "100", "101", "0,253",
    "1,234.5", "NaN", "nan", "inf", "-Infinity", "1e400", "1e-3", "1_0", "٣", "０.５", "−0.1", "0x1F", "true", "None",
    "n/a", "-", "–", "0.2 0.3", "5.", ".", "9" * 45, "0." + "1" * 60, "=0.1", "0.1\n", " 0.2 ", "0.25a", "１",
)  # fmt: skip
GOOD = {
    "collection": "robust04",
    "measure": "MAP",
    "system": "BM25",
    "value": "0.25",
    "role": "baseline",
    "source": "Doe (SIGIR 2021)",
}


@pytest.fixture
def names(db):
    make_collection("trec-2004-robust", aliases=["robust04"])
    make_measure("AP", aliases=["MAP"])
    make_measure("nDCG@10")
    return CatalogNames()


def verdict(records, names):
    """Return the row without its place, or what is wrong with each of its cells."""
    (row,) = records
    assert not isinstance(row, Rejection), row
    cells = row.cells if isinstance(row, Record) else row
    parsed = result_reader(names, today=TODAY)(cells, 1)
    return parsed if isinstance(parsed, ResultRow) else [(fault.code, fault.column) for fault in parsed]


def ways(cells):
    """Return the row as each way in reads it."""
    grid = [list(COLUMNS), [cells[column] for column in COLUMNS]]
    yield "CSV", read_pasted(write_delimited(grid, ","), form="CSV").records()
    yield "TSV", read_pasted(write_delimited(grid, "\t"), form="TSV").records()
    yield "Markdown", read_pasted(write_markdown(grid), form="Markdown").records()
    yield "CSV for programs", read_csv(write_csv([cells]))
    yield "JSON", read_json_results(write_json_results([cells]))


@examples
@given(
    value=st.sampled_from(SCORES) | storable(8),
    other=st.dictionaries(st.sampled_from([name for name in COLUMNS if name != "value"]), storable(), max_size=2),
)
def test_every_way_in_gives_the_verdict_of_the_form(names, value, other):
    cells = dict.fromkeys(COLUMNS, "") | GOOD | other | {"value": split_score(value)[0]}
    expected = verdict([cells], names)
    for way, records in ways(cells):
        assert verdict(records, names) == expected, way


@examples
@given(value=st.sampled_from([text for text in SCORES if text.isprintable()]))
def test_latex_gives_the_verdict_of_the_form(names, value):
    cells = dict.fromkeys(COLUMNS, "") | GOOD | {"value": value}
    grid = [list(COLUMNS), [cells[column] for column in COLUMNS]]
    (row,) = read_pasted(write_latex(grid)).records()
    assert verdict([row], names) == verdict([cells], names)


@pytest.mark.parametrize("value", SCORES)
def test_no_way_in_lets_through_what_is_no_score(names, value):
    """The reference: a decimal from 0 to 1 or one of percent, and nothing that Python's float takes beyond it."""
    cells = dict.fromkeys(COLUMNS, "") | GOOD | {"value": value}
    digits, highest = (value.strip().removesuffix("%"), 100) if "%" in value else (value.strip(), 1)
    is_decimal = re.fullmatch(r"[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)(e-[0-9]+)?", digits, re.ASCII) and len(digits) <= 40
    is_taken = bool(is_decimal) and 0 <= float(digits) <= highest
    for way, records in ways(cells):
        assert isinstance(verdict(records, names), ResultRow) == is_taken, way
