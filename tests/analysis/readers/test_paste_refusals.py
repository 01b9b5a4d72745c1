"""Traps for readers of tables: what is refused as a whole, and what comes through as it stands."""

import pytest

from analysis.readers.grids import bare_label, split_score
from analysis.readers.pasted.tables import FORMS
from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from tests.analysis.readers.examples import read, refuse


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("\ufeff", "empty"),
        ("system,MAP\n", "empty"),
        ("system,MAP\n,\n", "empty"),
        ("@article{key, title={A}}", "not_a_table"),
        ("qid,docid,rank,score\n1,d1,1,12.3\n", "a_run"),
        ('{"results": []}', "shape"),
        ("<table><tr><td>MAP</td></tr></table>", "empty"),
        ("x" * 5_000_001, "too_long"),
        ("| system | MAP |\n|--|--|\n" + f"| {'a' * 1000} | 0.1 |\n" * 2_000, "too_long"),
        ("\n" * 300_000 + "system,MAP\na,1\n", "too_many_rows"),
        ("system,MAP\n" + "a,0.1\n" * 10_001, "too_many_rows"),
        ("system,MAP,P@10\n" + "a,0.1,0.2\n" * 6_000, "too_many_rows"),
        ("," * 300 + "\n", "empty"),
        ("a," * 300 + "\n", "too_many_columns"),
        ("   name   MAP\n0     a  0.10\n..  ...   ...\n9     j  0.20\n\n[10 rows x 2 columns]", "cut"),
    ],
    ids=lambda value: value if len(value) < 20 else "text",
)
def test_what_is_no_table_or_too_much_of_one(text, code):
    assert refuse(text)[0].code == code


@pytest.mark.parametrize("form", FORMS)
def test_every_form_refuses_what_is_not_in_it(form):
    assert refuse("hello", form=form)


@pytest.mark.parametrize(
    "text",
    [
        "NaN", "inf", "-Infinity", "1e400", "1_000", "٣", "0x1F", "true", "1e-5", "−0.1", "0,31", "23.4", "23.4%",
        "9" * 30,
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["CSV", "TSV", "Markdown", "LaTeX"])
def test_scores_are_judged_later_and_come_through_as_they_stand(text, form):
    cell = text.replace("%", "\\%").replace("_", "\\_") if form == "LaTeX" else f'"{text}"' if form == "CSV" else text
    table = {
        "CSV": f"system,MAP\na,{cell}\n",
        "TSV": f"system\tMAP\na\t{cell}\n",
        "Markdown": f"| system | MAP |\n|--|--|\n| a | {cell} |\n",
        "LaTeX": f"system & MAP \\\\\na & {cell} \\\\\n",
    }[form]
    assert [row.cells["value"] for row in read(table).rows] == [text]


@pytest.mark.parametrize(
    "name", ["=1+1", "@SUM(A1)", "<script>alert(1)</script>", "a\u202eb", "a\u200bb", "x" * 10_000]
)
def test_names_are_judged_later_and_come_through_as_they_stand(name):
    assert read(f"system,MAP\n{name},0.1\n").rows[0].cells["system"] == name


@pytest.mark.parametrize(
    ("text", "score", "printed"),
    [
        ("0.31", "0.31", ""), (" 0.31 ", "0.31", ""), ("+.31", "+.31", ""), ("0.31*", "0.31", "0.31*"),
        ("0.31 †‡", "0.31", "0.31 †‡"), ("▲0.31", "0.31", "▲0.31"), ("0.31ᵃᵇ", "0.31", "0.31ᵃᵇ"),
        ("0.31²", "0.31", "0.31²"), ("0.31±.02", "0.31", "0.31±.02"), ("0.31 +/- 0.02", "0.31", "0.31 +/- 0.02"),
        ("0.31 [0.29, 0.33]", "0.31", "0.31 [0.29, 0.33]"), ("0.31 (12)", "0.31", "0.31 (12)"),
        ("0.31^{ab}", "0.31", "0.31^{ab}"), ("10^{-3}", "10^{-3}", ""), ("0.31.", "0.31.", ""),
        ("0.31a", "0.31a", ""), ("0.31 0.32", "0.31 0.32", ""), ("31%", "31%", ""), ("1e-3", "1e-3", ""),
        ("*", "*", ""), ("", "", ""), ("0.31" + "*" * 300, "0.31" + "*" * 300, ""),
    ],
)  # fmt: skip
def test_marks_around_scores(text, score, printed):
    assert split_score(text) == (score, printed)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("BM25", "BM25"),
        ("BM25^{†}", "BM25"),
        ("BM25^{a,b}", "BM25"),
        ("SPLADE^{++}", "SPLADE++"),
        ("R^{2}", "R"),
        ("BERT‡", "BERT"),
        ("e^{ix}", "eix"),
    ],
)
def test_marks_at_names(text, label):
    assert bare_label(text) == label


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04....", "a zip archive or a spreadsheet"),
        (b"%PDF-1.7", "a PDF"),
        ("system,MAP\n".encode("utf-16"), "UTF-16"),
        (b"system,MAP\na,\xe9\n", "byte 0xE9 in line 2"),
        (b"\x00\x01\x02\x03" * 50, "binary"),
    ],
)
def test_files_that_are_no_text(content, message):
    with pytest.raises(Refused) as caught:
        decode(content)
    assert message in caught.value.message


def test_files_are_text_with_or_without_a_byte_order_mark():
    assert decode("a,é\n".encode()) == decode("\ufeffa,é\n".encode()) == "a,é\n"
