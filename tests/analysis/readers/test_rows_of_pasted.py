"""Rows of a pasted table on their way to results: their groups, parts of a system, what is said and put aside."""

from analysis.readers.exchange.formats import write_json_results
from analysis.readers.latex.tables import read_latex
from analysis.readers.names import SplitHead, split_head
from analysis.readers.pasted import aligned, results
from analysis.readers.pasted.heads import read_heads
from analysis.readers.pasted.tool_output import read_tool_output
from tests.analysis.readers.examples import Names, facts, read, refuse, scores

HEADING = "a heading, or a row without scores"


def test_headings_above_each_other_are_one_group_until_rows_have_stood_under_it():
    table = read("Run,MAP,P@10\nSparse,,\nNo feedback,,\nBM25,0.1,0.2\nQL,0.1,0.2\nDense,,\nANCE,0.3,0.4\n")
    assert [one["notes"] for one in facts(table)] == [
        *['under "Sparse / No feedback"'] * 4, *['under "Dense"'] * 2,
    ]  # fmt: skip
    assert table.asides == ()


def test_a_heading_of_a_hundred_characters_is_a_group_and_a_longer_one_is_put_aside():
    text = "Run,MAP,P@10\n{},,\nBM25,0.1,0.2\n"
    assert facts(read(text.format("x" * 100)))[0]["notes"] == f'under "{"x" * 100}"'
    longer = read(text.format("x" * 101))
    assert "notes" not in facts(longer)[0]
    assert [(one.line, one.column, one.text, one.why) for one in longer.asides] == [(2, 1, "x" * 101, HEADING)]


def test_headings_at_the_end_are_remarks():
    table = read("Run,MAP,P@10\nSparse,,\nBM25,0.1,0.2\nSource: us,,\nAll of them,,\n")
    assert [(one.line, one.text, one.why) for one in table.asides] == [
        (4, "Source: us", HEADING), (5, "All of them", HEADING),
    ]  # fmt: skip
    used = read("Run,MAP,P@10\nSparse,,\nBM25,0.1,0.2\n")
    assert used.asides == ()


def test_a_heading_that_names_a_collection_is_no_group():
    table = read("Run,MAP,P@10\nRobust04,,\nBM25,0.1,0.2\n")
    assert [("notes" in one, one["collection"]) for one in facts(table)] == [(False, "Robust04")] * 2
    # Where a column says it, the heading is a group.
    said = read("Run,collection,MAP,P@10\nRobust04,,,\nBM25,dl19 passage,0.1,0.2\n")
    assert [one[1] for one in scores(said)] == ["dl19 passage"] * 2


def test_retriever_and_reranker_are_one_system_and_a_dash_is_none():
    table = read("Retriever,Reranker,MAP\nBM25,monoT5,0.1\nBM25,-,0.2\n-,monoBERT,0.3\nBM25,+ RM3,0.4\n")
    assert [one[0] for one in scores(table)] == ["BM25 + monoT5", "BM25", "monoBERT", "BM25 + RM3"]


def test_columns_of_names_say_what_they_say():
    table = read("system,collection,measure,value\nBM25,Robust04,MAP,0.1\nBM25,nowhere,what,0.2\n")
    assert [one[1:3] for one in scores(table)] == [("Robust04", "MAP"), ("nowhere", "what")]
    assert table.questions == ()


def test_what_stands_beside_a_score_is_in_its_notes():
    table = read("Run,MAP,std,Notes\nBM25,0.1*,0.02,read twice\nQL,0.2,,\n")
    assert facts(table)[0]["notes"] == 'read twice; std 0.02; printed as "0.1*"'
    assert "notes" not in facts(table)[1]
    assert (facts(read("Run,MAP (%)\nBM25,23.4\n"))[0]["unit"], "unit" in facts(table)[0]) == ("percent", False)


def test_averages_are_put_aside_with_their_scores():
    table = read("Run,MAP,P@10\nBM25,0.1,0.2\nAverage,0.3,-\n")
    assert [(one.line, one.column, one.text, one.why) for one in table.asides] == [
        (3, 0, "Average: 0.3, -", "an average")
    ]
    column = read("Run,MAP,Average\nBM25,0.1,0.2\nQL,0.3,0.4\n")
    assert [(one.line, one.column, one.text, one.why) for one in column.asides] == [(1, 3, "0.2, 0.4", "an average")]


def test_a_row_without_scores_is_put_aside_cell_by_cell():
    table = read("Run,team,MAP\nBM25,Lab,0.1\nQL,Other,-\n")
    assert {(one.line, one.column, one.text): one.why for one in table.asides} == {
        (3, 3, "-"): "stands for no score",
        (3, 1, "QL"): "a row without scores",
        (3, 2, "Other"): "a row without scores",
    }


def test_titles_say_the_collection_or_suggest_it():
    named = read("Robust04\nRun,MAP\nBM25,0.1\n", form="CSV")
    assert (scores(named), named.asides, named.questions) == ([("BM25", "Robust04", "AP", "0.1")], (), ())
    table = read("Results on Robust04 and more\nRun,MAP\nBM25,0.1\n", form="CSV")
    assert [(one.line, one.column, one.why) for one in table.asides] == [(1, 1, "above the table")]
    (question,) = table.questions
    assert (question.about, question.text) == ("collection", "On which collection? The table does not say.")
    assert question.suggestions == ("Robust04",)


def test_a_table_without_scores_says_what_was_not_understood():
    (near,) = refuse("Run,Valeu\nBM25,x\n")
    assert near.message == (
        "no column holds scores; name one value, or after a measure, as AP or nDCG@10; should 'Valeu' be value?"
    )
    (unknown,) = refuse("Run,colour,Mood\nBM25,x,y\n")
    assert unknown.message.endswith("as AP or nDCG@10; not understood: colour, Mood")
    assert (unknown.code, unknown.line, unknown.column) == ("missing_column", 1, "value")


def test_a_header_alone_has_no_results():
    (found,) = refuse("Run,MAP\n\n")
    assert found.fatal


def test_so_many_results_are_read(monkeypatch):
    monkeypatch.setattr(results, "MAX_RESULTS", 4)
    assert len(read("Run,MAP,P@10\nBM25,0.1,0.2\nQL,0.3,0.4\n").rows) == 4
    (found,) = refuse("Run,MAP,P@10\nBM25,0.1,0.2\nQL,0.3,0.4\nDPH,0.5,0.6\n")
    assert (found.code, found.line, found.column) == ("too_many_rows", 4, "column 1")
    assert found.message == "more than 4 results; hand them in in parts"


def test_a_system_is_asked_for_where_no_column_names_it():
    table = read("collection,MAP\nRobust04,0.1\ndl19 passage,0.2\n")
    assert [(one.about, one.text) for one in table.questions] == [
        ("system", "Which system is it? No column of the table names it.")
    ]


def test_blanks_and_signs_around_names_are_no_part_of_them():
    assert split_head("Robust04; MAP", Names()) == SplitHead("Robust04", "MAP")
    assert split_head("MAP: (Robust04)", Names()) == SplitHead("Robust04", "MAP")
    rows = read_latex(r"\multirow{2}{*} { a } & $0.31^{ b }$ \\ & 0.2 \\").rows
    assert [row.cells[0].text for row in rows] == ["a", "a"]
    assert facts(read(r"Run & MAP \\ r1 & 0.31$^{ b }$ \\"))[0]["notes"] == 'printed as "0.31^b"'
    grid = read_tool_output("map all 0.2\n   some words of its own  \n", Names())
    assert [(one.line, one.text) for one in grid.asides] == [(2, "some words of its own")]
    assert "Fröbe" in write_json_results([{"system": "Fröbe"}])


def test_words_are_heads_where_a_name_is_among_them():
    assert not aligned._told(["words"], Names()).is_known
    assert aligned._told(["MAP"], Names()).is_known
    assert aligned._told(["Run", "MAP", "P@10"], Names()).is_known
    assert not aligned._told(["Run", "MAP", "else"], Names()).is_known


def test_a_track_over_its_year_is_one_name_wherever_the_measure_stands():
    for levels in (["DL19", "passage", "MAP"], ["MAP", "DL19", "passage"]):
        (head,) = read_heads([[level] for level in levels], Names())
        assert (head.collection, head.measure, head.group, head.over) == ("DL19 passage", "AP", "", "")
    (head,) = read_heads([["Test"], ["nDCG@k"], ["10"]], Names())
    assert (head.collection, head.measure, head.over) == ("", "nDCG@10", "Test")
    (head,) = read_heads([["nDCG@k"], ["10"], ["Robust04"]], Names())
    assert (head.collection, head.measure) == ("Robust04", "nDCG@10")


def test_a_column_of_scores_without_a_score_is_one_all_the_same():
    table = read("MAP,Run,P@10\n-,BM25,0.2\n-,QL,0.3\n")
    assert [(one[0], one[2]) for one in scores(table)] == [("BM25", "P@10"), ("QL", "P@10")]
