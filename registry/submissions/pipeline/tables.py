"""Reading tables that people paste: whatever they were copied from, to rows of the import format."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from registry.core.numbers import stands_for_nothing
from registry.core.rejections import Rejection
from registry.core.tables import Record
from registry.core.text import nearest, shorten
from registry.submissions.pipeline.columns import (
    Head,
    Names,
    NoNames,
    conflicts,
    field_of,
    find_names,
    first_is_system,
    heads_across,
    read_head,
)
from registry.submissions.pipeline.delimited import (
    RULE,
    consistent_delimiter,
    read_aligned,
    read_delimited,
    read_markdown,
)
from registry.submissions.pipeline.grids import (
    MAX_CELL_LENGTH,
    Aside,
    Cell,
    Flaw,
    Grid,
    GridRow,
    numbered_lines,
    show_raised,
    split_score,
)
from registry.submissions.pipeline.latex_tables import read_latex
from registry.submissions.pipeline.rows import BLANKS, MAX_RESULTS, NO_TEXT

#: Characters of a text; forms with markup take longer to read than those without.
MAX_LENGTH = 5_000_000
MAX_MARKED_UP = 2_000_000
MAX_LINES = 100_000
_MAX_LEVELS = 3
_SCORE = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+%?")

#: How each form is read, by the name that it is shown under.
FORMS: dict[str, Callable[[str], Grid]] = {
    "CSV": lambda text: read_delimited(text, "CSV", ","),
    "CSV with semicolons": lambda text: read_delimited(text, "CSV with semicolons", ";"),
    "TSV": lambda text: read_delimited(text, "TSV", "\t"),
    "Markdown": read_markdown,
    "LaTeX": read_latex,
    "aligned text": read_aligned,
}
_OTHER_KINDS = (
    (re.compile(r"\s*@[a-zA-Z]+\s*[{(]"), "BibTeX; it belongs into the field for the paper"),
    (re.compile(r'\s*[\[{]\s*["{\[]'), "JSON; send it to the API"),
    (re.compile(r"\s*<(?:!DOCTYPE|html|table|tbody|tr)\b", re.IGNORECASE), "HTML; copy the table from the page itself"),
)


@dataclass(frozen=True, slots=True)
class PastedRow:
    """One result of a pasted table: its cells by column of the import format, and where its score stands."""

    line: int
    column: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class PastedTable:
    """What a pasted text was read as.

    Nothing gets lost: what stands in the text is in a head, in a row, in a rejection's place, or among the asides.
    """

    form: str
    heads: tuple[Head, ...]
    rows: tuple[PastedRow, ...]
    rejections: tuple[Rejection, ...] = ()
    asides: tuple[Aside, ...] = ()

    @property
    def unused(self) -> list[Head]:
        """The columns that nothing was understood of."""
        return [head for head in self.heads if not head.field and head.text and not head.is_rank]

    def records(self) -> list[Record | Rejection]:
        """The rows and the rejections, each with a line of its own: its place where a line holds several results."""
        lines = {row.line for row in self.rows}
        if len(lines) == len(self.rows) and lines.isdisjoint(one.line for one in self.rejections):
            return [*(Record(row.line, row.cells) for row in self.rows), *self.rejections]
        placed = sorted([*self.rows, *self.rejections], key=lambda one: one.line or 0)
        return [
            Record(place, one.cells)
            if isinstance(one, PastedRow)
            else Rejection(one.code, f"line {one.line}: {one.message}", place, one.column)
            for place, one in enumerate(placed, 1)
        ]


def read_pasted(text: str, names: Names | None = None, *, form: str = "") -> PastedTable | list[Rejection]:
    """The results of a pasted table, or why nothing of it can be read.

    ``names`` knows what collections and measures there are (``CatalogNames`` does); without it, measures are told by
    their usual names and collections not at all. ``form`` is one of ``FORMS``; blank to have it guessed.
    """
    text = text.removeprefix("\ufeff")
    fault = _not_a_table(text)
    if fault:
        return [fault]
    form = form or guess_form(text)
    most = MAX_LENGTH if form in {"CSV", "TSV", "CSV with semicolons"} else MAX_MARKED_UP
    if len(text) > most:
        return [_whole("too_long", f"the text has {len(text):,} characters; the most is {most:,}")]
    try:
        grid = FORMS[form](text)
    except Flaw as flaw:
        return [flaw.rejection]
    _refuse_what_is_no_text(grid)
    first_line = grid.rows[0].line if grid.rows else 0
    fatal = [one for one in grid.rejections if one.fatal or not first_line or (one.line or 0) < first_line]
    if fatal:
        return [_as_fatal(one) for one in fatal]
    if not grid.rows:
        return [_whole("empty", "there is no table in the text")]
    return _Table(grid, names or NoNames()).read()


def guess_form(text: str) -> str:
    """The form that the text most likely has.

    >>> guess_form("system\\tMAP\\nBM25\\t0.2\\n"), guess_form("| system | MAP |\\n| --- | --- |\\n| BM25 | 0.2 |")
    ('TSV', 'Markdown')
    """
    lines = [line for _, line in numbered_lines(text) if line.strip()][:50]
    if re.search(r"\\begin\s*\{(?:tabular|longtable|array|tblr|NiceTabular|table)", text):
        return "LaTeX"
    if any("&" in line for line in lines) and any(re.search(r"\\\\|\\tabularnewline", line) for line in lines):
        return "LaTeX"
    ruled = [number for number, line in enumerate(lines) if RULE.fullmatch(line)]
    if any("|" in line for number in ruled for line in lines[max(0, number - 1) : number + 2]):
        return "Markdown"
    first = lines[0].strip() if lines else ""
    if first.startswith("|") and first.endswith("|") and len(first) > 1:
        return "Markdown"
    delimiter = "\t" if any("\t" in line for line in lines[:5]) else consistent_delimiter(iter(lines), ",;")
    return {"\t": "TSV", ",": "CSV", ";": "CSV with semicolons"}.get(delimiter, "aligned text")


def _not_a_table(text: str) -> Rejection | None:
    if not text.strip():
        return _whole("empty", "there is nothing in it")
    if len(text) > MAX_LENGTH:
        return _whole("too_long", f"the text has {len(text):,} characters; the most is {MAX_LENGTH:,}")
    # CRLF counts twice.
    if text.count("\n") + text.count("\r") > 2 * MAX_LINES:
        return _whole("too_many_rows", f"the text has more than {MAX_LINES:,} lines; hand it in in parts")
    for pattern, kind in _OTHER_KINDS:
        if pattern.match(text):
            return _whole("not_a_table", f"this is {kind}")
    return None


def _whole(code: str, message: str) -> Rejection:
    return Rejection(code, message, 1, "column 1", fatal=True)


def _as_fatal(rejection: Rejection) -> Rejection:
    return Rejection(rejection.code, rejection.message, rejection.line, rejection.column, fatal=True)


def _refuse_what_is_no_text(grid: Grid) -> None:
    """Take the rows out that hold what a database cannot keep, or too much of it."""
    kept = []
    for row in grid.rows:
        fault = next((found for place, cell in enumerate(row.cells, 1) if (found := _cell_fault(cell, place))), None)
        if fault:
            grid.rejections.append(fault)
        else:
            kept.append(row)
    grid.rows = kept
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


@dataclass
class _Table:
    """A grid on its way to results."""

    grid: Grid
    names: Names
    rows: list[PastedRow] = field(default_factory=list)
    #: What headings between the rows say of all rows below them.
    section: dict[str, str] = field(default_factory=dict)
    width: int = 0

    def read(self) -> PastedTable | list[Rejection]:
        titles = self._take_titles()
        head_rows, body = self._split_header()
        self.width = max(len(row.cells) for row in head_rows)
        line = head_rows[-1].line
        heads = self._read_heads(head_rows, body)
        for title in titles:
            self._read_heading(title, heads, "above the table")
        faults = list(self._header_faults(heads, line))
        if faults:
            return faults
        for row in body:
            self._read_row(row, heads)
            if len(self.rows) > MAX_RESULTS:
                message = f"more than {MAX_RESULTS:,} results; hand them in in parts"
                return [Rejection("too_many_rows", message, row.line, "column 1", fatal=True)]
        if not self.rows and not self.grid.rejections:
            return [Rejection("empty", "the table has a header and no results", line, "value", fatal=True)]
        rejections = sorted(self.grid.rejections, key=lambda one: one.line or 0)
        asides = sorted(self.grid.asides, key=lambda one: (one.line, one.column))
        return PastedTable(self.grid.form, tuple(heads), tuple(self.rows), tuple(rejections), tuple(asides))

    def _take_titles(self) -> list[Cell]:
        """Take the lines above the header that hold one text and no more."""
        rows = self.grid.rows
        n_titles = next((place for place, row in enumerate(rows) if not _is_heading(row)), 0)
        titles = [row.cells[0] for row in rows[:n_titles]]
        del rows[:n_titles]
        return titles

    def _split_header(self) -> tuple[list[GridRow], list[GridRow]]:
        """The rows that name the columns, and those below them."""
        rows = self.grid.rows
        n_levels = 1
        if not any(field_of(cell.text) == "value" for cell in rows[0].cells):
            while n_levels < min(_MAX_LEVELS, len(rows)) and self._is_level(rows[n_levels], rows[0]):
                n_levels += 1
        return rows[:n_levels], rows[n_levels:]

    def _is_level(self, row: GridRow, first: GridRow) -> bool:
        """Whether the row names columns as well: measures below collections, say."""
        if len(row.cells) != len(first.cells) and not self.grid.may_end_early:
            return False
        if any(_SCORE.fullmatch(split_score(cell.text)[0]) for cell in row.cells if cell.text):
            return False
        return any(any(find_names(cell.text, self.names)) for cell in row.cells[1:] if not cell.is_covered)

    def _read_heads(self, head_rows: Sequence[GridRow], body: Sequence[GridRow]) -> list[Head]:
        levels = [[cell.text for cell in row.cells] + [""] * (self.width - len(row.cells)) for row in head_rows]
        if self.grid.form != "LaTeX":
            for upper in levels[:-1]:
                _fill_merged(upper)
        heads = [read_head(place + 1, [level[place] for level in levels], self.names) for place in range(self.width)]
        return first_is_system(heads_across(heads, self._columns_of_scores(body)))

    def _columns_of_scores(self, body: Sequence[GridRow]) -> set[int]:
        """The places of columns whose cells, where they hold anything, are all scores."""
        found = set()
        for place in range(self.width):
            texts = [row.cells[place].text for row in body if place < len(row.cells)]
            texts = [text for text in texts if not stands_for_nothing(text)]
            if texts and all(_SCORE.fullmatch(split_score(text)[0]) for text in texts):
                found.add(place + 1)
        return found

    def _header_faults(self, heads: Sequence[Head], line: int) -> Iterator[Rejection]:
        for head, code, message in conflicts(heads):
            yield Rejection(code, message, line, shorten(head.text) or f"column {head.position}", fatal=True)
        unused = [head.text for head in heads if not head.field and head.text and not head.is_rank]
        said = f"; not understood: {', '.join(shorten(text, 30) for text in unused[:8])}" if unused else ""
        fields = {head.field for head in heads} | {"system" for head in heads if head.system}
        for wanted, advice in (
            ("value", "no column holds scores; name one value, or after a measure, as AP or nDCG@10"),
            ("system", "no column names the systems; name one system"),
        ):
            if wanted not in fields:
                near = nearest(wanted, unused)
                hint = f"; should {shorten(near[0])!r} be {wanted}?" if near else said
                yield Rejection("missing_column", f"{advice}{hint}", line, wanted, fatal=True)

    def _read_row(self, row: GridRow, heads: Sequence[Head]) -> None:
        cells = row.cells
        if not any(cell.text.strip() for cell in cells):
            return
        if len(cells) > self.width or (len(cells) < self.width and not self.grid.may_end_early):
            hint = "; does a cell with a separator in it lack its quotes?" if len(cells) > self.width else ""
            message = f"the row has {len(cells)} cells, the header has {self.width}{hint}"
            place = f"column {min(len(cells), self.width) + 1}"
            self.grid.rejections.append(Rejection("ragged", message, row.line, place))
            return
        if self._is_section(row, heads):
            return
        self._read_results(row, heads)

    def _is_section(self, row: GridRow, heads: Sequence[Head]) -> bool:
        """Whether the row is a heading for the rows below it; what it says is kept."""
        texts = [cell for cell in row.cells if cell.text.strip()]
        is_over_all = len(row.cells) > 1 and len(texts) == len(row.cells) and all(c.is_covered for c in row.cells[1:])
        if not is_over_all and not (len(texts) == 1 and any(head.is_wide for head in heads) and row.cells[0].text):
            return False
        self._read_heading(texts[0], heads, "a heading, or a row without scores")
        return True

    def _read_heading(self, cell: Cell, heads: Sequence[Head], why: str) -> None:
        """Keep the collection or the measure that a heading names for the rows below it; put other headings aside."""
        collection, measure = find_names(cell.text, self.names)
        is_used = False
        for kind, text in (("collection", collection), ("measure", measure)):
            if text and not any(getattr(head, kind) or head.field == kind for head in heads):
                self.section[kind] = text
                is_used = True
        if not is_used:
            self.grid.asides.append(Aside(cell.line, 1, cell.text, why))

    def _read_results(self, row: GridRow, heads: Sequence[Head]) -> None:
        shared, notes = dict(self.section), []
        scores: list[tuple[Head, Cell]] = []
        for head, cell in zip(heads, row.cells, strict=False):
            if head.field == "value":
                scores.append((head, cell))
            elif head.field:
                shared[head.field] = cell.text.strip()
                if cell.printed and head.field != "notes":
                    notes.append(f'{head.field} printed as "{show_raised(cell.printed)}"')
            elif cell.text.strip():
                why = "a place in the order" if head.is_rank else "its column is not understood"
                self.grid.asides.append(Aside(cell.line, head.position, cell.text, why))
        n_before = len(self.rows)
        for head, cell in scores:
            self._take_score(row, head, cell, shared, notes)
        if len(self.rows) == n_before:
            for head, cell in zip(heads, row.cells, strict=False):
                if head.field not in {"", "value"} and cell.text.strip():
                    self.grid.asides.append(Aside(cell.line, head.position, cell.text, "a row without scores"))

    def _take_score(self, row: GridRow, head: Head, cell: Cell, shared: dict[str, str], notes: list[str]) -> None:
        if head.is_wide and stands_for_nothing(cell.text):
            if cell.text.strip():
                self.grid.asides.append(Aside(cell.line, head.position, cell.text, "stands for no score"))
            return
        value, printed = split_score(cell.printed or cell.text)
        said = [shared.get("notes", ""), *notes, f'printed as "{show_raised(printed)}"' if printed else ""]
        named = {"collection": head.collection, "measure": head.measure, "system": head.system}
        cells = BLANKS | shared | {name: text for name, text in named.items() if text}
        cells |= {"value": value, "notes": "; ".join(filter(None, said))}
        self.rows.append(PastedRow(row.line, head.position, cells))


def _is_heading(row: GridRow) -> bool:
    """Whether one text is all that the row holds: in its first cell, or in one over all others."""
    texts = [cell for cell in row.cells if cell.text.strip()]
    if not texts or texts[0] is not row.cells[0]:
        return False
    return all(cell.is_covered for cell in texts[1:]) and len(texts) in {1, len(row.cells)}


def _fill_merged(level: list[str]) -> None:
    """Give the cells right of a text the same text, as merged cells are copied; the first column is nobody's."""
    for place in range(2, len(level)):
        if not level[place].strip():
            level[place] = level[place - 1]
