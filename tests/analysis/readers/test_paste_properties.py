"""What holds for every pasted text: nothing is raised, nothing is lost, and what was written is read."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.columns import COLUMNS, NoNames
from analysis.readers.grids import split_score
from analysis.readers.latex.text import printed as printed_latex
from analysis.readers.pasted.delimited import printed_markdown
from analysis.readers.pasted.left_out import is_row_without_scores, why_left_out
from analysis.readers.pasted.tables import FORMS, PastedTable, guess_form, read_pasted
from analysis.readers.rejections import Refused
from tests.analysis.readers.examples import (
    Names,
    examples,
    hostile,
    read,
    storable,
    write_delimited,
    write_latex,
    write_markdown,
)

NO_TEXT = re.compile("[\0\ud800-\udfff]")
WRITERS = {
    "CSV": lambda rows: write_delimited(rows, ","),
    "CSV with semicolons": lambda rows: write_delimited(rows, ";"),
    "TSV": lambda rows: write_delimited(rows, "\t"),
    "Markdown": write_markdown,
    "LaTeX": write_latex,
}


@examples
@given(text=hostile(), form=st.sampled_from(["", *FORMS]))
def test_any_text_is_a_table_or_refused_with_line_and_column(text, form):
    table = read_pasted(text, Names(), form=form)
    rejections = table.rejections if isinstance(table, PastedTable) else table
    assert isinstance(table, PastedTable) or table
    assert all(rejection.code and rejection.message and rejection.line and rejection.column for rejection in rejections)
    for row in table.rows if isinstance(table, PastedTable) else ():
        assert list(row.cells) == list(COLUMNS)
        assert not any(NO_TEXT.search(cell) for cell in row.cells.values())
        assert row.line >= 1
        assert row.column >= 1


@examples
@given(body=hostile(), form=st.sampled_from(["CSV", "TSV", "Markdown", "LaTeX"]))
def test_any_text_below_a_header_is_read_row_by_row(body, form):
    head = {
        "CSV": "system,MAP\n",
        "TSV": "system\tMAP\n",
        "Markdown": "|system|MAP|\n|-|-|\n",
        "LaTeX": "system&MAP\\\\",
    }
    table = read_pasted(head[form] + body, Names(), form=form)
    rejections = table.rejections if isinstance(table, PastedTable) else table
    assert all(rejection.line and rejection.column for rejection in rejections)
    if isinstance(table, PastedTable):
        # What a page shows of the table can be sent to a browser.
        shown = [*(aside.text for aside in table.asides), *(head.text for head in table.heads)]
        assert not any(NO_TEXT.search(text) for text in shown)
        assert len(table.records()) == len(table.rows) + len(table.rejections)


@st.composite
def wide_tables(draw):
    """Return a table of systems by measures, columns nobody understands, gaps and headings; each cell is unique."""
    n_columns = draw(st.integers(1, 4))
    heads = ["MAP", "P@10", "nDCG@10", "RR@10"][:n_columns]
    extra = draw(st.lists(st.sampled_from(["Latency", "Size", "Rank"]), unique=True, max_size=2))
    rows = [["Run", *heads, *extra]]
    for number in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["row", "row", "row", "heading", "gaps"]))
        if kind == "heading":
            rows.append([f"heading{number}", *[""] * (n_columns + len(extra))])
            continue
        scores = [f"0.{number}{place}1" for place in range(n_columns)]
        if kind == "gaps":
            scores = [draw(st.sampled_from([score, "", "n/a", f"{score}*", f"{score}x"])) for score in scores]
        rows.append([f"run{number}", *scores, *(f"cell{number}.{name}" for name in extra)])
    return rows


@examples
@given(rows=wide_tables(), form=st.sampled_from(list(WRITERS)))
def test_no_cell_is_lost(rows, form):
    table = read_pasted(WRITERS[form](rows), Names(), form=form)
    if isinstance(table, list):
        assert [rejection.code for rejection in table] == ["empty"]
        assert not any(split_score(cell)[0].startswith("0.") for row in rows[1:] for cell in row)
        return
    assert not table.rejections
    texts = [head.text for head in table.heads] + [text for aside in table.asides for text in aside.text.split(", ")]
    for row in table.rows:
        texts += [text for name, text in row.cells.items() if name != "notes"]
        texts += re.findall('(?:printed as|under) "(.*?)"', row.cells["notes"].replace(" / ", '" under "'))
        texts += re.findall("Size: ([^;]*)", row.cells["notes"])
    assert {cell for row in rows for cell in row} - {""} <= set(texts)


@examples
@given(rows=wide_tables())
def test_every_form_of_a_table_is_read_alike(rows):
    answers = [read_pasted(write(rows), Names(), form=form) for form, write in WRITERS.items()]
    read_as = [
        [row.cells for row in form.rows] if isinstance(form, PastedTable) else [rejection.code for rejection in form]
        for form in answers
    ]
    assert all(cells == read_as[0] for cells in read_as)


@examples
@given(rows=wide_tables())
def test_the_form_is_guessed(rows):
    for form, write in WRITERS.items():
        assert guess_form(write(rows)) == form


COLUMNS_OF_TEXT = [column for column in COLUMNS if column != "value"]


def rows_of_cells(cell):
    """Return rows with a score and these texts in some of the other columns."""
    cells = st.dictionaries(st.sampled_from(COLUMNS_OF_TEXT), cell, max_size=4)
    row = st.builds(lambda drawn: dict.fromkeys(COLUMNS, "") | {"value": "0.25"} | drawn, cells)
    return st.lists(row.filter(is_of_results), min_size=1, max_size=2)


def is_of_results(row):
    """Return whether the row neither averages nor counts, as "Avg." and "Topics" do: those are left out."""
    collection_and_measure = (why_left_out(row[name], NoNames()) for name in ("collection", "measure"))
    return not (is_row_without_scores(row["system"], NoNames()) or any(collection_and_measure))


@examples
@given(rows=rows_of_cells(storable()), form=st.sampled_from(["CSV", "CSV with semicolons", "TSV", "Markdown"]))
def test_what_was_written_is_read(rows, form):
    text = WRITERS[form]([list(COLUMNS), *([row[column] for column in COLUMNS] for row in rows)])
    cells_read = [row.cells for row in read(text, form=form).rows]
    expected = [{column: row[column].strip() for column in COLUMNS} for row in rows]
    if form == "Markdown":
        expected = [{c: re.sub(r"\r\n|\r", "\n", text).strip() for c, text in row.items()} for row in expected]
    assert cells_read == expected


def without_what_is_left_out(text):
    """Return the text without medals, marks of notes, lines of boxes and what LaTeX would read as an exponent."""
    return " ".join(re.sub("[\U0001f300-\U0001faff⭐\u2500-\u257f†‡§¶]|\\^\\{", "", text).split())


PLAIN = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=15)


@examples
@given(rows=rows_of_cells(PLAIN.map(without_what_is_left_out)))
def test_what_was_written_in_latex_is_read(rows):
    text = write_latex([list(COLUMNS), *([row[column] for column in COLUMNS] for row in rows)])
    cells_read = [row.cells for row in read(text).rows]
    assert cells_read == [{column: unicodedata.normalize("NFC", row[column]) for column in COLUMNS} for row in rows]


@examples
@given(source=hostile())
def test_any_latex_prints_something_or_is_refused(source):
    try:
        shown = printed_latex(source).text
    except Refused:
        return
    assert shown == " ".join(shown.split())


@examples
@given(source=hostile())
def test_any_markdown_shows_something(source):
    assert isinstance(printed_markdown(source), str)


@examples
@given(text=st.text(st.characters(codec="utf-8"), max_size=30))
def test_markdown_shows_what_is_escaped(text):
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
    assert printed_markdown(escaped) == text.strip()


@examples
@given(
    score=st.from_regex(r"\A[+-]?(?:[0-9]{1,3}\.[0-9]{1,5}|\.[0-9]{1,4}|[0-9]{1,3})\Z"),
    marks=st.text("*†‡§ ", max_size=4),
)
def test_marks_are_taken_off_every_score(score, marks):
    assert split_score(score + marks)[0] == score


@pytest.mark.parametrize("form", WRITERS)
def test_texts_that_mean_something_elsewhere_are_texts_here(form):
    names = ["a,b", "a;b", "a|b", "a&b", "50%", "{x}", "$x$", "a_b", "x^2", "#1", "C:\\dir", "~/x", "**b**", "<b>x</b>"]
    rows = [["system", "MAP"], *([name, "0.1"] for name in names)]
    assert [row.cells["system"] for row in read(WRITERS[form](rows), form=form).rows] == names
