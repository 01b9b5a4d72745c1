"""Tables copied from where columns stand under each other: terminals, pages of a paper."""

from tests.registry.submissions.pipeline.examples import read, refuse, scores


def test_columns_with_gaps_between_them():
    text = """
Table 3. Results on Robust04, by model

Model           MAP     P@10
-----------------------------
BM25            0.2531  0.4310
BM25 + RM3      0.2900
A long model            0.4402
"""
    table = read(text)
    assert table.form == "aligned text"
    assert scores(table) == [
        ("BM25", "", "AP", "0.2531"),
        ("BM25", "", "P@10", "0.4310"),
        ("BM25 + RM3", "", "AP", "0.2900"),
        ("A long model", "", "P@10", "0.4402"),
    ]
    assert [row.line for row in table.rows] == [6, 6, 7, 8]
    assert [one.text for one in table.asides] == ["Table 3. Results on Robust04, by model"]


def test_a_page_of_a_paper_has_single_blanks():
    table = read("Model MAP P@10\nBM25 0.2531 0.4310\nBM25 + RM3 0.2900† 0.4402\n")
    assert scores(table)[2:] == [("BM25 + RM3", "", "AP", "0.2900"), ("BM25 + RM3", "", "P@10", "0.4402")]


def test_a_row_that_cannot_be_told_apart_is_refused():
    (rejection,) = read("Model   MAP   P@10\nA     B   0.1   0.2\nC       0.1   0.2\n").rejections
    assert (rejection.code, rejection.line, rejection.column) == ("ragged", 2, "column 4")


def test_text_that_is_no_table():
    assert {one.code for one in refuse("This is what we found.\nIt is nothing.\n")} == {"missing_column"}
    assert [one.code for one in refuse("-----\n=====\n")] == ["empty"]
