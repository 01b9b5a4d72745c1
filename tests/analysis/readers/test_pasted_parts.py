"""Steps from a pasted text to results: which columns a head stands over, what tells names apart, what is put aside."""

import pytest

from analysis.readers.columns import NoNames, field_of, find_measure, find_names, is_percent, is_rank
from analysis.readers.grids import Aside, Cell, GridRow
from analysis.readers.latex.macros import expand_macros
from analysis.readers.latex.text import printed as printed_latex
from analysis.readers.pasted import aligned, frames, headers
from analysis.readers.pasted.commas import ask_about_commas, without_commas
from analysis.readers.pasted.delimited import consistent_delimiter, faulty_column, read_delimited, read_markdown
from analysis.readers.pasted.heads import Head, conflicts, names_of_heading, read_heads
from analysis.readers.pasted.labels import name_of_system
from analysis.readers.pasted.left_out import is_fact, is_mean, is_row_without_scores, is_spread, is_suite, why_left_out
from analysis.readers.pasted.markdown_text import printed as printed_markdown
from analysis.readers.pasted.naming import Found, facts_of, join_additions, tell_apart
from analysis.readers.pasted.tables import guess_form, read_pasted
from analysis.readers.questions import mentioned
from analysis.readers.recipes import address_of, model_of
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.rows import BLANKS
from analysis.readers.tables import Record
from tests.analysis.readers.examples import Names, facts, read, refuse, scores

# --- aligned text


def test_texts_stand_over_the_columns_that_begin_where_they_do():
    columns = [(10, 14), (20, 24), (30, 34), (40, 44)]
    starts = aligned._sizes_by_start
    assert starts([(10, 15, "a"), (30, 35, "b")], columns) == [2, 2]
    assert starts([(11, 15, "a"), (39, 45, "b")], columns) == [3, 1]
    assert starts([(10, 15, "a")], columns) == [4]
    assert starts([(12, 15, "a"), (30, 35, "b")], columns) == []
    assert starts([(20, 25, "a")], columns) == []
    assert starts([(10, 12, "a"), (10, 14, "b")], columns) == []
    assert starts([], columns) == []


def test_texts_stand_over_the_columns_whose_middle_they_have():
    columns = [(10, 14), (20, 24), (30, 34), (40, 44)]
    centres = aligned._sizes_by_centre
    # The middle of the first two is 17, of the last two 37.
    assert centres([(14, 20, "a"), (34, 40, "b")], columns) == [2, 2]
    assert centres([(16, 22, "a"), (36, 42, "b")], columns) == [2, 2]
    assert centres([(17, 22, "a"), (37, 42, "b")], columns) == []
    assert centres([(24, 30, "a")], columns) == [4]
    assert centres([(14, 20, "a")], columns) == []
    # Of columns that are too near each other the middle tells nothing.
    assert centres([(1, 3, "a"), (3, 4, "b")], [(0, 1), (2, 3), (4, 5)]) == []
    assert centres([], columns) == []


def test_columns_are_between_what_is_blank_in_every_line():
    lines = ["name   ab  cd", "longer 12  34", "x       5   6"]
    assert aligned._gutters(lines) == [(0, 11), (11, 13)]
    assert aligned._gutters(["a  b", "a  b"]) == [(0, 3), (3, 4)]
    assert aligned._gutters(["a b", "a b"]) == [(0, 3)]
    assert aligned._gutters(["  a  b"]) == [(2, 5), (5, 6)]
    assert aligned._extents(["ab  cd e", "x   f  g"], 2) == [(0, 2), (4, 8)]


def test_as_many_columns_as_most_rows_have_cells_and_rather_as_the_header():
    rows = [["a", "0.1"], ["b", "0.2"], ["c", "d", "0.3"]]
    assert aligned._width(rows, 0) == 2
    assert aligned._width([["x", "y", "z"], *rows], 1) == 3
    assert aligned._width([["x", "y", "z", "w"], *rows], 1) == 2
    assert aligned._width([["title"], *rows], 1) == 2
    assert aligned._width([["x", "y", "z"], ["x", "y"], *rows], 2) == 2


def test_words_that_a_copy_tore_are_joined():
    told = {
        "BM25 0.25 * 0.30": ["BM25", "0.25 *", "0.30"],
        "BM25 0.25 ± 0.01": ["BM25", "0.25 ± 0.01"],
        "nDCG @ 10 x": ["nDCG @ 10", "x"],
        "a 0.25 (+3.1%) b": ["a", "0.25 (+3.1%)", "b"],
        "  a   b ": ["a", "b"],
        "a# b": ["a#", "b"],
    }
    assert {text: aligned._words(text) for text in told} == told
    assert [aligned._n_trailing(words.split()) for words in ("BM25 0.1 - 0.2", "BM25 x 0.1", "0.1 0.2", "BM25")] == [
        3, 1, 1, 0,
    ]  # fmt: skip


def test_a_name_has_what_is_left_before_the_labels_and_the_scores():
    words = ["Model", "X", "large", "2020", "0.1", "0.2"]
    assert aligned._cells_of(words, 2, 1) == ["Model X large 2020", "0.1", "0.2"]
    assert aligned._cells_of(words, 2, 2) == ["Model X large", "2020", "0.1", "0.2"]
    assert aligned._cells_of(words, 3, 1) == ["Model X large", "2020", "0.1", "0.2"]
    assert aligned._cells_of(words, 2, 9) == ["Model", "X", "large", "2020", "0.1", "0.2"]
    assert aligned._cells_of(["a", "heading"], 2, 1) == ["a heading"]


def test_what_a_page_prints_with_single_blanks_is_read_by_its_heads():
    table = read("System MAP P@10\nBM25 0.25 0.40\nModel X large 0.31 0.45\n")
    assert scores(table) == [
        ("BM25", "", "AP", "0.25"), ("BM25", "", "P@10", "0.40"),
        ("Model X large", "", "AP", "0.31"), ("Model X large", "", "P@10", "0.45"),
    ]  # fmt: skip
    table = read("Run            MAP     P@10\nBM25           0.25    0.40\nModel X        0.31    0.45\n")
    assert [one[0] for one in scores(table)] == ["BM25", "BM25", "Model X", "Model X"]


# --- frames


#: As pandas prints it where it must not be wider than 34 characters.
FRAME = """              MAP  P@10  \\
{name}
BM25         0.25  0.40
Anserini QL  0.24  0.41

             nDCG@10  RR@10
{name}
BM25             0.4    0.3
Anserini QL      0.5    0.4  """


@pytest.mark.parametrize("name", ["\nsystem                     ", ""])
def test_a_frame_in_parts_is_read_whether_or_not_its_rows_have_a_name(name):
    table = read(FRAME.format(name=name).replace("\n\nsystem", "\nsystem").replace("\n\nBM25", "\nBM25"))
    assert [one[2:] for one in scores(table)] == [
        ("AP", "0.25"), ("P@10", "0.40"), ("nDCG@10", "0.4"), ("RR@10", "0.3"),
        ("AP", "0.24"), ("P@10", "0.41"), ("nDCG@10", "0.5"), ("RR@10", "0.4"),
    ]  # fmt: skip
    assert [one[0] for one in scores(table)] == ["BM25"] * 4 + ["Anserini QL"] * 4


def test_parts_of_a_frame_are_joined_where_they_have_the_same_rows():
    plain = [(1, "a  b"), (2, ""), (3, "c  d ")]
    assert frames.unfolded(plain) == [(1, "a  b"), (3, "c  d")]
    assert frames._joined([[(1, "a")], [(2, "a"), (3, "b")]]) == []
    assert frames._joined([[(1, "x  1"), (2, "y  2")], [(3, "x  3"), (4, "z  4")]]) == []
    parts = [[(1, "x  1"), (2, "y  2")], [(3, "x  30"), (4, "y  4")]]
    assert frames._joined(parts) == [(1, "x  1  30"), (2, "y  2  4")]
    assert frames._with_name_of_rows([(1, "      MAP"), (2, "model"), (3, "BM25  0.2")]) == [
        (1, "model MAP"), (3, "BM25  0.2"),
    ]  # fmt: skip
    for lines in (
        [(1, "      MAP"), (2, "model")],
        [(1, "      MAP"), (2, "mood"), (3, "x")],
        [(1, "Run   MAP"), (2, "model"), (3, "x")],
        [(1, "      MAP"), (2, " model"), (3, "x")],
    ):
        assert frames._with_name_of_rows(lines) == lines


# --- headers


def row(*texts: str, line: int = 1, covered: tuple[int, ...] = ()) -> GridRow:
    return GridRow(line, tuple(Cell(text, line, is_covered=place in covered) for place, text in enumerate(texts)))


def test_columns_are_divided_among_groups_that_hold_nothing_twice():
    assert headers._ways(2, ["MAP", "P@10", "MAP", "P@10"]) == [(2, 2)]
    assert headers._ways(2, ["MAP", "P@10", "map"]) == [(1, 2), (2, 1)]
    assert headers._ways(1, ["MAP", "P@10"]) == [(2,)]
    assert headers._ways(1, ["MAP", "MAP"]) == []
    assert headers._ways(3, ["MAP", "P@10"]) == []
    assert headers._ways(0, []) == [()]
    assert headers._ways(0, ["MAP"]) == []
    assert len(headers._ways(4, list("abcdefgh"))) == 7
    assert headers._ways(1, [str(n) for n in range(60)]) == [(60,)]
    assert headers._ways(1, [str(n) for n in range(61)]) == []


def test_merged_cells_stand_over_the_blank_ones_right_of_them():
    filled = headers._filled(row("", "A", "", "B", ""))
    assert filled.texts == ["", "A", "A", "B", "B"]
    assert [cell.is_covered for cell in filled.cells] == [False, False, True, False, True]
    assert headers._filled(row("x", "", "", "B")).texts == ["x", "", "", "B"]
    assert headers._filled(row("", "A", "", ""), {2}).texts == ["", "A", "", "A"]
    assert headers._blank_columns([row("", "MAP", "")], [row("a", "0.1", ""), row("b")]) == {2}
    assert headers._blank_columns([], []) == set()


def test_one_text_alone_is_a_heading_unless_it_is_a_score():
    assert headers.is_heading(row("Group", "", ""))
    assert headers.is_heading(row("Group", "Group", "Group", covered=(1, 2)))
    assert headers.is_heading(row("", "All", "All", covered=(2,)))
    for other in (
        row("a", "b"), row("0.25", ""), row("-", ""), row("", "All", ""), row("Group", "Group", "", covered=(1,)),
        row("", ""),
    ):  # fmt: skip
        assert not headers.is_heading(other)


def test_a_value_is_a_score_and_no_year_or_cutoff():
    assert all(map(headers._is_value, ("0.25", "23.4%", "-", "")))
    assert not any(map(headers._is_value, ("2019", "10", "1000", "MAP")))


def test_how_heads_are_asked_about():
    question = headers._ask_spans(["A", "B"], ["MAP", "P@10", "MAP"], [(1, 2), (2, 1)])
    assert (question.about, question.text) == ("spans", "Over which columns does each head of the first row stand?")
    assert question.choices == (("1-2", "A: MAP; B: P@10, MAP"), ("2-1", "A: MAP, P@10; B: MAP"))


# --- heads


def heads(*levels: list[str]) -> list[tuple[str, str, str, str, str]]:
    found = read_heads(levels, Names())
    return [(one.field, one.collection, one.measure, one.group, one.over) for one in found]


def test_heads_say_what_their_columns_hold():
    assert heads(["Run", "MAP", "Robust04", "Robust04 MAP", "value", "mood", "#Params", ""]) == [
        ("system", "", "", "", ""),
        ("value", "", "AP", "", ""),
        ("value", "Robust04", "", "", ""),
        ("value", "Robust04", "AP", "", ""),
        ("value", "", "", "", ""),
        ("", "", "", "", ""),
        ("", "", "", "", ""),
        ("", "", "", "", ""),
    ]
    assert heads(["", "Robust04", "Robust04"], ["Run", "MAP", "P@10"])[1:] == [
        ("value", "Robust04", "AP", "", ""), ("value", "Robust04", "P@10", "", ""),
    ]  # fmt: skip
    assert heads(["", "Title", "Desc"], ["Run", "MAP", "MAP"])[1:] == [
        ("value", "", "AP", "", "Title"), ("value", "", "AP", "", "Desc"),
    ]  # fmt: skip
    assert heads(["", "Results", "Results"], ["Run", "MAP", "P@10"])[1][4] == ""
    found = read_heads([["Run", "nDCG@10", "std", "Avg.", "Latency (ms)", "#"]], NoNames())
    assert [(one.position, one.spread_of, one.left_out, one.is_rank) for one in found] == [
        (1, 0, "", False), (2, 0, "", False), (3, 2, "", False), (4, 0, "an average", False),
        (5, 0, "a cost, no score", False), (6, 0, "", True),
    ]  # fmt: skip
    assert [one.is_wide for one in found][:3] == [False, True, False]
    assert [one.unit for one in read_heads([["MAP (%)", "MAP"]], NoNames())] == ["percent", ""]
    assert read_heads([["ar"]], Miracl(), ["MIRACL"])[0].collection == "MIRACL ar"
    mean = read_heads([["MAP", "MAP"], ["Mean", "Std"]], NoNames())
    assert [(one.field, one.measure, one.spread_of) for one in mean] == [("value", "AP", 0), ("", "", 1)]


class Miracl(NoNames):
    def has_collection(self, text: str) -> bool:
        return text == "MIRACL ar"


def test_heads_that_cannot_stand_together_are_told():
    def told(*found: Head) -> list[tuple[int, str, str]]:
        return [(one.position, code, message) for one, code, message in conflicts(found)]

    system, other = Head(1, "Run", "system"), Head(2, "Model", "system")
    assert told(system, other) == [
        (2, "duplicate_column", "this column and column 1 (Run) both hold system; keep one of them")
    ]
    assert told(Head(1, "Retriever", "system"), Head(2, "Reranker", "system")) == []
    assert told(Head(1, "Retriever", "system"), Head(2, "Retriever", "system"))[0][1] == "duplicate_column"
    first, second = Head(1, "MAP", "value", measure="AP"), Head(2, "map", "value", measure="AP")
    assert told(first, second)[0][2] == "this column and column 1 (MAP) both hold AP; keep one of them"
    on_both = [Head(place, "x", "value", "Robust04", "AP") for place in (1, 2)]
    assert told(*on_both)[0][2].endswith("both hold Robust04 AP; keep one of them")
    assert told(first, Head(2, "P@10", "value", measure="P@10")) == []
    assert told(first, Head(2, "MAP", "value", measure="AP", group="title")) == []
    measure = Head(2, "Metric", "measure")
    assert told(first, measure) == [
        (1, "mixed", "the head names a measure, and so does the column measure; a result has one")
    ]
    assert told(first, Head(2, "Task", "collection and measure"))[0][1] == "mixed"
    assert told(Head(1, "BM25", "value", system="BM25"), Head(2, "Task", "collection and measure")) == []
    assert told(first, Head(2, "Score", "value")) == [
        (2, "mixed", "scores stand in this column and below the names of measures or collections as well")
    ]
    assert Head(1, "First-stage retriever").part_of_system == "retriever"
    assert [Head(1, text).is_unknown for text in ("mood", "Rank")] == [True, False]


def test_headings_name_collections_and_measures():
    assert names_of_heading("Robust04", Names()) == ("Robust04", "", "")
    assert names_of_heading("Search (nDCG@10)", Names()) == ("", "nDCG@10", "Search")
    assert names_of_heading("Sparse", Names()) == ("", "", "")
    assert (find_names("Robust04 MAP (%) ↑", Names()), find_measure("MAP", Names())) == (("Robust04", "AP"), "AP")
    assert find_measure("WSS@95", Names()) == "WSS@95"
    assert [field_of(text) for text in ("Model (→)", "Score", "evidence", "mood", "Publication_Date:")] == [
        "system", "value", "provenance", "", "date",
    ]  # fmt: skip
    assert [is_rank(text) for text in ("#", "Rank", "no.", "Run")] == [True, True, True, False]
    assert [is_percent(text) for text in ("MAP in percent", "R@10%", "MAP [%] ↑")] == [True, False, True]


# --- what is left out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Avg. nDCG@10", "an average"),
        ("nDCG@10 mean", "an average"),
        ("Overall mean", "an average"),
        ("BEIR", "an average"),
        ("BEIR-13", "an average"),
        ("Macro average (%)", "an average"),
        ("improvement over BM25", "a comparison, no score"),
        ("rel. diff.", "a comparison, no score"),
        ("MAP +", "a comparison, no score"),
        ("QPS", "a cost, no score"),
        ("Index size (GB)", "a cost, no score"),
        ("ms/query", "a cost, no score"),
        ("# topics", "about the collections"),
        ("|Q|", "about the collections"),
        ("MAP", ""),
        ("Robust04", ""),
        ("", ""),
        ("avg " + "x" * 97, ""),
        ("mood", ""),
    ],
)
def test_why_there_are_no_scores_below(text, why):
    assert why_left_out(text, Names()) == why


def test_what_rows_and_columns_say_beside_scores():
    assert [is_suite(text) for text in ("BEIR (avg.)", "MIRACL", "Robust04")] == [True, True, False]
    assert [is_mean(text) for text in ("Mean", "avg.", "Mean ↑", "mean MAP")] == [True, True, True, False]
    assert all(map(is_spread, ("Std", "±", "std. dev.")))
    assert not any(map(is_spread, (".", "", "MAP")))
    assert [is_fact(text) for text in ("#Params", "Backbone", "mood")] == [True, True, False]
    rows = ("Average", "# queries", "BM25", "")
    assert [is_row_without_scores(text, Names()) for text in rows] == ["an average", "about the collections", "", ""]


# --- names of systems


def found(system: str, *pairs: tuple[str, str], line: int = 1, **cells: str) -> Found:
    return Found(line, 2, {"system": system, "collection": "c", "measure": "AP"} | cells, tuple(pairs))


def names_after(*rows: Found) -> list[str]:
    tell_apart(rows)
    return [one.cells["system"] for one in rows]


def test_rows_of_one_name_are_told_apart_by_what_they_differ_in():
    assert names_after(found("A", ("Size", "3B")), found("a", ("Size", "7B")), found("B", ("Size", "1B"))) == [
        "A (3B)", "a (7B)", "B",
    ]  # fmt: skip
    assert names_after(found("A", ("Depth", "20")), found("A", ("Depth", "50"))) == ["A (Depth 20)", "A (Depth 50)"]
    both = [("x", "1"), ("x", "2"), ("y", "1")]
    assert names_after(*(found("A", ("Init:", one), ("Depth", n)) for one, n in both)) == [
        "A (x, Depth 1)", "A (x, Depth 2)", "A (y, Depth 1)",
    ]  # fmt: skip
    assert names_after(found("A", ("", "group 1"), ("Size", "3B")), found("A", ("", "group 2"), ("Size", "7B"))) == [
        "A (3B)", "A (7B)",
    ]  # fmt: skip
    assert names_after(found("A", ("", "left")), found("A", ("", "right"))) == ["A (left)", "A (right)"]
    assert names_after(found("A", ("Size", "3B")), found("A", ("Size", "3B"))) == ["A", "A"]
    assert names_after(found("A", ("Size", "3B")), found("A", ("Size", "7B"), measure="RR")) == ["A", "A"]
    assert names_after(found("A", ("Size", "3B")), found("A")) == ["A (3B)", "A"]
    one = found("A", ("Size", "3B"), ("Open", "yes"))
    tell_apart([one, found("A", ("Size", "7B"), ("Open", "yes"))])
    assert one.facts == (("Open", "yes"),)
    one.notes = ["seen"]
    assert one.row() == BLANKS | one.cells | {"notes": "Open: yes; seen"}
    assert found("A", ("", "Sparse"), notes="n").row()["notes"] == 'n; under "Sparse"'
    assert facts_of([("a", "1"), ("b", "-"), ("a", "2"), ("", "")]) == (("a", "2"),)


def additions(*names: str, answer: str = "", group: str = "") -> tuple[list[str], list[str]]:
    rows = [found(name, *([("", group)] if group else [])) for name in names]
    asked = join_additions([found(name, *([("", group)] if group else [])) for name in names], {})
    answers = {one.key: answer for one in asked}
    return [one.text for one in join_additions(rows, answers)], [one.cells["system"] for one in rows]


def test_what_is_added_joins_the_system_above():
    assert additions("BM25", "+ RM3", "QL") == ([], ["BM25", "BM25 + RM3", "QL"])
    question = "+ B stands below + A, and that below BM25. What is it?"
    three = ("BM25", "+ A", "+ B", "+ C")
    assert additions(*three, answer="above") == (
        [question], ["BM25", "BM25 + A", "BM25 + A + B", "BM25 + A + B + C"],
    )  # fmt: skip
    assert additions(*three, answer="first") == ([question], ["BM25", "BM25 + A", "BM25 + B", "BM25 + C"])
    assert additions("+ A", "BM25") == ([], ["+ A", "BM25"])
    assert additions("+ A", group="BM25") == ([], ["BM25 + A"])
    assert additions("BM25", "w/o stemming") == ([], ["BM25", "BM25 w/o stemming"])
    rows = [found("BM25"), found("+ RM3")]
    join_additions(rows, {})
    assert rows[1].notes == ['system printed as "+ RM3"']
    assert name_of_system("ANCE 🥇 [12]") == "ANCE"
    assert name_of_system("[12]") == "[12]"
    assert name_of_system("A" * 1001 + " [1]") == "A" * 1001 + " [1]"


# --- commas


def scored(*values: str) -> list[Record | Rejection]:
    records = (Record(line, {"value": value, "notes": ""}) for line, value in enumerate(values, 1))
    return [*records, Rejection("x", "y", 9)]


def test_commas_are_asked_about_once():
    assert ask_about_commas(scored("0.1", "x"), {}) == []
    (one,) = ask_about_commas(scored("0,1", "0.2"), {})
    assert one.text == "1 of 2 scores has a comma, as 0,1. Are the commas decimal points?"
    assert one.choices[0] == ("point", "yes: 0,1 stands for 0.1")
    (two,) = ask_about_commas(scored("0,1", "0,2%"), {})
    assert two.text.startswith("All 2 scores have a comma, as 0,1.")
    assert ask_about_commas(scored("0,1"), {})[0].text.startswith("1 of 1 scores has a comma")
    records = scored("0,1", "0.2")
    assert without_commas(records, [one]) == records
    (said,) = ask_about_commas(records, {one.key: "point"})
    first, second, rejection = without_commas(records, [said])
    assert (first.cells, second, rejection) == ({"value": "0.1", "notes": 'printed as "0,1"'}, records[1], records[2])
    noted = [Record(1, {"value": "0,1", "notes": 'printed as "0,1*"'})]
    assert without_commas(noted, [said])[0].cells["notes"] == 'printed as "0,1*"'


# --- delimited text


def test_the_delimiter_stands_in_the_first_line_and_below():
    def told(*lines: str) -> str:
        return consistent_delimiter(iter(lines), ",;")

    assert told("a,b", "1,2") == ","
    assert told("a;b", "1,5;2") == ";"
    assert told("Results, in short", "a;b", "1;2") == ""
    assert told("a,b") == ","
    assert told("a b", "1,2") == ""
    assert told() == ""
    assert told('"a,b";c', '"x,y";1') == ";"
    assert [guess_form(text) for text in ("a\tb\n", "a,b\n1,2\n", "a;b\n1;2\n", "a  b\n1  2\n")] == [
        "TSV", "CSV", "CSV with semicolons", "aligned text",
    ]  # fmt: skip


def test_where_a_quote_goes_wrong_is_told_by_its_column():
    assert faulty_column('a,"b"x,c\n', 1, ",") == 2
    assert faulty_column("a,b,c\0\n", 1, ",") == 3
    assert faulty_column('x\na,"b""c",d\n', 2, ",") == 3
    assert faulty_column('"a\nb",c,"d\n', 1, ",") == 3
    assert faulty_column("a\tb\0", 1, "\t") == 2
    grid = read_delimited('a,b\n"x"y,1\nz,2\n', "CSV", ",")
    assert [(one.code, one.line, one.column, one.fatal) for one in grid.rejections] == [("quote", 2, "column 1", False)]
    assert [one.texts for one in grid.rows] == [["a", "b"], ["z", "2"]]
    assert (grid.lacks_covered, read_delimited("a\tb", "TSV", "\t").lacks_covered) == (False, True)


def test_cells_between_bars_are_read_and_the_rest_put_aside():
    grid = read_markdown("Title\n| a | b |\n|---|:-:|\n| x \\| y | **1** |\n\nend")
    assert [(one.line, one.texts) for one in grid.rows] == [(2, ["a", "b"]), (4, ["x | y", "1"])]
    assert grid.asides == [Aside(1, 0, "Title", "outside of the table"), Aside(6, 0, "end", "outside of the table")]
    marked = read_markdown("| a |\n|---|\n| x<sup>1</sup> |")
    assert (marked.rows[1].cells[0].text, marked.rows[1].cells[0].printed) == ("x", "x^{1}")
    told = {
        "**a** *b* __c__ _d_ ~~e~~": "a b c d e",
        "`a_b_`": "a_b_",
        r"\*a\*": "*a*",
        "&lt;a&gt; &amp;": "<a> &",
        "[a](http://x)": "a",
        "a<br>b": "a\nb",
        "0.1<sub>±0.2</sub>": "0.1 ±0.2",
        "a_b_c": "a_b_c",
        "2 * 3 * 4": "2 * 3 * 4",
        " 0.25 ": "0.25",
        "<x>": "<x>",
    }
    assert {text: printed_markdown(text) for text in told} == told


# --- LaTeX


def test_macros_stand_for_what_they_are_defined_as():
    told = {
        r"\newcommand{\a}{x}\a\a": "xx",
        r"\newcommand\a{x}\a b": "xb",
        r"\def\a#1#2{#2#1}\a{1}2": "21",
        r"\newcommand{\a}[2][d]{#1#2}\a{1}\a[e]{2}": "d1e2",
        r"\newcommand{\a}{x\xspace}\a b": "x b",
        r"\newcommand{\a}{\b}\newcommand{\b}{y}\a": "y",
        r"\newcommand{\a}{x}\ab": r"\ab",
        "\\newcommand{\\a}{x\ny}\nz\\a": "\n\nzx y",
        r"\a": r"\a",
        r"\newcommand{\a}{x": r"\newcommand{\a}{x",
    }
    assert {text: expand_macros(text) for text in told} == told


def test_what_latex_prints():
    told = {
        r"\textbf{0.25}$^{\dagger}$": "0.25^{†}",
        'B\\"uttcher': "Büttcher",
        r"$0.1_{\pm 0.2}$": "0.1 ± 0.2",
        r"a--b---c``d''~e": "a–b—c“d” e",
        r"\emph{a} {b}  c": "a b c",
        r"$-0.5$": "-0.5",
    }
    assert {text: printed_latex(text).text for text in told} == told
    found = printed_latex(r"\foo{a}{b}\footnote{n}\bar")
    assert (found.unknown, found.footnotes) == (("\\foo", "\\bar"), ("n",))
    for text, message in (("a}", "closed here that was not opened"), ("{a", "opened and never closed")):
        with pytest.raises(Refused, match=message):
            printed_latex(text)
    assert printed_latex("{" * 40 + "a" + "}" * 40).text == "a"
    with pytest.raises(Refused, match="nested more than 40 deep"):
        printed_latex("{" * 41 + "a" + "}" * 41)


# --- whole tables


def test_what_is_no_table_is_refused_with_what_it_is():
    told = {
        "": ("empty", "there is nothing in it"),
        " \n": ("empty", "there is nothing in it"),
        "@article{x, a={b}}": ("not_a_table", "this is BibTeX; it belongs into the field for the paper"),
        "a: 1\nb: 2\n": ("not_a_table", "this is YAML, and neither"),
        "<table><tr>": ("not_a_table", "this is HTML; copy the table from the page itself"),
        "system,mood\nBM25,good\n": ("missing_column", "no column holds scores; name one value"),
        "system,valeu\nBM25,0.1\n": ("missing_column", "should 'valeu' be value?"),
        "system,MAP\n": ("empty", "the table has a header and no results"),
    }
    for text, (code, message) in told.items():
        (one,) = refuse(text)
        assert one.code == code, text
        assert message in one.message, text


def test_rows_that_do_not_fit_are_told_by_their_column():
    table = read("system,MAP\nBM25\nQL,0.2,0.3\nX,0.4\n")
    assert [(one.line, one.column, one.message) for one in table.rejections] == [
        (2, "column 2", "the row has 1 cells, the header has 2"),
        (3, "column 3", "the row has 3 cells, the header has 2; does a cell with a separator in it lack its quotes?"),
    ]
    assert scores(table) == [("X", "", "AP", "0.4")]
    records = table.records()
    assert [one.line for one in records] == [4, 2, 3]
    wide = read("system,MAP,P@10\nBM25,0.1,0.2\nQL\n")
    assert [(type(one).__name__, one.line) for one in wide.records()] == [
        ("Record", 1), ("Record", 2), ("Rejection", 3),
    ]  # fmt: skip
    assert wide.records()[2].message == "line 3: the row has 1 cells, the header has 3"


def test_what_stands_beside_scores_is_in_the_notes_or_put_aside():
    table = read("Rank,system,MAP,mood,#Params\n1,BM25,0.25*,good,3B\n2,QL,-,bad,-\n3,Z,0.3,,\n")
    assert facts(table) == [
        {"system": "BM25", "measure": "AP", "value": "0.25", "notes": '#Params: 3B; printed as "0.25*"'},
        {"system": "Z", "measure": "AP", "value": "0.3"},
    ]
    asides = {(one.line, one.column, one.text): one.why for one in table.asides}
    assert asides[2, 1, "1"] == "a place in the order"
    assert asides[3, 3, "-"] == "stands for no score"
    assert asides[3, 2, "QL"] == "a row without scores"
    assert [head.text for head in table.unused] == ["mood"]
    assert [one.about for one in table.questions] == ["collection"]


def test_headings_hold_for_the_rows_below_them():
    table = read("Run,MAP,P@10\nRobust04,,\nBM25,0.1,0.2\ndl19 passage,,\nBM25,0.3,0.4\n")
    assert [one[1] for one in scores(table)] == ["Robust04", "Robust04", "dl19 passage", "dl19 passage"]
    grouped = read("Run,MAP,P@10\nSparse,,\nBM25,0.1,0.2\nDense,,\nANCE,0.3,0.4\n")
    assert [one["notes"] for one in facts(grouped)] == ['under "Sparse"'] * 2 + ['under "Dense"'] * 2
    last = read("Run,MAP,P@10\nBM25,0.1,0.2\nThe end,,\n")
    assert [(one.text, one.why) for one in last.asides] == [("The end", "a heading, or a row without scores")]


def test_names_beside_a_table_are_suggested():
    names = Names()
    assert mentioned(["All runs on Robust04, and (dl19 passage)."], names, "collection") == ("Robust04", "dl19 passage")
    assert mentioned(["We draw a map. MAP and P@10 are"], names, "measure") == ("MAP", "P@10")
    assert mentioned([], names, "measure") == ()
    table = read("Results on Robust04\nRun,MAP\nBM25,0.1\n", form="CSV")
    assert {one.about: one.suggestions for one in table.questions} == {"collection": ("Robust04",)}


def test_without_names_measures_are_told_by_their_spelling():
    table = read_pasted("Run,MAP,Robust04\nBM25,0.1,0.2\n")
    assert [(one.field, one.measure) for one in table.heads] == [("system", ""), ("value", "AP"), ("", "")]


# --- models


@pytest.mark.parametrize(
    ("name", "team", "model"),
    [
        ("Anserini bm25+rm3", "", "BM25 + RM3"),
        ("Anserini msmarco.d2q-t5 bm25", "", "docTTTTTquery"),
        ("Anserini bm25-rocchio", "", "BM25 + Rocchio"),
        ("Anserini ql+rm3", "", "Query likelihood (Dirichlet) + RM3"),
        ("Anserini bm25+unknown", "", None),
        ("Pyserini bm25prf", "", "BM25 + BM25PRF"),
        ("Pyserini x y bm25", "", None),
        ("Terrier bm25", "", None),
        ("Pyserini ance-avg-prf", "", "ANCE + average PRF"),
        ("Anserini neuclir22-fa-dt-splade splade+rm3", "", "SPLADE++ SelfDistil + RM3"),
        ("Anserini neuclir22-ru-qt-splade splade", "", "SPLADE NeuCLIR22 (ru)"),
        ("rank_llm BM25+RankZephyr", "", "RankZephyr"),
        ("rank_llm nobody", "", None),
        ("DPH Re-Rank (tira-ir-starter-pyterrier)", "", "DPH"),
        ("SBERT msmarco-x (tira-ir-starter-beir)", "", "sentence-transformers/msmarco-x"),
        ("unknown (tira-ir-starter-beir)", "", None),
        ("terrier-DPH", "baselines", "DPH"),
        ("terrier-DPH", "lab", None),
        ("d2q_bm25_rm3", "BASELINES", "docTTTTTquery + RM3"),
        ("uogTrBaseDD", "BASELINES", None),
    ],
)
def test_models_are_read_from_names(name, team, model):
    found = model_of(name, team)
    assert (found and found.model) == model


def test_models_have_addresses_of_their_own():
    taken = {"model", "lab-model", "lab-model-2"}
    assert address_of("lab/Model", set()) == "model"
    assert address_of("lab/Model", {"model"}) == "lab-model"
    assert address_of("lab/Model", taken) == "lab-model-3"
    assert address_of("!!", set()) == "model"
    assert address_of("!!", {"model"}) == "model-2"
    long = "a" * 100
    assert address_of(long, {long}) == "a" * 95 + "-2"
