"""Lists as files: what a cell is, and that no column has a name that nothing explains."""

from json import loads

import pytest

from registry.core.columns import as_cell, list_file, table_csv


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (True, "true"),
        (False, "false"),
        (("a", "b"), "a;b"),
        ((), ""),
        (None, None),
        (0, 0),
        (-0.25, -0.25),
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("", ""),
    ],
)
def test_a_value_is_a_cell_that_no_spreadsheet_runs(value, cell):
    assert as_cell(value) == cell


def test_a_table_has_its_columns_and_then_more():
    text = table_csv(("name", "year"), [("a, b", 2004, 0.5), (None, "", True)], ["P@10"])
    assert text == 'name,year,P@10\n"a, b",2004,0.5\n,,true\n'


def test_a_column_that_nothing_explains_is_none():
    with pytest.raises(KeyError, match="colour"):
        table_csv(("name", "colour"), [])


def test_a_list_is_a_file_of_csv_or_of_json():
    rows = [("AP", 1), ("=RR", None)]
    csv = list_file("measures", ("name", "year"), rows, "csv")
    assert (csv["Content-Type"], csv.content.decode()) == ("text/csv; charset=utf-8", "name,year\nAP,1\n'=RR,\n")
    assert "plumbline-measures.csv" in csv["Content-Disposition"]
    json = list_file("measures", ("name", "year"), rows, "json")
    assert json["Content-Type"].startswith("application/json")
    assert loads(json.content) == {
        "count": 2,
        "results": [{"name": "AP", "year": 1}, {"name": "=RR", "year": None}],
    }
