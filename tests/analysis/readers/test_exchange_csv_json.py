"""Our own two formats of exchange, CSV and JSON."""

import csv
import io

import pytest

from analysis.readers.columns import COLUMNS
from analysis.readers.exchange.formats import read_csv, read_json_results, write_csv
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record, fill_blanks, guard_formula, unguard_formula
from tests.analysis.readers.examples import filled_cells

ROW = {"collection": "robust04", "measure": "AP", "system": "BM25", "value": "0.30", "role": "baseline", "source": "x"}


def only_rejection(records) -> tuple[str, int | None, str, bool]:
    (rejection,) = [record for record in records if isinstance(record, Rejection)]
    return rejection.code, rejection.line, rejection.column, rejection.fatal


def test_csv_has_all_columns_and_values_as_printed():
    text = write_csv([ROW])
    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert "0.30" in text
    assert filled_cells(read_csv(text)) == [ROW]


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "+x", "-x", "\t=1", "＝1", "'=1", "''=1", "'x", "-0.5", "+1"])
def test_formulas_are_guarded_and_names_come_back(name):
    text = write_csv([ROW | {"system": name}])
    cell = list(csv.reader(io.StringIO(text, newline="")))[1][COLUMNS.index("system")]
    assert not cell.startswith(("=", "@", "\t", "＝"))
    assert unguard_formula(guard_formula(name)) == name
    assert read_csv(text)[0].cells["system"] == name


def test_rows_that_cannot_be_read_keep_none_of_the_others_out():
    lines = write_csv([ROW] * 5000).splitlines(keepends=True)
    lines[10], lines[2000], lines[4000] = "too,few\r\n", lines[2000].replace("BM25", "BM\0"), '"a"b' + lines[4000]
    records = read_csv("".join(lines))
    assert sum(isinstance(record, Record) for record in records) == 4997
    assert [(record.code, record.line) for record in records if isinstance(record, Rejection)] == [
        ("ragged", 11),
        ("nul", 2001),
        ("quote", 4001),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("collection,measure,system,value,role\n", "empty"),
        ("a,b\n1,2\n", "unknown_column"),
        ("collection;measure\n", "separator"),
        ("\ud800", "unknown_column"),
        ('collection,measure,system,value,role\n"', "unclosed_quote"),
        (write_csv([ROW] * 10_001), "too_many_rows"),
        (write_csv([ROW | {"notes": "x" * 20_000}] * 260), "too_long"),
    ],
)
def test_csv_that_is_refused_as_a_whole(text, code):
    records = read_csv(text)
    assert all(isinstance(record, Rejection) and record.fatal and record.line for record in records)
    assert records[0].code == code


def test_json_keeps_digits_of_numbers_and_texts():
    text = '{"results": [{"value": 0.30, "year": 2005, "system": "a"}, {"value": "0.300", "team": null}]}'
    assert filled_cells(read_json_results(text)) == [
        {"value": "0.30", "year": "2005", "system": "a"},
        {"value": "0.300"},
    ]


@pytest.mark.parametrize(
    ("result", "code", "column"),
    [
        ('{"value": true}', "type", "value"),
        ('{"value": [0.1]}', "type", "value"),
        ('{"value": {"a": 1}}', "type", "value"),
        ('{"system": 25}', "type", "system"),
        ('{"sytem": "a"}', "unknown_column", "sytem"),
        ('{"system": "\\ud800"}', "no_text", "system"),
        ('{"system": "a\\u0000"}', "no_text", "system"),
        ('{"\\ud800": "a"}', "unknown_column", "\\ud800"),
        ('{"notes": "' + "x" * 20_001 + '"}', "too_long", "notes"),
        ('"text"', "shape", "results"),
        ("null", "shape", "results"),
    ],
)
def test_a_bad_row_of_json_keeps_none_of_the_others_out(result, code, column):
    records = read_json_results(f'{{"results": [{{"value": 0.1}}, {result}, {{"value": 0.2}}]}}')
    assert [record.line for record in records] == [1, 2, 3]
    assert only_rejection(records) == (code, 2, column, False)


@pytest.mark.parametrize(
    ("value", "as_cell"),
    [("1e400", "1e400"), ("9" * 5000, "9" * 5000), ("-0", "-0"), ("0.1e-5", "0.1e-5"), ('"NaN"', "NaN")],
    ids=["beyond floats", "5,000 digits", "minus zero", "scientific", "a text"],
)
def test_numbers_of_json_are_judged_later_and_come_through_as_they_stand(value, as_cell):
    assert filled_cells(read_json_results(f'{{"results": [{{"value": {value}}}]}}')) == [{"value": as_cell}]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "json", 1),
        ("{", "json", 1),
        ('{"results": [\n{"value": 0.1,}]}', "json", 2),
        ('{"results": [{"value": NaN}]}', "not_finite", 1),
        ('{"results": [{"value": -Infinity}]}', "not_finite", 1),
        ('{"results": ["NaN",\n{"value": NaN}]}', "not_finite", 2),
        ('{"results": [{"value": 1, "value": 2}]}', "duplicate_key", 1),
        ("[" * 100_000, "nesting", 1),
        ("[\n" * 40 + "]" * 40, "nesting", 33),
        ('{"a": "[[[[", "results": ' + "[" * 33 + "]" * 33 + "}", "nesting", 1),
        ("[]", "shape", 1),
        ("1", "shape", 1),
        ('{"results": {}}', "shape", 1),
        ('{"results": []}', "empty", 1),
        ('{"results": [' + ",".join(["{}"] * 10_001) + "]}", "too_many_rows", 10_001),
        ('{"results": ["' + "x" * 5_000_000 + '"]}', "too_long", 1),
        ("{'results': []}", "json", 1),
        ('{"results": [{"system": "a\nb"}]}', "json", 1),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_json_that_is_refused_as_a_whole(text, code, line):
    (rejection,) = read_json_results(text)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.line, rejection.fatal) == (code, line, True)
    assert rejection.column


def test_what_holds_for_all_rows_fills_their_blanks():
    records = [*read_csv(write_csv([ROW, ROW | {"role": ""}])), Rejection("x", "is wrong", 4)]
    filled = fill_blanks(records, {"role": "proposed", "team": "uni"})
    assert [(row.cells["role"], row.cells["team"]) for row in filled[:2]] == [("baseline", "uni"), ("proposed", "uni")]
    assert filled[2] is records[2]
