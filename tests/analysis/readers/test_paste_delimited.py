"""Tables pasted as CSV, with semicolons, or from a spreadsheet."""

import pytest

from tests.analysis.readers.examples import facts, read, refuse, scores

LONG = """\
collection,measure,system,value,role,source
Robust04,MAP,BM25,0.2531,baseline,Doe (SIGIR 2021)
Robust04,MAP,BM25 + RM3,0.2900,baseline,Doe (SIGIR 2021)
"""


def test_a_table_in_the_import_format():
    table = read(LONG)
    assert table.form == "CSV"
    assert [(row.line, row.column) for row in table.rows] == [(2, 4), (3, 4)]
    assert facts(table)[1] == {
        "collection": "Robust04",
        "measure": "MAP",
        "system": "BM25 + RM3",
        "value": "0.2900",
        "role": "baseline",
        "source": "Doe (SIGIR 2021)",
    }
    assert not table.rejections
    assert not table.asides


@pytest.mark.parametrize(
    ("delimiter", "form"),
    [(",", "CSV"), (";", "CSV with semicolons"), ("\t", "TSV")],
    ids=["comma", "semicolon", "tab"],
)
def test_the_separator_is_told_from_the_header(delimiter, form):
    table = read(delimiter.join(["Method", "MAP"]) + "\n" + delimiter.join(["BM25", "0.25"]) + "\n")
    assert table.form == form
    assert scores(table) == [("BM25", "", "AP", "0.25")]


def test_lines_are_counted_behind_cells_of_several_lines():
    table = read('system,value,notes\nBM25,0.2,"one\ntwo"\nQL,0.3,\n')
    assert [row.line for row in table.rows] == [2, 4]
    assert table.rows[0].cells["notes"] == "one\ntwo"


def test_rows_that_cannot_be_read_keep_none_of_the_others_out():
    good = [f"BM25 {number},0.25\n" for number in range(5000)]
    good[10], good[2000], good[4000] = "QL,0.1,0.2\n", "QL\0,0.1\n", 'Q"L","0.1"x\n'
    table = read("system,MAP\n" + "".join(good))
    assert len(table.rows) == 4997
    assert [(rejection.code, rejection.line, rejection.column) for rejection in table.rejections] == [
        ("ragged", 12, "column 3"),
        ("nul", 2002, "column 1"),
        ("quote", 4002, "column 2"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('system,value\nBM25,0.1\n"QL,0.2\n', "unclosed_quote", 3, "column 1"),
        ('system,value\nBM25,"0.1\n', "unclosed_quote", 2, "column 2"),
        ('system,value\nBM25,"' + "x\n" * 70_000, "long_cell", 2, "column 2"),
        ("system\0,value\nBM25,0.1\n", "nul", 1, "column 1"),
    ],
    ids=["a quote in the first cell", "in the last", "a cell of 140,000 characters", "NUL in the header"],
)
def test_what_breaks_the_whole_table_is_named_by_line_and_column(text, code, line, column):
    (rejection,) = refuse(text)
    assert (rejection.code, rejection.line, rejection.column) == (code, line, column)


def test_a_cell_too_long_is_refused_with_its_place():
    table = read(f"system,value,notes\nBM25,0.1,{'x' * 20_001}\nQL,0.2,\n")
    (rejection,) = table.rejections
    assert (rejection.code, rejection.line, rejection.column) == ("too_long", 2, "column 3")
    assert scores(table) == [("QL", "", "", "0.2")]


def test_the_column_of_a_quote_is_counted_behind_cells_of_several_lines():
    table = read('system,MAP\nr0,0.3\n"Q\nL","0.1"x\nBM25,0.2\n')
    assert [(rejection.code, rejection.line, rejection.column) for rejection in table.rejections] == [
        ("quote", 3, "column 2")
    ]
    assert scores(table) == [("r0", "", "AP", "0.3"), ("BM25", "", "AP", "0.2")]


def test_half_a_character_is_refused_with_its_place():
    (rejection,) = read("system,MAP\nBM25\ud800,0.1\nQL,0.2\n").rejections
    assert (rejection.code, rejection.line, rejection.column) == ("no_text", 2, "column 1")
    assert "U+D800" in rejection.message


def test_columns_go_by_many_names():
    table = read(
        "Run Tag\tGroup\tDataset\tMetric\tScore\tReference\tURL\tDescription\nr1\tg\tc\tm\t0.1\tp\thttps://e.org\td\n"
    )
    assert facts(table) == [
        {
            "system": "r1",
            "team": "g",
            "collection": "c",
            "measure": "m",
            "value": "0.1",
            "paper": "p",
            "paper_url": "https://e.org",
            "notes": "d",
        }
    ]


def test_what_is_in_no_result_is_told():
    table = read("#,Method,MAP,Latency\n1,BM25,0.25,12 ms\n2,QL,n/a,\n")
    assert scores(table) == [("BM25", "", "AP", "0.25")]
    assert [(aside.line, aside.column, aside.text) for aside in table.asides] == [
        (1, 4, "12 ms"),
        (2, 1, "1"),
        (3, 1, "2"),
        (3, 2, "QL"),
        (3, 3, "n/a"),
    ]
    assert {head.text: head.left_out for head in table.heads if head.left_out} == {"Latency": "a cost, no score"}


def test_a_column_that_nobody_understands_is_told():
    table = read("Method,MAP,Vibes\nBM25,0.25,good\n")
    assert [(aside.line, aside.column, aside.text, aside.why) for aside in table.asides] == [
        (2, 3, "good", "its column is not understood")
    ]
    assert [head.text for head in table.unused] == ["Vibes"]
