"""Tables before anything is known of what they mean: spans, lines and bounds in LaTeX, and what scores look like."""

import pytest

from analysis.readers import grids
from analysis.readers.grids import (
    Aside,
    Cell,
    Flaw,
    Grid,
    GridRow,
    bare_label,
    is_score,
    numbered_lines,
    show_raised,
    split_score,
)
from analysis.readers.latex import tables as latex
from analysis.readers.latex.tables import read_latex
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.layouts import Layout
from analysis.readers.questions import Question
from tests.analysis.readers.examples import Names


def texts(source: str) -> list[list[str]]:
    return [row.texts for row in read_latex(source).rows]


def flaw(source: str) -> tuple[str, int, bool, str]:
    with pytest.raises(Flaw) as caught:
        read_latex(source)
    found = caught.value.rejection
    return found.code, found.line, found.fatal, found.message


# --- LaTeX


def test_rows_have_the_lines_that_their_text_begins_on():
    grid = read_latex(
        "\\begin{tabular}{ll}\n\\toprule\n\n a & b \\\\ % c & d \\\\\n\\midrule\nc\n& d \\\\\n\n\\end{tabular}"
    )
    assert [(row.line, [(cell.text, cell.line) for cell in row.cells]) for row in grid.rows] == [
        (4, [("a", 4), ("b", 4)]),
        (6, [("c", 6), ("d", 7)]),
    ]
    assert (grid.form, grid.may_end_early, grid.rejections, grid.asides) == ("LaTeX", True, [], [])


def test_comments_leave_their_lines():
    assert latex._without_comments("a%b\r\nc\\%d\re\\\\") == "a\nc\\%d\ne\\\\"


@pytest.mark.parametrize(
    ("source", "caption"),
    [
        (r"\caption{MAP on \emph{Robust04}}", "MAP on Robust04"),
        (r"\caption*[short]{long {one}}", "long one"),
        (r"\caption{open", ""),
        ("nothing", ""),
    ],
)
def test_captions_are_what_they_print(source, caption):
    assert latex._caption(source) == caption


def test_cells_reach_over_columns_and_rows():
    source = r"""a & \multicolumn{2}{c}{b} \\
    \multirow{2}{*}{c} & 1 & 2 \\
     & 3 & 4 \\
     & 5 & 6 \\
    \multirow{2}*{d} & 7 & 8 \\ e & 9 & 10 \\"""
    assert texts(source) == [
        ["a", "b", "b"], ["c", "1", "2"], ["c", "3", "4"], ["", "5", "6"], ["d", "7", "8"], ["e", "9", "10"],
    ]  # fmt: skip
    rows = read_latex(source).rows
    assert [cell.is_covered for cell in rows[0].cells] == [False, False, True]
    assert [(row.cells[0].is_covered, row.cells[0].line) for row in rows] == [
        (False, 1), (False, 2), (True, 3), (False, 4), (False, 5), (False, 5),
    ]  # fmt: skip


def test_a_cell_reaches_over_both():
    source = r"\multicolumn{2}{c}{\multirow{2}{*}{a}} & b \\ & & c \\ d & e & f \\"
    assert texts(source) == [["a", "a", "b"], ["a", "a", "c"], ["d", "e", "f"]]


def test_a_cell_of_no_or_one_row_is_itself():
    assert texts(r"\multirow{1}{*}{a} & b \\ & c \\") == [["a", "b"], ["", "c"]]
    assert texts(r"\multirow{-1}{*}{a} & b \\ & c \\") == [["a", "b"], ["", "c"]]
    assert texts(r"\multicolumn{0}{c}{a} & b \\") == [["a", "b"]]
    assert texts(r"\multicolumn2{c}{a} & b \\") == [["a", "a", "b"]]
    assert texts(r"\multirow[t]{2}{2cm}{a}b & b \\ & c \\") == [["ab", "b"], ["ab", "c"]]


def test_a_cell_reaches_upward_to_blank_cells_no_further_than_the_head():
    source = r"h & i \endhead & 1 \\ & 2 \\ \multirow{-9}{*}{a} & 3 \\"
    assert texts(source)[-1] == ["a", "3"]
    source = r"""\begin{longtable}{ll} & h \\ \endhead
     & 1 \\ b & 2 \\ & 3 \\ \multirow{-4}{*}{a} & 4 \\ \end{longtable}"""
    rows = read_latex(source).rows
    assert [row.texts for row in rows] == [["", "h"], ["a", "1"], ["b", "2"], ["a", "3"], ["a", "4"]]
    assert [(row.cells[0].is_covered, row.cells[0].line) for row in rows] == [
        (False, 1), (True, 2), (False, 2), (True, 2), (False, 2),
    ]  # fmt: skip
    two = r"& 1 \\ & 2 \\ & 3 \\ \multirow{-2}{*}{a} & 4 \\"
    assert [row[0] for row in texts(two)] == ["", "", "a", "a"]


def test_heads_of_further_pages_are_put_aside_with_their_lines():
    source = r"""\begin{longtable}{ll}
    a & b \\ \endfirsthead
    c & d \\ \endhead
    e \\ \endfoot
    f & g \\ \end{longtable}"""
    grid = read_latex(source)
    assert [row.texts for row in grid.rows] == [["a", "b"], ["f", "g"]]
    assert grid.asides == [
        Aside(3, 0, "c & d", "head or foot of further pages"),
        Aside(4, 0, "e", "head or foot of further pages"),
    ]


def test_rules_take_as_many_arguments_as_they_do():
    source = (
        r"\specialrule{1pt}{2pt}{3pt} a & b \\ \cmidrule(lr){1-2} \cmidrule[1pt](r){1-2} c & d \\[2pt]"
        r"\hline[x] e & f \\* [g] & h \tabularnewline \rowcolor[gray]{0.9}[1pt] {i} & j"
    )
    assert texts(source) == [["a", "b"], ["c", "d"], ["e", "f"], ["[g]", "h"], ["i", "j"]]


def test_widths_and_options_stand_before_the_rows():
    for begin in (r"{tabular*}[t]{3cm}[x]{ll}", r"{tabularx}{3cm}{ll}", r"{tabular}[t] {l{l}}"):
        name = begin.split("}")[0] + "}"
        assert texts(f"text {{ \\begin{begin} a & b \\\\ \\end{name}") == [["a", "b"]]


@pytest.mark.parametrize(
    ("source", "code", "line", "said"),
    [
        ("\n\\begin{tabular*}{ll}\na & b", "unclosed_table", 2, r"cut off: \end{tabular*} is missing"),
        ("\n\\begin{tabular}{ll a & b \\\\ \n\\end{tabular}", "brace", 2, "a brace is opened here and never closed"),
        ("a & b \\\\\nc & {d \\\\ e & f \\\\", "brace", 2, "a brace is opened here and never closed"),
        (
            "\\begin{tabular}{l}a\\end{tabular}\n\n\\begin{tabular}{l}b\\end{tabular}",
            "several_tables", 3, "a second table begins here; paste one table at a time",
        ),
    ],
)  # fmt: skip
def test_tables_that_cannot_be_read_say_where(source, code, line, said):
    found = flaw(source)
    assert found[:3] == (code, line, True)
    assert found[3].endswith(said)


def test_as_many_columns_as_may_be():
    wide = " & ".join(["1"] * grids.MAX_COLUMNS)
    assert len(texts(wide + r" \\ a")[0]) == grids.MAX_COLUMNS
    assert flaw("\n" + wide + r" & 1 \\ a")[:3] == ("too_many_columns", 2, True)
    assert flaw(r"\multicolumn{201}{c}{a} & b \\")[:3] == ("too_many_columns", 1, True)
    assert len(texts(r"\multicolumn{200}{c}{a} \\ b & c")[0]) == 200


def test_as_many_rows_as_may_be(monkeypatch):
    monkeypatch.setattr(grids, "MAX_ROWS", 2)
    monkeypatch.setattr(latex, "MAX_ROWS", 2)
    assert texts(r"a & b \\ c & d \\") == [["a", "b"], ["c", "d"]]
    assert flaw("a & b \\\\ c & d \\\\\ne & f")[:2] == ("too_many_rows", 2)
    assert texts(r"\\ \\ a & b \\ c & d \\") == [["a", "b"], ["c", "d"]]
    assert flaw("\\\\ \\\\ \\\\ \\\\ \\\\\n a & b")[3] == "the table has more than 2 rows; hand it in in parts"


def test_a_cell_that_cannot_be_read_costs_its_row():
    long = "x" * (grids.MAX_CELL_LENGTH + 1)
    grid = read_latex("a & b \\\\\nc & " + long + " \\\\ e & \\what{1}\\other \\\\ g & h")
    assert grid.rows[0].texts == ["a", "b"]
    assert grid.rows[-1].texts == ["g", "h"]
    first = grid.rejections[0]
    assert (first.code, first.line, first.column, first.fatal) == ("too_long", 2, "column 2", False)
    assert f"has {len(long) + 2:,} characters; the most is 20,000" in first.message


def test_citations_and_the_brackets_around_them_are_no_names():
    assert texts(r"BM25 (\cite{a}) & BM25~\citep{b}, x () \\") == [["BM25", "BM25 , x"]]
    assert texts(r"BM25 () & c") == [["BM25 ()", "c"]]


# --- what scores look like


@pytest.mark.parametrize(
    ("text", "bare", "printed"),
    [
        (" 0.31 ", "0.31", ""),
        ("0.31ab", "0.31", "0.31ab"),
        ("0.31a,b", "0.31", "0.31a,b"),
        ("0.31ba", "0.31ba", ""),
        ("0.31aa", "0.31aa", ""),
        ("0.31s", "0.31s", ""),
        ("31ab", "31ab", ""),
        (".31b", ".31b", ""),
        ("88.1 ± 0.9%", "88.1%", "88.1 ± 0.9%"),
        ("88.1% ± 0.9%", "88.1%", "88.1% ± 0.9%"),
        ("†0.31", "0.31", "†0.31"),
        ("^{†}0.31", "0.31", "^{†}0.31"),
        ("0.31" + "†" * 196, "0.31", "0.31" + "†" * 196),
        ("0.31" + "†" * 197, "0.31" + "†" * 197, ""),
    ],
)
def test_scores_are_split_from_marks(text, bare, printed):
    assert split_score(text, may_have_letters=True) == (bare, printed)


def test_letters_are_marks_only_where_they_may_be():
    assert split_score("0.31ab") == ("0.31ab", "")
    assert [is_score(text) for text in ("0.31ab", "31", "0,31%", "1e-3", "-", "BM25", "", "0.3 (x)")] == [
        True, True, True, True, False, False, False, True,
    ]  # fmt: skip


def test_raised_texts_in_one_line():
    assert (show_raised("0.31^{†}"), show_raised("0.31^{ab}"), show_raised("x ( a )")) == ("0.31†", "0.31^ab", "x (a)")
    assert (bare_label("A^{*,1}"), bare_label("A^{2nd}"), bare_label("A ‡")) == ("A", "A2nd", "A")


def test_a_grid_is_as_large_as_may_be(monkeypatch):
    def row(n_cells: int) -> GridRow:
        return GridRow(7, tuple(Cell("a", 7) for _ in range(n_cells)))

    monkeypatch.setattr(grids, "MAX_COLUMNS", 3)
    monkeypatch.setattr(grids, "MAX_CELLS", 6)
    grid = Grid("x")
    with pytest.raises(Flaw, match="the row has more than 3 columns"):
        grid.append(row(4))
    grid = Grid("x")
    grid.append(row(3))
    grid.append(row(3))
    with pytest.raises(Flaw, match="or 6 cells; hand it in in parts") as caught:
        grid.append(row(1))
    assert (caught.value.rejection.line, caught.value.rejection.column) == (7, "column 1")
    assert (len(grid.rows), Flaw("c", "m", 1, 4).rejection.column) == (2, "column 4")


def test_lines_end_as_in_files():
    assert list(numbered_lines("a\r\nb\rc\n\x0bd")) == [(1, "a"), (2, "b"), (3, "c"), (4, "\x0bd")]


# --- columns whose cells are looked at


def layout(*columns: tuple[str, str, str], **options) -> Layout:
    """Columns of a field, a head and cells with commas between them; a field in capitals is of a wide column."""
    heads, cells = [], []
    for position, (kind, text, inner) in enumerate(columns, 1):
        wide = {"measure": text} if kind == "VALUE" else {}
        heads.append(Head(position, text, kind.lower(), **wide))
        cells.append(inner.split(","))
    return Layout(heads, cells, Names(), **options)


def settled(found: Layout, answer: str = "") -> list[str]:
    """What the columns are once they are settled, with this answer to the question that is asked."""
    asked = Layout(list(found.heads), found.columns, found.names)
    asked.settle({})
    found.settle({question.key: answer for question in asked.questions})
    return [
        head.field or ("fact" if head.is_fact else "group" if head.is_group else head.left_out) for head in found.heads
    ]


def test_the_column_of_names_before_the_scores_tells_the_systems():
    found = layout(("", "", "a1,b1,c1"), ("VALUE", "MAP", "0.1,0.2,0.3"))
    assert settled(found) == ["system", "value"]
    assert found.questions == []


def test_a_column_of_groups_says_the_same_of_several_rows():
    found = layout(("", "", "x1,x1,y1"), ("", "Run", "a1,b1,c1"), ("VALUE", "MAP", "0.1,0.2,0.3"))
    assert settled(found) == ["group", "system", "value"]
    assert found.carrying == {1}


def test_of_two_columns_of_names_it_is_asked_which_names_the_systems():
    columns = ("", "Model", "a1,b1"), ("", "", "c1,d1"), ("VALUE", "MAP", "0.1,0.2")
    found = layout(*columns)
    settled(found)
    (question,) = found.questions
    assert (question.about, question.choices) == (
        "systems", (("1", "column 1, Model: a1, b1"), ("2", "column 2: c1, d1")),
    )  # fmt: skip
    assert settled(layout(*columns), "2") == ["fact", "system", "value"]


def test_places_in_the_order_are_left_out():
    found = layout(("", "", "1,2,3"), ("", "", "a1,b1,c1"), ("VALUE", "MAP", "0.1,0.2,0.3"))
    assert settled(found) == ["a place in the order", "system", "value"]
    found = layout(("", "", "(a),(b)"), ("", "", "x1,y1"), ("VALUE", "MAP", "0.1,0.2"))
    assert settled(found) == ["a place in the order", "system", "value"]
    # The same number twice is no place.
    found = layout(("", "", "1,1"), ("", "", "x1,y1"), ("VALUE", "MAP", "0.1,0.2"))
    assert settled(found)[0] == "group"


def test_runs_are_automatic_or_manual_and_other_columns_before_the_scores_are_facts():
    found = layout(
        ("", "Type", "Automatic,manual,manual"), ("", "Size", "1,2,2"), ("", "", "a1,b1,c1"),
        ("VALUE", "MAP", "0.1,0.2"), ("", "Later", "x1,y1"), ("", "", ","),
    )  # fmt: skip
    assert settled(found) == ["run_type", "fact", "system", "value", "", "empty"]
    assert found.carrying == frozenset()


def test_facts_in_the_first_column_hold_for_blank_cells_below():
    found = layout(("", "Base", "x1,,y1"), ("", "Model", "a1,b1,c1"), ("VALUE", "MAP", "0.1,0.2,0.3"))
    assert settled(found) == ["fact", "system", "value"]
    assert found.carrying == {1}


def test_names_under_a_word_for_what_stands_beside_it_are_systems():
    beside = Head(2, "DL19", "value", "DL19 passage")
    for kind, cells, field in (
        ("collection", ["a1", "b1"], "system"),
        ("collection", ["a1", "Robust04"], "collection"),
        ("measure", ["Robust04", "b1"], "measure"),
    ):
        found = Layout([Head(1, "Dataset", kind), beside], [cells, ["0.1", "0.2"]], Names())
        assert settled(found)[0] == field
    found = Layout([Head(1, "MAP", "value", measure="MAP"), beside], [["a1", "b1"], ["0.1", "0.2"]], Names())
    assert (settled(found), found.defaults) == (["system", "value"], {"measure": "MAP"})


def test_numbers_that_nobody_knows_are_asked_about_once():
    columns = ("system", "Run", "a1,b1"), ("", "One", "0.1,0.2"), ("", "Two", "0.3,0.4"), ("", "Size", "7,8")
    found = layout(*columns)
    settled(found)
    (question,) = found.questions
    assert (question.about, question.text) == (
        "across", "Numbers stand under names that nobody knows here: One, Two. What are they?",
    )  # fmt: skip
    found = layout(*columns)
    settled(found, "measures")
    assert [head.measure for head in found.heads] == ["", "One", "Two", ""]
    found = layout(*columns)
    settled(found, "collections")
    assert [head.collection for head in found.heads] == ["", "One", "Two", ""]
    found = layout(("", "Data", "a1,b1"), *columns[1:])
    settled(found, "systems-by-collection")
    assert [head.system for head in found.heads] == ["", "One", "Two", ""]
    assert found.heads[0].field == "collection"
    assert found.is_across


def test_many_names_are_told_by_the_first_of_them():
    columns = [("system", "Run", "a1,b1"), *(("", f"C{number}", "0.1,0.2") for number in range(8))]
    found = layout(*columns)
    settled(found)
    assert found.questions[0].text == (
        "Numbers stand under names that nobody knows here: C0, C1, C2, C3, C4, C5 and 2 more. What are they?"
    )
    assert isinstance(found.questions[0], Question)


def test_rows_that_average_are_none_of_results():
    found = layout(("system", "Run", "a1,b1"), ("VALUE", "MAP", "0.1,0.2"))
    assert found.why_row_left_out(["Average", "0.1"])
    assert found.why_row_left_out(["a", "0.1"]) == ""
    found = layout(("collection", "Data", "a1,b1"), ("VALUE", "MAP", "0.1,0.2"))
    assert found.why_row_left_out(["Average", "0.1"])
    assert found.why_row_left_out(["Robust04", "0.1"]) == ""


def test_a_column_of_scores_that_are_all_missing_is_where_scores_begin():
    columns = ("", "", "a1,b1"), ("VALUE", "MAP", ",-"), ("", "", "c1,d1"), ("VALUE", "P@10", "0.1,0.2")
    found = layout(*columns)
    assert settled(found) == ["system", "value", "", "value"]
    assert found.questions == []
