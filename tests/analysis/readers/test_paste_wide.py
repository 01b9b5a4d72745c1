"""Tables whose columns are measures, collections or systems: each score is a result of its own."""

import pytest

from analysis.readers.names import measure_name
from analysis.readers.pasted.tables import PastedTable, read_pasted
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from tests.analysis.readers.examples import facts, read, refuse, scores


@pytest.mark.parametrize(
    "heads",
    [
        "\tRobust04\t\tDL19 passage\t\nRun\tMAP\tP@10\tMAP\tP@10\nr1\t.1\t.2\t.3\t.4\n",
        # Heads that reach down over both rows of a header have nothing below them.
        "Model\tRobust04\tDL19 passage\tLatency\nMAP\tP@10\tMAP\tP@10\nr1\t.1\t.2\t.3\t.4\t12\n",
    ],
)
def test_measures_below_collections(heads):
    assert [values[1:] for values in scores(read(heads))] == [
        ("Robust04", "AP", ".1"), ("Robust04", "P@10", ".2"),
        ("DL19 passage", "AP", ".3"), ("DL19 passage", "P@10", ".4"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "head", ["Robust04 MAP", "MAP Robust04", "Robust04 / MAP (%)", "Robust04: MAP ↑", "Robust04-MAP"]
)
def test_collection_and_measure_in_one_head(head):
    assert scores(read(f"Run,{head}\nr1,0.1\n")) == [("r1", "Robust04", "AP", "0.1")]


@pytest.mark.parametrize("text", ["\tNovel-Bench\nRun\tMAP\nr1\t0.1\n", "Run\tMAP (Novel-Bench)\nr1\t0.1\n"])
def test_what_a_name_over_a_measure_is_that_nobody_knows_is_asked(text):
    table = read(text)
    (question,) = table.questions
    assert question.text == "Beside measures stand names that nobody knows here: Novel-Bench. What are they?"
    assert not table.rows
    assert [(head.position, head.measure) for head in table.heads] == [(1, ""), (2, "AP")]
    assert scores(read(text, answers={"over": "collections"})) == [("r1", "Novel-Bench", "AP", "0.1")]
    (row,) = read(text, answers={"over": "settings"}).rows
    assert (row.cells["system"], row.cells["collection"], row.cells["notes"]) == ("r1", "", 'under "Novel-Bench"')


def test_settings_over_measures_tell_systems_apart():
    text = "Run\tMAP (title)\tMAP (desc)\tP@10 (title)\nr1\t0.1\t0.2\t0.3\n"
    assert scores(read(text, answers={"over": "settings"})) == [
        ("r1 (title)", "", "AP", "0.1"),
        ("r1 (desc)", "", "AP", "0.2"),
        ("r1 (title)", "", "P@10", "0.3"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Robust04\nRun\tMAP (title)\nr1\t0.1\n",
        "Run\tDataset\tMAP (title)\nr1\tRobust04\t0.1\n",
        "Run\tRobust04 MAP (title)\nr1\t0.1\n",
    ],
)
def test_beside_a_known_collection_other_names_are_settings(text):
    table = read(text)
    assert scores(table) == [("r1", "Robust04", "AP", "0.1")]
    assert table.rows[0].cells["notes"] == 'under "title"'


@pytest.mark.parametrize("suite", ["BEIR", "BEIR-13", "BEIR (avg.)", "MTEB", "MIRACL"])
def test_a_suite_over_scores_is_an_average(suite):
    for text in (f"Run,{suite},MAP\nr1,0.1,0.2\n", f",{suite},Robust04\nRun,P@10,MAP\nr1,0.1,0.2\n"):
        table = read(text)
        assert [head.left_out for head in table.heads] == ["", "an average", ""]
        assert [values[2] for values in scores(table)] == ["AP"]


def test_a_heading_may_name_a_measure_in_brackets_and_a_group():
    table = read("Run,Robust04,DL19 passage\nSearch tasks (nDCG@10),,\nr1,0.1,0.2\nQA (Success@5),,\nr1,0.3,0.4\n")
    assert [values[2] for values in scores(table)] == ["nDCG@10", "nDCG@10", "Success@5", "Success@5"]
    assert {row.cells["notes"] for row in table.rows} == {'under "Search tasks"', 'under "QA"'}


def test_systems_side_by_side():
    table = read("Metric,BM25,QL,Comment\nMAP,0.1,0.2,good\nP@10,0.3,0.4,\n")
    assert scores(table) == [
        ("BM25", "", "MAP", "0.1"),
        ("QL", "", "MAP", "0.2"),
        ("BM25", "", "P@10", "0.3"),
        ("QL", "", "P@10", "0.4"),
    ]
    assert {row.cells["notes"] for row in table.rows} == {"good", ""}


def test_sections_name_collections_until_the_next():
    text = "Run,MAP\nr0,0.1\nRobust04,\nr1,0.2\nNeural,\nr2,0.3\nDL20 passage,\nr3,0.4\n"
    assert scores(read(text.replace(",\n", ", \n"))) == scores(read(text)), "a blank is nothing"
    table = read(text)
    assert [values[:2] for values in scores(table)] == [
        ("r0", ""),
        ("r1", "Robust04"),
        ("r2", "Robust04"),
        ("r3", "DL20 passage"),
    ]
    assert [row.cells["notes"] for row in table.rows] == ["", "", 'under "Neural"', ""]


def test_systems_side_by_side_leave_no_column_for_their_names():
    table = read("Dataset\tKind\tBM25\tDPR\nRobust04\tnews\t0.1\t0.2\nDL19 passage\tweb\t0.3\t0.4\n")
    assert [values[:2] for values in scores(table)][:2] == [("BM25", "Robust04"), ("DPR", "Robust04")]
    assert [(aside.line, aside.column, aside.text, aside.why) for aside in table.asides] == [
        (2, 2, "news", "its column is not understood"), (3, 2, "web", "its column is not understood"),
    ]  # fmt: skip


def test_rows_are_collections_where_half_of_their_names_are_and_averages_do_not_count():
    averages = "Avg.\t0.1\t0.2\nMean\t0.1\t0.2\nMacro avg\t0.1\t0.2\n"
    half = "\tFoo\tBar\nRobust04\t0.1\t0.2\nNew-A\t0.3\t0.4\n"
    assert [values[:2] for values in scores(read(half + averages))] == [
        ("Foo", "Robust04"), ("Bar", "Robust04"), ("Foo", "New-A"), ("Bar", "New-A"),
    ]  # fmt: skip
    fewer = read(f"{half}New-B\t0.5\t0.6\n")
    assert [question.about for question in fewer.questions if question.is_open] == ["across"]


def test_what_holds_for_the_row_is_in_each_of_its_results():
    table = read("Run,Team,MAP,P@10,Notes\nr1,uni,0.1*,0.2,tuned\n")
    assert facts(table) == [
        {"measure": "AP", "system": "r1", "team": "uni", "value": "0.1", "notes": 'tuned; printed as "0.1*"'},
        {"measure": "P@10", "system": "r1", "team": "uni", "value": "0.2", "notes": "tuned"},
    ]


@pytest.mark.parametrize(
    ("header", "code", "column"),
    [
        ("Run,MAP,AP", "duplicate_column", "AP"),
        ("system,value,Score", "duplicate_column", "Score"),
        ("system,value,MAP", "mixed", "value"),
        ("system,measure,MAP", "mixed", "MAP"),
        ("system,collection,Robust04", "mixed", "Robust04"),
        ("system,valeu,role", "missing_column", "value"),
    ],
)
def test_headers_that_contradict_themselves(header, code, column):
    rejections = refuse(f"{header}\na,0.1,0.2\n")
    assert (code, 1, column) in [(rejection.code, rejection.line, rejection.column) for rejection in rejections]


def test_records_are_numbered_where_lines_have_several_results():
    records = read("Run,MAP,P@10\nr1,0.1,0.2\nr2\nr3,0.3,0.4\n").records()
    assert [(type(record), record.line) for record in records] == [
        (Record, 1),
        (Record, 2),
        (Rejection, 3),
        (Record, 4),
        (Record, 5),
    ]
    assert str(records[2]).startswith("3: column 2: line 3: the row has 1 cells")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("MAP", "AP"), ("Mean Average Precision", "AP"), ("MAP@100", "AP@100"), ("map_cut_100", "AP@100"),
        ("ndcg_cut.10", "nDCG@10"), ("NDCG 10", "nDCG@10"), ("nDCG@1k", "nDCG@1000"), ("P_10", "P@10"),
        ("Prec@5", "P@5"), ("map", "AP"),
        ("MRR", "RR"), ("recip_rank", "RR"), ("MRR@10", "RR@10"), ("R@100", "R@100"), ("recall_1000", "R@1000"),
        ("P(rel=2)@10", "P(rel=2)@10"), ("R-Prec", "Rprec"), ("bpref", "Bpref"), ("Hits@10", "Success@10"),
        ("α-nDCG@10", "alpha_nDCG@10"), ("P", ""), ("Recall", ""), ("R", ""), ("Latency", ""), ("BM25", ""), ("", ""),
        ("P@0", ""), ("10", ""), ("MAPk", ""),
    ],
)  # fmt: skip
def test_measures_by_the_names_that_papers_print(head, name):
    assert measure_name(head) == name


UNKNOWN = "Model,Foo-X,Bar-X\nBM25,0.1,0.2\nQL,0.3,0.4\n"


@pytest.mark.parametrize(
    ("answer", "cells"),
    [
        ("collections", [("BM25", "Foo-X", "", "0.1"), ("BM25", "Bar-X", "", "0.2")]),
        ("measures", [("BM25", "", "Foo-X", "0.1"), ("BM25", "", "Bar-X", "0.2")]),
        ("systems-by-collection", [("Foo-X", "BM25", "", "0.1"), ("Bar-X", "BM25", "", "0.2")]),
        ("systems-by-measure", [("Foo-X", "", "BM25", "0.1"), ("Bar-X", "", "BM25", "0.2")]),
    ],
)
def test_what_unknown_names_over_numbers_are_is_asked_and_read_as_answered(answer, cells):
    (question,) = read(UNKNOWN).questions
    assert question.is_open
    assert question.text == "Numbers stand under names that nobody knows here: Foo-X, Bar-X. What are they?"
    assert not read(UNKNOWN).rows
    assert scores(read(UNKNOWN, answers={"across": answer}))[:2] == cells


def test_an_answer_to_one_table_is_none_to_another():
    (question,) = read(UNKNOWN).questions
    other = read_pasted(UNKNOWN.replace("Bar-X", "Baz-X"), answers={question.key: "collections"})
    assert isinstance(other, PastedTable)
    assert other.questions[0].is_open
    assert len({read(SPANS.replace("Foo", name)).questions[0].key for name in ("Foo", "Baz")}) == 2


def test_unknown_numbers_beside_known_scores_are_left_out_until_somebody_says_what_they_are():
    text = "Run,MAP,Foo@5\nr1,0.1,0.2\n"
    (question, *_) = read(text).questions
    assert (question.answer, question.is_open) == ("nothing", False)
    assert scores(read(text)) == [("r1", "", "AP", "0.1")]
    assert scores(read(text, answers={"across": "measures"})) == [("r1", "", "AP", "0.1"), ("r1", "", "Foo@5", "0.2")]


def test_the_system_is_asked_where_no_column_names_it():
    table = read("value,role,notes\n0.1,baseline,x\n")
    assert [question.about for question in table.questions] == ["system", "collection", "measure"]
    assert table.rows[0].cells["system"] == ""


def test_a_mean_over_executions_is_the_score_and_a_mean_over_collections_is_none():
    text = "\tRobust04\t\tMean\nRun\tMAP\tStd\tMAP\nr1\t0.1\t0.01\t0.2\n"
    table = read(text)
    assert scores(table) == [("r1", "Robust04", "AP", "0.1")]
    assert table.rows[0].cells["notes"] == "Std 0.01"
    assert [head.left_out for head in table.heads] == ["", "", "", "an average"]


SPANS = "Model\tFoo\tBar\nMAP\tP@10\tMAP\nr1\t0.1\t0.2\t0.3\n"


def test_it_is_asked_over_which_columns_a_head_stands_where_that_can_be_two_things():
    table = read(SPANS)
    assert not table.rows
    assert table.questions[0].choices == (("1-2", "Foo: MAP; Bar: P@10, MAP"), ("2-1", "Foo: MAP, P@10; Bar: MAP"))
    assert [values[1:3] for values in scores(read(SPANS, answers={"spans": "2-1", "over": "collections"}))] == [
        ("Foo", "AP"), ("Foo", "P@10"), ("Bar", "AP"),
    ]  # fmt: skip


def test_a_header_that_lacks_more_than_can_be_asked_about_says_what_to_do():
    (rejection,) = refuse("Model\tA\tB\tC\nMAP\tP@10\nr1\t0.1\t0.2\t0.3\t0.4\n")
    assert rejection.code == "head_spans"
    assert "repeat each over all of its columns" in rejection.message


def test_which_of_two_columns_names_the_systems_is_asked():
    text = ",,MAP\nSparse,BM25,0.1\nDense,DPR,0.2\n"
    table = read(text)
    (question,) = table.questions
    assert not table.rows
    assert question.choices == (("1", "column 1: Sparse, Dense"), ("2", "column 2: BM25, DPR"))
    chosen = read(text, answers={"systems": "2"})
    assert [(row.cells["system"], row.cells["notes"]) for row in chosen.rows] == [
        ("BM25", 'under "Sparse"'), ("DPR", 'under "Dense"'),
    ]  # fmt: skip
    assert [values[0] for values in scores(read(text, answers={"systems": "1"}))] == ["Sparse", "Dense"]


def test_a_column_that_says_the_same_of_several_rows_groups_them():
    table = read(",,MAP\nSparse,BM25,0.1\nSparse,RM3,0.3\nDense,DPR,0.2\n")
    assert not [question for question in table.questions if question.choices]
    assert [values[0] for values in scores(table)] == ["BM25", "RM3", "DPR"]
