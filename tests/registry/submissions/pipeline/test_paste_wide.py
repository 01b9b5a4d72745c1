"""Tables whose columns are measures, collections or systems: each score is a result of its own."""

import pytest

from registry.core.rejections import Rejection
from registry.core.tables import Record
from registry.submissions.pipeline.measure_names import measure_name
from registry.submissions.pipeline.tables import PastedTable, read_pasted
from tests.registry.submissions.pipeline.examples import facts, read, refuse, scores


def test_systems_by_measures():
    assert scores(read("Run,MAP,NDCG@10\nr1,0.1,0.2\n")) == [("r1", "", "AP", "0.1"), ("r1", "", "nDCG@10", "0.2")]


def test_systems_by_collections():
    table = read("Run,measure,Robust04,DL19 passage\nr1,AP,0.1,0.2\n")
    assert scores(table) == [("r1", "Robust04", "AP", "0.1"), ("r1", "DL19 passage", "AP", "0.2")]


def test_measures_below_collections():
    text = "\tRobust04\t\tDL19 passage\t\nRun\tMAP\tP@10\tMAP\tP@10\nr1\t0.1\t0.2\t0.3\t0.4\n"
    assert [one[1:] for one in scores(read(text))] == [
        ("Robust04", "AP", "0.1"),
        ("Robust04", "P@10", "0.2"),
        ("DL19 passage", "AP", "0.3"),
        ("DL19 passage", "P@10", "0.4"),
    ]


@pytest.mark.parametrize(
    "head", ["Robust04 MAP", "MAP Robust04", "Robust04 / MAP (%)", "Robust04: MAP ↑", "Robust04-MAP"]
)
def test_collection_and_measure_in_one_head(head):
    assert scores(read(f"Run,{head}\nr1,0.1\n")) == [("r1", "Robust04", "AP", "0.1")]


def test_a_name_over_a_measure_is_its_collection_even_if_nobody_knows_it():
    assert scores(read("\tNovel-Bench\nRun\tMAP\nr1\t0.1\n")) == [("r1", "Novel-Bench", "AP", "0.1")]


def test_systems_side_by_side():
    table = read("Metric,BM25,QL,Comment\nMAP,0.1,0.2,good\nP@10,0.3,0.4,\n")
    assert scores(table) == [
        ("BM25", "", "MAP", "0.1"),
        ("QL", "", "MAP", "0.2"),
        ("BM25", "", "P@10", "0.3"),
        ("QL", "", "P@10", "0.4"),
    ]
    assert {row.cells["notes"] for row in table.rows} == {"good", ""}


def test_a_title_names_the_collection():
    assert scores(read("Robust04\nRun,MAP\nr1,0.1\n".replace(",", "\t"))) == [("r1", "Robust04", "AP", "0.1")]


def test_sections_name_collections_until_the_next():
    text = "Run,MAP\nr0,0.1\nRobust04,\nr1,0.2\nNeural,\nr2,0.3\nDL20 passage,\nr3,0.4\n"
    table = read(text)
    assert [one[:2] for one in scores(table)] == [
        ("r0", ""),
        ("r1", "Robust04"),
        ("r2", "Robust04"),
        ("r3", "DL20 passage"),
    ]
    assert [one.text for one in table.asides] == ["Neural"]


def test_what_holds_for_the_row_is_in_each_of_its_results():
    table = read("Run,Team,MAP,P@10,Notes\nr1,uni,0.1*,0.2,tuned\n")
    assert facts(table) == [
        {"measure": "AP", "system": "r1", "team": "uni", "value": "0.1", "notes": 'tuned; printed as "0.1*"'},
        {"measure": "P@10", "system": "r1", "team": "uni", "value": "0.2", "notes": "tuned"},
    ]


@pytest.mark.parametrize("dash", ["–", "-", "--", "n/a", "?", "TBD"])
def test_a_dash_is_no_result(dash):
    table = read(f"Run,MAP,P@10\nr1,0.1,{dash}\n")
    assert len(table.rows) == 1
    assert [(one.line, one.column, one.text, one.why) for one in table.asides] == [(2, 3, dash, "stands for no score")]


def test_the_column_before_the_scores_holds_the_systems():
    assert scores(read("#,Condition,MAP\n1,r1,0.1\n")) == [("r1", "", "AP", "0.1")]


@pytest.mark.parametrize(
    ("header", "code", "column"),
    [
        ("Run,MAP,AP", "duplicate_column", "AP"),
        ("Run,Model,MAP", "duplicate_column", "Model"),
        ("system,value,Score", "duplicate_column", "Score"),
        ("system,value,MAP", "mixed", "value"),
        ("system,measure,MAP", "mixed", "MAP"),
        ("system,collection,Robust04", "mixed", "Robust04"),
        ("system,valeu,role", "missing_column", "value"),
        ("value,role,notes", "missing_column", "system"),
    ],
)
def test_headers_that_contradict_themselves(header, code, column):
    found = refuse(f"{header}\na,0.1,0.2\n")
    assert (code, 1, column) in [(one.code, one.line, one.column) for one in found]


def test_a_misspelled_column_is_named():
    assert "should 'valeu' be value?" in refuse("system,valeu,role\na,0.1,baseline\n")[0].message


def test_without_a_catalog_measures_go_by_their_usual_names():
    table = read_pasted("Run,MAP,WSS@95,Recall@1k\nr1,0.1,0.2,0.3\n")
    assert isinstance(table, PastedTable)
    assert scores(table) == [("r1", "", "AP", "0.1"), ("r1", "", "R@1000", "0.3")]
    assert [head.text for head in table.unused] == ["WSS@95"]


def test_records_keep_the_lines_where_each_has_one_result():
    records = read("system,value\na,0.1\nb\nc,0.3\n").records()
    assert [(type(one), one.line) for one in records] == [(Record, 2), (Record, 4), (Rejection, 3)]


def test_records_are_numbered_where_lines_have_several_results():
    records = read("Run,MAP,P@10\nr1,0.1,0.2\nr2\nr3,0.3,0.4\n").records()
    assert [(type(one), one.line) for one in records] == [
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
