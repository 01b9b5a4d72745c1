"""Tables pasted as Markdown, and as databases print them."""

import pytest

from analysis.readers.pasted.delimited import printed_markdown
from tests.analysis.readers.examples import read, refuse, scores

TABLE = """\
Our runs on **Robust04**:

| Model            | nDCG@10 (%) ↑ | MAP                    |
|:-----------------|--------------:|:----------------------:|
| BM25             | 43.1          | 0.2531                 |
| `ndcg_cut` tuned | **47.0**      | __0.2900__<sup>†</sup> |
| a\\|b *(ours)*   | –             | 0.3012*                |
"""


def test_a_table_with_emphasis_marks_and_escapes():
    table = read(TABLE)
    assert table.form == "Markdown"
    assert scores(table) == [
        ("BM25", "", "nDCG@10", "43.1"),
        ("BM25", "", "AP", "0.2531"),
        ("ndcg_cut tuned", "", "nDCG@10", "47.0"),
        ("ndcg_cut tuned", "", "AP", "0.2900"),
        ("a|b (ours)", "", "AP", "0.3012"),
    ]
    assert [row.line for row in table.rows] == [5, 5, 6, 6, 7]
    assert [row.cells["notes"] for row in table.rows] == ["", "", "", 'printed as "0.2900†"', 'printed as "0.3012*"']


def test_a_table_in_a_box():
    text = "+------+-----+\n| Run  | MAP |\n+------+-----+\n| r|1  | 0.2 |\n| r2   | 0.3 |\n+------+-----+\n"
    table = read(text)
    assert scores(table) == [("r2", "", "AP", "0.3")]
    (rejection,) = table.rejections
    assert (rejection.code, rejection.line, rejection.column) == ("ragged", 4, "column 3")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("**0.31**", "0.31"),
        ("*0.31*", "0.31"),
        ("__a__ _b_ ~~c~~", "a b c"),
        ("ndcg_cut_10", "ndcg_cut_10"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("0.31*", "0.31*"),
        (r"\*\*a\*\*", "**a**"),
        (r"a\_b\_c", "a_b_c"),
        ("`a_b_c` and ``d`e``", "a_b_c and d`e"),
        ("`open", "`open"),
        ("[BM25](https://example.org/a_b_c)", "BM25"),
        ("![logo](x.png) A", "logo A"),
        ("a<br>b", "a\nb"),
        ("<b>x</b><sup>a</sup><sub>2</sub>", "x^{a}_2"),
        ("<model>", "<model>"),
        ("R&amp;D &lt;x&gt; &#177; &plusmn;", "R&D <x> ± ±"),
        ("R&D A&copy", "R&D A&copy"),
        ("&#0; &#xD800;", "\ufffd \ufffd"),
        ("back\\slash \\q", "back\\slash \\q"),
    ],
)
def test_what_a_cell_shows(source, text):
    assert printed_markdown(source) == text


def test_a_row_of_more_than_two_hundred_columns_is_refused_and_escaped_bars_are_none():
    widest = "|".join(["a"] * 200)
    (rejection,) = refuse(f"| Run | MAP |\n|--|--|\n||{widest}||\n")
    assert (rejection.code, rejection.line) == ("too_many_columns", 3)
    assert rejection.message == "the row has more than 200 columns"
    notes = "a\\|" * 150 + "b"
    table = read(f"| Run | MAP | Notes |\n|--|--|--|\n| r1 | 0.1 | {notes} |\n")
    assert table.rows[0].cells["notes"] == "a|" * 150 + "b"
