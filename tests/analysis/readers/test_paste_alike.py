"""Rows of one name: what else the table says of them goes into it, where they would be one result otherwise."""

import pytest

from tests.analysis.readers.examples import facts, read


def systems(text: str) -> list[str]:
    return list(dict.fromkeys(row["system"] for row in facts(read(text))))


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (["X,small,MS,0.1", "X,large,MS,0.2"], ["X (small)", "X (large)"]),
        (["X,small,MS,0.1", "X,small,NQ,0.2"], ["X (MS)", "X (NQ)"]),
        (["X,small,MS,0.1", "X,large,MS,0.2", "X,large,NQ,0.3"], ["X (small, MS)", "X (large, MS)", "X (large, NQ)"]),
        (["X,small,MS,0.1", "X,,MS,0.2"], ["X (small)", "X"]),
        (["X,small,MS,0.1", "x ,large,MS,0.2"], ["X (small)", "x (large)"]),
        (["X,1.5,MS,0.1", "X,3,MS,0.2"], ["X (Size 1.5)", "X (Size 3)"]),
        (["X,small,MS,0.1", "Y,small,MS,0.2"], ["X", "Y"]),
        (["X,small,MS,0.1", "X,small,MS,0.2"], ["X"]),
    ],
)
def test_the_first_column_under_which_they_differ_or_all_of_them(rows, names):
    assert systems("\n".join(["Model,Size,Trained on,MAP", *rows])) == names


def test_what_is_in_the_name_is_not_in_the_notes_and_the_other_way_round():
    first, second, third = facts(read("Model,Size,Lang,MAP\nX,small,en,0.1\nX,large,en,0.2\nY,base,de,0.3\n"))
    assert [first["notes"], second["notes"], third["notes"]] == ["Lang: en", "Lang: en", "Size: base; Lang: de"]


@pytest.mark.parametrize("column", ["team", "paper", "source", "collection", "measure"])
def test_what_makes_another_result_tells_rows_apart_already(column):
    values = {"measure": ("MAP", "P@10")}.get(column, ("one", "two"))
    text = f"system,size,{column},value\nX,small,{values[0]},0.1\nX,large,{values[1]},0.2\n"
    assert systems(text) == ["X"]


def test_a_column_comes_before_the_group():
    text = "Model\tSize\tMAP\nBase\nX\tsmall\t0.1\nLarge\nX\tlarge\t0.2\n"
    assert systems(text) == ["X (small)", "X (large)"]


def test_the_group_tells_where_no_column_does():
    text = "Model\tSize\tMAP\nZero-shot\nX\tsmall\t0.1\nFine-tuned\nX\tsmall\t0.2\n"
    assert systems(text) == ["X (Zero-shot)", "X (Fine-tuned)"]


def test_costs_never_make_a_name():
    table = read("Model,MAP,Latency (ms)\nX,0.1,12\nX,0.2,24\n")
    assert {row.cells["system"] for row in table.rows} == {"X"}


def test_sizes_behind_the_scores_do():
    assert systems("Model,MAP,#Params\nX,0.1,110M\nX,0.2,3B\n") == ["X (110M)", "X (3B)"]


ADDED = "Model\tMAP\nBM25\t0.1\n+ RM3\t0.2\n+ T5\t0.3\nQL\t0.15\n+ RM3\t0.25\nw/o stems\t0.05\n"


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("above", ["BM25", "BM25 + RM3", "BM25 + RM3 + T5", "QL", "QL + RM3", "QL w/o stems"]),
        ("first", ["BM25", "BM25 + RM3", "BM25 + T5", "QL", "QL + RM3", "QL w/o stems"]),
    ],
)
def test_to_what_the_second_of_two_rows_adds_is_asked(answer, names):
    (question, *_) = read(ADDED).questions
    assert question.text == "+ T5 stands below + RM3, and that below BM25. What is it?"
    assert question.choices == (("above", "BM25 + RM3 + T5"), ("first", "BM25 + T5"))
    rows = facts(read(ADDED, answers={"additions": answer}))
    assert [row["system"] for row in rows] == names
    assert [row.get("notes", "") for row in rows] == [
        "", 'system printed as "+ RM3"', 'system printed as "+ T5"', "", 'system printed as "+ RM3"',
        'system printed as "w/o stems"',
    ]  # fmt: skip


def test_one_addition_below_a_system_is_no_question():
    text = ADDED.replace("+ T5\t0.3\n", "")
    assert [row["system"] for row in facts(read(text))][:2] == ["BM25", "BM25 + RM3"]
    assert [question.about for question in read(text).questions] == ["collection"]
