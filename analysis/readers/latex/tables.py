"""Reading LaTeX tables: the cells of a tabular, what they print, and which others they reach over."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from analysis.readers.grids import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, Aside, Cell, Flaw, Grid, GridRow, bare_label
from analysis.readers.latex.macros import end_of_group, expand_macros
from analysis.readers.latex.text import printed
from analysis.readers.rejections import Refused
from analysis.readers.text import end_of, shorten

BEGIN = re.compile(
    r"\\begin\s*\{(?P<name>tabular[xy]?|longtable|longtabu|tabu|xltabular|supertabular|array|NiceTabular|tblr|longtblr)"
    r"(?P<star>\*?)\}"
)
END = re.compile(BEGIN.pattern.replace("begin", "end", 1))
_WITH_WIDTH = frozenset({"tabular*", "tabularx", "tabulary", "xltabular"})
#: A row may end with the space that follows it: \\[2pt]. Anything else in brackets belongs to the next cell.
_SPACE_BELOW = r"[ \t]*\[[-+0-9. ]*(?:pt|em|ex|cm|mm|in|bp|sp|pc|\\[a-zA-Z]+)\s*\]"
_TOKEN = re.compile(
    rf"(?P<end>\\\\\*?(?:{_SPACE_BELOW})?|\\tabularnewline(?![a-zA-Z]))"
    r"|\\(?P<environment>begin|end)(?![a-zA-Z])"
    r"|\\[a-zA-Z]+|\\.|[{}&]|[^\\{}&]+|.",
    re.DOTALL,
)
_COMMAND = re.compile(r"\s*\\([a-zA-Z]+)\*?")
_OPTION = re.compile(r"\s*\[[^\[\]]*\]")
#: Close to the command, or it belongs to the first cell.
_TRIM = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\))*")
_DRAWN = """
    toprule midrule bottomrule hline addlinespace morecmidrules hdashline firsthline lasthline nopagebreak pagebreak
    thickhline
"""
_DRAWN_WITH_ONE = "cmidrule cline hhline cdashline arrayrulecolor rowcolor noalign caption label Xhline SetRow rowfont"
#: What is drawn or set between rows: how many arguments the commands take.
_BETWEEN_ROWS = dict.fromkeys(_DRAWN.split(), 0) | dict.fromkeys(_DRAWN_WITH_ONE.split(), 1) | {"specialrule": 3}
#: Behind them, the head or foot of a long table's pages is complete.
_PAGE_PARTS = frozenset({"endfirsthead", "endhead", "endfoot", "endlastfoot"})
_SPAN = re.compile(
    r"\s*\\(?P<kind>multicolumn|multirow)\*?\s*(?:\[[^\[\]]*\]\s*)*(?:\{\s*(?P<count>[+-]?[0-9]{1,4})\s*\}|(?P<digit>[0-9]))"
)
_BOLD = re.compile(r"[\s{$]*\\(?:textbf|mathbf|boldsymbol|bm|bf|bfseries)(?![a-zA-Z])")
#: Rules that set groups of rows apart.
_RULES = frozenset({"midrule", "hline", "hdashline", "specialrule", "Xhline", "thickhline"})
_CAPTION = re.compile(r"\\(?:caption|tbl)\*?\s*(?:\[[^\[\]]*\]\s*)?(?=\{)")
#: What is left of brackets around a citation.
_NO_CITATION = re.compile(r"\s*(?:\([\s,;]*\)|\[[\s,;]*\])")


@dataclass(slots=True)
class _Source:
    """A cell as it is written, and where it begins."""

    text: str
    start: int


@dataclass(slots=True)
class _Span:
    """A cell that reaches over the next rows."""

    cell: Cell
    n_left: int


def read_latex(text: str) -> list[Grid]:
    """Return the tables of a LaTeX text, each a tabular with its caption; or its rows as a table of their own.

    Raises a Flaw where braces or environments don't match; of several tables, what is wrong stands in the grid.
    """
    source = expand_macros(without_comments(text))
    begins: list[re.Match[str] | None] = [*_tables(source)]
    grids = []
    for begin in begins or [None]:
        grid = Grid("LaTeX", may_end_early=True, caption=_caption(source, begin, is_only=len(begins) < 2))
        try:
            _Reader(source, grid).read(_split(source, *_body(source, begin)))
        except Flaw as flaw:
            if len(begins) < 2:
                raise
            grid = replace(grid, rows=[], rejections=[replace(flaw.rejection, fatal=True)])
        grids.append(grid)
    return grids


def _tables(source: str) -> list[re.Match[str]]:
    """Return where tables begin; one inside of another's cells is part of that."""
    begins: list[re.Match[str]] = []
    position = 0
    while begin := BEGIN.search(source, position):
        begins.append(begin)
        try:
            position = _end_of_environment(source, begin)
        except Flaw:
            break
    return begins


def without_comments(text: str) -> str:
    """Return the text with the same lines and without what stands behind an unescaped percent sign."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"(\\.|[^\\%]+)|%[^\n]*|\\", lambda match: match[1] or "", text, flags=re.DOTALL)


def _caption(source: str, begin: re.Match[str] | None, *, is_only: bool) -> str:
    """Return what the caption prints; blank where there is none, or none that can be read.

    Of several tables, each has that of its float, from where this begins to where it ends.
    """
    start, end = 0, len(source)
    if begin is not None and not is_only:
        spans = [
            (source.rfind(f"\\begin{{{name}", 0, begin.end()), source.find(f"\\end{{{name}", begin.start()))
            for name in ("table", "longtable", "figure")
        ]
        start, end = max((span for span in spans if span[0] >= 0 and span[1] > 0), default=(0, 0))
    match = _CAPTION.search(source, start, end)
    if match is None:
        return ""
    try:
        return printed(source[match.end() + 1 : _behind_argument(source, match.end()) - 1]).text
    except (Refused, Flaw):
        return ""


def _line_of(source: str, position: int) -> int:
    return source.count("\n", 0, position) + 1


def _body(source: str, begin: re.Match[str] | None) -> tuple[int, int]:
    """Return where the rows begin and end; the whole text where there is no tabular around them."""
    if begin is None:
        return 0, len(source)
    end = _end_of_environment(source, begin)
    position = begin.end()
    for _ in range(2 if begin["name"] + begin["star"] in _WITH_WIDTH else 1):
        position = min(_behind_argument(source, position), end)
    return position, end


def _end_of_environment(source: str, begin: re.Match[str]) -> int:
    depth = 0
    for match in re.compile(rf"\\(begin|end)\s*\{{{begin['name']}\*?\}}").finditer(source, begin.start()):
        depth += 1 if match[1] == "begin" else -1
        if not depth:
            return match.start()
    name = begin["name"] + begin["star"]
    message = f"the table that begins here is cut off: \\end{{{name}}} is missing"
    raise Flaw("unclosed_table", message, _line_of(source, begin.start()), fatal=True)


def _behind_argument(source: str, position: int) -> int:
    """Return the place behind the next argument in braces and its options; else the same place."""
    while option := _OPTION.match(source, position):
        position = option.end()
    start = re.compile(r"\s*\{").match(source, position)
    if start is None:
        return position
    end = end_of_group(source, start.end() - 1)
    if end is None:
        raise _open_brace(source, start.end() - 1)
    return end


def _open_brace(source: str, position: int) -> Flaw:
    return Flaw("brace", "a brace is opened here and never closed", _line_of(source, position), fatal=True)


def _split(source: str, start: int, end: int) -> Iterator[list[_Source]]:
    """Yield the rows, each with its cells as written; what is inside of braces or an inner table is not split."""
    cells: list[_Source] = []
    opened: list[int] = []
    n_inner = 0
    begun = start
    for match in _TOKEN.finditer(source, start, end):
        token = match[0]
        if token == "{":
            opened.append(match.start())
        elif token == "}" and opened:
            opened.pop()
        elif match["environment"]:
            n_inner = max(0, n_inner + (1 if match["environment"] == "begin" else -1))
        elif not opened and not n_inner and (token == "&" or match["end"]):
            cells.append(_Source(source[begun : match.start()], begun))
            begun = match.end()
            if len(cells) > MAX_COLUMNS:
                message = f"the row has more than {MAX_COLUMNS} columns"
                raise Flaw("too_many_columns", message, _line_of(source, begun), fatal=True)
            if match["end"]:
                yield cells
                cells = []
    if opened:
        raise _open_brace(source, opened[0])
    yield [*cells, _Source(source[begun:end], begun)]


class _Reader:
    """Turns rows as they are written into rows of what they print."""

    def __init__(self, source: str, grid: Grid) -> None:
        self._source = source
        self._grid = grid
        self._spans: dict[int, _Span] = {}
        self._part_begins = 0
        self._has_first_head = False
        self._is_below_rule = False
        self._counted = (0, 1)
        #: Cells of the current row that reach over rows above it: the column, how many, and the cell.
        self._upward: list[tuple[int, int, Cell]] = []

    def read(self, rows: Iterator[list[_Source]]) -> None:
        for number, cells in enumerate(rows):
            if number > 2 * MAX_ROWS:
                message = f"the table has more than {MAX_ROWS:,} rows; split it"
                raise Flaw("too_many_rows", message, self._line(cells[0]), fatal=True)
            self._strip_first(cells[0])
            if len(cells) == 1 and not cells[0].text.strip():
                continue
            line = self._line(cells[0])
            self._upward = []
            try:
                row = GridRow(line, tuple(self._read_row(cells)), self._is_below_rule)
            except Flaw as flaw:
                self._grid.rejections.append(flaw.rejection)
                continue
            if any(cell.text for cell in row.cells):
                self._is_below_rule = False
                self._grid.append(row)
                self._fill_upward()

    def _line(self, cell: _Source) -> int:
        """Return the line that the cell's text begins on, counted on from the cell before."""
        position = cell.start + len(cell.text) - len(cell.text.lstrip())
        counted, line = self._counted if self._counted[0] <= position else (0, 1)
        line += self._source.count("\n", counted, position)
        self._counted = (position, line)
        return line

    def _strip_first(self, cell: _Source) -> None:
        """Take what is drawn above the row off its first cell."""
        position = 0
        while match := _COMMAND.match(cell.text, position):
            end = match.end()
            if match[1] in _PAGE_PARTS:
                self._end_part(match[1])
            elif match[1] in _BETWEEN_ROWS:
                self._is_below_rule = self._is_below_rule or match[1] in _RULES
                end = end_of(_TRIM, cell.text, end)
                for _ in range(_BETWEEN_ROWS[match[1]]):
                    end = _behind_argument(cell.text, end)
                end = end_of(_TRIM, cell.text, end)
            else:
                break
            position = end
        cell.text, cell.start = cell.text[position:], cell.start + position

    def _end_part(self, name: str) -> None:
        """Put aside what stands above and below the table's further pages."""
        if name == "endfirsthead":
            self._has_first_head = True
        elif name != "endhead" or self._has_first_head:
            for row in self._grid.rows[self._part_begins :]:
                text = " & ".join(cell.text for cell in row.cells)
                self._grid.asides.append(Aside(row.line, 0, text, "head or foot of further pages"))
            del self._grid.rows[self._part_begins :]
        self._part_begins = len(self._grid.rows)

    def _read_row(self, sources: list[_Source]) -> Iterator[Cell]:
        column = 0
        for source in sources:
            line = self._line(source)
            n_columns, n_rows, cell = _read_cell(source.text, line, column + 1)
            n_columns = min(n_columns, MAX_COLUMNS + 1)
            for number in range(n_columns):
                yield self._reaching(column, replace(cell, is_covered=number > 0))
                if n_rows > 1:
                    self._spans[column] = _Span(cell, n_rows - 1)
                elif n_rows < -1:
                    self._upward.append((column, -n_rows - 1, cell))
                column += 1

    def _fill_upward(self) -> None:
        """Put the cells that are written in the last of their rows into the rows above, where these are blank."""
        rows = self._grid.rows
        for column, n_above, cell in self._upward:
            for place in range(max(self._part_begins, len(rows) - 1 - n_above), len(rows) - 1):
                cells = rows[place].cells
                if column < len(cells) and cells[column].is_blank:
                    filled = replace(cell, line=rows[place].line, is_covered=True)
                    rows[place] = replace(rows[place], cells=(*cells[:column], filled, *cells[column + 1 :]))

    def _reaching(self, column: int, cell: Cell) -> Cell:
        """Return the cell, or the one that reaches over it from above."""
        span = self._spans.get(column)
        if span is None or not span.n_left:
            return cell
        span.n_left -= 1
        return cell if cell.text else replace(span.cell, line=cell.line, is_covered=True)


def _read_cell(written: str, line: int, column: int) -> tuple[int, int, Cell]:
    """Return how many columns and rows the cell reaches over, and the cell."""
    counts = {"multicolumn": 1, "multirow": 1}
    try:
        if len(written) > MAX_CELL_LENGTH:
            raise Refused("too_long", f"has {len(written):,} characters; the most is {MAX_CELL_LENGTH:,}")
        inner = written
        while match := _SPAN.match(inner):
            count = int(match["count"] or match["digit"])
            # A negative number of rows reaches upward.
            counts[match["kind"]] = count if match["kind"] == "multirow" else max(1, count)
            inner = _content(inner, match.end())
        shown = printed(inner)
        if shown.unknown:
            names = " and ".join(shown.unknown[:3])
            advice = "write what it prints, or paste its definition above the table"
            raise Refused("unknown_command", f"{names} is a macro of the paper; {advice}")
    except Refused as refused:
        message = f"{shorten(written.strip(), 40)!r}: {refused.message}"
        raise Flaw(refused.code, message, line, column) from refused
    text = _NO_CITATION.sub("", shown.text) if "cite" in written else shown.text
    label = bare_label(text)
    is_bold = bool(_BOLD.match(inner))
    cell = Cell(label, line, text if label != text else "", footnotes=shown.footnotes, is_bold=is_bold)
    return counts["multicolumn"], counts["multirow"], cell


def _content(text: str, position: int) -> str:
    """Return what a cell that reaches over others prints, with what follows: the last of its two further arguments.

    The first, the columns or the width, may also be a bare * or =.
    """
    bare = re.compile(r"\s*[*=]").match(text, position)
    position = bare.end() if bare else _behind_argument(text, position)
    end = _behind_argument(text, position)
    return text[position:end].strip().removeprefix("{").removesuffix("}") + text[end:]
