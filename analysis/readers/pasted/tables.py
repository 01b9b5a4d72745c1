"""Reading tables that people paste: whatever they were copied from, to rows of the import format."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.readers.columns import NoNames
from analysis.readers.grids import MAX_CELL_LENGTH, Aside, Cell, Flaw, Grid, numbered_lines
from analysis.readers.latex.tables import read_latex
from analysis.readers.names import Names
from analysis.readers.pasted.aligned import read_aligned
from analysis.readers.pasted.averages import UnequalMean
from analysis.readers.pasted.delimited import RULE, consistent_delimiter, read_delimited, read_markdown
from analysis.readers.pasted.heads import Head
from analysis.readers.pasted.html_tables import read_html
from analysis.readers.pasted.results import TableReader
from analysis.readers.pasted.score_files import (
    JSON,
    YAML,
    is_json,
    is_yaml_of_scores,
    read_json_scores,
    read_yaml_scores,
)
from analysis.readers.pasted.tool_output import FORM, is_tool_output, read_tool_output
from analysis.readers.questions import Question
from analysis.readers.rejections import Rejection
from analysis.readers.tables import NO_TEXT, Record
from analysis.readers.text import shorten

#: Characters of a text; forms with markup take longer to read than those without.
MAX_LENGTH = 5_000_000
MAX_MARKED_UP = 2_000_000
MAX_LINES = 100_000

#: How each form is read, by the name that it is shown under.
FORMS: dict[str, Callable[[str, Names], list[Grid]]] = {
    "CSV": lambda text, _: [read_delimited(text, "CSV", ",")],
    "CSV with semicolons": lambda text, _: [read_delimited(text, "CSV with semicolons", ";")],
    "TSV": lambda text, _: [read_delimited(text, "TSV", "\t")],
    "Markdown": lambda text, _: _read_marked(text),
    "LaTeX": lambda text, _: read_latex(text),
    "HTML": lambda text, _: read_html(text),
    "aligned text": lambda text, names: [read_aligned(text, names)],
    FORM: lambda text, names: [read_tool_output(text, names)],
    JSON: lambda text, names: [read_json_scores(text, names)],
    YAML: lambda text, names: [read_yaml_scores(text, names)],
}
_OF_PROGRAMS = frozenset({FORM, JSON, YAML})
_HTML = re.compile(r"\s*<(?:!DOCTYPE|html|body|div|figure|table|thead|tbody|tr)\b", re.IGNORECASE)
_TABLE_IN_HTML = re.compile(r"<table\b.*?</table\s*>", re.IGNORECASE | re.DOTALL)
#: What the question is about that asks which of several tables is meant, and why the others are put aside.
_TABLE, _OTHER = "table", "in another table"
#: Boxes as terminals draw them, and their plain likeness.
_DRAWN = str.maketrans("│┃║┆┊─━═┄┈" + "┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛┣┫┳┻╋┡┩╇╞╡╪╔╗╚╝╠╣╦╩╬", "|||||-----" + "+" * 37)
#: What pandas prints in place of rows in the middle of a frame.
_DOTS = frozenset({"..", "..."})
_CUT = "here rows are left out; print the whole of it, as with frame.to_string(), or paste frame.to_csv()"
_TOPICS = r"(?:q|query|topic)[ _-]?(?:id)?"
_DOCUMENTS = r"(?:(?:doc|document|passage|corpus)[ _-]?(?:id|no)|(?<=qid.)pid)"
#: A line of TREC's format, a head that names topics and documents, or an object that does.
_RUN = re.compile(
    rf"""\s*(?:\S+[ \t]+Q0[ \t]+\S+[ \t]+\d+[ \t]|["']?{_TOPICS}["']?\s*[,;\t |][^\n]*?\b{_DOCUMENTS}\b"""
    rf"""|\{{[^{{}}\n]{{0,300}}"{_TOPICS}"\s*:[^{{}}\n]{{0,300}}"{_DOCUMENTS}"\s*:)""",
    re.IGNORECASE,
)
_IS_RUN = "this lists documents by topic, no scores of systems; score it under “Score a run”, and paste what comes out"
_OTHER_KINDS = (
    (re.compile(r"\s*@[a-zA-Z]+\s*[{(]"), "BibTeX; it belongs into the field for the paper"),
    (
        re.compile(r"\s*(?:---\s+)?(?:- )?[A-Za-z_][\w.-]*:(?:[ \t][^\n]*)?\n\s*(?:- )?[A-Za-z_][\w.-]*:\s"),
        "YAML, and neither ir_metadata, a run card, nor .eval_results or a model card of Hugging Face",
    ),
)


@dataclass(frozen=True, slots=True)
class PastedRow:
    """One result of a pasted table: its cells by column of the import format, and where its score stands."""

    line: int
    column: int
    cells: dict[str, str]
    #: The scores by topic that its score is the mean of, where they stand in the table.
    topics: Mapping[str, float] = field(default_factory=dict)
    whose: str = ""


@dataclass(frozen=True, slots=True)
class PastedTable:
    """The results of a pasted text.

    Nothing gets lost: what stands in the text is in a head, in a row, in a rejection's place, or among the asides.
    """

    form: str
    heads: tuple[Head, ...]
    rows: tuple[PastedRow, ...]
    rejections: tuple[Rejection, ...] = ()
    asides: tuple[Aside, ...] = ()
    questions: tuple[Question, ...] = ()
    unequal: tuple[UnequalMean, ...] = ()

    @property
    def unused(self) -> list[Head]:
        """Return the columns that nothing was understood of."""
        return [head for head in self.heads if head.is_unknown and head.text]

    def records(self) -> list[Record | Rejection]:
        """Return rows and rejections, each with a line of its own: its place, where a line holds several results."""
        lines = {row.line for row in self.rows}
        if len(lines) == len(self.rows) and lines.isdisjoint(rejection.line for rejection in self.rejections):
            return [*(Record(row.line, row.cells, row.topics, row.whose) for row in self.rows), *self.rejections]
        both: list[PastedRow | Rejection] = [*self.rows, *self.rejections]
        placed = sorted(both, key=lambda row: row.line or 0)
        return [
            Record(place, row.cells, row.topics, row.whose)
            if isinstance(row, PastedRow)
            else Rejection(row.code, f"line {row.line}: {row.message}", place, row.column)
            for place, row in enumerate(placed, 1)
        ]


def read_pasted(
    text: str, names: Names | None = None, *, form: str = "", answers: Mapping[str, str] | None = None
) -> PastedTable | list[Rejection]:
    """Return the results of a pasted table, or why nothing of it can be read.

    ``names`` knows what collections and measures there are (``CatalogNames`` does); without it, measures are told by
    their usual names and collections not at all. ``form`` is one of ``FORMS``; blank to have it guessed. ``answers``
    are what somebody said to the table's questions, by their keys.
    """
    text = text.removeprefix("\ufeff").translate(_DRAWN)
    fault = _not_a_text(text)
    if fault:
        return [fault]
    if _RUN.match(text):
        return [_whole("a_run", _IS_RUN)]
    form = form or guess_form(text)
    kind = next((kind for pattern, kind in _OTHER_KINDS if pattern.match(text)), "")
    if kind and form not in _OF_PROGRAMS:
        return [_whole("not_a_table", f"this is {kind}")]
    most = MAX_LENGTH if form in {"CSV", "TSV", "CSV with semicolons"} else MAX_MARKED_UP
    if len(text) > most:
        return [_whole("too_long", f"the text has {len(text):,} characters; the most is {most:,}")]
    try:
        grids = FORMS[form](text, names or NoNames())
    except Flaw as flaw:
        return [flaw.rejection]
    # What holds no row and nothing wrong is no table, unless there is nothing else.
    grids = [grid for grid in grids if grid.rows or grid.rejections] or grids[:1]
    if len(grids) == 1:
        return _read_grid(grids[0], names or NoNames(), answers or {})
    question = _ask_which(grids).answered(answers or {})
    others = [Aside(grid.line, 0, grid.name, _OTHER) for n, grid in enumerate(grids, 1) if str(n) != question.answer]
    if not question.answer:
        return PastedTable(form, (), (), asides=tuple(others), questions=(question,))
    table = _read_grid(grids[int(question.answer) - 1], names or NoNames(), answers or {})
    if isinstance(table, list):
        return table
    return replace(table, asides=(*table.asides, *others), questions=(question, *table.questions))


def read_each(text: str, names: Names, answers: Mapping[str, str] | None = None) -> list[PastedTable | list[Rejection]]:
    """Return every table of a text, in its order, or why it cannot be read; ``answers`` are to the questions of all."""
    table = read_pasted(text, names, answers=answers)
    if isinstance(table, list) or not table.questions or table.questions[0].about != _TABLE:
        return [table]
    question = table.questions[0]
    each = [read_pasted(text, names, answers={**(answers or {}), question.key: n}) for n, _ in question.choices]
    return [table if isinstance(table, list) else replace(table, questions=table.questions[1:]) for table in each]


def _ask_which(grids: Sequence[Grid]) -> Question:
    """Ask which of several tables is meant; each is read under its own heading and caption alone."""
    choices = tuple((str(place), shorten(grid.name or f"line {grid.line}", 120)) for place, grid in enumerate(grids, 1))
    return Question(_TABLE, f"The text holds {len(grids)} tables. Which one?", choices=choices)


def _read_marked(text: str) -> list[Grid]:
    """Return the tables of a Markdown text, those in HTML too, in the order in which they stand."""
    lower = text.lower()
    if "<table" not in lower or "<td" not in lower:
        return read_markdown(text)
    bare = _TABLE_IN_HTML.sub(lambda match: "\n" * match[0].count("\n"), text)
    grids = [
        *(grid for grid in read_markdown(bare) if grid.rows),
        *(replace(grid, asides=[]) for grid in read_html(text)),
    ]
    return sorted(grids, key=lambda grid: grid.line)


def _read_grid(grid: Grid, names: Names, answers: Mapping[str, str]) -> PastedTable | list[Rejection]:
    _refuse_what_is_no_text(grid)
    first_line = grid.rows[0].line if grid.rows else 0
    fatal = [
        rejection
        for rejection in grid.rejections
        if rejection.fatal or not first_line or (rejection.line or 0) < first_line
    ]
    if fatal:
        return [replace(rejection, fatal=True) for rejection in fatal]
    if not grid.rows:
        return [_whole("empty", "there is no table in the text")]
    if cut := next(
        (row for row in grid.rows if len(texts := [*filter(None, row.texts)]) > 1 and {*texts} <= _DOTS), None
    ):
        return [replace(_whole("cut", _CUT), line=cut.line)]
    reader = TableReader(grid, names, answers)
    faults = reader.read()
    if faults:
        return faults
    return PastedTable(
        grid.form,
        tuple(reader.heads),
        tuple(PastedRow(row.line, row.column, row.row(), row.topics, row.whose) for row in reader.results),
        tuple(sorted(grid.rejections, key=lambda rejection: rejection.line or 0)),
        tuple(sorted(grid.asides, key=lambda aside: (aside.line, aside.column))),
        tuple(reader.questions),
        tuple(reader.unequal),
    )


def guess_form(text: str) -> str:
    """Return the form that the text most likely has."""
    if is_json(text):
        return JSON
    is_html = "<td" in text.lower() or "ltx_td" in text
    if is_html and _HTML.match(text):
        return "HTML"
    if is_yaml_of_scores(text):
        return YAML
    if is_tool_output(text):
        return FORM
    lines = [line for _, line in numbered_lines(text) if line.strip()][:50]
    if re.search(r"\\begin\s*\{(?:tabular|longtable|array|tblr|NiceTabular|table)", text):
        return "LaTeX"
    if any("&" in line for line in lines) and any(re.search(r"\\\\|\\tabularnewline", line) for line in lines):
        return "LaTeX"
    ruled = [number for number, line in enumerate(lines) if RULE.fullmatch(line)]
    if any("|" in line for number in ruled for line in lines[max(0, number - 1) : number + 2]):
        return "Markdown"
    if is_html and "<table" in text.lower():
        return "HTML"
    first = lines[0].strip() if lines else ""
    if first.startswith("|") and first.endswith("|") and len(first) > 1:
        return "Markdown"
    delimiter = "\t" if any("\t" in line for line in lines[:5]) else consistent_delimiter(iter(lines), ",;")
    return {"\t": "TSV", ",": "CSV", ";": "CSV with semicolons"}.get(delimiter, "aligned text")


def _not_a_text(text: str) -> Rejection | None:
    if not text.strip():
        return _whole("empty", "there is nothing in it")
    if len(text) > MAX_LENGTH:
        return _whole("too_long", f"the text has {len(text):,} characters; the most is {MAX_LENGTH:,}")
    # CRLF counts twice.
    if text.count("\n") + text.count("\r") > 2 * MAX_LINES:
        return _whole("too_many_rows", f"the text has more than {MAX_LINES:,} lines; split it")
    return None


def _whole(code: str, message: str) -> Rejection:
    return Rejection(code, message, 1, "column 1", fatal=True)


def _refuse_what_is_no_text(grid: Grid) -> None:
    """Take the rows out that hold what a database cannot keep, or too much of it."""
    rows = []
    for row in grid.rows:
        fault = next(
            (rejection for place, cell in enumerate(row.cells, 1) if (rejection := _cell_fault(cell, place))), None
        )
        if fault:
            grid.rejections.append(fault)
        else:
            rows.append(row)
    grid.rows = rows
    grid.asides = [replace(aside, text=NO_TEXT.sub("\ufffd", aside.text)) for aside in grid.asides]


def _cell_fault(cell: Cell, place: int) -> Rejection | None:
    match = NO_TEXT.search(cell.text) or NO_TEXT.search(cell.printed)
    if match:
        kind = "a NUL character" if match[0] == "\0" else f"half of a character (U+{ord(match[0]):04X})"
        return Rejection("no_text", f"contains {kind}; delete it", cell.line, f"column {place}")
    if len(cell.text) > MAX_CELL_LENGTH:
        message = f"has {len(cell.text):,} characters; the most is {MAX_CELL_LENGTH:,}"
        return Rejection("too_long", message, cell.line, f"column {place}")
    return None
