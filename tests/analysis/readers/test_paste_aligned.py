"""Tables copied from where columns stand under each other: terminals, pages of a paper."""

import pytest

from tests.analysis.readers.examples import read, scores


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
    assert [aside.text for aside in table.asides] == ["Table 3. Results on Robust04, by model"]


def test_a_row_that_cannot_be_told_apart_is_refused():
    (rejection,) = read("Model   MAP   P@10\nA     B   0.1   0.2\nC       0.1   0.2\n").rejections
    assert (rejection.code, rejection.line, rejection.column) == ("ragged", 2, "column 4")


HEADS = {
    "from where they begin": "            Robust04            DL19 passage",
    "in the middle": "                Robust04        DL19 passage",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_heads_over_several_columns_are_told_by_where_they_stand(head):
    table = read(
        f"{head}\nModel       MAP       P@10      MAP     RR@10\nBM25        0.2531    0.4310    0.301   0.702\n"
    )
    assert [values[1:3] for values in scores(table)] == [
        ("Robust04", "AP"), ("Robust04", "P@10"), ("DL19 passage", "AP"), ("DL19 passage", "RR@10"),
    ]  # fmt: skip
    assert not table.questions


def test_heads_of_unknown_size_are_told_by_where_they_stand():
    head = "                Alpha     Beta"
    table = read(f"{head}\nDataset         BM25      DPR    ANCE\nRobust04        0.25      0.1    0.2\n")
    assert [(row.cells["system"], row.cells["notes"]) for row in table.rows] == [
        ("BM25", 'under "Alpha"'), ("DPR", 'under "Beta"'), ("ANCE", 'under "Beta"'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("LTR 0.3012abc 0.4610", ["0.3012", "0.4610"]),
        ("LTR 0.3012 ± 0.01 0.4610 (+2%)", ["0.3012", "0.4610"]),
        ("LTR v2 0.3012 † 0.4610*", ["0.3012", "0.4610"]),
        ("GPT 4 0.3012 –", ["0.3012"]),
    ],
)
def test_what_a_copy_tears_apart_or_glues_together_is_put_right(line, values):
    table = read(f"Run MAP P@10\nr1 0.1 0.2\nr2 0.1 0.2\n{line}\n")
    assert [row.cells["value"] for row in table.rows if row.line == 4] == values


@pytest.mark.parametrize("line", ["LTR 0.3012ms 0.46x", "LTR 0.3012cab 0.4610ba"])
def test_letters_that_mark_nothing_make_no_score(line):
    table = read(f"Run MAP P@10\nr1 0.1 0.2\n{line}\n")
    assert len(table.rows) == 2
    assert [aside.text for aside in table.asides] == [line]


def test_a_line_with_too_few_scores_is_refused_and_one_without_any_heads_those_below():
    table = read("Run MAP P@10\nNeural models\nr1 0.1 0.2\nr2 0.1\nr3 0.3 0.4\n")
    assert [(rejection.code, rejection.line) for rejection in table.rejections] == [("ragged", 4)]
    assert {row.cells["notes"] for row in table.rows} == {'under "Neural models"'}
